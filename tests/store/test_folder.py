"""The run folder."""

import gzip
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from localeval.errors import StoreError
from localeval.store.database import ChainedStore
from localeval.store.folder import RunFolder, RunReader
from localeval.texts import Candidate, Segment, Source
from tests.store.samples import make_call, make_reply

CALL = make_call(1)
REPLY = make_reply(CALL)
SOURCES = (
    Source(
        "a", "Добрый день.\u2028Second line\nthird", (Segment(1, 0, 12, 0.0, 1.5, "Анна"),), "ru", "meeting", "a.vtt"
    ),
    Source("b", "纪要。", (), "zh"),
)
CANDIDATES = (
    Candidate("a", "big", "Summary\r\nwith lines", "a/big.md", (Segment(1, 0, 19),)),
    Candidate("b", "small", ""),
)


def fill(path: Path) -> None:
    with RunFolder.create_or_open(path) as run:
        run.save_config(b"name: x\r\n\xff")
        run.save_inputs(SOURCES, CANDIDATES)
        run.save_prompts({"quiz/write.en": "Ask.\r\nOne {{ question }}"})
        run.save_manifest({"models": {"judge": "q"}, "seed": 1})
        run.save_scores({"schema": "localeval.scores/1", "rows": [1.5]})
        run.store.append(CALL, REPLY)


def test_everything_comes_back(tmp_path: Path) -> None:
    """What was saved is read back exactly, through a reader that opens nothing for writing."""
    path = tmp_path / "runs" / "x"
    fill(path)
    with RunReader.open(path) as run:
        assert run.config() == b"name: x\r\n\xff"
        assert run.load_inputs() == (SOURCES, CANDIDATES)
        assert run.load_prompts() == {"quiz/write.en": "Ask.\r\nOne {{ question }}"}
        assert run.manifest() == {"schema": "localeval.run/1", "models": {"judge": "q"}, "seed": 1}
        assert run.scores() == {"schema": "localeval.scores/1", "rows": [1.5]}
        assert run.store.get(REPLY.key) == REPLY
    with RunFolder.open(path) as run:
        assert run.has_manifest()
        assert run.manifest()["seed"] == 1
        assert run.store.get(REPLY.key) == REPLY
    assert not list(path.glob(".*"))


def test_what_was_made_of_a_run_comes_back_and_is_dropped_together(tmp_path: Path) -> None:
    """Ledger and decision go with the scores that they belong to; a plan, made before the run, stays."""
    path = tmp_path / "x"
    fill(path)
    with RunFolder.open(path) as run:
        assert (run.ledger(), run.plan(), run.decision()) == (None, None, None)
        run.save_ledger({"schema": "localeval.ledger/1", "rows": []})
        run.save_plan({"schema": "localeval.plan/1", "order": ["small"]})
        run.save_decision({"schema": "localeval.decision/1", "recommended": None})
    with RunReader.open(path) as reader:
        assert reader.ledger() == {"schema": "localeval.ledger/1", "rows": []}
        assert reader.plan() == {"schema": "localeval.plan/1", "order": ["small"]}
        assert reader.decision() == {"schema": "localeval.decision/1", "recommended": None}
    with RunFolder.open(path) as run:
        run.drop_scores()
        assert (run.scores(), run.ledger(), run.decision()) == (None, None, None)
        assert run.plan() is not None
        with pytest.raises(ValueError, match="Out of range float values"):
            run.save_ledger({"money": float("nan")})
    assert not (path / "ledger.json").exists()


def test_a_run_without_scores_or_manifest_says_so(tmp_path: Path) -> None:
    """No scores is an ordinary state; no manifest is an error with the fix."""
    RunFolder.create_or_open(tmp_path / "x").close()
    with RunReader.open(tmp_path / "x") as run:
        assert run.scores() is None
        assert not run.has_manifest()
        with pytest.raises(StoreError, match=r"run\.json does not exist: the run was stopped before it began"):
            run.manifest()


HOLD = """
import sys, time
from pathlib import Path
from localeval.store.folder import RunFolder
with RunFolder.create_or_open(Path(sys.argv[1])) as run:
    print("ready", flush=True)
    time.sleep(60)
"""


def test_a_second_writer_is_refused_until_the_first_is_gone(tmp_path: Path) -> None:
    """The other process is named; readers may look; once it was killed the folder is free."""
    path = tmp_path / "x"
    fill(path)
    process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    with pytest.raises(StoreError, match=rf"another localeval \(pid {process.pid}\) is working on .*: wait for it"):
        RunFolder.create_or_open(path)
    with RunReader.open(path) as run:
        assert run.store.get(REPLY.key) == REPLY
    process.send_signal(signal.SIGKILL)
    process.communicate()
    RunFolder.open(path).close()


def test_a_reader_keeps_writers_away(tmp_path: Path) -> None:
    """While a run is read no other process may change it; several may read."""
    path = tmp_path / "x"
    fill(path)
    with RunReader.open(path), RunReader.open(path), pytest.raises(StoreError, match=r"\(reading it\) is working on"):
        RunFolder.open(path)
    RunFolder.open(path).close()


def test_a_name_left_in_the_lock_by_a_killed_run_accuses_nobody(tmp_path: Path) -> None:
    """A reader holds the folder and the file names a process that is gone: the message does not name it."""
    path = tmp_path / "x"
    fill(path)
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    process.wait()
    (path / "run.lock").write_text(f"pid {process.pid}")
    with RunReader.open(path), pytest.raises(StoreError, match=r"another localeval \(reading it\)"):
        RunFolder.open(path)


