"""What of a trusted text can be changed, sentence by sentence, and how a change is made an edit."""

import random
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from localeval.evidence.lookup import SourceIndex
from localeval.evidence.names import Name, names
from localeval.evidence.quantities import Quantity, compare, quantities
from localeval.keys import derive_seed
from localeval.planting.prepositions import with_prepositions
from localeval.planting.schemas import Edit, ErrorKind, Trusted
from localeval.texts import Language

N_OTHERS = 3
_NEAREST = 5
_MOST_READ = 60
"""New values of one place that are read again at most."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a trusted text: its number from 1, where it begins, what is read in it.

    `quantities` are all of them, `measured` those that are no part of a name; `names` are all of them, `named` those
    that are no part of a quantity. Offsets are within the sentence.
    """

    number: int
    start: int
    text: str
    quantities: tuple[Quantity, ...]
    measured: tuple[Quantity, ...]
    names: tuple[Name, ...]
    named: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class Spot:
    """A stretch of a sentence that another may take the place of; offsets are within the sentence."""

    sentence: Sentence
    start: int
    end: int

    @property
    def before(self) -> str:
        """What stands there."""
        return self.sentence.text[self.start : self.end]

    def filled(self, after: str) -> str:
        """The sentence with something else there."""
        return self.sentence.text[: self.start] + after + self.sentence.text[self.end :]


