"""`localeval.evaluation`: from a config to scores.json and back, through real files and the scripted engine."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from localeval.errors import CallMissing, EngineError, InputError, LocalevalError, StoreError
from localeval.evaluation import load_run, load_scores, n_missing, rescore, run
from localeval.planning import plan
from localeval.store.files import STORE
from localeval.store.reader import StoreReader
from tests.projects import WRITE, make_project


def sent(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


def test_a_run_ends_with_scores(tmp_path: Path) -> None:
    """Systems that keep, bend and lose everything score so, in that order, with the controls where they belong."""
    outcome = run(make_project(tmp_path), tmp_path / "run")
    quiz = outcome.scores["methods"]["quiz"]
    systems = quiz["systems"]
    counts = {name: (s["counts"]["kept"], s["counts"]["bent"], s["counts"]["lost"]) for name, s in systems.items()}
    assert counts == {"keeps": (8, 0, 0), "bends": (0, 8, 0), "loses": (0, 0, 8)}
    assert next(iter(systems)) == "keeps"
    assert systems["bends"]["hard_negative_share"]["value"] == 1.0
    assert systems["loses"]["cap_p"]["value"] is None
    assert systems["keeps"]["rank"] == 1 < systems["bends"]["rank"]
    assert {name: c["cap_r"]["value"] for name, c in quiz["controls"].items()} == {
        "empty": 0.0,
        "unrelated": 0.0,
        "source": 1.0,
    }
    assert json.loads((tmp_path / "run" / "scores.json").read_text()) == outcome.scores
    assert n_missing(outcome.scores) == 0


def test_running_again_sends_nothing(tmp_path: Path) -> None:
    """A finished run goes through the same path without a single call, to the same bytes."""
    config = make_project(tmp_path, model=", log: calls.log")
    run(config, tmp_path / "run")
    scores, calls = (tmp_path / "run" / "scores.json").read_bytes(), sent(tmp_path / "calls.log")
    again = run(config, tmp_path / "run")
    assert again.ledger.sent == 0 < again.ledger.stored
    assert sent(tmp_path / "calls.log") == calls
    assert (tmp_path / "run" / "scores.json").read_bytes() == scores


def test_a_finished_run_needs_no_other_file(tmp_path: Path) -> None:
    """Scored again from the folder alone, moved elsewhere, with the originals gone: the same bytes."""
    config = make_project(tmp_path / "project")
    run(config, tmp_path / "run")
    moved = (tmp_path / "run").rename(tmp_path / "elsewhere")
    scores = (moved / "scores.json").read_bytes()
    (tmp_path / "project").rename(tmp_path / "gone")
    (moved / "scores.json").unlink()
    rescore(moved)
    assert (moved / "scores.json").read_bytes() == scores


def test_scoring_an_unfinished_run_names_what_is_missing(tmp_path: Path) -> None:
    """With replies gone from the store, scoring says which model owes one and what to do."""
    run(make_project(tmp_path), tmp_path / "run")
    other = run(make_project(tmp_path / "b", questions=5), tmp_path / "more")
    (tmp_path / "run" / "store.sqlite").replace(other.folder / "store.sqlite")
    with pytest.raises(CallMissing, match=r"reply of model 'm' is not in the store.*go on with `localeval run`"):
        load_run(other.folder)


def test_a_new_system_costs_calls_for_itself_alone(tmp_path: Path) -> None:
    """A candidate that is added later is answered; nothing else is asked again."""
    config = make_project(tmp_path, n_sources=1)
    run(config, tmp_path / "run")
    (tmp_path / "summaries" / "s0" / "newcomer.md").write_text("Full summary of another kind.")
    outcome = run(config, tmp_path / "run")
    assert outcome.ledger.accounts["m"].stages == {"quiz/answer": 4 * 2}
    assert outcome.scores["methods"]["quiz"]["systems"]["newcomer"]["counts"]["kept"] == 4


def test_earlier_runs_are_read_from(tmp_path: Path) -> None:
    """With --reuse a new folder sends nothing that an earlier one holds, and is whole by itself afterwards."""
    config = make_project(tmp_path)
    first = run(config, tmp_path / "first")
    second = run(config, tmp_path / "second", [tmp_path / "first"])
    assert second.ledger.sent == 0
    for file in sorted((tmp_path / "first").iterdir()):
        file.unlink()
    assert rescore(tmp_path / "second") == first.scores


def test_a_long_transcript_is_never_cut(tmp_path: Path) -> None:
    """The last words of 150,000 characters stand in every prompt that shows the source."""
    config = make_project(tmp_path, n_sources=1, n_segments=2600, questions=3)
    source = tmp_path / "sources" / "s0.txt"
    source.write_text(source.read_text() + "\n\nThe very last words are xylophone marmalade.")
    assert len(source.read_text()) > 150_000
    outcome = run(config, tmp_path / "run")
    assert outcome.scores["methods"]["quiz"]["quiz"]["items"] == 3
    with StoreReader.at_rest(outcome.folder / STORE) as reader:
        prompts = ["".join(message.text for message in reader.prompt(key) or ()) for key in reader]
    prompts = [prompt for prompt in prompts if "Kind of question" in prompt]
    assert len(prompts) >= 3
    assert all("xylophone marmalade" in prompt and "Line 0 of source" in prompt for prompt in prompts)


def test_a_source_beyond_the_context_is_missing_with_both_numbers(tmp_path: Path) -> None:
    """With 8k of context nothing is sent, and the scores say what was needed and what there was."""
    config = make_project(tmp_path, n_sources=1, n_segments=2100, model=", context: 8192, log: calls.log")
    outcome = run(config, tmp_path / "run")
    about = outcome.scores["methods"]["quiz"]["quiz"]["sources"]["s0"]["missing"]
    assert about["reason"] == "too long"
    assert about["limit"] == 8192
    assert about["needed"] > 30_000
    assert n_missing(outcome.scores) == 4
    assert sent(tmp_path / "calls.log") == []


def test_bad_input_writes_nothing(tmp_path: Path) -> None:
    """A candidate of an unknown source stops the run before its folder is made."""
    config = make_project(tmp_path)
    stray = tmp_path / "summaries" / "s9" / "keeps.md"
    stray.parent.mkdir()
    stray.write_text("Full summary.")
    with pytest.raises(LocalevalError, match="s9"):
        run(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


KILLS = int(os.environ.get("LOCALEVAL_TEST_KILLS", "6"))


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on(tmp_path: Path) -> None:
    """kill -9 at random moments: the same scores.json as unbroken, and no stored call is ever sent again."""
    model = ", calls_per_second: 200, log: calls.log"
    config = make_project(tmp_path / "whole", n_sources=6, questions=6, model=model)
    whole = run(config, tmp_path / "whole" / "run")
    config = make_project(tmp_path / "torn", n_sources=6, questions=6, model=model)
    folder, log = tmp_path / "torn" / "run", tmp_path / "torn" / "calls.log"
    rng = random.Random(20)
    command = [sys.executable, "-m", "localeval", "run", str(config), "--out", str(folder)]
    kills = 0
    for _ in range(KILLS):
        before = len(sent(log))
        stored = set(_keys(folder))
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # the clock starts when the engine serves, not when Python does
        while len(sent(log)) == before and process.poll() is None:
            time.sleep(0.005)
        time.sleep(rng.uniform(0.0, 0.15))
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            kills += 1
        process.wait()
        assert not stored & set(sent(log)[before:]), "a stored call was sent again"
    torn = run(config, folder)
    assert kills == KILLS, "the run ended before it could be killed so often: make it longer"
    assert (folder / "scores.json").read_bytes() == (whole.folder / "scores.json").read_bytes()
    assert torn.ledger.sent + torn.ledger.stored == whole.ledger.sent + whole.ledger.stored


def _keys(folder: Path) -> list[str]:
    if not (folder / STORE).exists():
        return []
    with StoreReader.at_rest(folder / STORE) as reader:
        return list(reader)


def test_a_broken_script_writes_nothing(tmp_path: Path) -> None:
    """A mistake in the rules of a scripted model is told before the run's folder is made, for `plan` as for `run`."""
    config = make_project(tmp_path)
    (tmp_path / "rules.jsonl").write_text('{"reply": "A"}\n{"repyl": "B"}\n')
    for ask in (run, plan):
        with pytest.raises(InputError, match=r"rules\.jsonl line 2: repyl"):
            ask(config, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_results_of_another_config_do_not_stay(tmp_path: Path) -> None:
    """A run that goes on with other questions and is stopped has no results, not those of the config before."""
    config = make_project(tmp_path, n_sources=1)
    run(config, tmp_path / "run")
    script = tmp_path / "rules.jsonl"
    rules = script.read_text(encoding="utf-8")
    script.write_text('{"fail": "crash"}\n', encoding="utf-8")
    with pytest.raises(EngineError):
        run(config, tmp_path / "run")
    with pytest.raises(StoreError, match=r"no scores\.json: the run is not finished"):
        load_scores(tmp_path / "run")
    script.write_text(rules, encoding="utf-8")
    assert run(config, tmp_path / "run").ledger.sent == 0
    assert load_scores(tmp_path / "run")["seed"] == 3


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("run.json", b'{"schema": "localeval.run/1"}', r"run\.json is damaged \('quiz_items'\)"),
        ("inputs.jsonl.gz", b"", r"inputs\.jsonl\.gz is damaged \(it holds no source\)"),
        ("config.yaml", b"\xff", r"config\.yaml: is not UTF-8 text"),
    ],
)
def test_a_damaged_run_is_not_scored(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    """A file of the run without what belongs in it is named; scores.json stays as it was."""
    run(make_project(tmp_path, n_sources=1), tmp_path / "run")
    scores = (tmp_path / "run" / "scores.json").read_bytes()
    (tmp_path / "run" / name).write_bytes(content)
    with pytest.raises(LocalevalError, match=message):
        rescore(tmp_path / "run")
    assert (tmp_path / "run" / "scores.json").read_bytes() == scores


def test_a_run_from_before_there_was_affect_can_be_scored(tmp_path: Path) -> None:
    """Its run.json says nothing of affect, and its config does not ask for it: the scores are the same."""
    scores = run(make_project(tmp_path, n_sources=1), tmp_path / "run").scores
    manifest = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    del manifest["affect"]
    (tmp_path / "run" / "run.json").write_text(json.dumps(manifest), encoding="utf-8")
    assert rescore(tmp_path / "run") == scores


def test_results_of_another_version_are_not_shown(tmp_path: Path) -> None:
    """scores.json of a newer localeval, or without a version, is refused with the way to make it anew."""
    run(make_project(tmp_path, n_sources=1), tmp_path / "run")
    for content in ('{"schema": "localeval.scores/9"}', "{}"):
        (tmp_path / "run" / "scores.json").write_text(content)
        with pytest.raises(StoreError, match=r"this localeval reads 'localeval\.scores/1': make it anew"):
            load_scores(tmp_path / "run")


def test_an_emptied_quiz_says_what_emptied_it(tmp_path: Path) -> None:
    """Where no question survives, the reason of most stands beside it: an engine that fails is not a bad quiz."""
    rules = (WRITE, {"fail": "timeout"})
    scores = run(make_project(tmp_path, n_sources=1, rules=rules), tmp_path / "run").scores
    missing = scores["methods"]["quiz"]["quiz"]["sources"]["s0"]["missing"]
    expected = "no question survived the filters; most often: no verdict (engine error: the script says timeout)"
    assert missing == {"reason": "invalid", "detail": expected}
