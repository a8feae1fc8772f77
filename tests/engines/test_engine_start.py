"""Engines that cannot start say so in one line: what, where and the fix."""

from pathlib import Path

import pytest

from localeval.engines.child import ChildEngine
from localeval.errors import ConfigError, EngineError
from localeval.models import Card, Model


def model(folder: Path, **options: object) -> Model:
    return Model(
        name="m", card=Card(name="c", family="f"), engine="transformers", folder=str(folder), options=dict(options)
    )


def refusal(model: Model) -> str:
    with pytest.raises((EngineError, ConfigError)) as caught, ChildEngine(model):
        pass
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_an_unknown_option_is_refused_before_anything_starts(tmp_path: Path) -> None:
    """The message names the model, the option and what the engine knows."""
    message = refusal(model(tmp_path, cach_gib=2))
    assert "m" in message
    assert "cach_gib" in message
    assert "device" in message


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    """No process is started for a folder that holds no config.json."""
    assert f"{tmp_path} holds no config.json" in refusal(model(tmp_path))


def test_a_device_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """`device: cuda` on a machine without a GPU names the fix."""
    if Path("/dev/nvidiactl").exists():
        pytest.skip("this machine has a GPU")
    (tmp_path / "config.json").write_text("{}")
    assert "set device: auto" in refusal(model(tmp_path, device="cuda"))


@pytest.mark.engine
def test_a_broken_folder_is_refused_with_the_reason(tmp_path: Path) -> None:
    """What the child's packages say about a folder that they cannot read reaches the user in one line."""
    (tmp_path / "config.json").write_text('{"model_type": "llama"}')
    message = refusal(model(tmp_path))
    assert "did not start" in message
    assert str(tmp_path) in message
