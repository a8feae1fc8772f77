"""The engine `command`: a program that reads the prompt on standard input and prints the answer.

What such a program cannot tell is not guessed: its replies have no token counts (0), no log-probabilities, and no time
to the first token. No grammar holds it, so the wanted form is described behind the prompt; what it prints is read as
strictly as any other reply.
"""

import os
import shutil
import time
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Lock
from types import TracebackType
from typing import Self

from localeval.engines.form_in_words import describe
from localeval.engines.hiding import secrets_of
from localeval.engines.running import Ended, run_program, signal_name
from localeval.engines.scripted import count_words
from localeval.engines.secrets import Scrubber
from localeval.errors import ConfigError, EngineError
from localeval.flow import EngineInfo
from localeval.models.cards import Model
from localeval.models.options import CommandOptions
from localeval.values import Call, Missing, Reply

_PAUSE_S = 0.5
_LONGEST_LINE = 300


class CommandEngine:
    """An Engine (`localeval.flow`): runs the model's program once for each call, `max_in_flight` at once."""

    def __init__(self, model: Model, hidden: Collection[str] = ()) -> None:
        """`hidden` names further variables that the program must not see: those of the run's other models."""
        self._options = CommandOptions.model_validate(model.options)
        self._model = model
        self._removed = frozenset(hidden) | frozenset(self._options.unset)
        self._environment: dict[str, str] = {}
        self._secrets: dict[str, str] = {}
        self._command: tuple[str, ...] = ()
        self._threads: ThreadPoolExecutor | None = None
        self._arrived: SimpleQueue[Reply | BaseException] = SimpleQueue()
        self._n_outstanding = 0
        self._stopped = Event()
        self._turns = Lock()
        self._next_turn = 0.0
        self.capacity = self._options.max_in_flight
        self.info = EngineInfo(f"command {self._title}", context=model.context)

    def __enter__(self) -> Self:
        """Looks the program up. Raises ConfigError where there is none of that name."""
        self._command = (_found(self._model.name, self._options.command[0]), *self._options.command[1:])
        self._environment = {name: value for name, value in os.environ.items() if name not in self._removed}
        self._secrets = secrets_of(os.environ, self._removed)
        self._stopped.clear()
        self._threads = ThreadPoolExecutor(self.capacity, thread_name_prefix="localeval-command")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Ends every program that still runs; what was not yet answered is dropped."""
        self._stopped.set()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            self._threads = None
        self._arrived, self._n_outstanding = SimpleQueue(), 0

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls by key, at any time."""
        if self._threads is None:
            raise EngineError(f"model {self._model.name!r}: calls were submitted outside the engine's context")
        for key, call in calls.items():
            self._n_outstanding += 1
            self._threads.submit(self._work, key, call, time.monotonic())

    def replies(self) -> Iterator[Reply]:
        """Each reply as its program ends, until nothing is outstanding."""
        while self._n_outstanding:
            arrived = self._arrived.get()
            self._n_outstanding -= 1
            if isinstance(arrived, BaseException):
                raise arrived
            yield arrived

    @property
    def _title(self) -> str:
        return Path(self._options.command[0]).name

    def _work(self, key: str, call: Call, asked: float) -> None:
        """In a thread: one call from the program's start to its reply."""
        try:
            reply = self._answer(key, call)
            self._arrived.put(replace(reply, seconds=time.monotonic() - asked))
        except BaseException as fault:  # the reader waits for every call: it must hear of a fault of ours
            self._arrived.put(fault)

    def _answer(self, key: str, call: Call) -> Reply:
        reply = Reply(key, engine=self.info.description)
        if missing := self._too_long(call):
            return replace(reply, finish="error", missing=missing)
        prompt = "\n\n".join(message.text for message in call.messages) + describe(call.output)
        reason = ""
        for attempt in range(self._options.attempts):
            if attempt and self._stopped.wait(_PAUSE_S * 2 ** (attempt - 1)):
                break
            self._wait_for_turn()
            text, reason = self._run(prompt.encode("utf-8", "replace"))
            if not reason:
                return replace(reply, text=text)
        times = f", {self._options.attempts} times" if self._options.attempts > 1 else ""
        return replace(reply, finish="error", missing=Missing("engine error", f"{self._title} {reason}{times}"))

    def _run(self, prompt: bytes) -> tuple[str, str]:
        """(what the program printed, why that is no answer)."""
        try:
            ended = run_program(self._command, self._environment, prompt, self._options.timeout_s, self._stopped)
        except OSError as error:
            return "", f"cannot be started ({error.strerror})"
        if fault := _fault(ended):
            said = self._last_line(ended.errors)
            return "", f"{fault}: {said}" if said else fault
        try:
            text = ended.output.decode().strip()
        except UnicodeDecodeError as error:
            return "", f"printed no UTF-8 (byte {error.start})"
        if not text:
            said = self._last_line(ended.errors)
            return "", f"printed nothing: {said}" if said else "printed nothing"
        name = next((name for secret, name in self._secrets.items() if secret in text), None)
        return ("", f"printed the value of {name}, which is not kept") if name is not None else (text, "")

    def _last_line(self, errors: bytes) -> str:
        """The last line of standard error that says something, without secrets."""
        lines = Scrubber(self._secrets)(errors.decode("utf-8", "replace")).splitlines()
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return "".join(c if c.isprintable() else " " for c in last)[:_LONGEST_LINE]

    def _too_long(self, call: Call) -> Missing | None:
        """Where even the words are more than the context, which the config may give: tokens are never fewer."""
        needed = count_words(call).prompt + call.sampling.max_tokens
        if not 0 < self._model.context < needed:
            return None
        detail = f"prompt and answer need {needed} tokens or more, the context holds {self._model.context}"
        return Missing("too long", detail, needed, self._model.context)

    def _wait_for_turn(self) -> None:
        """Holds the start back so that no more start than `calls_per_minute`."""
        if self._options.calls_per_minute is None:
            return
        with self._turns:
            turn = max(time.monotonic(), self._next_turn)
            self._next_turn = turn + 60.0 / self._options.calls_per_minute
        self._stopped.wait(max(0.0, turn - time.monotonic()))


def _found(model: str, program: str) -> str:
    """Where the program is; raises ConfigError where it is not, or where that depends on the working folder."""
    place = f"models.{model}.command"
    if "/" in program and not os.path.isabs(program):
        fix = "it runs in an empty folder: give the whole path, or the name of a program on the PATH"
        raise ConfigError(f"{place}: {program!r} is a relative path; {fix}")
    found = shutil.which(program)
    if found is None:
        raise ConfigError(f"{place}: there is no program {program!r} that can be run; install it, or give its path")
    return found


def _fault(ended: Ended) -> str:
    """Why a program's end is no answer, or ""."""
    if ended.killed:
        return ended.killed
    if ended.code < 0:
        return f"was killed by {signal_name(-ended.code)}"
    return f"ended with exit code {ended.code}" if ended.code else ""
