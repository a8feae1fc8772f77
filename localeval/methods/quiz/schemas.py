"""What a quiz is made of: its settings, its items, and what came of asking them."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from localeval.keys import canonical, digest
from localeval.methods.settings import Frozen
from localeval.texts import Language
from localeval.values import Missing

Kind = Literal[
    "entity", "attribute", "action", "event", "setting", "relation", "causality", "intent", "theme", "reference"
]
Group = Literal["descriptive", "inferential"]

GROUPS: dict[Kind, Group] = {
    "entity": "descriptive",
    "attribute": "descriptive",
    "action": "descriptive",
    "event": "descriptive",
    "setting": "descriptive",
    "relation": "inferential",
    "causality": "inferential",
    "intent": "inferential",
    "theme": "inferential",
    "reference": "inferential",
}
"""The ten question types of CapQuiz (arXiv 2609.09973) in the reading for text of this project: "attribute" means
stated properties and numbers, "setting" time, place and participants, "reference" who said what, when."""

DEFAULT_MIX: dict[Kind, float] = {
    "entity": 2,
    "attribute": 3,
    "action": 2,
    "event": 1,
    "setting": 1,
    "relation": 1,
    "causality": 1,
    "intent": 1,
    "theme": 0.5,
    "reference": 0.5,
}
"""About 70 % descriptive questions, the share that the published results imply (72 %)."""

N_WRITTEN = 5
"""Options that a writer gives: the right one, a hard negative, three more."""
GOLD, HARD_NEGATIVE, UNDETERMINED = 0, 1, N_WRITTEN
"""Places in an item's list of options; the last stands for "cannot be determined"."""


class QuizSettings(Frozen):
    """The levers of the quiz, as they stand under `methods: quiz:` in a config."""

    writer: str | None = None
    """Model that writes the questions; not needed with `items`."""
    answerer: str
    """Model that answers them."""
    checker: str | None = None
    """Model that filters them: the ceiling and the blind trials. Default: the answerer."""
    items: str | None = None
    """JSONL file of a quiz made before; nothing is written then."""
    questions: int = Field(default=12, ge=1, le=500)
    kinds: tuple[Kind, ...] | dict[Kind, Annotated[float, Field(gt=0)]] = Field(
        default_factory=lambda: dict(DEFAULT_MIX)
    )
    """Question types in equal shares, or a weight each."""
    focus: str = ""
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    undetermined: Literal["last", "shuffled", "none"] = "shuffled"
    """Where "cannot be determined" stands among the options, or none of it."""
    permutations: int = Field(default=2, ge=2, le=12)
    """Orders of the options in which each question is put."""
    overgenerate: float = Field(default=1.5, ge=1.0, le=5.0)
    """How many questions are written for each one that is still wanted."""
    rounds: int = Field(default=3, ge=1, le=10)
    """How often more are written before fewer than asked are accepted."""
    blind_trials: int = Field(default=4, ge=0, le=12)
    blind_limit: int = Field(default=3, ge=1, le=12)
    """A question that is answered rightly without any text in so many of the blind trials is dropped."""
    duplicate_similarity: float = Field(default=85.0, ge=0.0, le=100.0)
    """Questions, or answers, at least so similar (rapidfuzz token-sort ratio, 0-100) count as alike."""
    write_tokens: int = Field(default=320, ge=64, le=4096)
    write_temperature: float = Field(default=0.3, ge=0.0, le=2.0)
    retries: int = Field(default=1, ge=0, le=5)
    """How often an answer that cannot be read is asked again, each time as a new call."""
    controls: bool = True
    """Put the quiz to an empty text, an unrelated text and the source itself."""

    @model_validator(mode="after")
    def _consistent(self) -> "QuizSettings":
        if (self.writer is None) == (self.items is None):
            raise ValueError("give either `writer` (a model that writes the quiz) or `items` (a quiz file), not both")
        if self.blind_trials and self.blind_limit > self.blind_trials:
            raise ValueError(f"`blind_limit` {self.blind_limit} is more than `blind_trials` {self.blind_trials}")
        if not self.kinds:
            raise ValueError("`kinds` is empty; name at least one question type or leave it out")
        return self

    @property
    def mix(self) -> dict[Kind, float]:
        """Weight of each question type that is asked for."""
        return dict(self.kinds) if isinstance(self.kinds, dict) else dict.fromkeys(self.kinds, 1.0)

    @property
    def checked_by(self) -> str:
        """The model that filters."""
        return self.checker or self.answerer

    @property
    def models(self) -> tuple[str, ...]:
        """The models that the quiz needs, each once."""
        names = (self.writer, self.answerer, self.checked_by) if self.items is None else (self.answerer,)
        return tuple(dict.fromkeys(name for name in names if name))


