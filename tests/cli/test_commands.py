"""The command line: what it prints, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import COMMANDS, main
from tests.projects import BLIND, KEEPS, WRITE, make_project
from tests.report.judged import make_judged


def call(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run."""
    folder = tmp_path_factory.mktemp("finished")
    assert call("run", make_project(folder), "--out", folder / "run").exit_code == 0
    return folder / "run"


def test_every_command_has_its_line_of_help() -> None:
    """The list of commands, kept apart for speed, names each command that there is."""
    for name in COMMANDS:
        result = call(name, "--help")
        assert result.exit_code == 0, name
    assert all(line in call("--help").output for line in COMMANDS)


def test_run_prints_a_leaderboard_and_where_to_look(tmp_path: Path) -> None:
    """Systems best first, controls, what was sent, and the next command."""
    result = call("run", make_project(tmp_path), "--out", tmp_path / "run")
    assert result.exit_code == 0
    out = result.stdout
    assert out.index("keeps") < out.index("bends") < out.index("loses")
    for text in ("controls, CapR: empty 0", "left the quiz: 4 surplus", "8 of 8 questions", "localeval show"):
        assert text in out


def test_json_is_scores_json(finished: Path) -> None:
    """--json prints the file's content and nothing else on standard output."""
    for words in (("score", finished), ("show", finished)):
        result = call(*words, "--json")
        assert json.loads(result.stdout) == json.loads((finished / "scores.json").read_text())


def test_show_prints_each_question_with_its_proof(finished: Path) -> None:
    """Options with the right and the chosen one marked, the verdict, the proving segments."""
    out = call("show", finished, "bends", "--source", "s0").stdout
    assert out.count("bent (the hard negative)") == 4
    assert " => " not in out
    assert "  =  fact 1 of attribute" in out
    assert "   > near fact 1" in out
    assert "[1] Line 0 of source 0" in out
    rows = json.loads(call("show", finished, "bends", "--source", "s0", "--json").stdout)
    assert [row["verdict"] for row in rows["quiz"]["questions"]] == ["bent"] * 4
    assert {drop["reason"] for drop in rows["quiz"]["dropped"]} == {"surplus"}
    assert (rows["panel"], rows["audit"]) == (None, None)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run by quiz, panel and audit; some of its verdicts are missing."""
    folder = tmp_path_factory.mktemp("judged")
    assert call("run", make_judged(folder), "--out", folder / "run").exit_code == 3
    return folder / "run"


def test_show_prints_every_method_that_ran(judged: Path) -> None:
    """Accused claims, sheets and questions of a system, whatever its name; `--method` shows one of them alone."""
    out = call("show", judged, "[bold]", "--source", "talk").stdout
    assert [line for line in out.splitlines() if line in ("audit:", "panel:", "quiz:")] == ["audit:", "panel:", "quiz:"]
    assert out.count("talk / [bold]  ") == 2 + 1 + 3
    alone = call("show", judged, "[bold]", "--source", "talk", "--method", "panel").stdout
    assert "talk / [bold]  consensus 75, disagreement 50" in alone
    assert "audit" not in alone
    assert "The boxes were red.  [claim 1]" not in alone


def test_show_lists_supported_claims_where_asked(judged: Path) -> None:
    """`--all` adds them to those that somebody accused."""
    words = ("show", judged, "good", "--method", "audit")
    assert "talk / good  supported" not in call(*words).stdout
    assert "talk / good  supported" in call(*words, "--all").stdout


def test_show_gives_the_same_as_json(judged: Path) -> None:
    """Every claim with its rulings, every sheet with its grades; null for a method that is not looked at."""
    found = json.loads(call("show", judged, "bad", "--json").stdout)
    claim = found["audit"]["claims"][0]
    assert (claim["status"], claim["phrase"], claim["kind"]) == ("confirmed", "made in Peru", "invented entity")
    assert [each["auditor"] for each in claim["findings"]] == ["big", "small"]
    assert claim["found"] == [{"text": "Peru", "match": "absent", "words": "", "segments": []}]
    assert claim["proof"][0]["speaker"] == "Anna"
    assert found["panel"]["cells"][0]["judges"] == {"big": 0.0, "small": 100.0}
    assert len(found["quiz"]["questions"]) == 6
    alone = json.loads(call("show", judged, "--method", "audit", "--json").stdout)
    assert (alone["quiz"], alone["panel"]) == (None, None)
    assert {row["system"] for row in alone["audit"]["claims"]} == {"bad", "good", "[bold]"}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show", "RUN", "keeps", "--method", "panel"), "no panel in this run; it has quiz"),
        (("show", "RUN", "keep"), "no system 'keep' in this run; did you mean 'keeps'?"),
        (("show", "RUN", "--source", "s"), "no source 's' in this run"),
        (("show", "nowhere"), "nowhere"),
        (("score", "nowhere"), "nowhere"),
        (("run", "CONFIG", "--out", "/dev/null"), "/dev/null cannot be a run folder (Not a directory)"),
        (("run", "CONFIG", "--reuse", "nowhere"), "run folder nowhere does not exist"),
        (("run", "nowhere.yaml"), "nowhere.yaml: cannot be read"),
        (("plan", "nowhere.yaml"), "nowhere.yaml: cannot be read"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], message: str, finished: Path) -> None:
    """A user's mistake is one line on standard error and exit code 2, without a traceback."""
    places = {"RUN": finished, "CONFIG": finished.parent / "eval.yaml"}
    result = call(*(places.get(word, word) for word in words))
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_missing_verdicts_give_exit_code_3(tmp_path: Path) -> None:
    """A run that ends with missing verdicts says how many, and exits with 3."""
    config = make_project(tmp_path, model=", context: 200", n_sources=1)
    result = call("run", config, "--out", tmp_path / "run")
    assert result.exit_code == 3
    assert "missing: no quiz for s0: too long" in result.stdout
    assert call("score", tmp_path / "run").exit_code == 3


