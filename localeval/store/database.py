"""The store of a run: replies in SQLite, appended by one writer thread, never lost once committed.

Why a thread: the driver may be blocked for minutes waiting for an engine, and a reply must be durable all the same.
It also commits in groups, so `synchronous = FULL` is affordable: every commit waits until the disk has it (some
milliseconds, of which the driver sees nothing), and a power cut takes no reply that was committed. NORMAL would wait
less, but a power cut could then take the last minutes back.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from threading import Condition, Thread
from types import TracebackType
from typing import NamedTuple, Self

from localeval.errors import StoreError
from localeval.keys import digest
from localeval.store.codec import dump_call, dump_reply
from localeval.store.reader import StoreReader
from localeval.store.schema import explain, prepare, sqlite_errors
from localeval.values import Call, Message, Reply

_GATHER_S = 0.05  # how long the writer waits for company before it commits
_PENDING_LIMIT = 20_000  # replies that may wait for a slow disk before `append` waits with them
_REMEMBERED_TEXTS = 10_000

_REPLY = """
INSERT INTO replies (key, model, stage, origin, missing, reply, call) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (key) DO UPDATE SET model = excluded.model, stage = excluded.stage, origin = excluded.origin,
    missing = excluded.missing, reply = excluded.reply WHERE replies.missing IS NOT NULL
