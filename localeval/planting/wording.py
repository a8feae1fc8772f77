"""Errors in what is said, by whom and in what order: planted by rule into a text that is known to be right."""

from collections.abc import Iterator

from localeval.evidence.lookup import SourceIndex
from localeval.keys import derive_seed
from localeval.planting.changes import edits_of
from localeval.planting.denials import denials
from localeval.planting.opposites import antonyms
from localeval.planting.ordering import swapped, swapped_sentences
from localeval.planting.owners import Cast, wrong_owners
from localeval.planting.persons import persons_of
from localeval.planting.schemas import Edit, Trusted
from localeval.planting.sentences import left_out, put_in


def plant_wording(trusted: Trusted, index: SourceIndex, seed: int) -> list[Edit]:
    """All edits of a trusted text that can be made of six kinds, in an order that the seed decides.

    The kinds are negation, antonym, wrong owner, swapped order, invented sentence and dropped sentence, at most one
    edit of a kind at a place. Empty for a text that offers nothing. Pure; raises nothing.
    """
    cast = Cast(trusted.source, index, persons_of(trusted.source))
    edits = [
        *_within_sentences(trusted, cast, seed),
        *swapped_sentences(trusted),
        *put_in(trusted, cast.persons, seed),
        *left_out(trusted, index),
    ]
    first_of = {(edit.kind, edit.start): edit for edit in reversed(edits)}
    text = trusted.candidate.text
    return sorted(first_of.values(), key=lambda edit: derive_seed("wording", seed, edit.kind, edit.start, text))


def _within_sentences(trusted: Trusted, cast: Cast, seed: int) -> Iterator[Edit]:
    """The four kinds that change one sentence each."""
    source, said = trusted.source, trusted.source.text.lower()
    for segment in trusted.candidate.segments:
        sentence = trusted.candidate.words_of(segment)
        own_seed = derive_seed(seed, source.id, segment.number)
        yield from edits_of("negation", trusted, segment, denials(sentence, source.language))
        yield from edits_of("antonym", trusted, segment, antonyms(sentence, source.language, said, own_seed))
        yield from edits_of("wrong owner", trusted, segment, wrong_owners(sentence, cast, own_seed))
        yield from edits_of("swapped order", trusted, segment, swapped(sentence, source.language))
