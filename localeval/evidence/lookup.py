"""Looks up a phrase's names and quantities, the phrase itself, and what is most like it, in a whole source."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from localeval.evidence.corpus import Corpus, Place
from localeval.evidence.folding import is_han, tokens
from localeval.evidence.lexicon import forms, is_closed
from localeval.evidence.likeness import NAME_THRESHOLD
from localeval.evidence.matching import NameFinder
from localeval.evidence.measure import Match
from localeval.evidence.names import Name, names
from localeval.evidence.quantities import Quantity, compare, quantities
from localeval.texts import Source

__all__ = ["NAME_THRESHOLD", "Found", "Item", "ItemKind", "Match", "SourceIndex"]

ItemKind = Literal["name", "number", "date", "time"]

_MOST_SEGMENTS = 5
_STEM = 5
"""Letters by which two words count as forms of one, where only likeness is asked."""
_NEAR_QUANTITY = 50.0


@dataclass(frozen=True, slots=True)
class Item:
    """What can be looked up in a phrase, with its offsets there."""

    kind: ItemKind
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """What a source has of an item.

    `segments` are the numbers of the first segments, at most five, where `words` stand; both are empty where the
    item is absent. `similarity` is 0 to 100: 100 for exact, 0 for absent; for a quantity that is near it is 50.
    """

    item: Item
    match: Match
    segments: tuple[int, ...]
    words: str
    similarity: float


class SourceIndex:
    """A whole source, ready for look-ups. Built once per source; what is costly is made when first asked for."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._corpus = Corpus(source)
        self._finder = NameFinder(self._corpus)
        self._known: dict[object, tuple[Match, Sequence[Quantity]]] = {}

    def find(self, phrase: str) -> tuple[Found, ...]:
        """Every name and quantity of a phrase in its order, each with what the source has of it; raises nothing."""
        named, measured = self._read(phrase)
        found = [*map(self._find_name, named), *map(self._find_quantity, measured)]
        return tuple(sorted(found, key=lambda one: (one.item.start, one.item.end)))

    def items(self, text: str) -> tuple[Item, ...]:
        """Every name and quantity of a text in its order, without looking for any of them."""
        named, measured = self._read(text)
        found = [*map(_item_of_name, named), *map(_item_of_quantity, measured)]
        return tuple(sorted(found, key=lambda one: (one.start, one.end)))

    def find_phrase(self, phrase: str) -> tuple[int, ...]:
        """The segments in which the whole phrase was said, case, spaces, punctuation and marks aside, at most five.

        All of the first place, which may be more than five and may run over several segments, then those of the
        next. Speakers' names do not count. Empty where the phrase stands nowhere or holds no letter or digit.
        """
        joined = "".join(token.key for token in tokens(phrase))
        return self._segments([p for p in self._corpus.stretches(joined) if p.last <= self._corpus.n_said])

    def beside(self, phrase: str, reach: int) -> tuple[frozenset[str], ...]:
        """For each place where the whole phrase was said the folded words beside it, at most `reach` on each side."""
        joined = "".join(token.key for token in tokens(phrase))
        said = self._corpus.tokens[: self._corpus.n_said]
        places = [place for place in self._corpus.stretches(joined) if place.last <= len(said)]
        return tuple(
            frozenset(
                word.key
                for word in (*said[max(place.first - reach, 0) : place.first], *said[place.last : place.last + reach])
            )
            for place in places
        )

    def words_of(self, segments: Sequence[int]) -> str:
        """The texts of segments, by number, a line each."""
        return "\n".join(self._source.words_of(self._source.segments[number - 1]) for number in segments)

    def nearest(self, phrase: str, limit: int = 3) -> tuple[int, ...]:
        """The numbers of the segments whose words are most like a phrase, best first; fewer where none are.

        Shared words, by their first five letters, weighted by how rare they are in the source (Chinese: pairs of
        characters), over the root of the segment's length.
        """
        scores: dict[int, float] = defaultdict(float)
        total = len(self._source.segments)
        for alike in dict.fromkeys(_terms_alike(phrase)):
            holding = {index for term in alike for index in self._terms.get(term, ())}
            for index in holding:
                scores[index] += math.log(1 + total / len(holding))
        lengths = self._lengths
        ranked = sorted(scores, key=lambda index: (-scores[index] / math.sqrt(lengths[index] + 10), index))
        return tuple(self._source.segments[index].number for index in ranked[: max(limit, 0)])

    def _read(self, text: str) -> tuple[list[Name], list[Quantity]]:
        """The names and the quantities of a text, none a part of another."""
        language = self._source.language
        measured, named = quantities(text, language), names(text, language)
        return (
            [name for name in named if not _is_covered(name, measured)],
            [quantity for quantity in measured if not _is_inside(quantity, named)],
        )

    def _find_name(self, name: Name) -> Found:
        item = _item_of_name(name)
        located = self._finder.locate(name.text)
        if not located.places:
            return Found(item, "absent", (), "", 0.0)
        words = self._corpus.words(located.places[0])
        segments = self._segments(located.places)[:_MOST_SEGMENTS]
        return Found(item, located.match, segments, words, located.similarity)

    def _find_quantity(self, quantity: Quantity) -> Found:
        item = _item_of_quantity(quantity)
        match, best = self._met(quantity)
        if not best:
            return Found(item, "absent", (), "", 0.0)
        segments: dict[int, None] = {}
        for said in best:  # "two" may stand a thousand times
            if len(segments) >= _MOST_SEGMENTS:
                break
            segments |= dict.fromkeys(self._corpus.segments_of(said.start, said.end))
        similarity = 100.0 if match == "exact" else _NEAR_QUANTITY
        return Found(item, match, tuple(segments)[:_MOST_SEGMENTS], best[0].text, similarity)

    def _met(self, claimed: Quantity) -> tuple[Match, Sequence[Quantity]]:
        """How the source meets a quantity, and with which, in order; where none is exact, the same value first."""
        key = (claimed.kind, claimed.readings, claimed.is_approximate, claimed.is_ordinal)
        if key not in self._known:
            self._known[key] = self._meet(claimed)
        return self._known[key]

    def _meet(self, claimed: Quantity) -> tuple[Match, Sequence[Quantity]]:
        met: dict[Match, list[Quantity]] = {"exact": [], "near": [], "absent": []}
        for alike in self._quantities.values():
            met[compare(claimed, alike[0])] += alike
        if met["exact"]:
            return "exact", sorted(met["exact"], key=lambda said: said.start)
        near = sorted(met["near"], key=lambda said: (said.value != claimed.value, said.start))
        return ("near", near) if near else ("absent", ())

    @cached_property
    def _quantities(self) -> Mapping[object, Sequence[Quantity]]:
        """The source's quantities, those together that no comparison can tell apart."""
        found: dict[object, list[Quantity]] = defaultdict(list)
        for said in quantities(self._source.text, self._source.language, loose=True):
            found[said.readings, said.is_approximate, said.is_ordinal, said.is_weak].append(said)
        return found

    @cached_property
    def _terms(self) -> Mapping[str, Sequence[int]]:
        """For each term the segments that hold it, by index."""
        found: dict[str, list[int]] = defaultdict(list)
        for index, segment in enumerate(self._source.segments):
            for term in dict.fromkeys(_terms(self._source.words_of(segment))):
                found[term].append(index)
        return found

    @cached_property
    def _lengths(self) -> Sequence[int]:
        return [segment.end - segment.start for segment in self._source.segments]

    def _segments(self, places: Sequence[Place]) -> tuple[int, ...]:
        """The segments of the first place, then of the next, as long as there are at most five."""
        numbers: list[int] = []
        for place in places:
            touched = self._corpus.segments(place)
            if numbers and len(set(numbers).union(touched)) > _MOST_SEGMENTS:
                break
            numbers += touched
        return tuple(dict.fromkeys(numbers))


