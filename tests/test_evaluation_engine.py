"""A whole evaluation on the real engine with the small lab model: plumbing, not judgement."""

from pathlib import Path

import pytest

from localeval.evaluation import load_run, rescore, run
from localeval.methods.quiz.schemas import QuizSettings
from localeval.planning import plan
from tests.projects import make_project


@pytest.mark.engine
def test_a_run_on_vllm_is_planned_served_and_scored(tmp_path: Path) -> None:
    """Written, filtered and answered by SmolLM2-135M: the plan's first stage is exact, the prefix cache is hit, every
    reply that was not cut is in schema, and the run scores the same again without an engine."""
    config = make_project(tmp_path, n_sources=1, n_segments=6, questions=2, quiz=", rounds: 1, write_tokens: 96")
    text = config.read_text(encoding="utf-8").replace("{engine: scripted, script: rules.jsonl}", "smollm2-135m")
    config.write_text(text, encoding="utf-8")
    planned = {stage.stage: stage for stage in plan(config, tmp_path / "run").stages}
    outcome = run(config, tmp_path / "run")
    account = outcome.ledger.accounts["m"]
    assert account.stages["quiz/write"] == planned["quiz/write"].calls == 3
    assert account.loads == 1
    assert account.cached_share > 0.2
    assert "vllm" in account.engine
    evaluation, results = load_run(tmp_path / "run")
    assert isinstance(evaluation.config.methods.quiz, QuizSettings)
    unreadable = [drop.detail for drop in results.quiz["s0"].dropped if drop.reason == "unreadable"]
    assert all(detail.startswith("truncated") for detail in unreadable)
    assert rescore(tmp_path / "run") == outcome.scores
    assert (tmp_path / "run" / "engine-m.log").exists()
