"""Processes of a peer: started in a group of their own, and ended as one whatever happens."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from benchmarks.speed.contest import CannotDo

_QUOTED = 300


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes to `log`. It and all that it started are ended on leaving, also on Ctrl-C."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            env=dict(environment),
            cwd=log.parent,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C reaches the bench alone, which then ends the group
        )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def last_line(log: Path) -> str:
    """The last line of a log that says anything."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:_QUOTED] if lines else "(empty)"


def ask(python: Path, script: Path, request: Mapping[str, Any], environment: Mapping[str, str], scratch: Path) -> Any:
    """What a script answers to a request, run by a peer's own Python. Raises CannotDo, which quotes the log.

    The script gets two paths: of the request, and of where its answer goes, both JSON.
    """
    asked, answer, log = (scratch / f"{script.stem}.{kind}" for kind in ("request.json", "answer.json", "log"))
    asked.write_text(json.dumps(request), encoding="utf-8")
    command = [str(python), "-P", str(script), str(asked), str(answer)]
    # what it keeps for itself goes into the scratch folder, not into the user's home
    with running(command, {**environment, "HOME": str(scratch)}, log) as process:
        code = process.wait()
    if code or not answer.is_file():
        raise CannotDo(f"its process ended with exit code {code}; {log} ends: {last_line(log)}")
    return json.loads(answer.read_text(encoding="utf-8"))
