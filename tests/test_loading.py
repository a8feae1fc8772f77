"""`localeval.loading`: the shortest order of loads, against all orders there are."""

import time
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.loading import Job, find_order, load_order


def finishes(jobs: list[Job], order: tuple[str, ...]) -> bool:
    """Whether loading `order` finishes all jobs: played through the plain way, round by round."""
    left = {job.name: list(job.models) for job in jobs}
    for model in (None, *order):
        moved = True
        while moved:
            moved = False
            for job in jobs:
                is_open = not any(left[other] for other in job.after)
                if is_open and left[job.name] and left[job.name][0] == model:
                    left[job.name].pop(0)
                    moved = True
    return not any(left.values())


def shortest(jobs: list[Job], names: str) -> int:
    """The length of the shortest order, by trying all."""
    length = 0
    while not any(finishes(jobs, order) for order in product(names, repeat=length)):
        length += 1
    return length


@st.composite
def some_jobs(draw: st.DrawFn) -> list[Job]:
    """Up to five jobs of up to three models, each waiting for some of those before it."""
    jobs: list[Job] = []
    for number in range(draw(st.integers(0, 5))):
        models = draw(st.lists(st.sampled_from("ABC"), max_size=3))
        after = [job.name for job in jobs if draw(st.booleans())]
        jobs.append(Job(f"j{number}", tuple(models), tuple(after)))
    return draw(st.permutations(jobs))


@settings(max_examples=150, deadline=None)
@given(some_jobs())
def test_no_order_is_shorter(jobs: list[Job]) -> None:
    """The order finishes every job, is called minimal, and trying all orders finds none that is shorter."""
    order = find_order(jobs)
    assert finishes(jobs, order.models)
    assert order.is_minimal
    if len(order.models) <= 7:
        assert len(order.models) == shortest(jobs, "ABC")


@settings(max_examples=100, deadline=None)
@given(some_jobs())
def test_the_order_for_want_of_time_finishes_too(jobs: list[Job]) -> None:
    """Where the search may look at nothing, the order that it settles for still finishes every job."""
    order = find_order(jobs, most_looks=0)
    assert finishes(jobs, order.models)
    assert len(order.models) >= len(load_order(jobs))


def three_systems(judges: str, n_sources: int = 4) -> list[Job]:
    """Two systems of model A, one of model B, and a panel of each source once its three texts are there."""
    texts = [Job(f"{source}/{n}", (model,)) for source in range(n_sources) for n, model in enumerate("AAB")]
    panels = [
        Job(f"{source}/{judge}", (judge,), tuple(f"{source}/{n}" for n in range(3)))
        for source in range(n_sources)
        for judge in judges
    ]
    return texts + panels


def test_two_models_that_write_and_judge_take_three_loads() -> None:
    """One writes, the other writes and judges in one load, the first comes back to judge: the model named first."""
    assert load_order(three_systems("AB")) == ("A", "B", "A")


def test_the_only_judge_is_loaded_last() -> None:
    """The other model writes first, so that the judge writes and judges in one load."""
    assert load_order(three_systems("A")) == ("B", "A")
    assert load_order(three_systems("B")) == ("A", "B")


def test_sixteen_systems_and_four_judges_are_ordered_at_once() -> None:
    """Judges that write too come back to judge; all is found in less than a second, and is minimal."""
    systems = [f"s{n}" for n in range(12)] + ["j0", "j1", "j2", "j3"]
    texts = [Job(f"{source}/{model}", (model,)) for source in range(20) for model in systems]
    ready = {source: tuple(f"{source}/{model}" for model in systems) for source in range(20)}
    panels = [Job(f"panel/{source}/{n}", (f"j{n}",), ready[source]) for source in range(20) for n in range(4)]
    quizzes = [Job(f"quiz/{source}", ("j0", "j1", "j0", "j2"), ready[source]) for source in range(20)]
    began = time.process_time()
    order = find_order([*texts, *panels, *quizzes])
    assert time.process_time() - began < 1.0
    assert order.is_minimal
    assert finishes([*texts, *panels, *quizzes], order.models)
    # whoever writes last judges at once; j0 comes back in the quiz if it was the last, once more if it was not
    assert len(order.models) == 16 + 4


def test_a_search_that_would_take_too_long_is_given_up() -> None:
    """Many jobs that all go back and forth: an order within seconds, not called minimal, and it finishes."""
    names = "ABCDEFGHIJKL"
    jobs = [Job(a + b + c, (a, b, c, a)) for a, b, c in product(names, repeat=3) if len({a, b, c}) == 3][:300]
    began = time.process_time()
    order = find_order(jobs)
    assert time.process_time() - began < 5.0
    assert not order.is_minimal
    assert finishes(jobs, order.models)


def test_nothing_to_do_needs_no_load() -> None:
    """No job, or jobs that ask no model, even one after the other."""
    assert load_order([]) == ()
    assert load_order([Job("a", ()), Job("b", (), ("a",)), Job("c", ("M",), ("b",))]) == ("M",)


def test_jobs_in_a_circle_are_refused() -> None:
    """Jobs that wait for one another can never be finished."""
    with pytest.raises(ValueError, match="wait for one another"):
        load_order([Job("a", ("A",), ("b",)), Job("b", ("B",), ("a",))])


def test_unknown_and_double_names_are_refused() -> None:
    """A job that waits for what is no job, and two jobs of one name."""
    with pytest.raises(ValueError, match="'z', which is no job"):
        load_order([Job("a", ("A",), ("z",))])
    with pytest.raises(ValueError, match="one name"):
        load_order([Job("a", ("A",)), Job("a", ("B",))])
