"""The engine of the driver's side: a model in a child process, restarted when it dies while it makes progress.

The child does nothing else than hold the model. So a crash or an out-of-memory kill is one reported failure of an
engine and not the end of a run, leaving frees all memory of the device, and the driver's work never holds up a step.
"""

import time
from collections import deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from localeval.engines.process import Gone, WorkerProcess, start_worker
from localeval.engines.wire import IMPORTS, Answers, Ask, Failed
from localeval.errors import EngineError
from localeval.flow import EngineInfo
from localeval.models.cards import Model
from localeval.values import Call, Reply

_MAX_RESTARTS = 3
_LESS_MEMORY = "give it less to hold: a lower cache_gib, max_in_flight or context, or a smaller model"


class ChildEngine:
    """An Engine (`localeval.flow`) for the kinds vllm and transformers."""

    def __init__(self, model: Model, log: Path | None = None, hidden: Collection[str] = ()) -> None:
        """`log` takes what the engine's packages print; None: a temporary file, kept only where the engine fails.

        `hidden` names environment variables that the engine's process must not see.
        """
        self.info = EngineInfo(description=f"{model.engine}, not loaded")
        self.capacity = 0
        self.restarts = 0
        self._model = model
        self._log = log
        self._hidden = hidden
        self._worker: WorkerProcess | None = None
        self._outstanding: dict[str, Call] = {}
        self._arrived: deque[Reply] = deque()
        self._since_start = 0
        self._asking = Lock()  # what is asked while the process is started anew must not be asked twice

    def __enter__(self) -> Self:
        """Loads the model and tests that grammars constrain it.

        Raises EngineError when the engine cannot start, ConfigError when an option is not one of the engine's.
        """
        self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends the child; what was not yet answered is dropped."""
        self._outstanding.clear()
        self._arrived.clear()
        if self._worker is not None:
            self._worker.stop()
            self._worker = None

    @property
    def pid(self) -> int | None:
        """The process in which the model lives, None outside the context."""
        return self._worker.pid if self._worker else None

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls by key at any time and on any thread; one that is still unanswered is not asked twice."""
        with self._asking:
            new = {key: call for key, call in calls.items() if key not in self._outstanding}
            self._outstanding.update(new)
            worker = self._worker  # looked at once: the thread that reads replies may drop it meanwhile
            if new and worker is not None:
                worker.send(Ask(new))

    def replies(self) -> Iterator[Reply]:
        """Yields each reply as it finishes until nothing is outstanding.

        A child that dies is started again and asked what is left, at most three times and only if it had answered
        something since its last start; else raises EngineError with the cause, what is outstanding and the fix.
        """
        while self._arrived:  # left by a reader that stopped early
            yield self._arrived.popleft()
        while self._outstanding:
            if self._worker is None:
                raise EngineError(f"{self._title}: replies were asked for outside the engine's context")
            try:
                report = self._worker.receive()
            except Gone as death:
                self._revive(str(death))
                continue
            if isinstance(report, Failed):
                self._revive(f"failed: {report.reason}")
            elif isinstance(report, Answers):
                self._accept(report)
                while self._arrived:
                    yield self._arrived.popleft()

    @property
    def _title(self) -> str:
        return f"model {self._model.name!r}, engine {self._model.engine}"

    def _accept(self, answers: Answers) -> None:
        self._since_start += len(answers.replies)
        self._arrived.extend(r for r in answers.replies if self._outstanding.pop(r.key, None) is not None)

    def _start(self) -> None:
        begin = time.monotonic()
        self._worker, report = start_worker(self._model, self._log, "answer", self._hidden)
        self._since_start = 0
        self.info = started(report.info, time.monotonic() - begin)
        self.capacity = report.capacity

    def _revive(self, reason: str) -> None:
        if self._worker is not None:
            self._worker.discard()
            self._worker = None
        if self._since_start == 0 or self.restarts >= _MAX_RESTARTS:
            raise EngineError(
                f"{self._title}: its process {reason}; {len(self._outstanding)} calls outstanding, "
                f"{self.restarts} restarts; {_LESS_MEMORY}, then run again: what was answered is kept"
            )
        self.restarts += 1
        with self._asking:
            self._start()
            assert self._worker is not None
            self._worker.send(Ask(dict(self._outstanding)))


def started(info: EngineInfo, load_s: float) -> EngineInfo:
    """What an engine said when it was ready, after `load_s` seconds: those that it did not see go to its imports."""
    unseen = max(0.0, load_s - sum(info.phases.values()))
    phases = {IMPORTS: info.phases.get(IMPORTS, 0.0) + unseen, **{k: v for k, v in info.phases.items() if k != IMPORTS}}
    return replace(info, load_s=load_s, phases=phases)
