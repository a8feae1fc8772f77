"""Sources and candidates: what is evaluated, as frozen values."""

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "ru", "zh"]


@dataclass(frozen=True, slots=True)
class Segment:
    """One numbered piece of a source: a subtitle cue, a speaker turn or a sentence.

    `number` counts from 1 without gaps. `start` and `end` are character offsets into the source's text,
    end exclusive. `begin_s` and `end_s` are seconds, or None where the file carries no times.
    """

    number: int
    start: int
    end: int
    begin_s: float | None = None
    end_s: float | None = None
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """An original text, cut once into segments. Never truncated.

    `text` holds only what was said or written; times and speakers live in the segments.
    """

    id: str
    text: str
    segments: tuple[Segment, ...]
    language: Language
    category: str | None = None
    path: str = ""

    def words_of(self, segment: Segment) -> str:
        """The text of one segment."""
        return self.text[segment.start : segment.end]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text under test about one source, written by one system. Cut once into sentences, like a source."""

    source_id: str
    system: str
    text: str
    path: str = ""
    segments: tuple[Segment, ...] = ()

    def words_of(self, segment: Segment) -> str:
        """The text of one segment."""
        return self.text[segment.start : segment.end]
