"""The process in which a model lives: `python -m localeval.engines.worker FD`, started by `localeval.engines.child`.

One thread reads requests, so that the driver never waits for a step; one writes reports, so that a step never waits
for the driver; the main thread tokenises, steps and nothing else.
"""

import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Literal

from localeval.engines.backend import Backend, BackendFacts, CallRefused, Prompted, first_line
from localeval.engines.clock import WorkClock
from localeval.engines.grammar import pattern
from localeval.engines.prompting import Prompter, PromptRefused
from localeval.engines.selftest import check_grammar
from localeval.engines.tokenizer import load_tokenizer
from localeval.engines.wire import (
    IMPORTS,
    Answers,
    Ask,
    Counted,
    Failed,
    PromptTokens,
    Ready,
    Report,
    Request,
    Start,
)
from localeval.errors import LocalevalError
from localeval.flow import EngineInfo
from localeval.models.cards import Model
from localeval.values import Call, Missing, Reply

Inbox = queue.SimpleQueue[Request]
Outbox = queue.SimpleQueue[Report | None]


class Server:
    """Answers calls with a loaded backend until it is told to stop.

    Replies get their times: in all, to the first token, and their share of the time that the model worked. That is the
    time of steps, shared among the calls that run, and of making prompts, which is each call's own, answered or not.
    """

    def __init__(self, backend: Backend, prompter: Prompter, inbox: Inbox, outbox: Outbox) -> None:
        self._backend = backend
        self._prompter = prompter
        self._inbox = inbox
        self._outbox = outbox
        self._waiting: deque[tuple[str, Call, float]] = deque()
        self._arrived: dict[str, float] = {}
        self._waited: dict[str, float] = {}
        self._clock = WorkClock(backend.facts.places)

    def serve(self) -> None:
        """Returns when Stop has come; a step that is running ends first."""
        while self._take():
            self._admit()
            if self._backend.in_flight:
                begin = time.monotonic()
                replies = self._backend.step()
                self._clock.spend(time.monotonic() - begin)
                self._send([self._finish(reply) for reply in replies])

    def _take(self) -> bool:
        """Moves what has come into the waiting line, sleeping where there is nothing to do. False: stop."""
        while True:
            idle = not self._waiting and not self._backend.in_flight
            try:
                request = self._inbox.get(block=idle)
            except queue.Empty:
                return True
            if not isinstance(request, Ask):
                return False
            now = time.monotonic()
            self._waiting.extend((key, call, now) for key, call in request.calls.items())

    def _admit(self) -> None:
        """Hands waiting calls to the backend up to its capacity: the rest need not be tokenised before a step."""
        failed: list[Reply] = []
        while self._waiting and self._backend.in_flight < self._backend.facts.capacity:
            key, call, arrived = self._waiting.popleft()
            begin = time.monotonic()
            missing = self._add(key, call)
            admitted = time.monotonic()
            self._arrived[key] = arrived
            self._waited[key] = admitted - arrived
            self._clock.admit(key, admitted - begin)
            if missing is not None:
                failed.append(self._finish(Reply(key, finish="error", missing=missing)))
        self._send(failed)

    def _add(self, key: str, call: Call) -> Missing | None:
        try:
            ids = self._prompter.token_ids(call.messages)
            missing = does_not_fit(len(ids), call.sampling.max_tokens, self._backend.facts.context)
            if missing is None:
                self._backend.add(Prompted(key, ids, pattern(call.output), call.sampling))
        except (CallRefused, PromptRefused) as error:
            return Missing("engine error", str(error))
        except Exception as error:  # one bad call is one missing, whatever it broke in a tokenizer or a grammar
            traceback.print_exc()
            return Missing("engine error", f"{type(error).__name__}: {first_line(error)}")
        return missing

    def _finish(self, reply: Reply) -> Reply:
        seconds = time.monotonic() - self._arrived.pop(reply.key)
        waited, first = self._waited.pop(reply.key), reply.first_token_s
        return replace(
            reply,
            seconds=seconds,
            first_token_s=None if first is None else waited + first,
            device_s=self._clock.end(reply.key),
            engine=self._backend.facts.description,
        )

    def _send(self, replies: list[Reply]) -> None:
        if replies:
            self._outbox.put(Answers(tuple(replies)))


