"""decision.json, ledger.json and plan.json of a run, made by hand from the real functions: local, hosted, unpriced and
scripted models, a failing system, one that is not audited, a deployed one, missing texts."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from localeval.decision.recommend import decide
from localeval.decision.schemas import SelectSettings
from localeval.estimating.estimates import Measured, Pilot, Terms, estimate
from localeval.estimating.plan_file import plan_json
from localeval.methods.generate.schemas import GeneratedText
from localeval.models.devices import Speed
from localeval.models.prices import Prices
from localeval.planning import LoadPlan, Plan, StagePlan
from localeval.values import Missing, Reply
from tests.bill.billing import billed, call, ledger, loaded
from tests.decision.made_scores import made_audit, made_ledger, made_panel, made_scores, wrote

Json = dict[str, Any]
Names = tuple[str, str, str, str]

NAMES: Names = ("qwen3-8b-long-prompt", "gemma-3-12b-it", "phi-4-mini", "from-files")
RULES = ("fabrications <= 0", "disagreement <= 5", "cost_per_1000 <= 12.5")


def selection_scores(names: Names = NAMES) -> Json:
    """scores.json: the first writes through the generic prompt, the second is deployed, the third makes things up and
    lacks a text, the fourth was not written by the run."""
    first, second, third, fourth = names
    written = {first: wrote(generic=True), second: wrote(incumbent=True), third: wrote(missing=["s3"])}
    for name, system in written.items():
        system |= {"texts": 3, "characters": 812.5, "by_source": {"s0": {"asked": 2}}, "model": f"model of {name}"}
    scores = made_scores(
        made_panel(
            {first: [80, 71, 66, 77], second: [79, 72, 63, 75], third: [85, 88, 82, 86], fourth: [60, 51, 66, 58]}
        ),
        made_audit({first: [0, 0, 0, 0], second: [0, 0, 0, 0], third: [2, 0, 1, 1]}),
        generate=written,
        incumbent=second,
    )
    scores["methods"]["generate"] |= {"missing": 1, "missing_by_reason": {"truncated": 1}}
    scores["sources"] = {
        "chosen": ["s0", "s1", "s2", "s3"],
        "left_out": [{"source": "s9", "category": "meeting"}],
        "categories": {"meeting": {"chosen": 2, "pool": 3}, "lecture": {"chosen": 2, "pool": 2}},
        "note": "few of each",
    }
    return scores | {"config": "c" * 64, "prompts": "d" * 64, "models": {"m": "e" * 64}}


def selection_decision(scores: Json, names: Names = NAMES) -> Json:
    """decision.json of these scores."""
    money = {names[0]: 7.15, names[1]: 9.4, names[2]: 3.5}
    return decide(
        scores, made_ledger(money, {names[0]: 9.1, names[1]: 4.0, names[2]: 12.0}), SelectSettings(require=RULES)
    )


def selection_ledger(system: str = NAMES[0]) -> Json:
    """ledger.json: a local, a hosted, an unpriced and a scripted model; a failed call, and one of an earlier run."""
    many = {"prompt_tokens": 12_345_678, "cached_tokens": 6_172_839, "output_tokens": 98_765}
    answers = [
        (call("small", "generate/write", system), Reply("a", "x", device_s=123_456.0, **many)),
        (call("served"), Reply("b", "x", **many)),
        (call("free", "audit/check"), Reply("c", "x", **many)),
        (call("rules", "quiz/answer"), Reply("d", "x", prompt_tokens=7, output_tokens=1)),
        (call("small", "audit/check"), Reply("e", missing=Missing("engine error"))),
        (call("small", "audit/check"), Reply("f", "x", prompt_tokens=1, device_s=1.0)),
    ]
    texts = [
        GeneratedText("s", system, "x", prompt_tokens=1, output_tokens=812, seconds=91.2, first_token_s=10.1),
        GeneratedText("t", system, Missing("truncated")),
    ]
    prices = Prices(currency="EUR", device_hour=2)
    return ledger(billed(answers, copied=["f"]), {"small": loaded(energy_j=9e6, load_energy_j=1e5)}, texts, 4, prices)


def selection_plan(pilot: bool = True) -> Json:
    """plan.json of a run of the model `small`, by default calibrated on a source."""
    stage = StagePlan("small", "generate/write", 0, 6, 6000, 3000, 3000, 600)
    done = StagePlan("small", "generate/write", 0, 2, 2000, 1000, 1000, 200)
    measured = Measured("small", "generate/write", 2, 2000, 1000, 100, 30_000.0)
    found = estimate(
        Plan((stage,), (), (LoadPlan("small", (stage,)),)),
        {"small": Terms("local", {}, hour=2.0)},
        Pilot(("s1",), (done,), (measured,), {"small": 9.0}, {"small": 1}) if pilot else None,
    )
    return plan_json(found, Speed("cpu", "a processor", 5e10, 0.0, 1e10), "EUR", [])


def write_files(folder: Path, **bodies: Mapping[str, Any]) -> Path:
    """Writes NAME.json of each into the folder."""
    for name, body in bodies.items():
        (folder / f"{name}.json").write_text(json.dumps(body), encoding="utf-8")
    return folder
