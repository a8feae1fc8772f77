"""The tables of a store, their version, and what SQLite's errors mean to a user."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from localeval.errors import StoreError

VERSION = 1
_APPLICATION = 0x4C455641  # "LEVA" in the file's header: an SQLite file of another program is not taken for a store

_TABLES = f"""
BEGIN IMMEDIATE;
CREATE TABLE replies (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    stage TEXT NOT NULL,
    origin TEXT NOT NULL,  -- the earlier run that it was copied from, or ''
    missing TEXT,          -- the reason where there is no verdict
    reply TEXT NOT NULL,
    call TEXT NOT NULL     -- its texts stand as digests of rows in `texts`
) STRICT;
CREATE TABLE texts (digest TEXT PRIMARY KEY, text BLOB NOT NULL) STRICT;
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {VERSION};
COMMIT;
"""
# texts are BLOBs of UTF-8 because a broken transcript may hold lone surrogates, which TEXT cannot


@contextmanager
def sqlite_errors(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into a StoreError that names the file, what happened and what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(explain(path, error)) from error


def explain(path: Path, error: sqlite3.Error) -> str:
    """One line for a user about an error of SQLite on the file at `path`."""
    name = getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        fix = "move it aside and run again, or save what is left with `sqlite3 FILE .recover`"
        return f"{path} is damaged or is not a store ({error}): {fix}"
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return f"{path} could not be written or read ({error}): free disk space and run again"
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY", "SQLITE_PERM")):
        return f"{path} cannot be opened ({error}): check that it exists, and its permissions"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return f"{path} is held by another program ({error}): close it and run again"
    return f"{path}: {error}"


def prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables in an empty file and checks those of any other, which stays as it is where it is refused.

    Raises StoreError as `check` does.
    """
    with sqlite_errors(path):
        if is_empty(connection):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.executescript(_TABLES)
    check(connection, path)


def is_empty(connection: sqlite3.Connection) -> bool:
    """Whether the file holds no tables yet: it was just made, or its maker was stopped at once."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version == 0 and connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0


def check(connection: sqlite3.Connection, path: Path) -> None:
    """Raises StoreError where the file is not a store, is damaged, or was written by a newer localeval."""
    with sqlite_errors(path):
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != _APPLICATION:
        raise StoreError(f"{path} is not a store of localeval: name another run folder")
    if version > VERSION:
        raise StoreError(
            f"{path} has store version {version}, this localeval reads up to {VERSION}: use a newer localeval"
        )