Answer = Annotated[str, StringConstraints(min_length=1)]


class WrittenQuestion(Frozen):
    """What a writer replies. The evidence comes first, so that the question is made from it."""

    # at most four numbers: a grammar of digits without an end lets a weak model count for ever
    segments: Annotated[str, StringConstraints(pattern=r"^[1-9][0-9]{0,4}( [1-9][0-9]{0,4}){0,3}$")]
    question: Answer
    answer: Answer
    hard_negative: Answer
    wrong: Annotated[list[Answer], Field(min_length=3, max_length=3)]


class Review(Frozen):
    """One person's three yes/no answers about an item."""

    reviewer: str
    grounded: bool
    one_right_answer: bool
    hard_negative: bool

    @property
    def is_accepted(self) -> bool:
        """All three were answered yes."""
        return self.grounded and self.one_right_answer and self.hard_negative


class QuizItem(Frozen):
    """One question. `options` holds the right answer first, then the hard negative, then the other wrong ones."""

    source: str
    number: int = Field(ge=1)
    """Place in its quiz, from 1. Kept when others leave, since it decides the order of the options."""
    kind: Kind
    language: Language
    question: Answer
    options: Annotated[tuple[Answer, ...], Field(min_length=N_WRITTEN, max_length=N_WRITTEN)]
    segments: Annotated[tuple[int, ...], Field(min_length=1)]
    reviews: tuple[Review, ...] = ()

    @cached_property
    def id(self) -> str:
        """12 hexadecimal digits over what is asked; reviews do not change it."""
        return digest(canonical([self.source, self.question, list(self.options)]))[:12]

    @property
    def group(self) -> Group:
        """Whether the answer is stated (descriptive) or follows from what is stated (inferential)."""
        return GROUPS[self.kind]

    def label(self, place: int) -> str:
        """The option at a place of the list, as people read it."""
        return self.options[place] if place < N_WRITTEN else "cannot be determined"


def quiz_hash(items: tuple[QuizItem, ...]) -> str:
    """64 hexadecimal digits over the items in order: results carry it, so that only like is compared with like."""
    return digest(canonical([[item.id, item.number] for item in items]))


DropReason = Literal[
    "unreadable",
    "options not distinct",
    "no such segment",
    "near-duplicate",
    "not answered from the source",
    "answered blind",
    "no verdict",
    "surplus",
]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A question that left the quiz, and why."""

    reason: DropReason
    detail: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class Trial:
    """One reading of one question: the place of the chosen option in the item's list, or why there is none.

    `letter` is where the chosen option stood (0 = A), `gold_letter` where the right one stood; `probabilities` are by
    place in the item's list and sum to 1, empty where the engine gave none.
    """

    chosen: int | Missing
    letter: int
    gold_letter: int
    probabilities: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answerer makes of one question, over all orders of its options."""

    item: str
    chosen: int | Missing
    is_unstable: bool
    trials: tuple[Trial, ...]


@dataclass(frozen=True, slots=True)
class SourceQuiz:
    """The quiz of one source and every answer to it.

    `answers` is by system, `controls` by control ("empty", "unrelated", "source"); each holds one entry an item, in
    the order of `items`. `missing` says why there is no quiz at all.
    """

    source: str
    items: tuple[QuizItem, ...]
    dropped: tuple[Dropped, ...] = ()
    answers: dict[str, tuple[Answered, ...]] = field(default_factory=dict)
    controls: dict[str, tuple[Answered, ...]] = field(default_factory=dict)
    asked_for: int = 0
    missing: Missing | None = None
