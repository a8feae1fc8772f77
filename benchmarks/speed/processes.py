"""Starts a contestant's process, waits for it, and ends it and all that it started when the bench is stopped."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from benchmarks.speed.child import Request, answer_path
from benchmarks.speed.contest import CannotDo, Run
from benchmarks.speed.peers.processes import last_line, running
from localeval.engines.environment import child_environment
from localeval.engines.installed import device_for


def run_child(request: Request, scratch: Path) -> tuple[Run, dict[str, str]]:
    """What a contestant took, and what decides how it ran. Raises CannotDo, which quotes its log, where it fails."""
    file = scratch / f"{request.kind}.json"
    file.write_text(json.dumps(asdict(request)), encoding="utf-8")
    log = scratch / f"{request.kind}.log"
    command = [sys.executable, "-P", "-m", "benchmarks.speed.child", str(file)]
    with running(command, _environment(), log) as process:
        code = process.wait()
    answer = answer_path(file)
    if code or not answer.is_file():
        raise CannotDo(f"its process ended with exit code {code}; {log} ends: {last_line(log)}")
    told = json.loads(answer.read_text(encoding="utf-8"))
    return Run(**told["run"]), told["parameters"]


def _environment() -> Mapping[str, str]:
    """As localeval gives it to the engine's process, for all of them: so they differ in nothing else."""
    return child_environment(os.environ, device_for("vllm", "auto"))
