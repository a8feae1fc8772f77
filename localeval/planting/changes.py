"""One change in one sentence, before it becomes an edit of a whole text."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from localeval.evidence.names import names
from localeval.planting.schemas import Edit, ErrorKind, Trusted
from localeval.texts import Language, Segment

_QUOTE = re.compile(r"«[^«»\n]*»|“[^“”\n]*”|《[^《》\n]*》|「[^「」\n]*」")
_CLAUSE_ENDS = {
    "en": re.compile(r"[;:()—–]|,\s|\s(?:and|but|while|whereas|though|although|because|so)\s"),
    "ru": re.compile(r"[;:()—–]|,\s|\s(?:и|но|а)\s"),
    "zh": re.compile(r"[；：（）—，。！？,]"),
}


@dataclass(frozen=True, slots=True)
class Change:
    """Offsets into one sentence, what comes in their place, and three further values of the same sort, or none."""

    start: int
    end: int
    after: str
    others: tuple[str, ...] = ()


def edits_of(kind: ErrorKind, trusted: Trusted, segment: Segment, changes: Iterable[Change]) -> Iterator[Edit]:
    """The changes of one sentence as edits of the whole text, those left out that change nothing."""
    for change in changes:
        start, end = segment.start + change.start, segment.start + change.end
        before = trusted.candidate.text[start:end]
        if before != change.after:
            yield Edit(kind, segment.number, start, end, before, change.after, change.others)


def clause_around(sentence: str, at: int, language: Language) -> tuple[int, int]:
    """The offsets of the clause in which a character stands: from one comma, dash or conjunction to the next."""
    start, end = 0, len(sentence)
    for cut in _CLAUSE_ENDS[language].finditer(sentence):
        if cut.end() <= at:
            start = cut.end()
        elif cut.start() >= at:
            return start, cut.start()
    return start, end


def kept_spans(sentence: str, language: Language) -> tuple[tuple[int, int], ...]:
    """What no word may be exchanged in: names, and titles and words in typographic quotation marks."""
    named = [(name.start, name.end) for name in names(sentence, language)]
    return (*named, *(quote.span() for quote in _QUOTE.finditer(sentence)))


def is_kept(start: int, end: int, kept: Iterable[tuple[int, int]]) -> bool:
    """Whether a stretch touches one of the spans."""
    return any(start < last and first < end for first, last in kept)


def in_case_of(word: str, model: str) -> str:
    """A word with a capital where another has one."""
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
