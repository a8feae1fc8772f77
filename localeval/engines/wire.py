"""What the driver's process and an engine's process say to each other: frozen values, pickled."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from localeval.flow import EngineInfo
from localeval.models.cards import Model
from localeval.values import Call, Reply

Task = Literal["answer", "count"]

IMPORTS = "imports"
"""The phase of a start in which the child imports; what passes before its own first look at a clock is of that, too."""


@dataclass(frozen=True, slots=True)
class Start:
    """The first message to a child: which model, and whether to answer calls or only to count their tokens."""

    model: Model
    device: Literal["cpu", "cuda"]
    task: Task


@dataclass(frozen=True, slots=True)
class Ask:
    """Calls by key: to answer, or to count."""

    calls: Mapping[str, Call]


@dataclass(frozen=True, slots=True)
class Stop:
    """Nothing more will come."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The model is loaded and has passed its self-test."""

    info: EngineInfo
    capacity: int


@dataclass(frozen=True, slots=True)
class Failed:
    """The child ends: why, in one line."""

    reason: str


@dataclass(frozen=True, slots=True)
class Answers:
    """Replies that have just finished."""

    replies: tuple[Reply, ...]


@dataclass(frozen=True, slots=True)
class PromptTokens:
    """The tokens of one call's prompt.

    `pieces` cuts it where the messages' parts end: (digest of the prompt up to the piece's end, tokens of the
    piece). Calls that share a prefix share its digests, so that tokens summed over distinct digests are the
    tokens that must be computed at least once.
    """

    prompt: int
    pieces: tuple[tuple[str, int], ...]
    missing: str = ""
    """Why the prompt cannot be made, where it cannot."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The answer to an Ask, in counting."""

    counts: Mapping[str, PromptTokens]


Request = Start | Ask | Stop
Report = Ready | Failed | Answers | Counted