def does_not_fit(prompt: int, answer: int, context: int) -> Missing | None:
    """`too long` with both numbers where prompt plus answer exceed the context (0: no limit). Nothing is cut."""
    needed = prompt + answer
    if context == 0 or needed <= context:
        return None
    detail = f"prompt {prompt} + answer {answer} = {needed} tokens, the model's context is {context}"
    return Missing("too long", detail, needed=needed, limit=context)


def count(prompter: Prompter, inbox: Inbox, outbox: Outbox) -> None:
    """Counts the tokens of every call that comes, until Stop."""
    while isinstance(request := inbox.get(), Ask):
        outbox.put(Counted({key: _count_one(prompter, call) for key, call in request.calls.items()}))


def _count_one(prompter: Prompter, call: Call) -> PromptTokens:
    try:
        return prompter.count(call.messages)
    except PromptRefused as error:
        return PromptTokens(0, (), missing=str(error))


def backend_class(engine: str) -> Callable[[Model, Literal["cpu", "cuda"], str], Backend]:
    """What loads a model: called with it, the device, and what its chat template writes behind the last message."""
    # imported here because a machine has one of the two, and counting needs neither
    if engine == "vllm":
        from localeval.engines.vllm_backend import VllmBackend

        return VllmBackend
    from localeval.engines.transformers_backend import TransformersBackend

    return TransformersBackend


class Laps:
    """The seconds of a start by what they went to: phases that follow one another."""

    def __init__(self) -> None:
        self.phases: dict[str, float] = {}
        self._since = time.monotonic()

    def end(self, phase: str) -> None:
        """What has passed since the last end went to `phase`."""
        now = time.monotonic()
        self.phases[phase] = self.phases.get(phase, 0.0) + now - self._since
        self._since = now


def run(start: Start, inbox: Inbox, outbox: Outbox) -> None:
    """Does what Start asks, until Stop."""
    laps = Laps()
    prompter = Prompter(load_tokenizer(start.model), start.model.card)
    laps.end("tokenizer")
    if start.task == "count":
        outbox.put(Ready(EngineInfo("tokenizer only"), capacity=0))
        count(prompter, inbox, outbox)
        return
    load = backend_class(start.model.engine)
    laps.end(IMPORTS)
    backend = load(start.model, start.device, prompter.end)
    laps.end("weights")
    check_grammar(backend, prompter)
    laps.end("self-test")
    outbox.put(Ready(_info(backend.facts, prompter, laps.phases), backend.facts.capacity))
    try:
        Server(backend, prompter, inbox, outbox).serve()
    finally:
        backend.close()


def _info(facts: BackendFacts, prompter: Prompter, phases: Mapping[str, float]) -> EngineInfo:
    told = {**facts.facts, "prompts_cut": prompter.cut}
    return EngineInfo(facts.description, facts.context, facts.cache_tokens, phases=phases, facts=told)


def _read(connection: Connection, inbox: Inbox) -> None:
    try:
        while True:
            inbox.put(connection.recv())
    except (EOFError, OSError):
        end_everything()


def end_everything() -> None:
    """Ends this process and those that it started, at once: the driver is gone, nobody waits for an answer."""
    if os.getpgid(0) == os.getpid():  # its own group, as the driver starts it: tensor-parallel workers go too
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def _write(connection: Connection, outbox: Outbox) -> None:
    try:
        while (report := outbox.get()) is not None:
            connection.send(report)
    except OSError:
        end_everything()


def main(descriptor: int) -> int:
    """Serves one driver over an inherited socket; the process's exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the driver decides when to stop, after storing what arrived
    os.set_inheritable(descriptor, False)
    connection = Connection(descriptor)
    inbox: Inbox = queue.SimpleQueue()
    outbox: Outbox = queue.SimpleQueue()
    threading.Thread(target=_read, args=(connection, inbox), daemon=True).start()
    writer = threading.Thread(target=_write, args=(connection, outbox), daemon=True)
    writer.start()
    code = 0
    try:
        start = inbox.get()
        assert isinstance(start, Start)
        run(start, inbox, outbox)
    except Exception as error:
        code = 1
        traceback.print_exc()  # into the log that the driver keeps
        own = isinstance(error, LocalevalError)
        outbox.put(Failed(str(error) if own else f"{type(error).__name__}: {first_line(error)}"))
    outbox.put(None)
    writer.join()
    return code


if __name__ == "__main__":
    code = main(int(sys.argv[1]))
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)  # taking torch's modules apart one by one takes seconds and frees nothing that the end does not
