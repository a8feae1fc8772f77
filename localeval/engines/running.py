"""One run of a program: bounded in time and output, and ended with all that it started."""

import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import IO

OUTPUT_LIMIT = 4 * 2**20
"""Bytes that a program may print, on standard output and standard error each: far above any answer."""

_MARK = "LOCALEVAL_COMMAND_RUN"
_FIRST_LOOK_S, _LAST_LOOK_S = 0.002, 0.05
_SWEEPS = 20


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (negative: the signal), why it was killed ("" where it was not), and what it
    printed, at most a little more than `OUTPUT_LIMIT`."""

    code: int
    killed: str
    output: bytes
    errors: bytes


def signal_name(number: int) -> str:
    """A signal's name; its number where it has none, as those for real time."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def run_program(
    command: Sequence[str], environment: Mapping[str, str], given: bytes, timeout_s: float, stopped: Event
) -> Ended:
    """Runs `command` with `given` on its standard input, in an empty folder of its own, until it ends.

    Killed where it takes longer than `timeout_s`, prints more than `OUTPUT_LIMIT`, or `stopped` is set. Whatever it has
    started ends with it. Raises OSError where the system does not start it.
    """
    mark = uuid.uuid4().hex
    with (
        tempfile.TemporaryFile() as prompt,  # files, not pipes: no side can wait for the other
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
        tempfile.TemporaryDirectory(prefix="localeval-command-", ignore_cleanup_errors=True) as folder,
    ):
        prompt.write(given)
        prompt.seek(0)
        process = subprocess.Popen(
            command,
            stdin=prompt,
            stdout=output,
            stderr=errors,
            cwd=folder,
            env={**environment, _MARK: mark},
            start_new_session=True,
        )
        try:
            killed = _watch(process, (output, errors), timeout_s, stopped)
        finally:
            _end(process, mark)
        return Ended(process.returncode, killed, _read(output), _read(errors))


def _watch(process: subprocess.Popen[bytes], files: Sequence[IO[bytes]], timeout_s: float, stopped: Event) -> str:
    """Waits for the end; why the program must be killed, or "" where it has ended by itself."""
    deadline = time.monotonic() + timeout_s
    pause = _FIRST_LOOK_S
    while True:
        has_ended = _has_ended(process)
        if any(os.fstat(file.fileno()).st_size > OUTPUT_LIMIT for file in files):
            return f"printed more than {OUTPUT_LIMIT // 2**20} MiB"
        if has_ended:
            return ""
        if time.monotonic() > deadline:
            return f"took longer than {timeout_s:g} s"
        if stopped.wait(pause):
            return "was stopped"
        pause = min(1.5 * pause, _LAST_LOOK_S)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program is over. It is left unreaped where the system can: its group keeps its number until then."""
    if sys.platform == "linux":
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return process.poll() is not None


def _end(process: subprocess.Popen[bytes], mark: str) -> None:
    """Kills the program's group, and what has left the group: it is known by its environment, where /proc tells."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for _ in range(_SWEEPS):  # one that is just being forked is found at the next look
        left = _marked(mark)
        if not left:
            return
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_FIRST_LOOK_S)


def _marked(mark: str) -> list[int]:
    """The processes of this user that were started with `mark`; those that are dead already have no environment."""
    wanted = f"{_MARK}={mark}".encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if wanted in path.read_bytes():
                found.append(int(path.parent.name))
    return found


def _read(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read(OUTPUT_LIMIT + 1)
