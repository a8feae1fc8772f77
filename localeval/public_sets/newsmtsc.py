"""NewsMTSC (Hamborg and Donnay 2021): sentences of news, and how people say that each target in them is spoken of."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from localeval.public_sets.rows import Fields, read_rows

SENTENCES = Path("newsmtsc", "sentences.jsonl")
LABELS = {"negative": -1, "neutral": 0, "positive": 1}
ALL_MIXED, ALL_OTHERS = 324, 1464
"""Sentences of NewsMTSC's development and test sets whose targets carry different labels, and the others."""

_AROUND = ' \t"“”«»—–,;'
"""What surrounds some of the mentions and is no part of a name."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A target of a sentence, and how people say that it is spoken of: -1 badly, 0 neither, 1 well."""

    name: str
    label: int


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its targets."""

    id: str
    text: str
    mentions: tuple[Mention, ...]

    @property
    def is_mixed(self) -> bool:
        """Whether its targets carry different labels: no number for the whole sentence can then be right."""
        return len({each.label for each in self.mentions}) > 1

    @property
    def is_distinct(self) -> bool:
        """Whether no two targets have one name: of which is a judge asked?"""
        return len({each.name for each in self.mentions}) == len(self.mentions)


def read_labelled(data: Path) -> tuple[Sentence, ...]:
    """All sentences as they lie in the folder `data`; raises InputError."""
    return read_rows(data / SENTENCES, _sentence)


def read_sentences(data: Path) -> tuple[Sentence, ...]:
    """Those that a judge can be asked about: a sentence with two targets of one name is left out."""
    return tuple(each for each in read_labelled(data) if each.is_distinct)


def draw_sentences(sentences: Sequence[Sentence], n: int, seed: int) -> tuple[Sentence, ...]:
    """`n` sentences, two of three mixed as far as there are any; all for 0. A larger sample of a seed holds the smaller
    one."""
    if not n:
        return tuple(sentences)
    mixed, others = ([each for each in sentences if each.is_mixed is kind] for kind in (True, False))
    rng = random.Random(seed)
    for stratum in (mixed, others):
        rng.shuffle(stratum)
    n_mixed = min(max(-(-2 * n // 3), n - len(others)), len(mixed))
    return (*mixed[:n_mixed], *others[: n - n_mixed])


def _sentence(row: Fields) -> Sentence:
    mentions = [
        Mention(each.text("mention").strip(_AROUND), each.one_of("label", LABELS)) for each in row.each("targets")
    ]
    return Sentence(row.text("id"), row.text("sentence"), tuple(mentions))
