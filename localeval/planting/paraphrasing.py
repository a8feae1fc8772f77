"""Whole texts that say the same in other words: controls in which nothing is wrong."""

from collections.abc import Sequence

from localeval.keys import derive_seed
from localeval.planting.changes import Change
from localeval.planting.rewordings import rewordings
from localeval.planting.sameness import why_not_paraphrase
from localeval.planting.schemas import Trusted

__all__ = ["paraphrases", "why_not_paraphrase"]

_LEAST_CHANGES = 2
_PARTS = 3


def paraphrases(trusted: Trusted, seed: int) -> list[str]:
    """The whole text reworded by rule, at most four ways, each unlike the text and unlike the others.

    The first has every change that can be made, the rest those of a third of the sentences each, by the seed. Each
    has two changes or more: contractions, words and connectives that are interchangeable, the form of dates, numbers
    and sums of money. No name, number, date, denial or owner is another. Empty where the rules find less.
    """
    text, language = trusted.candidate.text, trusted.source.language
    changes = _apart(rewordings(text, language))
    drawn = [derive_seed("paraphrase", seed, _sentence_of(trusted, change)) % _PARTS for change in changes]
    thirds = [[change for change, own in zip(changes, drawn, strict=True) if own == part] for part in range(_PARTS)]
    written = [_with(text, part) for part in (changes, *thirds) if len(part) >= _LEAST_CHANGES]
    return [one for one in dict.fromkeys(written) if not why_not_paraphrase(text, one, language)]


def _sentence_of(trusted: Trusted, change: Change) -> int:
    """The number of the sentence in which a change stands: what is reworded in one sentence goes together."""
    return sum(segment.start <= change.start for segment in trusted.candidate.segments)


def _apart(changes: Sequence[Change]) -> list[Change]:
    """The changes that overlap none before them."""
    kept: list[Change] = []
    for change in sorted(changes, key=lambda one: (one.start, -one.end)):
        if not kept or change.start >= kept[-1].end:
            kept.append(change)
    return kept


def _with(text: str, changes: Sequence[Change]) -> str:
    """The text with all changes made."""
    for change in sorted(changes, key=lambda one: -one.start):
        text = text[: change.start] + change.after + text[change.end :]
    return text
