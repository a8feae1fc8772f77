"""The engine `openai`: a model behind any server that speaks OpenAI's chat completions."""

import asyncio
import queue
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from threading import Thread
from types import TracebackType
from typing import TYPE_CHECKING, Self

from localeval.engines.backoff import Pace
from localeval.engines.purse import Purse
from localeval.engines.secrets import Scrubber, read_key
from localeval.engines.served_probe import judge, probes
from localeval.engines.served_requests import is_bounded
from localeval.errors import ConfigError, EngineError
from localeval.flow import EngineInfo
from localeval.models.cards import Model
from localeval.models.elsewhere import address, is_loopback
from localeval.models.options import OpenAIOptions, check_options
from localeval.values import Call, Reply

if TYPE_CHECKING:  # it brings the network library, for which nothing is done before a model is opened
    from localeval.engines.served_desk import Desk

_CLOSE_S = 5.0


class ServedEngine:
    """An Engine (`localeval.flow`) whose model runs elsewhere. Its work is done in a thread with an event loop.

    A reply's `seconds` run from the sending of the request that was answered, pauses for a busy server not counted.
    """

    def __init__(self, model: Model, purse: Purse | None = None, pace: Pace | None = None) -> None:
        """`purse` is the run's, None: no end to what may be spent. `pace`: how to treat a busy server."""
        self._model = model
        self._options = served_options(model)
        self._purse = purse or Purse(None)
        self._pace = pace or Pace(self._options.max_in_flight, self._options.calls_per_minute)
        server = address(model.name, self._options.base_url).netloc
        constraint = self._options.constraint
        self.capacity = self._options.max_in_flight
        self.info = EngineInfo(f"{self._options.served} at {server}, {constraint}", model.context)
        self._arrived: queue.SimpleQueue[Reply | Exception] = queue.SimpleQueue()
        self._outstanding: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._desk: Desk | None = None
        self._thread: Thread | None = None

    def __enter__(self) -> Self:
        """Sends one or two short calls that test whether the server answers, and in the form that is asked for.

        Raises ConfigError for a key that is not there or a price that is not named, EngineError where the test fails.
        """
        begin = time.monotonic()
        check_served([self._model], self._purse.budget)
        key = read_key(self._model.name, self._options.key_env)
        self._start(key)
        try:
            facts = self._probe()
        except BaseException:
            self._close()
            raise
        self.info = replace(self.info, load_s=time.monotonic() - begin, facts=facts)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes all connections; what was not yet answered is dropped."""
        self._close()

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls by key at any time; one that is still unanswered is not asked twice."""
        new = {key: call for key, call in calls.items() if key not in self._outstanding}
        self._outstanding.update(new)
        if new and self._loop is not None and self._desk is not None:
            with suppress(RuntimeError):  # the loop has ended: `replies` tells why
                self._loop.call_soon_threadsafe(self._desk.take, new)

    def replies(self) -> Iterator[Reply]:
        """Yields each reply as it finishes until nothing is outstanding.

        Raises BudgetReached, or EngineError where the server is gone or lets nobody in: after the last reply that was
        under way.
        """
        while self._outstanding:
            if self._thread is None:
                raise EngineError(f"model {self._model.name!r}: replies were asked for outside the engine's context")
            arrived = self._arrived.get()
            if isinstance(arrived, Exception):
                self._arrived.put(arrived)  # whoever asks again is told again
                raise arrived
            self._outstanding.discard(arrived.key)
            yield replace(arrived, engine=self.info.description)

    def _start(self, key: str | None) -> None:
        from localeval.engines.served_desk import Desk  # what brings the network library: only where it is used
        from localeval.engines.served_exchange import Exchange

        scrub = Scrubber([key or ""])
        exchange = Exchange(self._model, self._options, key, scrub)
        self._desk = desk = Desk(
            self._model, self._options, exchange, self._pace, self._purse, scrub, self._arrived.put
        )
        self._loop = loop = asyncio.new_event_loop()

        async def work() -> None:
            async with exchange:
                await desk.run()

        def serve() -> None:
            try:
                with asyncio.Runner(loop_factory=lambda: loop) as runner:
                    runner.run(work())
            except Exception as error:
                self._arrived.put(error)

        self._thread = Thread(target=serve, name=f"served-{self._model.name}", daemon=True)
        self._thread.start()

    def _probe(self) -> dict[str, str]:
        """What the first calls tell of the server. Raises EngineError where it does not do what is asked."""
        calls = probes(self._options)
        self.submit(calls)
        replies = {reply.key: reply for reply in self.replies()}
        facts = {"engine": "openai", "server": self.info.description, **judge(self.info.description, calls, replies)}
        answers_as = self._desk.answers_as if self._desk is not None else ""
        return facts | ({"answers_as": answers_as} if answers_as else {})

    def _close(self) -> None:
        self._outstanding.clear()
        if self._loop is not None and self._desk is not None and self._thread is not None:
            with suppress(RuntimeError):  # it has ended already
                self._loop.call_soon_threadsafe(self._desk.close)
            self._thread.join(_CLOSE_S)
        self._thread = self._loop = self._desk = None


def served_options(model: Model) -> OpenAIOptions:
    """The model's options. Raises ConfigError that names the model, the option and the fix."""
    return OpenAIOptions.model_validate(check_options(f"models.{model.name}", "openai", model.options))


def check_served(models: Iterable[Model], budget: float | None = None) -> None:
    """Raises where a model behind a server cannot be asked: before anything is written or sent.

    ConfigError for a key that is not in the environment, for a budget without the prices that it is kept by;
    EngineError that says what to install. Of a server on this machine no price is asked.
    """
    for model in models:
        if model.engine != "openai":
            continue
        options = served_options(model)
        address(model.name, options.base_url)
        read_key(model.name, options.key_env)
        lacking = [name for name in _packages(options) if find_spec(name) is None]
        if lacking:
            raise EngineError(
                f"model {model.name!r}: engine openai needs the package {', '.join(lacking)}; "
                "install localeval with the extra hosted"
            )
        priced = options.price_in is not None and options.price_out is not None
        if budget is not None and not priced and not is_loopback(options.base_url):
            raise ConfigError(
                f"models.{model.name}: `prices: budget` cannot be kept without price_in and price_out of this model; "
                "name them, 0 where it costs nothing"
            )
        if budget is not None and options.price_out and not is_bounded(options):
            raise ConfigError(
                f"models.{model.name}.extra: takes the bound on an answer's tokens out of the requests, and `prices: "
                "budget` cannot be kept without it; leave it in, or give another in its place"
            )


def _packages(options: OpenAIOptions) -> tuple[str, ...]:
    return ("httpx2", "outlines") if options.constraint == "structured_outputs" else ("httpx2",)
