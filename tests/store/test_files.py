"""Files that are replaced in one step."""

import subprocess
import sys
from pathlib import Path

import pytest

from localeval.errors import StoreError
from localeval.store.files import RunFiles, write_in_one_step

CUT = """
import resource, sys
from pathlib import Path
from localeval.errors import StoreError
from localeval.store.files import write_in_one_step
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    write_in_one_step(Path(sys.argv[1]), b"new" * 1000)
except StoreError as error:
    print(error)
"""


def test_a_full_disk_leaves_the_old_file_whole(tmp_path: Path) -> None:
    """Where the new bytes do not fit, the old ones stay, and the error has the fix."""
    path = tmp_path / "scores.json"
    write_in_one_step(path, b"old")
    done = subprocess.run([sys.executable, "-c", CUT, str(path)], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(f"{path} cannot be written (File too large): free disk space")
    assert path.read_bytes() == b"old"
    write_in_one_step(path, b"new")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [("scores.json", b"new")]


def test_a_place_that_cannot_be_replaced_is_named(tmp_path: Path) -> None:
    """A folder in the file's place is an error, on writing and on reading."""
    (tmp_path / "config.yaml").mkdir()
    with pytest.raises(StoreError, match=r"config\.yaml cannot be written \(Is a directory\)"):
        write_in_one_step(tmp_path / "config.yaml", b"x")
    with pytest.raises(StoreError, match=r"config\.yaml cannot be read \(Is a directory\)"):
        RunFiles(tmp_path).config()