def _item_of_name(name: Name) -> Item:
    return Item("name", name.text, name.start, name.end)


def _item_of_quantity(quantity: Quantity) -> Item:
    return Item(quantity.kind, quantity.text, quantity.start, quantity.end)


def _terms(text: str) -> Iterator[str]:
    """What stands for a text's words when likeness is asked: beginnings of words, pairs of Chinese characters."""
    words = tokens(text)
    for word in words:
        if not is_han(word.text):
            yield word.key[:_STEM]
    for left, right in pairwise(words):
        if is_han(left.text) and is_han(right.text) and left.end == right.start:
            yield left.key + right.key


def _terms_alike(phrase: str) -> Iterator[frozenset[str]]:
    """For each telling word of a phrase the terms that stand for it, in Russian in any form."""
    for word in tokens(phrase):
        if not is_han(word.text) and not is_closed(word.key):
            yield frozenset(form[:_STEM] for form in forms(word.key))
    yield from (frozenset({term}) for term in _terms(phrase) if is_han(term))


def _is_covered(name: Name, measured: Sequence[Quantity]) -> bool:
    """Whether a name is part of a quantity, as March is of "3 March"."""
    return any(quantity.start <= name.start and name.end <= quantity.end for quantity in measured)


def _is_inside(quantity: Quantity, named: Sequence[Name]) -> bool:
    """Whether a quantity is part of a longer name, as 4 is of GPT-4."""
    return any(
        name.start <= quantity.start and quantity.end <= name.end and len(name.text) > quantity.end - quantity.start
        for name in named
    )
