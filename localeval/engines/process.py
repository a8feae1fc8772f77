"""A child process of ours with a socket to it: started, spoken to, ended, and its log quoted where it dies."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock

from localeval.engines.environment import child_environment
from localeval.engines.installed import device_for, require
from localeval.engines.options import engine_options
from localeval.engines.running import signal_name
from localeval.engines.wire import Failed, Ready, Report, Request, Start, Stop, Task
from localeval.errors import EngineError
from localeval.models.cards import Model

_STOP_S = 5.0
_ALIVE_CHECK_S = 1.0
_QUOTED_LINES = 3
_HINTS = {
    "kv cache": "; fix: set a lower context for this model, or a higher cache_gib (GPU: gpu_memory_utilization)",
    "out of memory": "; fix: a smaller or quantised model, a lower context, or more devices (tensor_parallel)",
    "max_model_len": "; fix: set the model's context to what its config.json allows",
}
"""Words in a failure to start, in the order in which they are looked for, and what helps."""


class Gone(Exception):
    """The child has ended without a report; the message says how."""


class WorkerProcess:
    """One worker in a session of its own, so that Ctrl-C in the terminal does not reach it."""

    def __init__(self, environment: Mapping[str, str], log: Path | None) -> None:
        """Starts the process. Its output is appended to `log`; None: to a temporary file, removed on a clean end."""
        self._is_temporary = log is None
        self.log = log or _temporary_log()
        ours, theirs = socket.socketpair()
        with theirs, self.log.open("ab") as output:
            self._process = subprocess.Popen(
                # -P: a file in the working folder must not be imported for a package of the engine's
                [sys.executable, "-P", "-m", "localeval.engines.worker", str(theirs.fileno())],
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        self._connection: Connection[Request, Report] = Connection(ours.detach())
        self._sending = Lock()  # one thread may send while another ends the child

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    def send(self, request: Request) -> None:
        """Sends; raises nothing where the child is gone, which `receive` then tells."""
        with self._sending, suppress(OSError):
            self._connection.send(request)

    def receive(self) -> Report:
        """The next report, waiting for it. Raises Gone where the child has ended without one."""
        try:
            while not self._connection.poll(_ALIVE_CHECK_S):
                # a process of the child's own may hold the socket open after its death
                if self._process.poll() is not None and not self._connection.poll():
                    raise Gone(self._last_words())
            return self._connection.recv()
        except (EOFError, OSError):
            raise Gone(self._last_words()) from None

    def stop(self, grace_s: float = _STOP_S) -> None:
        """Asks the child to stop, gives it some seconds, then ends it and everything that it started."""
        self.send(Stop())
        with suppress(EOFError, OSError):
            while self._connection.poll(grace_s):
                self._connection.recv()
        is_clean = self._end() in (0, -signal.SIGKILL)
        if self._is_temporary and is_clean:
            self.log.unlink(missing_ok=True)

    def discard(self) -> None:
        """Ends the child and everything that it started at once, and keeps its log. May be called again."""
        self._end()

    def _end(self) -> int:
        """Ends the child and its group; its exit code."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        code = self._process.wait()
        with self._sending:  # what is being sent fails now: nobody is left to read it
            self._connection.close()
        return code

    def _last_words(self) -> str:
        code = self._end()
        if code < 0:
            how = f"was killed by {signal_name(-code)}"
            if -code == signal.SIGKILL:
                how += " (the system does this when memory runs out)"
        else:
            how = f"ended with exit code {code}"
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.strip()]
        said = " | ".join(line.strip()[:200] for line in lines[-_QUOTED_LINES:])
        return f"{how}; its log {self.log} ends: {said or '(empty)'}"


def _temporary_log() -> Path:
    with tempfile.NamedTemporaryFile(prefix="localeval-engine-", suffix=".log", delete=False) as file:
        return Path(file.name)


def start_worker(
    model: Model, log: Path | None, task: Task, hidden: Collection[str] = ()
) -> tuple[WorkerProcess, Ready]:
    """A worker that is ready for `task`. Raises EngineError with cause and fix where it does not get so far.

    `hidden` names environment variables that it must not see.
    """
    options = engine_options(model)
    require(model.engine)
    if not (Path(model.folder) / "config.json").is_file():
        raise EngineError(f"model {model.name!r}: {model.folder or 'no folder'} holds no config.json; fetch the model")
    device = device_for(model.engine, options.device)
    worker = WorkerProcess(child_environment(os.environ, device, hidden, options.threads), log)
    try:
        worker.send(Start(model, device, task))
        report = worker.receive()
    except Gone as death:
        raise _not_started(model, f"its process {death}", worker) from None
    except BaseException:  # Ctrl-C while loading: leave nothing behind
        worker.stop(grace_s=0.0)
        raise
    if isinstance(report, Failed):
        raise _not_started(model, f"{report.reason}; log: {worker.log}", worker)
    assert isinstance(report, Ready)
    return worker, report


def _not_started(model: Model, reason: str, worker: WorkerProcess) -> EngineError:
    worker.discard()
    hint = next((fix for sign, fix in _HINTS.items() if sign in reason.lower()), "")
    return EngineError(f"model {model.name!r}: engine {model.engine} did not start: {reason}{hint}")
