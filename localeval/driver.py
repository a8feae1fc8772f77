"""The driver: runs many flows against a store and engines, with no barrier between stages.

Read `localeval.flow` first. `drive` is the whole of resuming, re-scoring and extending a run: what the store
holds is not asked again.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from localeval.errors import EngineError
from localeval.flow import Engine, EngineInfo, Engines, Flow, Result, Store
from localeval.keys import call_key
from localeval.queue import CallQueue
from localeval.values import Call, Reply

OPEN_CALLS = 100_000
"""No further flow is opened while so many calls wait: what bounds the memory of a run."""


_UNANSWERED = Reply(key="")

Name = TypeVar("Name")
"""What tells the flows of a run apart."""


class Observer(Protocol):
    """Is told what happens, for progress and ledgers; may not change anything."""

    def loading(self, model: str, waiting: int) -> None:
        """A model is about to be loaded; so many calls wait for it."""

    def loaded(self, model: str, info: EngineInfo) -> None:
        """A model is ready."""

    def unloaded(self, model: str) -> None:
        """A model has left its device, also where it failed."""

    def queued(self, call: Call) -> None:
        """The store had no reply: the call waits for its model."""

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        """A reply arrived, from the store or from an engine."""


class Silent:
    """An observer that does nothing."""

    def loading(self, model: str, waiting: int) -> None: ...

    def loaded(self, model: str, info: EngineInfo) -> None: ...

    def unloaded(self, model: str) -> None: ...

    def queued(self, call: Call) -> None: ...

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None: ...


class Together:
    """Several observers as one; each is told in turn."""

    def __init__(self, *observers: Observer) -> None:
        self._observers = observers

    def loading(self, model: str, waiting: int) -> None:
        for each in self._observers:
            each.loading(model, waiting)

    def loaded(self, model: str, info: EngineInfo) -> None:
        for each in self._observers:
            each.loaded(model, info)

    def unloaded(self, model: str) -> None:
        for each in self._observers:
            each.unloaded(model)

    def queued(self, call: Call) -> None:
        for each in self._observers:
            each.queued(call)

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        for each in self._observers:
            each.answered(call, reply, is_stored)


Follow = Callable[[Name, Result], Iterable[tuple[Name, Flow[Result]]]]
"""Which flows a flow's end opens."""


def drive(
    flows: Iterable[tuple[Name, Flow[Result]]],
    store: Store,
    engines: Engines,
    observer: Observer | None = None,
    open_calls: int = OPEN_CALLS,
    follow: Follow[Name, Result] | None = None,
    order: Sequence[str] = (),
) -> Iterator[tuple[Name, Result]]:
    """Yields (name, result) of each flow as it ends.

    While a model is loaded it is fed every call that becomes ready, also those of flows that `follow` opens when
    another ends. When none is left, the next model in `order` (`localeval.loading`) that any call waits for is loaded;
    past its end the model that most flows wait for. Flows are opened one after the other as long as fewer than
    `open_calls` calls wait, so a run of any length stays in bounded memory, at the price of further loads. Raises what
    engines and store raise; replies that arrived before that are in the store.
    """
    driver = _Driver(flows, store, engines, observer or Silent(), open_calls, follow, order)
    yield from driver.open_flows()
    while model := driver.next_model():
        yield from driver.run_model(model)
        yield from driver.open_flows()


@dataclass(eq=False, slots=True)
class _Running(Generic[Name, Result]):
    """An open flow: the replies of its current round, filled in as they come."""

    name: Name
    flow: Flow[Result]
    replies: list[Reply] | None = None  # None until the first round: what starts a generator
    n_open: int = 0


@dataclass(eq=False, slots=True)
class _Waiting(Generic[Name, Result]):
    """A call without a reply, and the places in open flows that wait for it."""

    key: str
    call: Call
    places: list[tuple[_Running[Name, Result], int]] = field(default_factory=list)
    others: list[Call] = field(default_factory=list)  # the same call, asked in other names