"""
_TEXT = "INSERT OR IGNORE INTO texts (digest, text) VALUES (?, ?)"


class _Pending(NamedTuple):
    call: Call
    reply: Reply
    body: str
    origin: str


class SqliteStore:
    """Replies by key in one SQLite file: a `localeval.flow.Store`. The only writer of its file.

    What `append` was given is visible to `get` at once and committed within a fraction of a second; `flush` waits
    for it. A reply stays for good, unless it is missing: then a later one for the same key replaces it.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it; raises StoreError where it is damaged, newer, or cannot be written."""
        self.path = path
        with sqlite_errors(path):
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
        with ExitStack() as undo:
            undo.callback(self._connection.close)
            prepare(self._connection, path)
            self._connection.execute("PRAGMA synchronous = FULL")
            # keys are random: with the default 2 MB of cache and a checkpoint every 4 MB most of the work is rereading
            self._connection.execute("PRAGMA cache_size = -32768")
            self._connection.execute("PRAGMA wal_autocheckpoint = 4096")
            self._reader = undo.enter_context(StoreReader.in_use(path))
            undo.pop_all()
        self._pending: dict[str, _Pending] = {}  # in order of arrival: it is the queue as well
        self._texts: dict[str, None] = {}
        self._changed = Condition()
        self._appended = 0
        self._committed = 0  # of those appended
        self._flushing = False
        self._closing = False
        self._closed = False
        self._failure: str | None = None
        self._writer = Thread(target=self._write_until_closed, name="localeval-store", daemon=True)
        self._writer.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, key: str) -> Reply | None:
        """The reply, committed or not yet, or None."""
        pending = self._pending.get(key)
        if pending is not None:
            return pending.reply
        # the writer takes a reply out of pending only after its commit, so it is in one place or the other
        return self._reader.get(key) if key in self._is_final else None

    def append(self, call: Call, reply: Reply, origin: str = "") -> None:
        """Keeps a reply; durable within a fraction of a second. `origin` names the run that it is copied from.

        Raises StoreError where an earlier write failed, and ValueError on a non-finite number.
        """
        body = dump_reply(reply)
        with self._changed:
            self._raise_failure()
            if self._closing:
                raise StoreError(f"{self.path} is closed: nothing can be appended")
            if self._is_final.get(reply.key):
                return
            self._is_final[reply.key] = reply.missing is None
            (self._copied.add if origin else self._copied.discard)(reply.key)
            self._pending[reply.key] = _Pending(call, reply, body, origin)
            self._appended += 1
            if len(self._pending) == 1:
                self._changed.notify_all()
            self._changed.wait_for(self._has_room)
            self._raise_failure()

    def digest(self) -> str:
        """As `StoreReader.digest`, of what is committed."""
        return self._reader.digest()

    def forget(self, keys: Iterable[str]) -> None:
        """Takes replies out at once, so that others can take their place: only where the user says so.

        Raises StoreError where they could not be taken out.
        """
        self.flush()
        gone = tuple(keys)
        with self._changed, sqlite_errors(self.path):  # nothing is pending: the writer waits
            self._connection.execute("BEGIN IMMEDIATE")
            self._connection.executemany("DELETE FROM replies WHERE key = ?", ((key,) for key in gone))
            self._connection.execute("COMMIT")
            for key in gone:
                self._is_final.pop(key, None)

    def flush(self) -> None:
        """Returns once everything appended so far is durable; raises StoreError where it could not be written."""
        with self._changed:
            target = self._appended
            self._flushing = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._committed >= target or self._failure is not None)
            self._raise_failure()

    def close(self) -> None:
        """Flushes and closes; may be called twice. Raises StoreError where replies could not be written."""
        if self._closed:
            return
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._writer.join()
        self._closed = True
        self._reader.close()
        try:
            self._raise_failure()
            with sqlite_errors(self.path):
                self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            self._connection.close()

    def __len__(self) -> int:
        """How many replies there are, committed or not yet."""
        return len(self._is_final)

    @cached_property
    def _is_final(self) -> dict[str, bool]:
        """By key: asking SQLite for what is not there costs a lock each time. Of a finished run nobody asks."""
        return self._reader.finality()

    @cached_property
    def _copied(self) -> set[str]:
        return set(self._reader.copied())

    @property
    def copied(self) -> Set[str]:
        """The keys of the replies that were copied from earlier runs; it grows with the store."""
        return self._copied

    def own_replies_of(self, model: str) -> Iterator[Reply]:
        """What a model answered in this run, as far as it is committed; without what was copied from earlier runs."""
        return self._reader.own_replies_of(model)

    def call(self, key: str) -> Call | None:
        """The call behind a reply, or None."""
        pending = self._pending.get(key)
        return pending.call if pending is not None else self._reader.call(key)

    def prompt(self, key: str) -> tuple[Message, ...] | None:
        """The messages that a reply answers, or None where there is no such reply."""
        call = self.call(key)
        return None if call is None else call.messages

    def _has_room(self) -> bool:
        return len(self._pending) < _PENDING_LIMIT or self._failure is not None

    def _raise_failure(self) -> None:
        if self._failure is not None:
            raise StoreError(self._failure)

    def _write_until_closed(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._pending or self._closing)
                self._changed.wait_for(lambda: self._flushing or self._closing, timeout=_GATHER_S)
                batch = list(self._pending.items())
                mark = self._appended
                self._flushing = False
            try:
                self._commit(batch)
            except Exception as error:  # whatever it is, the driver's thread must hear of it
                self._fail(error)
                return
            with self._changed:
                for key, item in batch:
                    if self._pending.get(key) is item:
                        del self._pending[key]
                self._committed = mark
                self._changed.notify_all()
                if self._closing and not self._pending:
                    return

    def _fail(self, error: Exception) -> None:
        reason = explain(self.path, error) if isinstance(error, sqlite3.Error) else f"{self.path}: {error!r}"
        with self._changed:
            self._failure = f"{reason} ({len(self._pending)} replies were not kept and will be asked for again)"
            self._changed.notify_all()

    def _commit(self, batch: Sequence[tuple[str, _Pending]]) -> None:
        if not batch:
            return
        replies = []
        texts: dict[str, str] = {}

        def reference(text: str) -> str:
            name = digest(text)
            if name not in self._texts:
                texts[name] = text
            return name

        for key, (call, reply, body, origin) in batch:
            reason = None if reply.missing is None else reply.missing.reason
            replies.append((key, call.model, call.stage, origin, reason, body, dump_call(call, reference)))
        run = self._connection
        run.execute("BEGIN IMMEDIATE")
        try:
            run.executemany(_TEXT, ((name, text.encode("utf-8", "surrogatepass")) for name, text in texts.items()))
            run.executemany(_REPLY, replies)
            run.execute("COMMIT")
        except BaseException:
            if run.in_transaction:
                run.execute("ROLLBACK")
            raise
        self._remember(texts)

    def _remember(self, names: Iterable[str]) -> None:
        """Texts that need not be sent to SQLite again; forgetting one only costs time."""
        self._texts.update(dict.fromkeys(names))
        while len(self._texts) > _REMEMBERED_TEXTS:
            del self._texts[next(iter(self._texts))]


class ChainedStore:
    """A run's own store, with earlier runs to read from: a `localeval.flow.Store`.

    A reply that an earlier run has is copied, with its call, into the own store, which so stays whole by itself.
    What an earlier run failed to get (`missing`) is not taken over: it is asked for anew.
    """

    def __init__(self, own: SqliteStore, earlier: Sequence[StoreReader]) -> None:
        self.own = own
        self.earlier = tuple(earlier)

    def get(self, key: str) -> Reply | None:
        """The reply from the own store, else from the first earlier run that has it, else None."""
        reply = self.own.get(key)
        if reply is not None and reply.missing is None:
            return reply
        for reader in self.earlier:
            found = reader.find(key)
            if found is not None and found.reply.missing is None:
                self.own.append(found.call, found.reply, str(reader.path.parent))
                return found.reply
        return reply

    def append(self, call: Call, reply: Reply) -> None:
        """Keeps a reply in the own store."""
        self.own.append(call, reply)
