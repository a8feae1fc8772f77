"""The run folder: one evaluation, whole by itself.

    config.yaml       the config, byte for byte
    run.json          the manifest: what was frozen when the run began
    inputs.jsonl.gz   sources and candidates
    prompts.json      prompt files by name
    store.sqlite      every call and reply
    scores.json       the results; made anew from all the others by `localeval score`
    passport.json     what a study of affect rests on; likewise
    ledger.json       what the run cost, in calls, tokens, time and money; likewise
    decision.json     which system is recommended, and why; likewise
    finished.json     which run these results are of, so that a finished one is not gone through again
    check.json        what a check of its judges found, with the page check.html, in a folder of its own
    plan.json         what the run was expected to cost, where it was planned with a measurement
    sheets.json       which texts stood on sheets for people to label, and why, where any was made
    run.lock          locked by the process that writes

Each file but the store and the lock is replaced in one step (written beside, fsync, renamed): never half there.
"""

import gzip
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from localeval.errors import NoRun, StoreError
from localeval.store.codec import Json, dump, dump_candidate, dump_source
from localeval.store.database import SqliteStore
from localeval.store.files import (
    CHECK,
    CHECK_PAGE,
    CONFIG,
    DECISION,
    FINISHED,
    INPUTS,
    LEDGER,
    LOCK,
    MANIFEST,
    PAGE,
    PASSPORT,
    PLAN,
    PROMPTS,
    SCHEMA,
    SCORES,
    STORE,
    RunFiles,
    write_in_one_step,
)
from localeval.store.lock import FolderLock
from localeval.store.reader import StoreReader
from localeval.texts import Candidate, Source