@pytest.mark.parametrize("opener", [RunFolder.open, RunReader.open])
def test_what_is_not_a_run_is_refused(tmp_path: Path, opener: Callable[[Path], object]) -> None:
    """A missing folder, a file and a folder of something else each get their own line."""
    (tmp_path / "file").write_text("x")
    (tmp_path / "other").mkdir()
    for name, message in (
        ("none", "does not exist: name the folder that `localeval run` made"),
        ("file", "is a file, not a folder"),
        ("other", r"is not a run folder \(no store.sqlite in it\)"),
    ):
        with pytest.raises(StoreError, match=message):
            opener(tmp_path / name)


def test_a_folder_with_other_things_is_not_taken_over(tmp_path: Path) -> None:
    """A run never moves into a folder that holds a user's other files, nor onto a file."""
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StoreError, match="is not empty and not a run folder: name a new folder"):
        RunFolder.create_or_open(tmp_path)
    with pytest.raises(StoreError, match="cannot be a run folder"):
        RunFolder.create_or_open(tmp_path / "notes.txt")
    assert [entry.name for entry in tmp_path.iterdir()] == ["notes.txt"]


def test_damaged_files_are_named(tmp_path: Path) -> None:
    """A manifest of another schema, broken JSON and a cut archive name the file and what to do."""
    path = tmp_path / "x"
    fill(path)
    (path / "run.json").write_text('{"schema": "localeval.run/9"}')
    (path / "scores.json").write_text('{"rows": [')
    (path / "prompts.json").write_text("[]")
    with RunReader.open(path) as run:
        with pytest.raises(StoreError, match=r"`schema` is 'localeval.run/9', this localeval reads 'localeval.run/1'"):
            run.manifest()
        with pytest.raises(StoreError, match=r"scores\.json is damaged .*restore it from a copy"):
            run.scores()
        with pytest.raises(StoreError, match=r"prompts\.json is damaged \(a JSON list where an object belongs\)"):
            run.load_prompts()
        whole = (path / "inputs.jsonl.gz").read_bytes()
        for data in (whole[:-20], b"", gzip.compress(b'{"candidate": 1}\n'), gzip.compress(b"{\n")):
            (path / "inputs.jsonl.gz").write_bytes(data)
            if data:
                with pytest.raises(StoreError, match=r"inputs\.jsonl\.gz is damaged"):
                    run.load_inputs()


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder that every user may enter: the usual temporary folders of tests are closed to others."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    for place in [folder, *folder.rglob("*")]:
        place.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def ordinary_user() -> Iterator[None]:
    """Runs the test without the rights of the superuser, whom no permission stops."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    yield
    os.seteuid(user)


def make_read_only(folder: Path) -> None:
    for entry in folder.iterdir():
        entry.chmod(0o444)
    folder.chmod(0o555)


@pytest.fixture
def read_only_run(shared_folder: Path) -> Path:
    """A finished run in a folder that nobody may write to."""
    fill(shared_folder / "old")
    make_read_only(shared_folder / "old")
    return shared_folder / "old"


@pytest.fixture
def read_only_killed_run(shared_folder: Path) -> Path:
    """A run that was killed with its replies still in the write-ahead log, then made read-only."""
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from tests.store.samples import make_call, make_reply\n"
        "from localeval.store.folder import RunFolder\n"
        "run = RunFolder.create_or_open(Path(sys.argv[1]))\n"
        "run.store.append(make_call(1), make_reply(make_call(1)))\n"
        "run.store.flush()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    command = [sys.executable, "-c", script, str(shared_folder / "killed"), str(Path(__file__).parents[2])]
    assert subprocess.run(command).returncode == -signal.SIGKILL
    assert (shared_folder / "killed" / "store.sqlite-wal").stat().st_size > 0
    make_read_only(shared_folder / "killed")
    return shared_folder / "killed"


def test_a_read_only_run_can_be_read_and_reused(read_only_run: Path, ordinary_user: None) -> None:
    """Reading and `--reuse` need no right to write; writing says what is wrong."""
    own = Path(tempfile.mkdtemp()) / "own"
    with RunReader.open(read_only_run) as old, RunFolder.create_or_open(own) as run:
        assert old.load_inputs() == (SOURCES, CANDIDATES)
        assert ChainedStore(run.store, [old.store]).get(REPLY.key) == REPLY
        with pytest.raises(StoreError, match=r"cannot be written \(Permission denied\)"):
            RunFolder.open(read_only_run)
    with RunReader.open(own) as run:
        assert run.store.get(REPLY.key) == REPLY
    shutil.rmtree(own.parent)


def test_a_killed_read_only_run_gives_its_last_replies(read_only_killed_run: Path, ordinary_user: None) -> None:
    """Replies in the log of a killed run are read, without a byte written to its folder."""
    before = {entry.name: (entry.stat().st_size, entry.stat().st_mtime_ns) for entry in read_only_killed_run.iterdir()}
    with RunReader.open(read_only_killed_run) as old:
        assert old.store.get(REPLY.key) == REPLY
        assert old.store.path.parent == read_only_killed_run
    after = {entry.name: (entry.stat().st_size, entry.stat().st_mtime_ns) for entry in read_only_killed_run.iterdir()}
    assert after == before


def test_a_folder_that_may_not_be_entered_is_named(read_only_run: Path, ordinary_user: None) -> None:
    """A file without the right to read it, and a place without the right to make a folder, give one line."""
    with pytest.raises(StoreError, match="cannot be a run folder"):
        RunFolder.create_or_open(read_only_run / "inner")
