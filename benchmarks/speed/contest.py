"""What a contest is: the same work for every contestant, and what each of them took for it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

Part = Literal["a", "b", "c", "d"]

PARTS: dict[Part, str] = {
    "a": "quiz answering",
    "b": "rubric panel",
    "c": "audit",
    "d": "all methods together",
}


class CannotDo(Exception):
    """A contestant cannot do a part: why, and the command that shows it, in one line."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The engine's settings, the same for every contestant that takes such."""

    folder: Path
    """The model's weights and tokenizer."""
    dtype: str
    context: int
    cache_gib: float
    block_size: int
    max_in_flight: int
    max_batched_tokens: int


@dataclass(frozen=True, slots=True)
class Asked:
    """One quiz question as one call puts it: to a candidate's text, its options in the order in which they stand."""

    source: str
    system: str
    text: str
    question: str
    options: tuple[str, ...]
    right: int
    """Place of the right answer among the options."""


@dataclass(frozen=True, slots=True)
class Judged:
    """One verdict as one call asks for it: a criterion for a candidate, with its whole source."""

    source: str
    system: str
    source_text: str
    text: str
    criterion: str
    """The criterion's id."""
    statement: str
    levels: tuple[str, str, str]
    """What is to be seen in a text that scores 0, 1 and 2."""
    allows_na: bool


@dataclass(frozen=True, slots=True)
class Task:
    """A part's work in plain texts, for contestants that write their own prompts.

    Part a is in `asked`, part b in `judged`, call by call in the order in which localeval's users would write them: by
    source, candidate, and question or criterion. `verdict_tokens` is the most that localeval lets a verdict have.
    """

    part: Part
    settings: Settings
    asked: tuple[Asked, ...] = ()
    judged: tuple[Judged, ...] = ()
    verdict_tokens: int = 120


@dataclass(frozen=True, slots=True)
class Run:
    """What a contestant took for a part, once. Tokens are summed over its calls; None where it does not tell.

    `wall_s` is the work, `start_s` what came before the first call: loading, a server's start. `unique_tokens` are
    those of the prompts' prefix tree, each counted once: what an engine with an endless cache has to compute.
    `rounded_tokens` are the same where a cache holds whole blocks alone. `computed` is prompt less cached tokens.
    `invalid` counts outputs that are not in the form that was asked for. `share` is the part of the work that was
    done, in calls.
    """

    wall_s: float
    start_s: float
    calls: int
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    unique_tokens: int | None = None
    rounded_tokens: int | None = None
    output_tokens: int | None = None
    invalid: int | None = None
    share: float = 1.0

    @property
    def computed_tokens(self) -> int | None:
        """Prompt tokens that the engine had to compute, None where that is not known."""
        if self.prompt_tokens is None or self.cached_tokens is None:
            return None
        return self.prompt_tokens - self.cached_tokens

    @property
    def whole_s(self) -> float:
        """`wall_s` scaled to all the calls: the same where all were made."""
        return self.wall_s / self.share


@dataclass(frozen=True, slots=True)
class Result:
    """A contestant's runs of a part. Without runs, `note` says why there is none."""

    name: str
    part: Part
    runs: tuple[Run, ...] = ()
    note: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    """What decides how it ran: versions, settings."""


class Peer(Protocol):
    """Another evaluator. `benchmarks.speed.peers.PEERS` holds one of each."""

    name: str
    parts: Sequence[Part]
    """The parts that it can do; `why_not` tells of the others."""
    parameters: dict[str, str]
    """Versions and settings, known once `prepare` has returned."""

    def why_not(self, part: Part) -> str:
        """Why it cannot do a part that is not among `parts`, in one line."""
        ...

    def prepare(self) -> None:
        """Installs it into an environment of its own, once. Raises CannotDo where it cannot be had."""
        ...

    def run(self, task: Task, scratch: Path) -> Run:
        """Does the work once, in processes of its own, which have ended when this returns or raises.

        `scratch` is an empty folder for its files and logs. Raises CannotDo, naming the log, where it fails.
        """
        ...