class _Driver(Generic[Name, Result]):
    def __init__(
        self,
        flows: Iterable[tuple[Name, Flow[Result]]],
        store: Store,
        engines: Engines,
        observer: Observer,
        open_calls: int,
        follow: Follow[Name, Result] | None,
        order: Sequence[str],
    ) -> None:
        self._flows = iter(flows)
        self._opened: deque[tuple[Name, Flow[Result]]] = deque()  # by the end of another flow
        self._follow = follow
        self._order = deque(order)
        self._store = store
        self._engines = engines
        self._observer = observer
        self._open_calls = open_calls
        self._waiting: dict[str, _Waiting[Name, Result]] = {}  # by key: queued or in flight
        self._queues: dict[str, CallQueue[_Waiting[Name, Result]]] = {}

    def open_flows(self) -> Iterator[tuple[Name, Result]]:
        """Opens flows up to the limit; those that the store answers whole end here."""
        while len(self._waiting) < self._open_calls:
            try:
                name, flow = self._opened.popleft() if self._opened else next(self._flows)
            except StopIteration:
                return
            yield from self._advance(_Running(name, flow))

    def next_model(self) -> str | None:
        """The model to load; one for which nothing waits is never loaded."""
        while self._order:
            model = self._order.popleft()
            if self._queues.get(model):
                return model
        flows_waiting: dict[str, set[int]] = {}
        for waiting in self._waiting.values():
            flows_waiting.setdefault(waiting.call.model, set()).update(id(flow) for flow, _ in waiting.places)
        if not flows_waiting:
            return None
        return max(flows_waiting, key=lambda model: (len(flows_waiting[model]), len(self._queues[model]), model))

    def run_model(self, model: str) -> Iterator[tuple[Name, Result]]:
        """Loads a model and keeps it busy until nothing waits for it."""
        queue = self._queues[model]
        self._observer.loading(model, len(queue))
        try:
            with self._engines.open(model) as engine:
                self._observer.loaded(model, engine.info)
                yield from self._feed(model, engine, queue)
        finally:
            self._observer.unloaded(model)

    def _feed(
        self, model: str, engine: Engine, queue: CallQueue[_Waiting[Name, Result]]
    ) -> Iterator[tuple[Name, Result]]:
        queue.cache_tokens = engine.info.cache_tokens
        in_flight: set[str] = set()
        while queue:
            self._top_up(engine, queue, in_flight)
            for reply in engine.replies():
                if reply.key not in in_flight:
                    raise EngineError(f"engine of model {model!r} answered a call that was not asked: {reply.key}")
                in_flight.discard(reply.key)
                queue.done(reply.key, reply)
                yield from self._deliver(reply)
                yield from self.open_flows()
                self._top_up(engine, queue, in_flight)
            if in_flight:
                raise EngineError(f"engine of model {model!r} left {len(in_flight)} calls unanswered")
        del self._queues[model]  # the next load begins with an empty cache

    def _top_up(self, engine: Engine, queue: CallQueue[_Waiting[Name, Result]], in_flight: set[str]) -> None:
        calls: dict[str, Call] = {}
        while len(in_flight) < engine.capacity and (waiting := queue.pop()) is not None:
            in_flight.add(waiting.key)
            calls[waiting.key] = waiting.call
        if calls:
            engine.submit(calls)

    def _deliver(self, reply: Reply) -> Iterator[tuple[Name, Result]]:
        """Stores a reply, hands it to every flow that waits for it, and moves on those that have all of theirs."""
        waiting = self._waiting.pop(reply.key)
        self._store.append(waiting.call, reply)
        self._observer.answered(waiting.call, reply, False)
        for other in waiting.others:
            self._observer.answered(other, reply, True)
        for running, place in waiting.places:
            assert running.replies is not None
            running.replies[place] = reply
            running.n_open -= 1
            if running.n_open == 0:
                yield from self._advance(running)

    def _advance(self, running: _Running[Name, Result]) -> Iterator[tuple[Name, Result]]:
        """Sends a flow the replies of its round, and goes on as long as the store answers its next calls."""
        while running.n_open == 0:
            try:
                calls = next(running.flow) if running.replies is None else running.flow.send(running.replies)
            except StopIteration as stop:
                if self._follow is not None:
                    self._opened.extend(self._follow(running.name, stop.value))
                yield running.name, stop.value
                return
            self._ask(running, calls)

    def _ask(self, running: _Running[Name, Result], calls: Sequence[Call]) -> None:
        replies = running.replies = [_UNANSWERED] * len(calls)
        for place, call in enumerate(calls):
            key = call_key(call, self._engines.identity(call.model))
            waiting = self._waiting.get(key)
            if waiting is None:
                stored = self._store.get(key)
                if stored is not None and self._engines.stands(call.model, stored):
                    replies[place] = stored
                    self._observer.answered(call, stored, True)
                    continue
                waiting = self._waiting[key] = _Waiting(key, call)
                if call.model not in self._queues:
                    self._queues[call.model] = CallQueue()
                self._queues[call.model].push(key, call, waiting)
                self._observer.queued(call)
            elif _asker(call) != _asker(waiting.call):
                waiting.others.append(call)
            waiting.places.append((running, place))
            running.n_open += 1


def _asker(call: Call) -> tuple[str, str, str, str]:
    return call.model, call.stage, call.subject, call.item
