"""The SQLite store."""

import json
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from localeval.errors import StoreError
from localeval.keys import call_key
from localeval.store.database import ChainedStore, SqliteStore
from localeval.store.reader import StoreReader
from localeval.values import Call, JsonObject, Message, Missing, Reply, Sampling
from tests.store.samples import SOURCE, make_call, make_reply

REPOSITORY = str(Path(__file__).parents[2])


def test_a_reply_is_there_at_once_and_after_opening_again(tmp_path: Path) -> None:
    """What was appended is seen before it is committed, and after the store was closed."""
    path = tmp_path / "store.sqlite"
    calls = [make_call(n) for n in range(50)]
    with SqliteStore(path) as store:
        for call in calls:
            assert store.get(call_key(call, "m")) is None
            store.append(call, make_reply(call))
            assert store.get(call_key(call, "m")) == make_reply(call)
    with SqliteStore(path) as store:
        assert len(store) == 50
        assert [store.get(call_key(call, "m")) for call in calls] == [make_reply(call) for call in calls]
        assert store.get("nothing") is None
    assert not path.with_name("store.sqlite-wal").exists()


def test_the_whole_prompt_is_kept_and_shared_text_once(tmp_path: Path) -> None:
    """The call behind a reply comes back exactly; a source that 200 calls share is in the file once."""
    path = tmp_path / "store.sqlite"
    odd = Call("judge", (Message("user", ("lone \ud800 surrogate, NUL \0",)),), JsonObject('{"a": 1}'), Sampling(9))
    with SqliteStore(path) as store:
        for number in range(200):
            store.append(make_call(number), make_reply(make_call(number)))
        store.append(odd, make_reply(odd))
        assert store.call(call_key(odd, "m")) == odd
        store.flush()
        assert store.call(call_key(odd, "m")) == odd
        assert store.prompt(call_key(make_call(7), "m")) == make_call(7).messages
        assert store.prompt("nothing") is None
    assert path.stat().st_size < 60 * len(SOURCE)
    with StoreReader.at_rest(path) as reader:
        assert len(reader) == 201
        assert next(iter(reader)) == call_key(make_call(0), "m")


def test_the_first_reply_stays_unless_it_was_missing(tmp_path: Path) -> None:
    """A second verdict for a key is dropped; one that takes the place of a failure is kept, committed or not."""
    call = make_call(1)
    key = call_key(call, "m")
    failed = Reply(key, finish="error", missing=Missing("engine error", "gone"))
    with SqliteStore(tmp_path / "store.sqlite") as store:
        for text, seen in (("", failed), ("B", make_reply(call, "B")), ("A", make_reply(call, "B"))):
            store.append(call, make_reply(call, text) if text else failed)
            assert store.get(key) == seen
            store.flush()
            assert store.get(key) == seen
        store.append(call, failed)
        assert store.get(key) == make_reply(call, "B")
    with SqliteStore(tmp_path / "store.sqlite") as store:
        store.append(call, make_reply(call, "A"))
        assert store.get(key) == make_reply(call, "B")
        assert len(store) == 1


def test_a_reply_is_durable_while_nothing_more_happens(tmp_path: Path) -> None:
    """Another connection sees a lone reply within a second, with no flush, no close and no further append."""
    path = tmp_path / "store.sqlite"
    call = make_call(1)
    with SqliteStore(path) as store, StoreReader.in_use(path) as other:
        store.append(call, make_reply(call))
        patience = time.monotonic() + 5  # a busy machine is forgiven what a user would not be
        while (found := other.get(call_key(call, "m"))) is None and time.monotonic() < patience:
            time.sleep(0.02)
        assert found == make_reply(call)


APPEND_FOREVER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.store.samples import make_call, make_reply
from localeval.store.database import SqliteStore
with SqliteStore(Path(sys.argv[1])) as store:
    start = len(store)
    for number in range(start, 10**9):
        store.append(make_call(number), make_reply(make_call(number)))
        time.sleep(0.001)
        if number % 40 == 0:
            store.flush()
            print(number, flush=True)
"""


def test_kill_at_any_moment_loses_nothing_durable(tmp_path: Path) -> None:
    """SIGKILL at ten random moments: every flushed reply is there, the file is sound, and appending goes on."""
    path = tmp_path / "store.sqlite"
    moments = random.Random(5)
    durable = -1
    for _ in range(10):
        process = subprocess.Popen(
            [sys.executable, "-c", APPEND_FOREVER, str(path), REPOSITORY],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        durable = int(process.stdout.readline())
        time.sleep(moments.uniform(0.0, 0.15))
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate()
        durable = max([durable, *(int(line) for line in rest.split("\n")[:-1])])
        with StoreReader.at_rest(path) as reader:
            keys = set(reader)
            assert keys >= {call_key(make_call(number), "m") for number in range(durable + 1)}
            assert reader.get(call_key(make_call(durable), "m")) == make_reply(make_call(durable))
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        connection.close()
    assert durable > 0
    with StoreReader.at_rest(path) as reader:
        for number in range(len(reader)):
            assert reader.get(call_key(make_call(number), "m")) == make_reply(make_call(number))
            assert reader.call(call_key(make_call(number), "m")) == make_call(number)


DISK_FULL = """
import resource, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from tests.store.samples import make_call, make_reply
from localeval.errors import StoreError
from localeval.keys import call_key
from localeval.store.database import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
store.append(make_call(0), make_reply(make_call(0)))
store.flush()
resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
for number in range(1, 1000):
    try:
        store.append(make_call(number), make_reply(make_call(number)))
    except StoreError:
        break
for act in (store.flush, lambda: store.append(make_call(1), make_reply(make_call(1))), store.close):
    try:
        act()
    except StoreError as error:
        print(error)
