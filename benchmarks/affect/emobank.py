"""Does `whole` rise and fall with what readers feel? On EmoBank, beside what people themselves reach."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from benchmarks.affect.data import AXES, Mood
from benchmarks.affect.showing import expect, line, places, reading_of, shown, value_fields, value_of
from localeval.methods.affect.readings import TextAffect
from localeval.stats.correlation import mean_correlation
from localeval.stats.estimate import Score, Undefined
from localeval.values import Missing

CEILING = {"valence": 0.85, "arousal": 0.78, "dominance": 0.77}
"""The highest r with the mean of five readers that their own reliability (.73, .61, .60) allows: its square root."""
WRITER_READER = {"valence": 0.66, "arousal": 0.26, "dominance": 0.24}
"""r between the means of those who rated as readers and of those who rated as writers."""
BAR = 0.6
"""The r of valence that is expected; set before anything was measured."""


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


def rows_of(reads: Sequence[tuple[Mood, TextAffect]]) -> list[MoodRow]:
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
    found = mean_correlation(table, np.ones(table.shape, bool), documents)
    return _with_missing(found, len(rows) - len(kept))


def _with_missing(score: Score, missing: int) -> Score:
    if isinstance(score, Undefined):
        return Undefined(score.reason, score.n, missing, score.sources)
    return type(score)(score.value, score.low, score.high, score.n, missing, score.sources)


def report(rows: Sequence[MoodRow]) -> bool:
    """Prints the figures; whether the r of valence reaches the bar."""
    by_axis = {axis: [row for row in rows if row.axis == axis] for axis in AXES}
    n_sentences, n_documents = len({row.id for row in rows}), len({row.document for row in rows})
    print(f"\nEmoBank: {n_sentences} sentences of {n_documents} documents")
    print("r of `whole` with the mean of the readers; and with the mean over readers and writers")
    found = {axis: correlation(of_axis, lambda row: row.reader) for axis, of_axis in by_axis.items()}
    for axis, of_axis in by_axis.items():
        both = correlation(of_axis, lambda row: row.both)
        line(axis, f"{shown(found[axis])}; {shown(both).split(', n')[0]}")
        line("", f"can hardly exceed {CEILING[axis]:.2f}; writers with readers {WRITER_READER[axis]:.2f}")
    for what, related in between_axes(by_axis):
        line(what, related)
    valence = found["valence"]
    reached = not isinstance(valence, Undefined) and valence.value >= BAR
    return expect(f"valence of `whole` has r of {BAR} or more with readers", reached, shown(valence))


def between_axes(by_axis: Mapping[str, Sequence[MoodRow]]) -> Iterator[tuple[str, str]]:
    """How far two axes are one to the judge, and to people."""
    for one, other in combinations(AXES, 2):
        pairs = [
            ((a.value, b.value), (a.reader, b.reader))
            for a, b in zip(by_axis[one], by_axis[other], strict=True)
            if not isinstance(a.value, Missing) and not isinstance(b.value, Missing)
        ]
        if len(pairs) > 3:
            judge, people = (_r(np.array(columns, float)) for columns in zip(*pairs, strict=True))
            yield f"{one} with {other}", f"judge {judge}, readers {people}"


def _r(table: np.ndarray) -> str:
    found = mean_correlation(table, np.ones(table.shape, bool))
    return "-" if isinstance(found, Undefined) else f"{found.value:+.2f}"
