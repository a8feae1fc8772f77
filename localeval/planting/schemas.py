"""What is planted: one error, or nothing, in a copy of a trusted text."""

from dataclasses import dataclass
from typing import Literal

from localeval.texts import Candidate, Source

ErrorKind = Literal[
    "number",
    "date",
    "unit",
    "name",
    "name completion",
    "false precision",
    "negation",
    "antonym",
    "wrong owner",
    "swapped order",
    "invented sentence",
    "dropped sentence",
]
"""number, date, unit, name: one is put in another's place. name completion: a part of a name becomes a whole one that
nobody said. false precision: a vague or round quantity becomes an exact one. wrong owner: a task goes to another person
of the source. swapped order: two events change places in time, or cause and effect."""

ERROR_KINDS: tuple[ErrorKind, ...] = (
    "number",
    "date",
    "unit",
    "name",
    "name completion",
    "false precision",
    "negation",
    "antonym",
    "wrong owner",
    "swapped order",
    "invented sentence",
    "dropped sentence",
)

CONTROLS = ("untouched", "paraphrase")
ControlKind = Literal["untouched", "paraphrase"]


@dataclass(frozen=True, slots=True)
class Trusted:
    """A text that is known to be right, and its source. `origin` is the system that wrote it, or "excerpts"."""

    source: Source
    candidate: Candidate
    origin: str


@dataclass(frozen=True, slots=True)
class Edit:
    """One planted error in one trusted text.

    `start` and `end` are offsets into the trusted text; `before` are the characters there, `after` what stands in their
    place (both may be empty: an insertion, a deletion). `sentence` is the number, from 1, of the trusted text's segment
    that was changed, dropped, or in front of which a sentence was put (one more than there are: at the end).
    `others` are three further values of the same sort, neither `before` nor `after` nor in the source where that can be
    seen, for the kinds that put words in the place of words; empty for the rest.
    """

    kind: ErrorKind
    sentence: int
    start: int
    end: int
    before: str
    after: str
    others: tuple[str, ...] = ()

    def applied_to(self, text: str) -> str:
        """The text with the error in it. Raises ValueError where it is not the text that the edit was made for."""
        if text[self.start : self.end] != self.before:
            raise ValueError(f"at {self.start} stands {text[self.start : self.end]!r}, not {self.before!r}")
        return text[: self.start] + self.after + text[self.end :]
