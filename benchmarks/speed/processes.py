"""Starts a contestant's process, waits for it, and ends it and all that it started when the bench is stopped."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from benchmarks.speed.child import Request, answer_path
from benchmarks.speed.contest import CannotDo, Run
from localeval.engines.environment import child_environment
from localeval.engines.installed import device_for

_QUOTED = 300


def run_child(request: Request, scratch: Path) -> tuple[Run, dict[str, str]]:
    """What a contestant took, and what decides how it ran. Raises CannotDo, which quotes its log, where it fails."""
    file = scratch / f"{request.kind}.json"
    file.write_text(json.dumps(asdict(request)), encoding="utf-8")
    log = scratch / f"{request.kind}.log"
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "benchmarks.speed.child", str(file)],
            env=dict(_environment()),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C reaches the bench alone, which then ends the process
        )
    try:
        code = process.wait()
    finally:
        with suppress(ProcessLookupError):  # also after a clean end: nothing of it may go on in the next one's time
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    answer = answer_path(file)
    if code or not answer.is_file():
        raise CannotDo(f"its process ended with exit code {code}; {log} ends: {_last_line(log)}")
    told = json.loads(answer.read_text(encoding="utf-8"))
    return Run(**told["run"]), told["parameters"]


def _environment() -> Mapping[str, str]:
    """As localeval gives it to the engine's process, for all of them: so they differ in nothing else."""
    return child_environment(os.environ, device_for("vllm", "auto"))


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:_QUOTED] if lines else "(empty)"
