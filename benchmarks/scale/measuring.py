"""One size measured: a run, the finished run once more, and its scores anew, each in a process of its own."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.scale.projects import SHAPES
from localeval.errors import EngineError

_MICRO = 1e6
_MIB = 1024.0
_QUOTED = 300


class Command(NamedTuple):
    """What a process took from its start to its end: wall and processor seconds, most memory in MiB."""

    seconds: float
    processor_s: float
    peak_mib: float


@dataclass(frozen=True)
class Figures:
    """What so many calls took.

    `run` is what `benchmarks.scale.sitting` told of the first sitting, `command` its whole process. `resumed` is
    `localeval run` again, when everything is stored, `scored` is `localeval score`, which goes through every call.
    Bytes are of the store, and of the whole run folder.
    """

    shape: str
    calls: int
    run: Mapping[str, float]
    command: Command
    resumed: Command
    scored: Command
    store_bytes: int
    folder_bytes: int

    @property
    def driver_us(self) -> float:
        """Processor microseconds a call of all threads, without the engine's: reading, asking, storing, scoring."""
        return self.run["processor_s"] / self.calls * _MICRO

    @property
    def wall_us(self) -> float:
        """Wall microseconds a call of driving the flows, without the engine's."""
        return self.run["drive_s"] / self.calls * _MICRO

    @property
    def engine_us(self) -> float:
        """Processor microseconds a call that the scripted engine took."""
        return self.run["engine_processor_s"] / self.calls * _MICRO

    @property
    def peak_mib(self) -> float:
        """The most memory that the first run, the resumed one or the scoring held."""
        return max(self.command.peak_mib, self.resumed.peak_mib, self.scored.peak_mib)


def measure(shape: str, calls: int, folder: Path, say: Callable[[str], None]) -> Figures:
    """Makes a project of about `calls` calls in `folder`, which must be new, and measures it.

    Raises EngineError where a process fails, or where a repetition asked anything or came to other scores.
    """
    config, out, log = SHAPES[shape](folder / "project", calls), folder / "run", folder / "log.txt"
    say(f"{shape}, {calls} calls: run")
    first = _command(["-m", "benchmarks.scale.sitting", str(config), str(out)], log)
    told: dict[str, float] = json.loads(log.read_text(encoding="utf-8").splitlines()[-1])
    sent = int(told["sent"])
    before = _state(out)
    say(f"{shape}, {calls} calls: the finished run again")
    resumed = _command(["-m", "localeval", "run", str(config), "--out", str(out)], log)
    _expect_same(before, _state(out), "the finished run, started again,")
    say(f"{shape}, {calls} calls: scores anew")
    scored = _command(["-m", "localeval", "score", str(out)], log)
    _expect_same(before, _state(out), "`localeval score`")
    sizes = {path.name: path.stat().st_size for path in out.iterdir()}
    return Figures(shape, sent, told, first, resumed, scored, sizes["store.sqlite"], sum(sizes.values()))


def _state(out: Path) -> tuple[bytes, Any]:
    """The scores, and what engines served."""
    manifest = json.loads((out / "run.json").read_bytes())
    return (out / "scores.json").read_bytes(), manifest["served"]


def _expect_same(before: tuple[bytes, Any], after: tuple[bytes, Any], what: str) -> None:
    if before != after:
        raise EngineError(f"{what} asked again or came to other scores: that is a mistake of localeval; report it")


def _command(arguments: Sequence[str], log: Path) -> Command:
    """Runs Python with `arguments` and this checkout's packages; raises EngineError where it fails."""
    start = time.perf_counter()
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            process.kill()
            process.wait()
            raise
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)  # it is waited for: Popen must not do so again
    if process.returncode:
        text = log.read_text(encoding="utf-8", errors="replace").strip()
        raise EngineError(f"{' '.join(arguments[:3])}: exit code {process.returncode}; {log} ends: {text[-_QUOTED:]}")
    return Command(seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / _MIB)
