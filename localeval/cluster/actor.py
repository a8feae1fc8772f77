"""What runs on a node of the cluster: an engine as it runs locally, and a thread that collects its replies.

Knows nothing of Ray, which makes an actor of the class. Ray calls `submit` and `take` on threads of their own, so that
calls arrive while replies are waited for.
"""

import os
import platform
import queue
import threading
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from localeval import __version__
from localeval.engines.backend import first_line
from localeval.engines.house import engine_here
from localeval.errors import LocalevalError
from localeval.flow import Engine, EngineInfo
from localeval.models.cards import Model
from localeval.values import Call, Reply

_LONGEST_TAKE_S = 5.0
"""After so long without a reply an empty answer is given, so that no request hangs for ever."""


@dataclass(frozen=True, slots=True)
class Started:
    """A replica's engine is loaded. `capacity`: calls that it takes at a time."""

    info: EngineInfo
    capacity: int


@dataclass(frozen=True, slots=True)
class Broken:
    """The engine did not start or is gone for good: why, in one line."""

    reason: str


class Replica:
    """One engine of a model."""

    def __init__(self, model: Model, hidden: frozenset[str] = frozenset(), log: str | None = None) -> None:
        """`hidden` names environment variables that the engine must not see. `log` takes what its packages print, where
        its folder is on this node, too."""
        self._model = model
        self._hidden = hidden
        self._log = Path(log) if log is not None and Path(log).parent.is_dir() else None
        self._engine: Engine | None = None
        self._out: queue.SimpleQueue[Reply | Broken] = queue.SimpleQueue()
        self._asked = threading.Semaphore(0)
        self._submitting = threading.Lock()  # Ray may run several `submit` at a time, an engine takes one
        self._broken: Broken | None = None

    def where(self) -> tuple[str, str, int]:
        """(the node's name, the version of localeval there, the process)."""
        return platform.node(), __version__, os.getpid()

    def start(self) -> Started | Broken:
        """Loads the engine."""
        folder = Path(self._model.folder)
        if not folder.exists():
            return Broken(f"{folder} is not there: put the model's files in the same place on every node")
        try:
            engine = self._engine = engine_here(self._model, self._log, self._hidden)
            engine.__enter__()
        except Exception as error:
            return Broken(_told(error))
        threading.Thread(target=self._pump, args=(engine,), daemon=True).start()
        return Started(engine.info, engine.capacity)

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls by key. What goes wrong is told by `take`."""
        assert self._engine is not None
        try:
            with self._submitting:
                self._engine.submit(calls)
        except Exception as error:
            self._out.put(Broken(_told(error)))
        self._asked.release()

    def take(self) -> tuple[Reply, ...] | Broken:
        """The replies since the last time: waits for one, a few seconds at most."""
        if self._broken is not None:
            return self._broken
        replies: list[Reply] = []
        try:
            item = self._out.get(timeout=_LONGEST_TAKE_S)
            while isinstance(item, Reply):
                replies.append(item)
                item = self._out.get_nowait()
        except queue.Empty:
            return tuple(replies)
        self._broken = item
        return tuple(replies) if replies else item

    def stop(self) -> None:
        """Ends the engine and what it has started."""
        if self._engine is not None:
            self._engine.__exit__(None, None, None)

    def _pump(self, engine: Engine) -> None:
        """Hands on replies as they finish; sleeps while nothing is asked."""
        try:
            while True:
                self._asked.acquire()
                for reply in engine.replies():
                    self._out.put(reply)
        except Exception as error:
            self._out.put(Broken(_told(error)))


def _told(error: Exception) -> str:
    if isinstance(error, LocalevalError):
        return str(error)
    traceback.print_exc()  # into Ray's log of this process
    return f"{type(error).__name__}: {first_line(error)}"
