"""`localeval.estimating.estimates`: seconds and money of a plan, by sizes and as a pilot corrects them."""

from dataclasses import replace
from typing import Any

import pytest

from localeval.estimating.estimates import Measured, Pilot, Terms, estimate, summed
from localeval.models.cards import Model, load_card
from localeval.models.devices import Speed
from localeval.models.roofline import Work, serving_of, sizes_of, stage_seconds
from localeval.planning import LoadPlan, Plan, StagePlan

CARD = load_card("smollm2-135m")
MODEL = Model(name="m", card=CARD, engine="vllm", context=CARD.context)
SIZES = sizes_of(MODEL)
SERVING = serving_of(MODEL, Speed("cpu", "cpu", flops=60e9, bytes_per_s=10e9))
LOCAL = Terms("local", {}, SIZES, SERVING, load_s=20.0, hour=3.6)


def stage(calls: int, name: str = "panel/judge", model: str = "m", output: int = 0, stored: int = 0) -> StagePlan:
    """A stage of calls of a thousand prompt tokens, a hundred of them to compute."""
    return StagePlan(model, name, stored, calls, 1000 * calls, 90 * calls, 100 * calls, output or 120 * calls)


def plan_of(*loads: tuple[str, tuple[StagePlan, ...]]) -> Plan:
    """A plan of these loads whose stages are of one load each."""
    return Plan(tuple(each for _, stages in loads for each in stages), (), tuple(LoadPlan(*load) for load in loads))


def pilot(planned: StagePlan, output: int, device_s: float | None, **changes: Any) -> Pilot:
    """A pilot of one stage that went as planned, but for what its replies took."""
    took = Measured(
        planned.model,
        planned.stage,
        planned.calls,
        planned.prompt_tokens,
        planned.computed_tokens,
        output,
        device_s,
    )
    return Pilot(("s0",), (planned,), (replace(took, **changes),), {"m": 31.0}, {"m": 1})


def reckoned(calls: int, output: float) -> float:
    """What the sizes say of so many calls."""
    seconds = stage_seconds(SIZES, SERVING, Work(calls, 1000 * calls, 100 * calls, output))
    assert seconds is not None
    return seconds


def test_without_a_pilot_seconds_are_those_of_the_sizes() -> None:
    """Half of the longest replies are taken, the load is a guess, and both have the price of the hour."""
    found = estimate(plan_of(("m", (stage(10),))), {"m": LOCAL})
    only = found.stages[0]
    assert only.work_s == pytest.approx(reckoned(10, 600))
    assert (only.expected_output_tokens, only.basis, only.is_length_measured) == (600, "sizes", False)
    assert only.money == pytest.approx(reckoned(10, 600) * 0.001)
    assert (found.loads[0].load_s, found.loads[0].is_load_measured) == (20.0, False)
    assert found.loads[0].money == pytest.approx((reckoned(10, 600) + 20.0) * 0.001)


def test_one_token_answers_have_one_token() -> None:
    """Half of the most would be half a token."""
    found = estimate(plan_of(("m", (stage(10, output=10),))), {"m": LOCAL})
    assert found.stages[0].expected_output_tokens == 10


def test_a_pilot_corrects_its_own_stage() -> None:
    """Three times as slow as reckoned, thirty tokens a reply: so is what is left; a load is as measured."""
    measured = pilot(stage(4), output=120, device_s=3 * reckoned(4, 120))
    found = estimate(plan_of(("m", (stage(10),))), {"m": LOCAL}, measured)
    assert found.stages[0].work_s == pytest.approx(3 * reckoned(10, 300))
    assert (found.stages[0].basis, found.stages[0].is_length_measured) == ("stage", True)
    assert (found.loads[0].load_s, found.loads[0].is_load_measured) == (31.0, True)


