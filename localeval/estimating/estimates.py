"""From the calls and tokens of a plan to seconds and money, corrected by what a pilot measured. Pure.

Each stage of each load is reckoned from the model's sizes and the device (`localeval.models.roofline`). Where a pilot
was run, the plan of that pilot is set against what it took: their ratio, stage by stage, corrects everything that the
rehearsal and the roofline do not know: the device's real speed, replies asked again, questions that a filter drops.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from localeval.bill.pricing import Kind
from localeval.models.prices import call_cost
from localeval.models.roofline import Serving, Sizes, Work, stage_seconds
from localeval.planning import LoadPlan, Plan, StagePlan

Basis = Literal["stage", "model", "sizes", "none"]
"""What the seconds of a stage rest on: a pilot at this stage, a pilot at the model's other stages, sizes alone."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What a pilot's calls of one model at one stage took. `device_s` is None where nobody measures it."""

    model: str
    stage: str
    calls: int
    prompt_tokens: int
    computed_tokens: int
    output_tokens: int
    device_s: float | None


@dataclass(frozen=True, slots=True)
class Pilot:
    """A pilot that was run: the plan that was made of it, what it took, and the mean seconds of a load, by model.

    `loads` counts the loads behind `load_s`; both are empty where everything was stored.
    """

    sources: tuple[str, ...]
    planned: tuple[StagePlan, ...]
    measured: tuple[Measured, ...]
    load_s: Mapping[str, float]
    loads: Mapping[str, int]

    @property
    def work_s(self) -> float:
        """Seconds of devices, as far as they were measured."""
        return sum(each.device_s or 0.0 for each in self.measured)

    @property
    def total_load_s(self) -> float:
        """Seconds of all its loads."""
        return sum(seconds * self.loads[model] for model, seconds in self.load_s.items())


@dataclass(frozen=True, slots=True)
class Terms:
    """What decides a model's seconds and money.

    `sizes` and `serving` are None where they are not known or of no account, `load_s` is a guess at a load's seconds,
    `hour` the price of an hour of its device, `options` name the prices of its tokens.
    """

    kind: Kind
    options: Mapping[str, Any]
    sizes: Sizes | None = None
    serving: Serving | None = None
    load_s: float | None = None
    hour: float | None = None


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """What a stage is expected to take. None: not known. `is_length_measured`: the replies' lengths are a pilot's."""

    plan: StagePlan
    expected_output_tokens: float
    work_s: float | None
    money: float | None
    basis: Basis
    is_length_measured: bool


@dataclass(frozen=True, slots=True)
class LoadEstimate:
    """What a load is expected to take, beside the work in it. `money` is of both."""

    model: str
    stages: tuple[StageEstimate, ...]
    load_s: float | None
    work_s: float | None
    money: float | None
    is_load_measured: bool


@dataclass(frozen=True, slots=True)
class Estimate:
    """A plan with seconds and money, load by load and stage by stage; the pilot's own are not in it."""

    plan: Plan
    loads: tuple[LoadEstimate, ...]
    stages: tuple[StageEstimate, ...]
    terms: Mapping[str, Terms]
    pilot: Pilot | None


def estimate(plan: Plan, terms: Mapping[str, Terms], pilot: Pilot | None = None) -> Estimate:
    """What the calls of a plan are expected to take."""
    loads = tuple(_load(load, terms[load.model], pilot) for load in plan.loads)
    found: dict[tuple[str, str], list[StageEstimate]] = {}
    for load in loads:
        for stage in load.stages:
            found.setdefault((stage.plan.model, stage.plan.stage), []).append(stage)
    stages = tuple(_added(whole, found.get((whole.model, whole.stage), [])) for whole in plan.stages)
    return Estimate(plan, loads, stages, terms, pilot)


