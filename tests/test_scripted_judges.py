"""Judges with known faults, scripted, in whole runs: rubbish, one's own family, a place in the line-up, length."""

import json
from pathlib import Path
from typing import Any

from localeval.evaluation import Outcome, run

FAIR = {"reply": '{"candidate":"1","source":"1","score":"1"}'}
SYSTEMS = ("alpha", "beta", "gamma", "delta")


def panel(folder: Path, judges: dict[str, list[dict[str, Any]]], settings: str = "", n_sources: int = 6) -> Outcome:
    """A run in which every system wrote one sentence on every source, each with a word of its own."""
    (folder / "sources").mkdir(parents=True)
    rows = []
    for number in range(n_sources):
        (folder / "sources" / f"s{number}.txt").write_text(f"We agreed on plan {number}. It costs {number} euros.")
        rows += [
            {
                "source": f"s{number}",
                "system": system,
                "text": f"Plan {number} was agreed on, says {system.title()}son.",
            }
            for system in SYSTEMS
        ]
    (folder / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    models = []
    for judge, rules in judges.items():
        (folder / f"{judge}.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules))
        models.append(f"  {judge}: {{engine: scripted, script: {judge}.jsonl, family: {judge}}}\n")
    config = folder / "eval.yaml"
    config.write_text(
        "name: judges\nsources: [{path: sources}]\ncandidates: [{path: all.jsonl}]\nmodels:\n"
        f"{''.join(models)}methods:\n  panel: {{judges: [{', '.join(judges)}]{settings}}}\n"
    )
    return run(config, folder / "run")


def test_rubbish_is_asked_again_then_dropped(tmp_path: Path) -> None:
    """Each verdict twice more, each time as a new call; then it is missing, and the others still make a quorum."""
    rubbish: list[dict[str, Any]] = [{"reply": "I think it is fine."}]
    outcome = panel(tmp_path, {"a": [FAIR], "b": [FAIR], "c": rubbish}, n_sources=2)
    scores = outcome.scores["methods"]["panel"]
    sent = {name: account.sent for name, account in outcome.ledger.accounts.items()}
    assert sent["c"] == 3 * sent["a"]
    assert scores["missing"] == sent["a"]
    assert scores["judges"]["c"]["missing_reasons"] == {"invalid": sent["a"]}
    assert scores["systems"]["alpha"]["consensus"]["value"] == 0.5
    assert scores["systems"]["alpha"]["missing_cells"] == []


def test_below_the_quorum_a_text_has_no_score(tmp_path: Path) -> None:
    """Two judges of three answer with rubbish: nothing is averaged from the third."""
    rubbish: list[dict[str, Any]] = [{"reply": "{"}]
    scores = panel(tmp_path, {"a": [FAIR], "b": rubbish, "c": rubbish}, n_sources=2).scores
    alpha = scores["methods"]["panel"]["systems"]["alpha"]
    assert alpha["consensus"]["value"] is None
    assert [cell["judges"] for cell in alpha["missing_cells"]] == [1, 1]
    assert scores["leaderboard"]["systems"]["alpha"]["rank"] is None


def test_love_of_ones_own_family_is_measured(tmp_path: Path) -> None:
    """The judge of alpha's family gives it full marks where the others give half: its leaning is those 50 points."""
    loves = [{"match": r"says Alphason", "reply": '{"candidate":"1","source":"1","score":"2"}'}, FAIR]
    families = ", families: {alpha: a, beta: b, gamma: c, delta: d}"
    health = panel(tmp_path, {"a": loves, "b": [FAIR], "c": [FAIR]}, families).scores["methods"]["panel"]["health"]
    leaning = {judge: each["own_family"] for judge, each in health["judges"].items()}
    assert leaning["a"]["value"] == 0.5
    assert leaning["a"]["low"] > 0
    assert leaning["b"]["low"] <= 0.0 <= leaning["b"]["high"]


def test_love_of_the_first_place_is_measured(tmp_path: Path) -> None:
    """In line-ups the judge that likes candidate A shows it; the fair one shows nothing."""
    first = [{"match": r"Judge candidate A\.", "reply": '{"candidate":"1","source":"1","score":"2"}'}, FAIR]
    scores = panel(tmp_path, {"a": first, "b": [FAIR]}, ", mode: lineup, quorum: 1", n_sources=12).scores
    effect = {judge: each["position"] for judge, each in scores["methods"]["panel"]["health"]["judges"].items()}
    assert effect["a"]["first_half"]["low"] > 0
    assert effect["a"]["place"]["value"] < 0
    assert effect["b"]["first_half"]["low"] <= 0.0 <= effect["b"]["first_half"]["high"]
