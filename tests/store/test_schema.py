"""What SQLite's errors mean to a user."""

import sqlite3
from pathlib import Path

import pytest

from localeval.errors import StoreError
from localeval.store.database import SqliteStore
from localeval.store.schema import explain


def test_a_place_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    """A store in a folder that does not exist, and one that is a folder, say what to check."""
    for path in (tmp_path / "none" / "store.sqlite", tmp_path):
        with pytest.raises(StoreError, match=r"cannot be opened .*: check that it exists, and its permissions"):
            SqliteStore(path)


def test_a_file_held_by_another_program_is_named(tmp_path: Path) -> None:
    """A lock of another connection is told apart from damage."""
    path = tmp_path / "store.sqlite"
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    other = sqlite3.connect(path, timeout=0)
    with pytest.raises(sqlite3.OperationalError) as caught:
        other.execute("CREATE TABLE x (y)")
    assert explain(path, caught.value).endswith("(database is locked): close it and run again")
    other.close()
    holder.close()


def test_any_other_error_keeps_its_words(tmp_path: Path) -> None:
    """What has no fix of its own still names the file."""
    assert explain(tmp_path, sqlite3.OperationalError("odd")) == f"{tmp_path}: odd"
