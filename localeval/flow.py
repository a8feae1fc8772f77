"""Flows, and what they run against: the three protocols of the main path.

A flow is a generator without I/O: it yields a list of calls, is sent their replies in the same order, and
returns its result. `localeval.driver.drive` runs many of them against a store and engines.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self, TypeVar

from localeval.values import Call, Reply

Result = TypeVar("Result")
Flow = Generator[Sequence[Call], Sequence[Reply], Result]


@dataclass(frozen=True, slots=True)
class EngineInfo:
    """What an engine says of itself once its model is loaded.

    `context` is the longest prompt plus answer in tokens (0: no limit), `cache_tokens` how many tokens its prefix
    cache holds (0: none), `description` what served: package, version, device, dtype, grammar backend. `phases` are
    the seconds of `load_s` by what they went to, in order; empty where the engine does not tell.
    """

    description: str
    context: int = 0
    cache_tokens: int = 0
    load_s: float = 0.0
    phases: Mapping[str, float] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)


class Engine(Protocol):
    """One loaded model. Entering loads it and tests that grammars constrain it; leaving frees the device."""

    info: EngineInfo
    capacity: int
    """How many calls may be in flight before more of them bring nothing."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def submit(self, calls: Mapping[str, Call]) -> None:
        """Takes calls by key, at any time, also while `replies` is being read. Does not wait for answers."""
        ...

    def replies(self) -> Iterator[Reply]:
        """Yields each reply as it finishes, in any order, until nothing that was submitted is left.

        One bad call yields one reply with `missing` set. Raises EngineError when the engine is gone for good.
        """
        ...


def is_final(reply: Reply, context: int) -> bool:
    """Whether a stored reply stands for a model of `context` tokens (0: not known).

    An engine's failure is asked again, and so is "too long" once the context has grown.
    """
    if reply.missing is None:
        return True
    if reply.missing.reason == "too long":
        return 0 < context < reply.missing.needed
    return reply.missing.reason != "engine error"


class Engines(Protocol):
    """The models of a run, by the names that the config gives them."""

    def identity(self, model: str) -> str:
        """What stands for the model in a call's key."""
        ...

    def stands(self, model: str, reply: Reply) -> bool:
        """Whether a stored reply is still the answer, so that its call need not be asked again."""
        ...

    def open(self, model: str) -> Engine:
        """The engine of a model, not yet entered."""
        ...


class Store(Protocol):
    """Replies by key."""

    def get(self, key: str) -> Reply | None:
        """The stored reply, or None."""
        ...

    def append(self, call: Call, reply: Reply) -> None:
        """Keeps a reply; it is durable within a second."""
        ...
