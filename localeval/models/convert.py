"""GGUF to safetensors, once, in a child process: its memory is given back, and this process never loads torch."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from localeval.errors import ModelError

_CHILD = Path(__file__).with_name("convert_child.py")
_NEEDED = ("torch", "transformers", "gguf", "accelerate")
_QUIET = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "OMP_WAIT_POLICY": "PASSIVE",
}


def to_safetensors(gguf: Path, folder: Path, dtype: str) -> dict[str, str]:
    """Fills `folder` with safetensors, config, tokenizer and generation config; returns the libraries' versions.

    `dtype` is that of the weights written ("auto": bfloat16). A GGUF file's quantised numbers are written out in
    full. Raises ModelError when a library is missing or the conversion fails.
    """
    require_libraries(gguf.name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    # -P: the script's own folder is not searched for modules
    command = [sys.executable, "-P", str(_CHILD), str(gguf), str(folder), "bfloat16" if dtype == "auto" else dtype]
    run = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env={**os.environ, **_QUIET}
    )
    lines = run.stdout.splitlines()
    if run.returncode or not lines:
        reason = f"signal {-run.returncode}, out of memory?" if run.returncode < 0 else _last(run.stderr)
        raise ModelError(f"{gguf}: the conversion to safetensors failed: {reason}")
    versions: dict[str, str] = json.loads(lines[-1])
    return versions


def require_libraries(name: str) -> None:
    """Raises ModelError that says what to install, where the GGUF file `name` could not be converted here."""
    missing = [each for each in _NEEDED if importlib.util.find_spec(each) is None]
    if missing:
        raise ModelError(
            f"{name} is GGUF, and turning it into safetensors needs {', '.join(missing)}: "
            "pip install 'localeval[transformers]'"
        )


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"