def test_plan_agrees_with_the_run(tmp_path: Path) -> None:
    """Calls and prompt tokens by stage are those that the run then sends, but for the specimens' length."""
    config = make_project(tmp_path)
    plan = json.loads(call("plan", config, "--out", tmp_path / "run", "--json").stdout)
    assert not (tmp_path / "run").exists()
    calls = {stage["stage"]: stage["calls"] for stage in plan["stages"]}
    assert plan["order"] == ["m"]
    call("run", config, "--out", tmp_path / "run")
    done = json.loads(call("plan", config, "--out", tmp_path / "run", "--json").stdout)
    assert {stage["stage"]: stage["stored"] for stage in done["stages"]} == calls
    assert {stage["calls"] for stage in done["stages"]} == {0}
    assert done["loads"] == []


def test_plan_says_what_does_not_fit(tmp_path: Path) -> None:
    """Each call that is too long is named with its source and both numbers; in words too."""
    config = make_project(tmp_path, model=", context: 500", n_sources=1)
    plan = json.loads(call("plan", config, "--json").stdout)
    long = [each for each in plan["too_long"] if each["stage"] == "quiz/write"]
    assert long
    assert all(each["needed"] > each["limit"] == 500 and each["subject"] == "s0" for each in long)
    assert "does not fit: s0 at quiz/write" in call("plan", config).stdout


def test_doctor_tells_what_can_run() -> None:
    """Versions, engines, disk: one line each, the same as JSON."""
    result = call("doctor")
    assert result.exit_code == 0
    assert "sqlite" in result.stdout
    assert {"what", "state", "found", "fix"} == set(json.loads(call("doctor", "--json").stdout)[0])


def test_progress_goes_to_standard_error(tmp_path: Path) -> None:
    """Loading is told on standard error, so that standard output can be read by a program."""
    result = call("run", make_project(tmp_path), "--out", tmp_path / "run", "--json")
    assert "loading m" in result.stderr
    json.loads(result.stdout)


def test_ctrl_c_keeps_what_there_is_and_says_how_to_go_on(tmp_path: Path) -> None:
    """SIGINT ends the run with 130, the replies so far are stored, and the printed command goes on."""
    slow = tuple({**rule, "delay_s": 0.3} for rule in (BLIND, WRITE, KEEPS))
    config = make_project(tmp_path, rules=slow, model=", calls_per_second: 50")
    command = [sys.executable, "-m", "localeval", "run", str(config), "--out", str(tmp_path / "run")]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not (tmp_path / "run" / "store.sqlite").exists() and process.poll() is None:
        time.sleep(0.02)
    time.sleep(1.0)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert f"Go on with: localeval run {config} --out {tmp_path / 'run'}" in err
    assert "Traceback" not in err
    again = call("run", config, "--out", tmp_path / "run")
    assert again.exit_code == 0
    assert ", 0 from the store" not in again.stdout


def test_help_is_quick_and_light() -> None:
    """`localeval --help` loads no pydantic, numpy or rich, let alone an engine: it answers before one looks up."""
    code = "import sys; from localeval.cli import main; main(['--help'], standalone_mode=False); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {"torch", "vllm", "outlines", "transformers", "pydantic", "numpy", "rich"} & set(loaded)
