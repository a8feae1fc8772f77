"""What the two backends have in common: one small interface inside an engine's process."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from localeval.values import Reply, Sampling


@dataclass(frozen=True, slots=True)
class Prompted:
    """A call as a backend takes it: prompt tokens, the pattern that the reply must match (None: any), sampling."""

    key: str
    token_ids: list[int]
    pattern: str | None
    sampling: Sampling


@dataclass(frozen=True, slots=True)
class BackendFacts:
    """What a loaded backend says of itself; the fields mean what they mean in `localeval.flow.EngineInfo`."""

    description: str
    context: int
    capacity: int
    cache_tokens: int = 0
    places: int = 1
    """How many calls run together; the rest of those that were added wait in the order in which they came."""
    facts: Mapping[str, str] = field(default_factory=dict)


class CallRefused(Exception):
    """A backend does not take this one call; the reason is the message. The backend lives on."""


class Backend(Protocol):
    """A loaded model that takes calls and is stepped."""

    facts: BackendFacts

    @property
    def in_flight(self) -> int:
        """How many calls were added and not yet returned."""
        ...

    def add(self, call: Prompted) -> None:
        """Takes a call. Raises CallRefused."""
        ...

    def step(self) -> Sequence[Reply]:
        """Works a little; returns what has finished.

        `seconds`, `device_s` and `engine` are left to the caller; `first_token_s` of a reply without a pattern runs
        from `add`. What a model thought is split off such a reply.
        """
        ...

    def close(self) -> None:
        """Ends what the backend has started, processes included."""
        ...


def first_line(error: BaseException, limit: int = 300) -> str:
    """The error's first line that says something, for a message of one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:limit]
