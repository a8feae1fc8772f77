"""EmoBank (Buechel and Hahn 2017): valence, arousal and dominance of sentences, by readers and by writers."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from localeval.public_sets.rows import Fields, read_rows
from localeval.stats.correlation import Mask
from localeval.stats.intervals import Floats

MOODS = Path("emobank", "test.jsonl")
AXES = ("valence", "arousal", "dominance")
"""In the order in which EmoBank lists its three numbers."""
LOWEST, MIDDLE, HIGHEST = 1.0, 3.0, 5.0

Triple = tuple[float, ...]
"""Valence, arousal and dominance, 1 to 5."""
NOT_RATED: Triple = (1.0, 1.0, 1.0)
"""What stands for somebody who did not rate: the set's own means leave it out, wherever it is listed."""

Perspective = Literal["readers", "writers", "readers as listed", "writers as listed"]
"""Those who rated, or all that are listed, NOT_RATED counted as the lowest of each axis."""


@dataclass(frozen=True, slots=True)
class Mood:
    """A sentence with people's means in [0, 1] by axis: of its readers alone, and of both perspectives.

    `readers` and `writers` hold what is listed of each person, 1 to 5; writers are readers who take the writer's view.
    """

    id: str
    text: str
    document: str
    reader: Mapping[str, float]
    both: Mapping[str, float]
    readers: tuple[Triple, ...] = ()
    writers: tuple[Triple, ...] = ()

    def by(self, perspective: Perspective) -> tuple[Triple, ...]:
        """What each person of a perspective said."""
        listed = self.readers if perspective.startswith("readers") else self.writers
        return listed if perspective.endswith("as listed") else tuple(each for each in listed if each != NOT_RATED)


def read_moods(data: Path) -> tuple[Mood, ...]:
    """The sentences that readers rated, as they lie in the folder `data`; raises InputError."""
    return tuple(each for each in read_rows(data / MOODS, _mood) if each is not None)


def draw_moods(moods: Sequence[Mood], n: int, seed: int) -> tuple[Mood, ...]:
    """`n` sentences, all for 0. A larger sample of a seed holds the smaller one."""
    shuffled = list(moods)
    random.Random(seed).shuffle(shuffled)
    return tuple(shuffled[:n] if n else moods)


def ratings(moods: Sequence[Mood], perspective: Perspective, axis: str) -> tuple[Floats, Mask]:
    """Values [sentences, places of raters] from 1 to 5 and where one is given. A column is no person: names are not
    in the set."""
    place, widest = AXES.index(axis), max((len(mood.by(perspective)) for mood in moods), default=0)
    values, is_given = np.zeros((len(moods), widest)), np.zeros((len(moods), widest), bool)
    for row, mood in enumerate(moods):
        for column, said in enumerate(mood.by(perspective)):
            values[row, column], is_given[row, column] = said[place], True
    return values, is_given


def _mood(row: Fields) -> Mood | None:
    reader = _by_axis(row, "reader")
    both = _by_axis(row, "vad")
    if reader is None or both is None:
        return None
    readers, writers = (row.tuples(name, 3, LOWEST, HIGHEST) for name in ("reader_raw", "writer_raw"))
    # "Bartok_7330_7450": a document and the place in it
    return Mood(row.text("id"), row.text("text"), row.text("id").rsplit("_", 2)[0], reader, both, readers, writers)


def _by_axis(row: Fields, name: str) -> dict[str, float] | None:
    """From 1 to 5 to [0, 1]; None where the field is null."""
    if name in row.row and row.row[name] is None:
        return None
    means = row.numbers(name, 3, LOWEST, HIGHEST)
    return {axis: (mean - LOWEST) / (HIGHEST - LOWEST) for axis, mean in zip(AXES, means, strict=True)}
