"""Reading a store: replies by key, and the whole call behind each."""

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, NamedTuple, Self

from localeval.errors import StoreError
from localeval.store.codec import dump, load_call, load_reply
from localeval.store.schema import check, explain, sqlite_errors
from localeval.values import Call, Message, Reply

_BROKEN = (ValueError, TypeError, KeyError, AttributeError)


class Stored(NamedTuple):
    """A call and what came back for it."""

    call: Call
    reply: Reply


class StoreReader:
    """Replies and calls of one store, read only. Safe to use from several threads.

    Make one with `at_rest` or `in_use`; close it, or use it as a context manager.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, cleanup: ExitStack | None = None) -> None:
        self.path = path
        self._connection = connection
        self._cleanup = cleanup or ExitStack()
        self._lock = Lock()  # one connection, one statement at a time
        # per reader, and small: a text may be a whole transcript
        self._text: Callable[[str], str] = lru_cache(maxsize=64)(self._read_text)

    @classmethod
    def at_rest(cls, path: Path) -> Self:
        """A reader of a store that nobody writes to. Changes nothing in its folder, which may be read-only.

        Where a killed run left its last replies in the write-ahead log, SQLite would have to write to read them:
        a temporary copy is read instead. Raises StoreError as `schema.check` does.
        """
        cleanup = ExitStack()
        try:
            log = path.with_name(path.name + "-wal")
            if not path.is_file():
                raise StoreError(f"{path} does not exist: name the folder of a run")
            if log.is_file() and log.stat().st_size:
                folder = Path(cleanup.enter_context(tempfile.TemporaryDirectory(prefix="localeval-")))
                copy = folder / path.name
                shutil.copyfile(path, copy)
                shutil.copyfile(log, copy.with_name(log.name))
                return cls._open(path, copy.as_uri(), cleanup)
            return cls._open(path, path.absolute().as_uri() + "?immutable=1", cleanup)
        except OSError as error:
            cleanup.close()
            raise StoreError(f"{path} cannot be read ({error.strerror}): check its permissions") from error
        except StoreError:
            cleanup.close()
            raise

    @classmethod
    def in_use(cls, path: Path) -> Self:
        """A reader of a store that another process, or another connection of this one, may be writing to."""
        return cls._open(path, path.absolute().as_uri() + "?mode=ro", ExitStack())

    @classmethod
    def _open(cls, path: Path, uri: str, cleanup: ExitStack) -> Self:
        with sqlite_errors(path):
            connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False, timeout=30)
        try:
            check(connection, path)
        except StoreError:
            connection.close()
            raise
        return cls(connection, path, cleanup)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file; may be called twice."""
        with self._lock:
            self._connection.close()
        self._cleanup.close()

    def __len__(self) -> int:
        """How many replies are stored."""
        rows = self._rows("SELECT count(*) FROM replies", ())
        return int(rows[0][0])

    def __iter__(self) -> Iterator[str]:
        """The keys of all stored replies, in the order in which they were first stored."""
        for row in self._rows("SELECT key FROM replies ORDER BY rowid", ()):
            yield str(row[0])

    def digest(self) -> str:
        """64 hexadecimal digits over every reply, in the order in which they were first stored: its key, the model that
        was asked, the run that it was copied from, and what came back."""
        found = sha256()
        statement = "SELECT key, model, origin, reply FROM replies ORDER BY rowid"
        for rows in self._in_portions(statement):
            found.update(dump(rows).encode())
        return found.hexdigest()

    def finality(self) -> dict[str, bool]:
        """For each stored key whether its reply is there to stay: False where it is missing."""
        rows = chain.from_iterable(self._in_portions("SELECT key, missing IS NULL FROM replies"))
        return {key: final == 1 for key, final in rows}

    def copied(self) -> frozenset[str]:
        """The keys of the replies that were copied from earlier runs."""
        return frozenset(str(row[0]) for row in self._rows("SELECT key FROM replies WHERE origin <> ''", ()))

    def own_replies_of(self, model: str) -> Iterator[Reply]:
        """What a model answered in this run; without what was copied from earlier runs."""
        for key, body in self._rows("SELECT key, reply FROM replies WHERE model = ? AND origin = ''", (model,)):
            try:
                yield load_reply(str(key), body)
            except _BROKEN as error:
                raise self._damaged(str(key), error) from error

    def get(self, key: str) -> Reply | None:
        """The stored reply, or None; raises StoreError where it cannot be read."""
        rows = self._rows("SELECT reply FROM replies WHERE key = ?", (key,))
        if not rows:
            return None
        try:
            return load_reply(key, rows[0][0])
        except _BROKEN as error:
            raise self._damaged(key, error) from error

    def find(self, key: str) -> Stored | None:
        """The stored reply with its call, texts and all, or None; `call_key` of the call is `key` again."""
        rows = self._rows("SELECT model, stage, call, reply FROM replies WHERE key = ?", (key,))
        if not rows:
            return None
        model, stage, call, reply = rows[0]
        try:
            return Stored(load_call(model, stage, call, self._text), load_reply(key, reply))
        except _BROKEN as error:
            raise self._damaged(key, error) from error

    def call(self, key: str) -> Call | None:
        """The call behind a stored reply, or None."""
        found = self.find(key)
        return None if found is None else found.call

    def prompt(self, key: str) -> tuple[Message, ...] | None:
        """The messages that a stored reply answers, or None where there is no such reply."""
        call = self.call(key)
        return None if call is None else call.messages

    def origin(self, key: str) -> str:
        """The earlier run that a reply was copied from, or "" where this run asked for it itself."""
        rows = self._rows("SELECT origin FROM replies WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def _damaged(self, key: str, error: Exception) -> StoreError:
        return StoreError(f"{self.path}: reply {key} is damaged ({error!r}): move the file aside and run again")

    def _read_text(self, digest: str) -> str:
        rows = self._rows("SELECT text FROM texts WHERE digest = ?", (digest,))
        if not rows:
            raise KeyError(digest)
        return bytes(rows[0][0]).decode("utf-8", "surrogatepass")

    def _in_portions(self, statement: str) -> Iterator[list[tuple[Any, ...]]]:
        """The rows of a statement, some hundreds at a time: a run may hold a million."""
        with self._lock:
            try:
                cursor = self._connection.execute(statement)
                while rows := cursor.fetchmany(500):
                    yield rows
            except sqlite3.Error as error:
                raise StoreError(explain(self.path, error)) from error

    def _rows(self, statement: str, values: tuple[str, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise StoreError(explain(self.path, error)) from error
