"""One sitting of a made-up evaluation in a process of its own, timed: `python -m benchmarks.scale.sitting CONFIG OUT`.

Prints one JSON object. The clocks stand around the engine's two methods and the driving of the flows; everything else
is the path that `localeval run` takes.
"""

import json
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from localeval import evaluation
from localeval.engines.scripted import ScriptedEngine
from localeval.errors import LocalevalError
from localeval.gathering import gather
from localeval.ledger import Ledger
from localeval.reading import read_evaluation
from localeval.values import Call, Reply

Given = ParamSpec("Given")
Result = TypeVar("Result")

MIB = 1024.0


@dataclass
class Clock:
    """Seconds by the wall and of the calling thread's processor."""

    wall: float = 0.0
    processor: float = 0.0

    def timed(self, function: Callable[Given, Result]) -> Callable[Given, Result]:
        """`function`, whose time is added up here."""

        def timed(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            wall, processor = time.perf_counter(), time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                self.wall += time.perf_counter() - wall
                self.processor += time.thread_time() - processor

        return timed


class Clocks:
    """The engine's clock and that of the driving, while `evaluation.run` runs."""

    def __init__(self, stack: ExitStack) -> None:
        self.engine, self.gathering = Clock(), Clock()
        submit, replies = ScriptedEngine.submit, ScriptedEngine.replies

        def timed_submit(engine: ScriptedEngine, calls: Mapping[str, Call]) -> None:
            self.engine.timed(submit)(engine, calls)

        def timed_replies(engine: ScriptedEngine) -> Iterator[Reply]:
            step = self.engine.timed(replies(engine).__next__)
            while True:
                try:
                    reply = step()
                except StopIteration:
                    return
                yield reply

        stack.enter_context(patch.object(ScriptedEngine, "submit", timed_submit))
        stack.enter_context(patch.object(ScriptedEngine, "replies", timed_replies))
        stack.enter_context(patch("localeval.evaluation.gather", self.gathering.timed(gather)))


def sit(config: Path, out: Path) -> dict[str, float]:
    """Runs the evaluation, or goes on with it, and says what that took: seconds, MiB and counts of calls.

    `processor_s` is that of all threads, the store's among them, from reading the config to the last file, without what
    the engine took; `drive_s` the wall time of driving the flows, without the engine's; `wall_s` everything together.
    """
    start, processor = time.perf_counter(), time.process_time()
    ledger = Ledger()
    with ExitStack() as stack:
        clocks = Clocks(stack)
        given = read_evaluation(config)
        read = time.perf_counter()
        before = peak()
        evaluation.run_evaluation(*given, out, ledger=ledger)
        end = time.perf_counter()
    engine, gathering = clocks.engine, clocks.gathering
    return {
        "sent": ledger.sent,
        "stored": ledger.stored,
        "missing": sum(account.missing for account in ledger.accounts.values()),
        "read_s": read - start,
        "drive_s": gathering.wall - engine.wall,
        "engine_s": engine.wall,
        "engine_processor_s": engine.processor,
        "other_s": end - read - gathering.wall,
        "wall_s": end - start,
        "processor_s": time.process_time() - processor - engine.processor,
        "peak_before_mib": before,
        "peak_mib": peak(),
    }


def peak() -> float:
    """The most memory that this process ever held, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MIB


if __name__ == "__main__":
    try:
        print(json.dumps(sit(Path(sys.argv[1]), Path(sys.argv[2]))))
    except LocalevalError as error:
        sys.exit(f"error: {error}")
