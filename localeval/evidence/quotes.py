"""Where a phrase that someone says to have copied stands in a text."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from localeval.evidence.folding import Token, tokens

_ELLIPSIS = re.compile(r"[\[(（]?\s?(?:(?:\.\s?){3,}|[…⋯]+|。{3,})\s?[\])）]?")
_SIGNS = re.compile(r"[%‰+$€£¥₽₴₸]")
"""Of all that is no letter and no digit, what words mean something else without."""
_BORDER = "\n"
_WIDEST = 40
"""Words that an ellipsis may stand for: two ends of a long text are no phrase of it."""


class _Words:
    """The words of one text, ready to be searched."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: Sequence[Token] = tokens(text)

    @cached_property
    def line(self) -> str:
        """The folded words, each between line ends."""
        return _BORDER + "".join(token.key + _BORDER for token in self.tokens)

    @cached_property
    def _offsets(self) -> Sequence[int]:
        offsets, at = [], 0
        for token in self.tokens:
            offsets.append(at)
            at += len(token.key) + 1
        return offsets

    def places(self, piece: str, words: Sequence[Token]) -> list[int]:
        """The index of every token at which the words of a phrase stand in a row."""
        wanted = _BORDER + "".join(word.key + _BORDER for word in words)
        signs = _signs(piece, words)
        found, at = [], self.line.find(wanted)
        while at >= 0:
            first = bisect_left(self._offsets, at)
            if _signs(self.text, self.tokens[first : first + len(words)]) == signs:
                found.append(first)
            at = self.line.find(wanted, at + 1)
        return found


@lru_cache(maxsize=16)
def _words_of(text: str) -> _Words:
    return _Words(text)


def _signs(text: str, words: Sequence[Token]) -> list[str]:
    """The signs between each word and the next."""
    gaps = (text[one.end : other.start] for one, other in pairwise(words))
    return ["".join(_SIGNS.findall(gap)) for gap in gaps]


def find_quote(text: str, phrase: str) -> tuple[int, int] | None:
    """The offsets in `text` at which a copied phrase stands, its first word to its last; None where it does not.

    Every word must stand there, whole and in order. Folded are case, marks on Latin letters, white space and all
    punctuation but the signs of percent, plus and currency between two words. An ellipsis within the phrase parts it
    into pieces that stand in this order, at most 40 words from one to the next; of several ways the shortest, then the
    first. None as well for a phrase without a letter or digit. Raises nothing.
    """
    pieces = [(piece, words) for piece in _ELLIPSIS.split(phrase) if (words := tokens(piece))]
    if not pieces:
        return None
    source = _words_of(text)
    places = [source.places(piece, words) for piece, words in pieces]
    stretch = _shortest(places, [len(words) for _, words in pieces])
    return (source.tokens[stretch[0]].start, source.tokens[stretch[1] - 1].end) if stretch else None


def _shortest(places: Sequence[Sequence[int]], lengths: Sequence[int]) -> tuple[int, int] | None:
    """The first and the end of the shortest stretch of words in which all pieces stand in order."""
    best: tuple[int, int] | None = None
    for first in places[0]:
        end = first + lengths[0]
        for starts, length in zip(places[1:], lengths[1:], strict=True):
            at = bisect_left(starts, end)
            if at == len(starts):
                return best  # nor after any later first piece
            if starts[at] - end > _WIDEST:
                break
            end = starts[at] + length
        else:
            if best is None or end - first < best[1] - best[0]:
                best = first, end
    return best
