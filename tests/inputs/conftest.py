"""What several tests of files share."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def saved(tmp_path: Path) -> Callable[..., Path]:
    """Writes a file of the user's."""

    def save(text: str, name: str = "own.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return save