"""


def test_a_full_disk_is_said_and_keeps_what_was_there(tmp_path: Path) -> None:
    """When the file may not grow, flush, append and close raise one line with the fix; older replies stay."""
    path = tmp_path / "store.sqlite"
    done = subprocess.run(
        [sys.executable, "-c", DISK_FULL, str(path), REPOSITORY],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert len(lines) == 3
    assert all(str(path) in line and "free disk space and run again" in line for line in lines)
    assert "replies were not kept and will be asked for again" in lines[0]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    with SqliteStore(path) as store:
        assert store.get(call_key(make_call(0), "m")) == make_reply(make_call(0))
        store.append(make_call(9999), make_reply(make_call(9999)))


def test_a_closed_store_takes_nothing(tmp_path: Path) -> None:
    """Appending after close is refused, closing twice is not."""
    store = SqliteStore(tmp_path / "store.sqlite")
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.append(make_call(1), make_reply(make_call(1)))


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    """A store of a later version is left alone, and both versions are named."""
    path = tmp_path / "store.sqlite"
    SqliteStore(path).close()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    for opener in (SqliteStore, StoreReader.at_rest, StoreReader.in_use):
        with pytest.raises(StoreError, match="has store version 7, this localeval reads up to 1"):
            opener(path)


def test_a_file_of_another_program_is_refused(tmp_path: Path) -> None:
    """An SQLite file with other tables is not turned into a store."""
    path = tmp_path / "store.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (x)")
    connection.close()
    before = path.read_bytes()
    for opener in (SqliteStore, StoreReader.at_rest):
        with pytest.raises(StoreError, match="is not a store of localeval"):
            opener(path)
    assert path.read_bytes() == before


DAMAGED = r"damaged or is not a store .*move it aside and run again"


def read_all(path: Path) -> list[Reply | None]:
    with StoreReader.at_rest(path) as reader:
        return [reader.get(key) for key in reader]


def test_a_damaged_file_is_named_with_the_fix(tmp_path: Path) -> None:
    """A file that is no database, and one with a page overwritten, both say what to do."""
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"not a database at all" * 300)
    for opener in (SqliteStore, StoreReader.at_rest):
        with pytest.raises(StoreError, match=DAMAGED):
            opener(path)
    path.unlink()
    with SqliteStore(path) as store:
        for number in range(300):
            store.append(make_call(number), make_reply(make_call(number)))
    data = bytearray(path.read_bytes())
    data[4096 * 3 :] = b"\xa5" * (len(data) - 4096 * 3)
    path.write_bytes(data)
    with pytest.raises(StoreError, match=DAMAGED):
        read_all(path)


def test_a_damaged_reply_is_named(tmp_path: Path) -> None:
    """A reply whose JSON was changed by hand is an error with its key, not a made-up reply."""
    path = tmp_path / "store.sqlite"
    key = call_key(make_call(1), "m")
    with SqliteStore(path) as store:
        store.append(make_call(1), make_reply(make_call(1)))
    connection = sqlite3.connect(path)
    connection.execute("UPDATE replies SET reply = ?", (json.dumps({"texts": "A"}),))
    connection.execute("DELETE FROM texts")
    connection.commit()
    connection.close()
    with StoreReader.at_rest(path) as reader:
        with pytest.raises(StoreError, match=f"reply {key} is damaged"):
            reader.get(key)
        with pytest.raises(StoreError, match=f"reply {key} is damaged"):
            reader.call(key)


def test_earlier_runs_are_read_and_copied(tmp_path: Path) -> None:
    """A reply of an earlier run is found, and from then on is in the own store with its prompt and origin."""
    old = tmp_path / "old" / "store.sqlite"
    old.parent.mkdir()
    with SqliteStore(old) as store:
        store.append(make_call(1), make_reply(make_call(1)))
        store.append(make_call(2), Reply(call_key(make_call(2), "m"), missing=Missing("engine error")))
    before = {entry.name: entry.stat().st_mtime_ns for entry in old.parent.iterdir()}
    own = tmp_path / "store.sqlite"
    with SqliteStore(own) as store, StoreReader.at_rest(old) as reader:
        chained = ChainedStore(store, [reader])
        assert chained.get(call_key(make_call(1), "m")) == make_reply(make_call(1))
        assert chained.get(call_key(make_call(2), "m")) is None  # a failure is not handed on
        assert chained.get("nothing") is None
        chained.append(make_call(3), make_reply(make_call(3)))
        assert chained.get(call_key(make_call(3), "m")) == make_reply(make_call(3))
    assert {entry.name: entry.stat().st_mtime_ns for entry in old.parent.iterdir()} == before
    with StoreReader.at_rest(own) as reader:
        key = call_key(make_call(1), "m")
        assert reader.get(key) == make_reply(make_call(1))
        assert reader.prompt(key) == make_call(1).messages
        assert reader.origin(key) == str(old.parent)
        assert reader.origin(call_key(make_call(3), "m")) == ""
        assert len(reader) == 2


def test_what_is_forgotten_makes_room_for_another(tmp_path: Path) -> None:
    """Only the named replies go, at once, also for who opens the file later; a new one takes the place."""
    calls = [make_call(number) for number in range(3)]
    with SqliteStore(tmp_path / "store.sqlite") as store:
        for call in calls:
            store.append(call, make_reply(call))
        store.forget([call_key(calls[1], "m"), "no such key"])
        assert store.get(call_key(calls[1], "m")) is None
        assert len(store) == 2
        store.append(calls[1], make_reply(calls[1], "B"))
    with StoreReader.at_rest(tmp_path / "store.sqlite") as reader:
        texts = [reply.text for reply in map(reader.get, (call_key(call, "m") for call in calls)) if reply is not None]
    assert texts == ["A", "B", "A"]