class RunFolder(RunFiles):
    """A run folder that this process alone writes to, until it is closed. A context manager."""

    def __init__(self, path: Path, store: SqliteStore, lock: FolderLock) -> None:
        super().__init__(path)
        self.store = store
        self._lock = lock

    @classmethod
    def create_or_open(cls, path: Path) -> Self:
        """The run at `path`, made where there is nothing yet.

        Raises NoRun where the place holds something else or cannot be made, StoreError where another is at work.
        """
        try:
            names = {entry.name for entry in path.iterdir()} if path.exists() else set()
            if names and not names & {MANIFEST, STORE, LOCK}:
                raise NoRun(f"{path} is not empty and not a run folder: name a new folder")
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise NoRun(f"{path} cannot be a run folder ({error.strerror}): name another folder") from error
        return cls._locked(path)

    @classmethod
    def open(cls, path: Path) -> Self:
        """The run at `path`, to write into; raises StoreError where there is none, or as `create_or_open` does."""
        require_run(path)
        return cls._locked(path)

    @classmethod
    def _locked(cls, path: Path) -> Self:
        lock = FolderLock.to_write(path)
        try:
            return cls(path, SqliteStore(path / STORE), lock)
        except BaseException:
            lock.release()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the store and lets others in; may be called twice. Raises StoreError as `SqliteStore.close` does."""
        try:
            self.store.close()
        finally:
            self._lock.release()

    def save_config(self, data: bytes) -> None:
        """Keeps the config file, byte for byte."""
        write_in_one_step(self.path / CONFIG, data)

    def save_manifest(self, manifest: Mapping[str, Json]) -> None:
        """Keeps the manifest, with its `schema` first; raises ValueError on a non-finite number."""
        self._save_json(MANIFEST, {"schema": SCHEMA} | dict(manifest) | {"schema": SCHEMA})

    def save_scores(self, scores: Mapping[str, Json]) -> None:
        """Keeps the results; raises ValueError on a non-finite number."""
        self._save_json(SCORES, scores)

    def save_passport(self, passport: Mapping[str, Json]) -> None:
        """Keeps what a study of affect rests on; raises ValueError on a non-finite number."""
        self._save_json(PASSPORT, passport)

    def save_ledger(self, ledger: Mapping[str, Json]) -> None:
        """Keeps what the run cost; raises ValueError on a non-finite number."""
        self._save_json(LEDGER, ledger)

    def save_plan(self, plan: Mapping[str, Json]) -> None:
        """Keeps what the run is expected to cost; raises ValueError on a non-finite number."""
        self._save_json(PLAN, plan)

    def save_decision(self, decision: Mapping[str, Json]) -> None:
        """Keeps which system is recommended and why; raises ValueError on a non-finite number."""
        self._save_json(DECISION, decision)

    def save_finished(self, finished: Mapping[str, Json]) -> None:
        """Keeps which run the results are of; raises ValueError on a non-finite number."""
        self._save_json(FINISHED, finished)

    def save_check(self, check: Mapping[str, Json]) -> None:
        """Keeps what a check of judges found; raises ValueError on a non-finite number."""
        self._save_json(CHECK, check)

    def save_prompts(self, prompts: Mapping[str, str]) -> None:
        """Keeps prompt files by name."""
        self._save_json(PROMPTS, prompts)

    def drop_scores(self) -> None:
        """Takes away results that no longer belong to what the folder holds. A plan stays: it precedes the run."""
        self._drop(SCORES, PASSPORT, LEDGER, DECISION, FINISHED, PAGE, CHECK, CHECK_PAGE)

    def drop_ledger(self) -> None:
        """Takes away a bill that lacks what was asked since."""
        self._drop(LEDGER)

    def _drop(self, *names: str) -> None:
        for name in names:
            try:
                (self.path / name).unlink(missing_ok=True)
            except OSError as error:
                what = f"{self.path / name} cannot be removed ({error.strerror})"
                raise StoreError(f"{what}: remove it yourself") from error

    def save_inputs(self, sources: Sequence[Source], candidates: Sequence[Candidate]) -> None:
        """Keeps the sources and candidates, so that `score` and `show` need no other file."""
        lines = [dump_source(source) for source in sources] + [dump_candidate(candidate) for candidate in candidates]
        # mtime: the same inputs give the same bytes
        data = gzip.compress("".join(line + "\n" for line in lines).encode(), compresslevel=6, mtime=0)
        write_in_one_step(self.path / INPUTS, data)

    def _save_json(self, name: str, value: Mapping[str, Json]) -> None:
        write_in_one_step(self.path / name, (dump(value, indent=1) + "\n").encode())


class RunReader(RunFiles):
    """A run folder, read only: changes nothing in it, and works where it is read-only or a run is under way.

    While it is open no run can start in the folder. A context manager.
    """

    def __init__(self, path: Path, store: StoreReader, cleanup: ExitStack) -> None:
        super().__init__(path)
        self.store = store
        self._cleanup = cleanup

    @classmethod
    def open(cls, path: Path) -> Self:
        """The run at `path`; raises StoreError where there is none, or its store cannot be read."""
        require_run(path)
        cleanup = ExitStack()
        try:
            lock = FolderLock.to_read(path)
            if lock is None:  # a run is under way
                store = StoreReader.in_use(path / STORE)
            else:
                cleanup.callback(lock.release)
                store = StoreReader.at_rest(path / STORE)
        except BaseException:
            cleanup.close()
            raise
        cleanup.callback(store.close)
        return cls(path, store, cleanup)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the store and lets a writer in; may be called twice."""
        self._cleanup.close()


def require_run(path: Path) -> None:
    """Raises NoRun where `path` is not the folder of a run."""
    try:
        if not path.is_dir():
            reason = "is a file, not a folder" if path.exists() else "does not exist"
            raise NoRun(f"run folder {path} {reason}: name the folder that `localeval run` made")
        if not (path / STORE).is_file():
            raise NoRun(f"{path} is not a run folder (no {STORE} in it): name the folder that `localeval run` made")
    except PermissionError as error:
        raise NoRun(f"{path} cannot be read ({error.strerror}): change its permissions") from error