def test_what_was_asked_again_is_expected_again() -> None:
    """Two planned calls that became three replies: lengths and seconds count for a planned call, not for a reply."""
    measured = pilot(stage(2), output=90, device_s=2 * reckoned(2, 90), calls=3)
    found = estimate(plan_of(("m", (stage(20),))), {"m": LOCAL}, measured)
    assert found.stages[0].expected_output_tokens == 900
    assert found.stages[0].work_s == pytest.approx(2 * reckoned(20, 900))


def test_a_stage_that_the_pilot_did_not_reach_goes_by_the_models_others() -> None:
    """Its length stays a guess; another model's stages say nothing of it."""
    measured = pilot(stage(4), output=120, device_s=3 * reckoned(4, 120))
    found = estimate(
        plan_of(("m", (stage(10, "audit/verify"),)), ("other", (stage(10, model="other"),))),
        {"m": LOCAL, "other": LOCAL},
        measured,
    )
    verify, other = found.stages
    assert verify.work_s == pytest.approx(3 * reckoned(10, 600))
    assert (verify.basis, verify.is_length_measured) == ("model", False)
    assert other.work_s == pytest.approx(reckoned(10, 600))
    assert other.basis == "sizes"


def test_a_model_of_unknown_size_goes_by_its_tokens() -> None:
    """Nothing is known before a pilot; after it, seconds grow with the tokens read and written."""
    unsized = Terms("local", {})
    plan = plan_of(("m", (stage(10),)))
    assert estimate(plan, {"m": unsized}).stages[0].work_s is None
    found = estimate(plan, {"m": unsized}, pilot(stage(2), output=100, device_s=5.0))
    assert found.stages[0].work_s == pytest.approx(25.0)


def test_replies_without_seconds_correct_no_seconds() -> None:
    """They still tell how long replies are."""
    found = estimate(plan_of(("m", (stage(10),))), {"m": LOCAL}, pilot(stage(4), output=120, device_s=None))
    assert found.stages[0].work_s == pytest.approx(reckoned(10, 300))
    assert found.stages[0].basis == "sizes"


def test_tokens_have_a_price_of_their_own() -> None:
    """A model elsewhere takes no seconds here. Its own tokenizer and its cache show in the pilot's replies."""
    prices = {"price_in": 2.0, "price_cached_in": 1.0, "price_out": 10.0}
    plan = plan_of(("m", (stage(10),)))
    before = estimate(plan, {"m": Terms("hosted", prices)}).stages[0]
    assert before.work_s is None
    assert before.money == pytest.approx((10_000 * 2 + 600 * 10) / 1e6)
    measured = pilot(stage(4), output=80, device_s=None, prompt_tokens=6000, computed_tokens=3000)
    after = estimate(plan, {"m": Terms("hosted", prices)}, measured).stages[0]
    assert after.money == pytest.approx((7500 * 2 + 7500 * 1 + 200 * 10) / 1e6)
    assert after.work_s is None


def test_what_has_no_price_costs_what_is_not_known() -> None:
    """Never 0."""
    found = estimate(plan_of(("m", (stage(10),))), {"m": Terms("hosted", {})})
    assert (found.stages[0].money, found.loads[0].money) == (None, None)


def test_a_stage_of_two_loads_is_the_sum_of_both() -> None:
    """As is what the store answers already; a stage that it answers whole takes nothing."""
    parts = stage(4), stage(6)
    done = StagePlan("m", "quiz/write", 5, 0, 0, 0, 0, 0)
    loads = LoadPlan("m", (parts[0],)), LoadPlan("n", ()), LoadPlan("m", (parts[1],))
    found = estimate(Plan((stage(10, stored=3), done), (), loads), {"m": LOCAL, "n": LOCAL})
    whole, nothing = found.stages
    assert whole.plan.stored == 3
    assert whole.work_s == pytest.approx(reckoned(4, 240) + reckoned(6, 360))
    assert (nothing.work_s, nothing.money, nothing.expected_output_tokens) == (0, 0, 0)


def test_a_sum_with_an_unknown_part_is_unknown() -> None:
    """And a sum of nothing is nothing."""
    assert summed([1.0, None]) is None
    assert summed([1.0, 2.0]) == 3.0
    assert summed([]) == 0
