"""`localeval.assets`: data files from the checkout, else from the wheel."""

import subprocess
import sys
from pathlib import Path

import pytest

import localeval
from localeval.assets import asset_folder
from localeval.errors import LocalevalError

ROOT = Path(localeval.__file__).resolve().parent.parent
PROGRAM = "from localeval.assets import asset_folder; print(asset_folder('models'))"


def test_a_checkout_s_own_folders_are_used() -> None:
    """From a checkout, an edited card or prompt takes effect without installing again."""
    assert asset_folder("models") == ROOT / "models"
    assert asset_folder("prompts") == ROOT / "prompts"


def test_a_folder_that_neither_has_is_an_error() -> None:
    """A broken installation says so in one line."""
    with pytest.raises(LocalevalError, match="the data folder 'nothing' is missing; install localeval again"):
        asset_folder("nothing")


def test_an_installed_package_finds_its_own(tmp_path: Path) -> None:
    """Without a project file beside the package, the wheel's data are used, though a folder of that name is there."""
    package = tmp_path / "localeval"
    (package / "_data" / "models").mkdir(parents=True)
    (tmp_path / "models").mkdir()
    for name in ("__init__.py", "assets.py", "errors.py"):
        (package / name).write_bytes((ROOT / "localeval" / name).read_bytes())
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert ran.stdout.strip() == str(package / "_data" / "models"), ran.stderr
