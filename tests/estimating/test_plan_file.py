"""`localeval.estimating.plan_file`: plan.json and back, and an estimate against what the run took."""

import json
from typing import Any

import pytest

from localeval.estimating import Compared, estimated_against_actual
from localeval.estimating.estimates import Measured, Pilot, Terms, estimate
from localeval.estimating.plan_file import pilot_of, plan_json
from localeval.models.devices import Speed
from localeval.planning import LoadPlan, Plan, StagePlan, TooLong

PLANNED = StagePlan("m", "panel/judge", 0, 2, 2000, 1000, 1000, 200)
PILOT = Pilot(("s1",), (PLANNED,), (Measured("m", "panel/judge", 2, 2000, 1000, 100, 11.0),), {"m": 9.0}, {"m": 2})
REST = Plan(
    (
        StagePlan("m", "panel/judge", 2, 6, 6000, 3000, 3000, 600),
        StagePlan("h", "audit/verify", 0, 1, 100, 100, 100, 50),
    ),
    (TooLong("m", "panel/judge", "s0/x", 9000, 8192),),
    (
        LoadPlan("m", (StagePlan("m", "panel/judge", 0, 6, 6000, 3000, 3000, 600),)),
        LoadPlan("h", (StagePlan("h", "audit/verify", 0, 1, 100, 100, 100, 50),)),
    ),
)
TERMS = {"m": Terms("local", {}, hour=3.6), "h": Terms("hosted", {"price_in": 1.0, "price_out": 1.0})}


def written(pilot: Pilot | None = PILOT) -> dict[str, Any]:
    """A plan.json as it is read back."""
    found = plan_json(estimate(REST, TERMS, pilot), Speed("cpu", "cpu", 5e10, 0.0, 1e10), "EUR", ["a note"])
    loaded: dict[str, Any] = json.loads(json.dumps(found, allow_nan=False))
    return loaded


def test_the_total_is_of_the_whole_run() -> None:
    """Calls, seconds and money of the pilot and of what is left: 11 s for two calls, so 33 s for six more."""
    found = written()
    assert found["schema"] == "localeval.plan/1"
    assert found["order"] == ["m", "h"]
    assert found["device"] == {"name": "cpu", "flops": 5e10, "bytes_per_s": 1e10}
    first = found["loads"][0]
    assert (first["place"], first["stages"], first["load_s"]) == (1, {"panel/judge": 6}, 9.0)
    assert first["work_s"] == pytest.approx(33.0)
    assert first["money"] == pytest.approx(0.042)
    assert found["loads"][1]["work_s"] is None
    assert found["loads"][1]["load_s"] is None
    assert found["pilot"]["money"] == pytest.approx((11 + 18) * 0.001)
    assert found["total"]["calls"] == 6 + 1 + 2
    assert found["total"]["work_s"] == pytest.approx(11 + 33)
    assert found["total"]["load_s"] == pytest.approx(18 + 9)
    assert found["total"]["money"] == pytest.approx(0.042 + 0.029 + 125e-6)


def test_a_pilot_is_read_back_as_it_was() -> None:
    """And a plan that was not calibrated has none, and knows no seconds of a model of unknown size."""
    assert pilot_of(written()) == PILOT
    plain = written(None)
    assert pilot_of(plain) is None
    assert not plain["calibrated"]
    assert plain["total"]["work_s"] is None
    assert plain["too_long"] == [
        {"model": "m", "stage": "panel/judge", "subject": "s0/x", "needed": 9000, "limit": 8192}
    ]


def ledger(judge_s: float | None, load_s: float = 27.0) -> dict[str, Any]:
    """A ledger.json of the run that followed, as far as it is read here."""
    rows = [
        {"model": "m", "stage": "panel/judge", "system": "", "device_s": judge_s, "incomplete": []},
        {"model": "h", "stage": "audit/verify", "system": "", "device_s": None, "incomplete": []},
        {"model": "m", "stage": "panel/again", "system": "", "device_s": 2.0, "incomplete": []},
    ]
    return {"rows": rows, "loads": [{"model": "m", "times": 3, "seconds": load_s, "incomplete": []}]}


def test_the_estimate_of_the_rest_is_set_against_the_rest() -> None:
    """What the pilot took is off the ledger's seconds; a stage that nobody planned counts against the estimate."""
    rows = estimated_against_actual(written(), ledger(50.0))
    judge, hosted, again, load, total = rows
    assert (judge.what, judge.stage, judge.actual_s) == ("work", "panel/judge", 39.0)
    assert judge.ratio == pytest.approx(39 / 33)
    assert (hosted.estimated_s, hosted.actual_s, hosted.ratio) == (None, None, None)
    assert again == Compared("work", "m", "panel/again", 0.0, 2.0)
    assert again.ratio is None
    assert load == Compared("load", "m", "", 9.0, 9.0)
    assert total.actual_s == pytest.approx(41.0)
    assert total.ratio == pytest.approx(41 / 33)


def test_seconds_of_several_systems_at_one_stage_are_one_sum() -> None:
    """The ledger tells them apart, a plan does not; one that is not known whole makes the sum unknown."""
    both = ledger(20.0)
    both["rows"].append({"model": "m", "stage": "panel/judge", "system": "x", "device_s": 24.0, "incomplete": []})
    assert estimated_against_actual(written(), both)[0].actual_s == 33.0
    both["rows"][-1]["incomplete"] = ["device_s"]
    rows = estimated_against_actual(written(), both)
    assert rows[0].actual_s is None
    assert rows[-1].estimated_s == 0.0, "the total leaves out what is not known"
