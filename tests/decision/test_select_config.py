"""`select` in a config: what cannot come out is refused before anything is asked."""

from pathlib import Path

import pytest

from localeval.config import load_config
from localeval.errors import ConfigError
from tests.projects import make_project


def config_with(folder: Path, select: str) -> Path:
    path = make_project(folder)
    path.write_text(path.read_text(encoding="utf-8") + f"select: {select}\n", encoding="utf-8")
    return path


def test_rules_about_what_is_measured_are_read(tmp_path: Path) -> None:
    """In their one form; missing texts need no method."""
    config = load_config(config_with(tmp_path, '{require: ["cap_f1>=30", "missing <= 0"], best: cap_p}'))
    assert config.select is not None
    assert config.select.require == ("cap_f1 >= 30", "missing <= 0")
    assert config.select.best == "cap_p"


@pytest.mark.parametrize(
    ("select", "told"),
    [
        ('{require: ["fabrications <= 0"]}', "select.require: fabrications <= 0 needs the method audit"),
        ('{require: ["seconds <= 9"]}', "select.require: seconds <= 9 needs `systems` that write"),
        ("{best: consensus}", "select.best: consensus needs the method panel"),
        ('{require: ["capf1 >= 30"]}', "did you mean 'cap_f1'?"),
        ('{require: ["cap_f1 30"]}', "is no rule"),
        ("{best: seconds}", "select.best"),
        ("{smallest_difference: 0}", "select.smallest_difference"),
    ],
)
def test_what_cannot_come_out_is_refused_with_its_line(tmp_path: Path, select: str, told: str) -> None:
    """One line with file and line number."""
    path = config_with(tmp_path, select)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    line = len(path.read_text(encoding="utf-8").splitlines())
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
