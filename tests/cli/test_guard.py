"""What stands between every command and the terminal: whatever cannot be printed, or nobody reads, is no fault."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from localeval.evaluation import run
from tests.projects import make_project

LOCALEVAL = [sys.executable, "-m", "localeval"]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a system whose name ASCII and Latin-1 lack."""
    folder = tmp_path_factory.mktemp("guard")
    config = make_project(folder, n_sources=1)
    (folder / "summaries" / "s0" / "keeps.md").rename(folder / "summaries" / "s0" / "é会𝒜.md")
    return run(config, folder / "run").folder


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_any_encoding_takes_any_name(finished: Path, encoding: str) -> None:
    """Where the terminal lacks a letter it is escaped: tables are still printed, and JSON is still JSON."""
    for words in (("show", finished, "--json"), ("show", finished), ("show", finished, "é会𝒜")):
        done = subprocess.run(
            [*LOCALEVAL, *words], capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=True
        )
        assert not done.stderr
        text = done.stdout.decode(encoding)
        if "--json" in words:
            assert "é会𝒜" in json.loads(text)["methods"]["quiz"]["systems"]


@pytest.mark.parametrize("words", [("show", "RUN"), ("show", "RUN", "--json"), ("show", "RUN", "bends")])
def test_a_reader_that_goes_away_is_no_fault(finished: Path, words: tuple[str, ...]) -> None:
    """As with `| head -1`: exit code 0 and not a word."""
    command = [*LOCALEVAL, *(str(finished) if word == "RUN" else word for word in words)]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("words", [(), ("--json",)])
def test_a_full_disk_is_one_line(finished: Path, words: tuple[str, ...]) -> None:
    """Output that cannot be written ends with one line and exit code 1."""
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*LOCALEVAL, "show", str(finished), *words], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 1
    assert done.stderr.startswith(b"localeval: the output cannot be written (No space left on device)")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", [("show", "TEXT"), ("affect", "TEXT"), ("affect", "REPORT", "--judge", "TEXT.jsonl")])
def test_a_path_that_cannot_be_looked_up_is_one_line(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Somebody gives a text in place of a path, which is too long even to ask whether there is such a file."""
    (tmp_path / "report.txt").write_text("Anna Weber did well.", encoding="utf-8")
    names = {"TEXT": "Anna did well.\n" * 40, "REPORT": str(tmp_path / "report.txt")}
    names["TEXT.jsonl"] = f"{names['TEXT']}.jsonl"
    command = [*LOCALEVAL, *(names.get(word, word) for word in words)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "Anna did well. Anna did" in done.stderr
    assert "File name too long" in done.stderr
    assert done.stderr.count("\n") == 1


def test_ctrl_c_stops_any_command_with_130(tmp_path: Path) -> None:
    """Not only `run`: a plan that waits for a file to be readable ends at once, in one line."""
    os.mkfifo(tmp_path / "eval.yaml")
    process = subprocess.Popen([*LOCALEVAL, "plan", str(tmp_path / "eval.yaml")], stderr=subprocess.PIPE, text=True)
    writer = os.open(tmp_path / "eval.yaml", os.O_WRONLY)  # opens once the command has opened the other end
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    os.close(writer)
    assert (process.returncode, err) == (130, "stopped\n")
