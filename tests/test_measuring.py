"""`localeval.measuring`: which texts the methods of a run get."""

import json
from pathlib import Path
from typing import Any

from localeval.evaluation import rescore, run
from tests.audit_rules import auditor

GOOD: dict[str, str] = {"contains": "Criterion:", "reply": '{"candidate":"1","source":"1","score":"2"}'}
RUBBISH: dict[str, str] = {"contains": "Criterion:", "reply": "fine"}


def scores_of_finalists(folder: Path, verdict: dict[str, str]) -> dict[str, Any]:
    """The scores of a run with finalists on one source of two, a short one with a text and a long one without any."""
    (folder / "sources").mkdir(parents=True)
    (folder / "sources" / "short.txt").write_text("We agreed on the plan. It costs 12 euros.")
    (folder / "sources" / "long.txt").write_text("We agreed on nothing at all this time. " * 40)
    (folder / "c.jsonl").write_text('{"source":"short","system":"x","text":"The plan was agreed on."}\n')
    (folder / "r.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in [verdict, *auditor([])]))
    (folder / "e.yaml").write_text(
        "name: e\nsources: [{path: sources}]\ncandidates: [{path: c.jsonl}]\n"
        "models: {m: {engine: scripted, script: r.jsonl}}\n"
        "methods: {panel: {judges: [m]}, audit: {auditors: [m], of: finalists, hardest: 1}}\n"
    )
    scores = run(folder / "e.yaml", folder / "run").scores
    assert rescore(folder / "run") == scores
    return scores


def test_a_source_that_nobody_wrote_about_is_not_among_the_hardest(tmp_path: Path) -> None:
    """It is the longest, and yet there is nothing to audit there."""
    audit = scores_of_finalists(tmp_path, GOOD)["methods"]["audit"]
    assert audit["finalists"]["sources"] == ("short",)
    assert audit["systems"]["x"]["claims"] > 0


def test_without_any_consensus_there_is_no_finalist(tmp_path: Path) -> None:
    """Nobody is audited, which is null and not 0."""
    scores = scores_of_finalists(tmp_path, RUBBISH)
    assert scores["methods"]["audit"]["finalists"]["systems"] == ()
    assert scores["methods"]["audit"]["systems"] == {}
    assert scores["leaderboard"]["systems"]["x"]["fabrications"] is None
    assert scores["leaderboard"]["systems"]["x"]["rank"] is None
