"""Replicas of one model as one engine: calls go out to actors, replies come back, a lost actor's calls go elsewhere."""

import shlex
import sys
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from localeval import __version__
from localeval.cluster.actor import Broken, Replica, Started
from localeval.cluster.dispatching import Dispatcher
from localeval.cluster.joining import RayCluster, home_of_the_user
from localeval.cluster.placing import Share, share
from localeval.driver import OPEN_CALLS
from localeval.engines.backend import first_line
from localeval.errors import EngineError
from localeval.flow import EngineInfo
from localeval.models.cards import Model
from localeval.values import Call, Reply

_PLACED_S = 120.0
_STOP_S = 10.0
_THREADS = 4  # of an actor: one takes, one submits, and one may load or stop


class ClusterEngine:
    """An Engine (`localeval.flow`) over replicas of a model. The one who reads its replies is the one who stores them.

    Whatever waits is handed over: the dispatcher here orders calls for each replica's cache, so that its information
    names no cache of its own.
    """

    capacity = OPEN_CALLS

    def __init__(self, model: Model, cluster: RayCluster, hidden: frozenset[str], logs: Path | None) -> None:
        """`hidden` and `logs` are as in `localeval.engines.house.LocalEngines`."""
        self.info = EngineInfo(description=f"{model.engine}, not loaded")
        self._model = model
        self._cluster = cluster
        self._hidden = hidden
        self._logs = logs
        self._dispatcher = Dispatcher()
        self._actors: dict[str, Any] = {}
        self._places: dict[str, tuple[str, int]] = {}  # node and process of each replica
        self._takes: dict[Any, str] = {}  # references to what is to come, and from which replica
        self._given_up: deque[Reply] = deque()

    def __enter__(self) -> Self:
        """Starts Ray where it does not run yet, and the replicas.

        Raises EngineError where a replica finds no place or its engine does not start, with node and fix.
        """
        begin = time.monotonic()
        try:
            ray = self._cluster.connect()
            share_of_each = share(self._model, self._cluster.nodes(), self._cluster.workers)
            self._create(ray, share_of_each)
            self._await_places(ray, share_of_each)
            started = self._loaded(ray)
        except BaseException:
            self._end()
            raise
        for name, replica in started.items():
            self._dispatcher.join(name, replica.capacity, replica.info.cache_tokens)
            self._takes[self._actors[name].take.remote()] = name
        self.info = _merged([each.info for each in started.values()], time.monotonic() - begin, self._places)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends the replicas; what was not yet answered is dropped."""
        self._end()

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls by key at any time; one that is still unanswered is not asked twice."""
        for key, call in calls.items():
            self._dispatcher.add(key, call)
        self._send()

    def replies(self) -> Iterator[Reply]:
        """Each reply as it arrives, until nothing is outstanding. A replica that is lost takes none of its calls along.

        Raises EngineError when the last replica is lost.
        """
        while self._given_up or len(self._dispatcher):
            while self._given_up:
                yield self._given_up.popleft()
            if len(self._dispatcher):
                yield from self._next()

    def _create(self, ray: Any, each: Share) -> None:
        """Asks Ray for the actors; they are made while this goes on."""
        threads = {} if each.threads is None else {"threads": each.threads}
        model = self._model.model_copy(update={"options": {**self._model.options, **threads}})
        environment: dict[str, Any] = {}
        if self._cluster.is_ours:  # another node's home and Python lie elsewhere
            environment["env_vars"] = dict(home_of_the_user())
            environment["py_executable"] = shlex.quote(sys.executable)  # Ray puts it into a shell's line as it is
        kind = ray.remote(Replica).options(
            num_cpus=each.cpus,
            num_gpus=each.gpus,
            max_restarts=0,
            max_concurrency=_THREADS,
            scheduling_strategy="SPREAD",
            runtime_env=environment,
        )
        for number in range(each.replicas):
            log = None if self._logs is None else str((self._logs / f"engine-{model.name}-{number}.log").absolute())
            self._actors[f"{model.name}-{number}"] = kind.remote(model, self._hidden, log)

    def _await_places(self, ray: Any, each: Share) -> None:
        """Returns once all replicas run, each with a node."""
        asked = {name: actor.where.remote() for name, actor in self._actors.items()}
        ready, waiting = ray.wait(list(asked.values()), num_returns=len(asked), timeout=_PLACED_S)
        if waiting:
            free = ray.available_resources()
            raise EngineError(
                f"model {self._model.name!r}: {len(ready)} of {len(asked)} replicas found a place within "
                f"{_PLACED_S:g} s; each takes {each.cpus} CPUs and {each.gpus} GPUs, free are "
                f"{free.get('CPU', 0):g} and {free.get('GPU', 0):g}; lower --workers, or end what else runs there"
            )
        for name, reference in asked.items():
            try:
                node, version, pid = ray.get(reference)
            except ray.exceptions.RayError as error:
                raise EngineError(
                    f"model {self._model.name!r}: replica {name} did not start: {_cause(error)}; "
                    "every node needs localeval, in the same version and on the same Python"
                ) from error
            if version != __version__:
                fix = "install the same version on every node"
                raise EngineError(f"node {node}: localeval {version} is installed, here it is {__version__}; {fix}")
            self._places[name] = node, pid

    def _loaded(self, ray: Any) -> dict[str, Started]:
        """What the replicas say of themselves once their engines are loaded, side by side."""
        asked = {name: actor.start.remote() for name, actor in self._actors.items()}
        started: dict[str, Started] = {}
        for name, reference in asked.items():
            try:
                report = ray.get(reference)
            except ray.exceptions.RayError as error:
                report = Broken(_cause(error))
            if isinstance(report, Broken):
                raise EngineError(f"node {self._places[name][0]}, replica {name}: {report.reason}")
            started[name] = report
        return started

    def _send(self) -> None:
        for name, batch in self._dispatcher.batches().items():
            self._actors[name].submit.remote(batch)

    def _next(self) -> Iterator[Reply]:
        """Waits for a replica to tell something."""
        ray = self._cluster.connect()
        ready, _ = ray.wait(list(self._takes), num_returns=1)
        for reference in ready:
            name = self._takes.pop(reference)
            try:
                told = ray.get(reference)
            except ray.exceptions.RayError as error:  # died, or cannot be reached: the same for a run
                told = Broken(_cause(error))
            if isinstance(told, Broken):
                self._lose(ray, name, told.reason)
                continue
            self._takes[self._actors[name].take.remote()] = name
            wanted = [reply for reply in told if self._dispatcher.answered(name, reply)]
            self._send()  # before the replies are looked at: no replica waits for that
            yield from wanted

    def _lose(self, ray: Any, name: str, reason: str) -> None:
        if self._logs is not None:
            node, pid = self._places[name]
            with (self._logs / "cluster.log").open("a", encoding="utf-8") as log:
                log.write(f"{datetime.now():%Y-%m-%d %H:%M:%S} node {node}, process {pid}: {name} is lost: {reason}\n")
        self._given_up.extend(self._dispatcher.lose(name, reason))
        with suppress(ray.exceptions.RayError):
            ray.kill(self._actors.pop(name))
        if not self._dispatcher.replicas:
            raise EngineError(
                f"model {self._model.name!r}: its last replica, {name}, is lost: {reason}; "
                f"{len(self._dispatcher) + len(self._given_up)} calls outstanding; run again: what was answered is kept"
            )
        self._send()

    def _end(self) -> None:
        if not self._actors:
            return
        ray = self._cluster.connect()
        with suppress(ray.exceptions.RayError):
            stopping = [actor.stop.remote() for actor in self._actors.values()]
            ray.wait(stopping, num_returns=len(stopping), timeout=_STOP_S)
        for actor in self._actors.values():
            with suppress(ray.exceptions.RayError):
                ray.kill(actor)
        self._actors.clear()
        self._takes.clear()


def _merged(infos: list[EngineInfo], load_s: float, places: Mapping[str, tuple[str, int]]) -> EngineInfo:
    """One engine's information of all replicas': the shortest context, the time until all were ready, who is where.

    Replicas start side by side, so that the phases are those of the slowest, after what Ray took.
    """
    slowest = max(infos, key=lambda info: info.load_s)
    where = ", ".join(f"{name} on {node} as process {pid}" for name, (node, pid) in places.items())
    first, count = infos[0], len(infos)
    contexts = [info.context for info in infos if info.context]
    return replace(
        first,
        description=f"{first.description}, {count} replicas",
        context=min(contexts, default=0),
        cache_tokens=0,
        load_s=load_s,
        phases={"cluster": max(0.0, load_s - slowest.load_s), **slowest.phases},
        facts={**first.facts, "replicas": where},
    )


def _cause(error: BaseException) -> str:
    """What Ray's error says, without the trace that stands in its text."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, BaseException):
        return f"{type(cause).__name__}: {first_line(cause)}"
    return f"{type(error).__name__}: {first_line(error)}"
