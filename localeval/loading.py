"""In which order models are loaded, where only one is on the device at a time: as few loads as can be."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from typing import NamedTuple

MOST_LOOKS = 500_000
"""How often a job is looked at before the search settles for a good order: about a second."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work that asks `models` one after the other, and is open once the jobs named in `after` are finished."""

    name: str
    models: tuple[str, ...]
    after: tuple[str, ...] = ()


class Order(NamedTuple):
    """Models in the order in which to load them. `is_minimal`: no shorter order finishes all jobs."""

    models: tuple[str, ...]
    is_minimal: bool


def load_order(jobs: Sequence[Job]) -> tuple[str, ...]:
    """The models of `find_order`."""
    return find_order(jobs).models


def find_order(jobs: Sequence[Job], most_looks: int = MOST_LOOKS) -> Order:
    """The shortest sequence of loads that finishes all jobs; between equals the model that is named first.

    A load runs every open job as far as it goes with that model alone, and the jobs that it opens, too. The search is
    breadth-first over how far each job is. A model all of whose work would be finished now is loaded at once, which is
    never worse: every sequence that finishes loads it some time; moved to the front it leaves each job at least as far
    at every later place, and its further loads have nothing to do. Past `most_looks` the order is greedy and need not
    be the shortest. Raises ValueError where jobs wait for one another, for an unknown job, or share a name.
    """
    work = _merged(jobs)
    names = tuple(dict.fromkeys(model for job in jobs for model in job.models))
    found = _search(work, names, most_looks)
    return Order(found, True) if found is not None else Order(_greedy(work, names), False)


_State = tuple[int, ...]
"""How many of its models each job has behind it."""


class _Step(NamedTuple):
    """A job by numbers: what it waits for stands before it."""

    models: tuple[str, ...]
    after: tuple[int, ...]


def _merged(jobs: Sequence[Job]) -> list[_Step]:
    """The jobs in an order in which each stands behind those that it waits for; equal ones are one."""
    by_name = {job.name: job for job in jobs}
    if len(by_name) < len(jobs):
        raise ValueError("two jobs have one name")
    try:
        sequence = list(TopologicalSorter({job.name: job.after for job in jobs}).static_order())
    except CycleError as error:
        raise ValueError("jobs wait for one another: " + " <- ".join(error.args[1])) from None
    places: dict[_Step, int] = {}
    place_of: dict[str, int] = {}
    for name in sequence:
        if name not in by_name:
            raise ValueError(f"a job waits for {name!r}, which is no job")
        models = tuple(model for model, _ in groupby(by_name[name].models))
        step = _Step(models, tuple(sorted({place_of[other] for other in by_name[name].after})))
        place_of[name] = places.setdefault(step, len(places))
    return list(places)


def _loaded(work: Sequence[_Step], state: _State, model: str | None) -> _State:
    """The state once `model` has done what it can. One pass does, since a job stands behind what opens it."""
    now = list(state)
    for place, step in enumerate(work):
        at = now[place]
        if at < len(step.models) and step.models[at] == model and _is_open(work, now, step):
            now[place] = at + 1  # never two of the same: equal neighbours are one
    return tuple(now)


def _is_open(work: Sequence[_Step], state: Sequence[int], step: _Step) -> bool:
    return all(state[other] == len(work[other].models) for other in step.after)


def _left(work: Sequence[_Step], state: _State) -> set[str]:
    """The models that have any work left."""
    return {model for at, step in zip(state, work, strict=True) for model in step.models[at:]}


def _choices(work: Sequence[_Step], names: Sequence[str], state: _State) -> dict[str, _State]:
    """The states that one load leads to, by the model loaded: one alone where it is as good as any."""
    open_now = {
        step.models[at]
        for at, step in zip(state, work, strict=True)
        if at < len(step.models) and _is_open(work, state, step)
    }
    reached: dict[str, _State] = {}
    for model in names:
        if model in open_now:
            reached[model] = _loaded(work, state, model)
            if model not in _left(work, reached[model]):
                return {model: reached[model]}
    return reached


def _search(work: Sequence[_Step], names: Sequence[str], most_looks: int) -> tuple[str, ...] | None:
    """The shortest order, or None where jobs would have to be looked at more than `most_looks` times."""
    start: _State = (0,) * len(work)
    end: _State = tuple(len(step.models) for step in work)
    came_by: dict[_State, tuple[_State, str] | None] = {start: None}
    level = [start]
    while end not in came_by:
        reached: list[_State] = []
        for state in level:
            if len(came_by) * len(work) > most_looks:
                return None
            for model, then in _choices(work, names, state).items():
                if then not in came_by:
                    came_by[then] = (state, model)
                    reached.append(then)
        level = reached
    return _path(came_by, end)


def _path(came_by: Mapping[_State, tuple[_State, str] | None], end: _State) -> tuple[str, ...]:
    order: list[str] = []
    step = came_by[end]
    while step is not None:
        state, model = step
        order.append(model)
        step = came_by[state]
    return tuple(reversed(order))


def _greedy(work: Sequence[_Step], names: Sequence[str]) -> tuple[str, ...]:
    """Each time the model whose load moves jobs on by the most models."""
    state: _State = (0,) * len(work)
    end = sum(len(step.models) for step in work)
    order: list[str] = []
    while sum(state) < end:
        choices = _choices(work, names, state)
        order.append(max(choices, key=lambda model: sum(choices[model])))
        state = choices[order[-1]]
    return tuple(order)
