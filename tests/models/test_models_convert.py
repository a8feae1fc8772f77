"""`localeval.models.convert`: what a conversion that cannot work says. One that works: test_models_places."""

import importlib.util
from pathlib import Path

import pytest

from localeval.errors import ModelError
from localeval.models.convert import to_safetensors


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="the libraries are not installed here")
def test_a_file_that_is_no_gguf_is_one_line(tmp_path: Path) -> None:
    """The child process fails on a broken file; its last line is the reason, and this process lives on."""
    broken = tmp_path / "m.gguf"
    broken.write_bytes(b"not a model at all")
    with pytest.raises(ModelError, match=r"m\.gguf: the conversion to safetensors failed: not a GGUF file"):
        to_safetensors(broken, tmp_path / "out", "bfloat16")


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="the libraries are installed here")
def test_missing_libraries_are_named(tmp_path: Path) -> None:
    """On a machine with the core alone, the error names what to install."""
    with pytest.raises(ModelError, match=r"needs .*torch.*: pip install 'localeval\[transformers\]'"):
        to_safetensors(tmp_path / "m.gguf", tmp_path / "out", "bfloat16")
