"""Does `whole` rise and fall with what readers feel? What is measured on EmoBank."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from localeval.methods.affect.readings import TextAffect
from localeval.public_sets.emobank import AXES, Mood
from localeval.public_sets.shares import places, reading_of, value_fields, value_of
from localeval.stats.correlation import pearson
from localeval.stats.estimate import Score
from localeval.values import Missing


@dataclass(frozen=True)
class MoodRow:
    """One axis of a sentence: what `whole` says, and people's means, all in [0, 1]."""

    id: str
    document: str
    axis: str
    value: float | Missing
    spread: float
    reader: float
    both: float

    def as_json(self) -> dict[str, Any]:
        """For the file of rows."""
        return {
            "set": "emobank",
            "sentence": self.id,
            "axis": self.axis,
            "spread": self.spread,
            "reader": self.reader,
            "both": self.both,
            **value_fields({"value": self.value}),
        }


def rows_of(reads: Iterable[tuple[Mood, TextAffect]]) -> list[MoodRow]:
    """One row an axis and sentence."""
    return [
        MoodRow(
            mood.id,
            mood.document,
            axis,
            value_of(affect.whole, axis),
            reading_of(affect.whole, axis).spread,
            mood.reader[axis],
            mood.both[axis],
        )
        for mood, affect in reads
        for axis in AXES
    ]


def correlation(rows: Sequence[MoodRow], people: Callable[[MoodRow], float]) -> Score:
    """Pearson's r of `whole` with people's means over the rows of one axis, with an interval over documents."""
    kept = [(row.value, row) for row in rows if not isinstance(row.value, Missing)]
    table = np.array([(value, people(row)) for value, row in kept], float).reshape(-1, 2)
    documents = places([row.document for _, row in kept])
    return pearson(table[:, 0], table[:, 1], documents, len(rows) - len(kept))
