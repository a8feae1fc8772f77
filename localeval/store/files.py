"""The files of a run folder besides the store: read with clear errors, written in one step."""

import gzip
import json
import os
import zlib
from pathlib import Path
from typing import Any

from localeval.errors import StoreError
from localeval.store.codec import load_input
from localeval.texts import Candidate, Source

SCHEMA = "localeval.run/1"
CONFIG, MANIFEST, SCORES, PASSPORT = "config.yaml", "run.json", "scores.json", "passport.json"
LEDGER, PLAN, DECISION = "ledger.json", "plan.json", "decision.json"
PAGE = "report.html"
"""Where `localeval report` writes its page by default."""
CHECK, CHECK_PAGE = "check.json", "check.html"
"""What a check of judges found, in a folder of its own."""
INPUTS, PROMPTS, STORE = "inputs.jsonl.gz", "prompts.json", "store.sqlite"
LOCK = "run.lock"
FINISHED = "finished.json"
"""Which run the results are of."""

_LONGEST_REASON = 200


def write_in_one_step(path: Path, data: bytes) -> None:
    """Replaces the file at `path`: after a crash or power cut it holds either the old bytes or the new, whole.

    Raises StoreError where it cannot be written.
    """
    part = path.with_name(f".{path.name}.part")  # one writer a folder, so a fixed name is safe and leaves no litter
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)  # the rename itself is durable only then
        finally:
            os.close(folder)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written ({error.strerror}): free disk space or change its permissions, then run again"
        ) from error


class RunFiles:
    """Reading the files of a run folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def config(self) -> bytes:
        """The config file, byte for byte."""
        return self._read(CONFIG)

    def manifest(self) -> dict[str, Any]:
        """The frozen manifest; raises StoreError where there is none yet, or its schema is of another version."""
        manifest = self._read_json(MANIFEST)
        schema = manifest.get("schema")
        if schema != SCHEMA:
            raise StoreError(
                f"{self.path / MANIFEST}: `schema` is {schema!r}, this localeval reads {SCHEMA!r}: "
                "use the version that wrote it"
            )
        return manifest

    def has_manifest(self) -> bool:
        """Whether the run has begun: False in a new folder, or where it was stopped before its manifest was written."""
        return (self.path / MANIFEST).exists()

    def scores(self) -> dict[str, Any] | None:
        """The results, or None where the run has none yet."""
        return self._if_there(SCORES)

    def passport(self) -> dict[str, Any] | None:
        """What a study of affect rests on, or None where the run has none."""
        return self._if_there(PASSPORT)

    def ledger(self) -> dict[str, Any] | None:
        """What the run cost, or None where the run has no results yet."""
        return self._if_there(LEDGER)

    def plan(self) -> dict[str, Any] | None:
        """What the run was expected to cost, or None where no plan was kept."""
        return self._if_there(PLAN)

    def decision(self) -> dict[str, Any] | None:
        """Which system is recommended and why, or None where nothing was to be decided."""
        return self._if_there(DECISION)

    def finished(self) -> dict[str, Any] | None:
        """Which run the results are of, or None where the run is not finished."""
        return self._if_there(FINISHED)

    def check(self) -> dict[str, Any] | None:
        """What a check of judges found, or None where none was made here."""
        return self._if_there(CHECK)

    def load_inputs(self, may_be_empty: bool = False) -> tuple[tuple[Source, ...], tuple[Candidate, ...]]:
        """The sources and the candidates, exactly as they were saved. A run of elicited texts alone has none."""
        sources: list[Source] = []
        candidates: list[Candidate] = []
        data = self._read(INPUTS)
        try:
            # not splitlines: a text may hold any line separator that JSON does not escape
            for line in gzip.decompress(data).decode().split("\n")[:-1]:
                value = load_input(line)
                if isinstance(value, Source):
                    sources.append(value)
                else:
                    candidates.append(value)
        except (ValueError, TypeError, KeyError, EOFError, OSError, zlib.error) as error:
            raise self.damaged(INPUTS, error) from error
        if not sources and not may_be_empty:
            raise self.damaged(INPUTS, ValueError("it holds no source"))
        return tuple(sources), tuple(candidates)

    def load_prompts(self) -> dict[str, str]:
        """The prompt files by name."""
        return {name: str(text) for name, text in self._read_json(PROMPTS).items()}

    def _if_there(self, name: str) -> dict[str, Any] | None:
        return self._read_json(name) if (self.path / name).exists() else None

    def _read(self, name: str) -> bytes:
        path = self.path / name
        try:
            return path.read_bytes()
        except FileNotFoundError as error:
            raise StoreError(
                f"{path} does not exist: the run was stopped before it began; start it again with `localeval run`"
            ) from error
        except OSError as error:
            raise StoreError(f"{path} cannot be read ({error.strerror}): change its permissions") from error

    def _read_json(self, name: str) -> dict[str, Any]:
        try:
            value = json.loads(self._read(name))
        except ValueError as error:
            raise self.damaged(name, error) from error
        if not isinstance(value, dict):
            raise self.damaged(name, TypeError(f"a JSON {type(value).__name__} where an object belongs"))
        return value

    def damaged(self, name: str, error: Exception) -> StoreError:
        """The error that says that one of the run's files does not hold what belongs in it."""
        why = " ".join(str(error).split())[:_LONGEST_REASON]  # pydantic tells of every field, in as many lines
        return StoreError(f"{self.path / name} is damaged ({why}): restore it from a copy, or use a new run folder")
