"""A whole evaluation on the real engine with the small lab model: plumbing, not judgement."""

from pathlib import Path

import pytest

from localeval.evaluation import load_run, rescore, run
from localeval.methods.panel.schemas import GRADES
from localeval.methods.quiz.schemas import QuizSettings
from localeval.planning import plan
from localeval.values import Missing
from tests.projects import make_project


@pytest.mark.engine
def test_a_run_on_vllm_is_planned_served_and_scored(tmp_path: Path) -> None:
    """Quiz, panel and audit by SmolLM2-135M in one load: the plan is exact where no reply decides, the prefix cache is
    hit, every reply that was not cut is in schema, and the run scores the same again without an engine."""
    config = make_project(tmp_path, n_sources=1, n_segments=6, questions=2, quiz=", rounds: 1, write_tokens: 96")
    text = config.read_text(encoding="utf-8").replace("{engine: scripted, script: rules.jsonl}", "smollm2-135m")
    panel = "  panel: {judges: [m], rubric: default, retries: 0}\n"
    audit = "  audit: {auditors: [m], retries: 0, claim_tokens: 120}\n"
    config.write_text(text + panel + audit, encoding="utf-8")
    planned = {stage.stage: stage for stage in plan(config, tmp_path / "run").stages}
    outcome = run(config, tmp_path / "run")
    account = outcome.ledger.accounts["m"]
    assert account.stages["quiz/write"] == planned["quiz/write"].calls == 3
    assert account.stages["panel/judge"] == planned["panel/judge"].calls == 3 * 7
    assert account.loads == 1
    assert account.cached_share > 0.2
    assert "vllm" in account.engine
    evaluation, results = load_run(tmp_path / "run")
    assert isinstance(evaluation.config.methods.quiz, QuizSettings)
    unreadable = [drop.detail for drop in results.quiz["s0"].dropped if drop.reason == "unreadable"]
    assert all(detail.startswith("truncated") for detail in unreadable)
    verdicts = [
        verdict for sheets in results.panel["s0"].sheets.values() for given in sheets["m"].values() for verdict in given
    ]
    reasons = {each.score.reason for each in verdicts if isinstance(each.score, Missing)}
    assert reasons <= {"truncated"}
    graded = [each for each in verdicts if each.score in GRADES]
    assert graded
    assert all(sum(each.probabilities) == pytest.approx(1.0) for each in graded)
    assert all(each.probabilities[int(str(each.score))] == max(each.probabilities) for each in graded)
    findings = [each for audits in results.audit["s0"].audits.values() for each in audits["m"].findings]
    assert len(findings) >= 3 * 2, "every sentence is covered"
    assert {each.outcome.reason for each in findings if isinstance(each.outcome, Missing)} <= {"truncated"}
    assert rescore(tmp_path / "run") == outcome.scores
    assert (tmp_path / "run" / "engine-m.log").exists()