def summed(values: Sequence[float | None]) -> float | None:
    """The sum, or None where one of them is not known."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _load(load: LoadPlan, terms: Terms, pilot: Pilot | None) -> LoadEstimate:
    stages = tuple(_stage(stage, terms, pilot) for stage in load.stages)
    measured = pilot.load_s.get(load.model) if pilot is not None else None
    load_s = terms.load_s if measured is None else measured
    work_s = summed([stage.work_s for stage in stages])
    money = summed([stage.money for stage in stages])
    if terms.hour is not None:
        money = summed([money, _by_the_hour(load_s, terms.hour)])
    return LoadEstimate(load.model, stages, load_s, work_s, money, measured is not None)


def _stage(stage: StagePlan, terms: Terms, pilot: Pilot | None) -> StageEstimate:
    measured = _measured(pilot, stage.model, stage.stage)
    planned = _planned(pilot, stage.model, stage.stage)
    output, is_measured = _output_tokens(stage, planned, measured)
    work_s, basis = _seconds(stage, output, terms, pilot)
    parts: list[float | None] = [] if terms.hour is None else [_by_the_hour(work_s, terms.hour)]
    if call_cost(terms.options, 0, 0, 0) is not None:
        parts.append(_token_money(stage, output, terms, planned, measured))
    return StageEstimate(stage, output, work_s, summed(parts) if parts else None, basis, is_measured)


def _output_tokens(stage: StagePlan, planned: StagePlan | None, measured: Measured | None) -> tuple[float, bool]:
    """(tokens that the replies are expected to have, whether a pilot says so): its mean, else half of the most."""
    if measured is not None:
        calls = planned.calls if planned is not None and planned.calls else measured.calls
        return stage.calls * measured.output_tokens / calls, True
    return max(float(min(stage.calls, stage.output_tokens)), stage.output_tokens / 2), False


def _seconds(stage: StagePlan, output: float, terms: Terms, pilot: Pilot | None) -> tuple[float | None, Basis]:
    reckoned = _reckoned(stage, output, terms)
    if pilot is None or terms.kind == "hosted":
        return (reckoned, "sizes") if terms.sizes is not None and reckoned is not None else (None, "none")
    own = _ratio(pilot, terms, stage.model, (stage.stage,))
    unit = _weight(stage, output) if reckoned is None else reckoned
    if own is not None:
        return unit * own, "stage"
    others = _ratio(pilot, terms, stage.model, tuple(each.stage for each in pilot.measured))
    if others is not None:
        return unit * others, "model"
    return reckoned, "sizes" if reckoned is not None else "none"


def _ratio(pilot: Pilot, terms: Terms, model: str, stages: Sequence[str]) -> float | None:
    """What stages of a pilot took over what is reckoned for them; None where that cannot be told."""
    took = reckoned = 0.0
    for stage in dict.fromkeys(stages):
        measured, planned = _measured(pilot, model, stage), _planned(pilot, model, stage)
        if measured is None or planned is None or not planned.calls or measured.device_s is None:
            continue
        output, _ = _output_tokens(planned, planned, measured)
        of_sizes = _reckoned(planned, output, terms)
        took += measured.device_s
        reckoned += _weight(planned, output) if of_sizes is None else of_sizes
    return took / reckoned if reckoned > 0 and took > 0 else None


def _reckoned(stage: StagePlan, output: float, terms: Terms) -> float | None:
    if terms.sizes is None or terms.serving is None:
        return None
    work = Work(stage.calls, stage.prompt_tokens, stage.computed_tokens, output)
    return stage_seconds(terms.sizes, terms.serving, work)


def _weight(stage: StagePlan, output: float) -> float:
    """What stands for seconds where no sizes are known: tokens read and written."""
    return stage.computed_tokens + output


def _token_money(
    stage: StagePlan, output: float, terms: Terms, planned: StagePlan | None, measured: Measured | None
) -> float | None:
    """Money by tokens, or None where the options name no prices. Without a pilot no token counts as cached."""
    prompt, cached = float(stage.prompt_tokens), 0.0
    if measured is not None and planned is not None and planned.prompt_tokens:
        prompt *= measured.prompt_tokens / planned.prompt_tokens  # by its own tokenizer
        share = 1 - measured.computed_tokens / measured.prompt_tokens if measured.prompt_tokens else 0.0
        cached = prompt * share
    return call_cost(terms.options, prompt, cached, output)


def _by_the_hour(seconds: float | None, price: float) -> float | None:
    return None if seconds is None else seconds * price / 3600


def _measured(pilot: Pilot | None, model: str, stage: str) -> Measured | None:
    found = pilot.measured if pilot is not None else ()
    return next((each for each in found if (each.model, each.stage) == (model, stage) and each.calls), None)


def _planned(pilot: Pilot | None, model: str, stage: str) -> StagePlan | None:
    found = pilot.planned if pilot is not None else ()
    return next((each for each in found if (each.model, each.stage) == (model, stage)), None)


def _added(whole: StagePlan, parts: Sequence[StageEstimate]) -> StageEstimate:
    """A stage over all loads."""
    bases: list[Basis] = [part.basis for part in parts]
    return StageEstimate(
        plan=whole,
        expected_output_tokens=sum(part.expected_output_tokens for part in parts),
        work_s=summed([part.work_s for part in parts]),
        money=summed([part.money for part in parts]),
        basis=bases[0] if bases else "none",
        is_length_measured=all(part.is_length_measured for part in parts),
    )