class Material:
    """A trusted text with its source, read for planting. Immutable in use; what is costly is made when asked for."""

    def __init__(self, trusted: Trusted, index: SourceIndex, seed: int) -> None:
        self.trusted = trusted
        self.index = index
        self.seed = seed
        self.language: Language = trusted.source.language
        self._beside: dict[tuple[int, str], Sequence[Quantity]] = {}

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of the trusted text."""
        candidate = self.trusted.candidate
        return tuple(self._read(s.number, s.start, candidate.words_of(s)) for s in candidate.segments)

    def rng(self, kind: ErrorKind, sentence: Sentence, at: int) -> random.Random:
        """The chance that decides about one place, whatever else is planted."""
        trusted = self.trusted
        return random.Random(derive_seed(self.seed, trusted.source.id, trusted.origin, kind, sentence.start + at))

    def is_said(self, phrase: str) -> bool:
        """Whether the source has every quantity and name of a phrase as it is; False where the phrase has none."""
        found = self.index.find(phrase)
        return bool(found) and all(each.match == "exact" for each in found)

    def stands_beside(self, quantity: Quantity, sentence: Sentence, before: str) -> bool:
        """Whether the source has a quantity where it speaks of what the sentence says: of the same thing, perhaps."""
        key = (sentence.number, before)
        if key not in self._beside:
            segments = dict.fromkeys(self.index.nearest(sentence.text, _NEAREST))
            segments |= dict.fromkeys(number for each in self.index.find(before) for number in each.segments)
            self._beside[key] = quantities(self.index.words_of(tuple(segments)), self.language, loose=True)
        return any(compare(quantity, said) == "exact" for said in self._beside[key])

    def _read(self, number: int, start: int, text: str) -> Sentence:
        found, named = quantities(text, self.language), names(text, self.language)
        items = {(item.start, item.end, item.kind == "name") for item in self.index.items(text)}
        measured = tuple(each for each in found if (each.start, each.end, False) in items)
        apart = tuple(each for each in named if (each.start, each.end, True) in items)
        return Sentence(number, start, text, found, measured, named, apart)

    def again(self, spot: Spot, after: str, *, runs_on: bool = False) -> Quantity | None:
        """The one quantity that is read where `after` takes a place; None where any other in the sentence changes.

        `runs_on`: it may go on behind the place, with the unit that stands there.
        """
        shift = len(after) - (spot.end - spot.start)
        kept = [
            (each.start + shift * (each.start >= spot.end), each.value, each.unit, each.is_ordinal)
            for each in spot.sentence.quantities
            if each.end <= spot.start or each.start >= spot.end
        ]
        read = quantities(spot.filled(after), self.language)
        end = spot.start + len(after)
        here = [each for each in read if each.start < end and spot.start < each.end]
        there = [
            (each.start, each.value, each.unit, each.is_ordinal)
            for each in read
            if not any(each is one for one in here)
        ]
        is_one = len(here) == 1 and spot.start <= here[0].start and (runs_on or here[0].end <= end)
        return here[0] if is_one and kept == there else None


def _is_any(quantity: Quantity) -> bool:
    return True


def quantity_edit(
    material: Material,
    kind: ErrorKind,
    spot: Spot,
    variants: Iterable[str],
    is_fit: Callable[[Quantity], bool],
    further: Iterable[str] = (),
    is_further: Callable[[Quantity], bool] = _is_any,
) -> Edit | None:
    """The edit that puts one of `variants`, chosen by chance, in a quantity's place; None where none will do.

    A variant does where it is read as one quantity that `is_fit`, all else in the sentence staying what it was, and
    where the source does not have it beside what the sentence speaks of; one that the source has nowhere comes first.
    What is left of the variants, and then those of `further` that are read and are `is_further`, are the edit's others.
    """
    rng = material.rng(kind, spot.sentence, spot.start)
    known: set[object] = set()

    def is_false(read: Quantity) -> bool:
        return is_fit(read) and not material.stands_beside(read, spot.sentence, spot.before)

    fit = _chosen(material, spot, _shuffled(rng, variants), is_false, known)
    more = _chosen(material, spot, _shuffled(rng, further), is_further, known) if 0 < len(fit) <= N_OTHERS else []
    return edit(material, kind, spot, [*fit, *more], n_fit=len(fit))


def _chosen(
    material: Material, spot: Spot, variants: Sequence[str], does: Callable[[Quantity], bool], known: set[object]
) -> list[str]:
    """The first variants that do, each another quantity than those `known`, as many as an edit needs.

    Those that the source has nowhere come first. What is read is added to `known`.
    """
    new: list[str] = []
    said: list[str] = []
    for after in variants[:_MOST_READ]:
        read = material.again(spot, after)
        if read is None or (read.value, read.unit) in known or not does(read):
            continue
        known.add((read.value, read.unit))
        (said if material.is_said(after) else new).append(after)
        if len(new) > N_OTHERS:
            break
    return [*new, *said]


def edit(material: Material, kind: ErrorKind, spot: Spot, variants: Sequence[str], n_fit: int) -> Edit | None:
    """The edit that puts the first of `variants` in a place, the next three its others; None where there are too few.

    Only the first `n_fit` may be planted. A Russian preposition before the place changes with what follows it.
    """
    kept = [after for after in dict.fromkeys(variants) if after != spot.before][: N_OTHERS + 1]
    if not kept or not n_fit or variants[0] == spot.before or len(kept) <= N_OTHERS:
        return None
    start, before, chosen = spot.start, spot.before, kept
    if material.language == "ru":
        start, before, chosen = with_prepositions(spot.sentence.text, spot.start, before, kept)
    at = spot.sentence.start
    return Edit(kind, spot.sentence.number, at + start, at + spot.end, before, chosen[0], tuple(chosen[1:]))


def _shuffled(rng: random.Random, variants: Iterable[str]) -> list[str]:
    found = list(dict.fromkeys(variants))
    rng.shuffle(found)
    return found


def word_before(sentence: Sentence, at: int) -> str:
    """The word right before a place, in small letters; empty where a sign or nothing stands there."""
    found = re.search(r"([^\W\d_]+)\s+$", sentence.text[:at])
    return found[1].lower() if found else ""


def spots(material: Material) -> Iterator[tuple[Sentence, Quantity, Spot]]:
    """Every quantity of a trusted text that is no part of a name, with its place."""
    for sentence in material.sentences:
        for quantity in sentence.measured:
            yield sentence, quantity, Spot(sentence, quantity.start, quantity.end)
