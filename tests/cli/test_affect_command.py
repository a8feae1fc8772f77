"""`localeval affect TEXT --target NAME`: what it prints, its exit codes, and what it says to mistakes."""

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from tests.affect_project import FLAGS, evidence

TEXT = "Everyone praised Anna Weber for her speech. Nobody trusted Tom Hill, who had lied to the council."
WORDS = ("good", "pleasant", "frantic", "intense", "much", "confident")
PHRASE = "praised Anna Weber for her speech"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A text, and a judge that gives every axis its highest word."""
    rules = [
        FLAGS,
        evidence("", PHRASE),
        *({"match": f"{word}\\?", "reply": word, "logprobs": {word: 0.0}} for word in WORDS),
    ]
    (tmp_path / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    (tmp_path / "report.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "empty.txt").write_text(" \n", encoding="utf-8")
    return tmp_path


def affect(folder: Path, *words: str, text: str = "report.txt") -> Result:
    """What the command says of a text of the folder."""
    given = [str(folder / text), "--judge", str(folder / "rules.jsonl"), "--out", str(folder / "run"), *words]
    return CliRunner().invoke(main, ["affect", *given])


def test_each_target_is_shown_with_its_evidence(folder: Path) -> None:
    """Then the profiles; aliases stand behind a bar; nothing is missing."""
    result = affect(folder, "--target", "Weber|Anna Weber", "--target", "Tom Hill", "--kind", "person")
    assert result.exit_code == 0, result.output
    assert f'"{PHRASE}"; as it says' in result.stdout
    assert "how each target is portrayed" in result.stdout
    assert "Tom Hill (person), coverage 1.00:" in result.stdout
    assert (folder / "run" / "passport.json").is_file()


def test_json_is_the_scores(folder: Path) -> None:
    """With the whole text alone no target is needed."""
    result = affect(folder, "--contract", "whole", "--json")
    assert result.exit_code == 0, result.output
    overall = json.loads(result.stdout)["methods"]["affect"]["judges"]["judge"]["overall"]
    assert overall["whole"]["valence"]["value"] == 1.0
    assert set(overall) == {"whole"}


def test_a_stopped_command_says_how_to_go_on(folder: Path) -> None:
    """As `run` does: what was answered is kept, and the same command goes on."""
    rules = folder / "rules.jsonl"
    lines = rules.read_text(encoding="utf-8").splitlines()
    rules.write_text(
        "".join(f'{line[:-1]}, "delay_s": 20}}\n' if "coverage" in line else line + "\n" for line in lines)
    )
    words = [str(folder / "report.txt"), "--target", "Anna Weber", "--judge", str(rules), "--out", str(folder / "run")]
    command = [sys.executable, "-m", "localeval", "affect", *words]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("loading judge")
    assert process.stderr.readline().startswith("loaded judge")
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert re.search(r"stopped; \d+ repl(y|ies) of this run (is|are) kept\. Go on with: localeval affect /", err)


def test_missing_scores_are_an_exit_code_of_their_own(folder: Path) -> None:
    """Here no phrase stands in the text."""
    (folder / "report.txt").write_text("Nobody trusted Tom Hill, who had lied.", encoding="utf-8")
    assert affect(folder, "--target", "Tom Hill").exit_code == 3


@pytest.mark.parametrize(
    ("words", "text", "message"),
    [
        (("--target", "Anna Webber"), "report.txt", "did you mean 'Anna Weber'?"),
        (("--target", " "), "report.txt", "--target ' ': must say something"),
        (("--target", "Anna Weber", "--axes", "vat"), "report.txt", "did you mean 'vad'?"),
        (("--target", "Anna Weber"), "empty.txt", "empty.txt: is empty"),
        (("--target", "Anna Weber"), "nothing.txt", "nothing.txt: is no file"),
        (("--target", "Anna Weber"), f"{TEXT} {TEXT} {TEXT}", " ...: is no file (File name too long); name a file"),
        (
            ("--target", "Anna Weber", "--target", "Anna Weber"),
            "report.txt",
            "localeval: methods.affect.targets: names",
        ),
    ],
)
def test_a_mistake_is_one_line(folder: Path, words: tuple[str, ...], text: str, message: str) -> None:
    """Exit code 2, and no run is left behind."""
    result = affect(folder, *words, text=text)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (folder / "run").exists()
