"""Does `whole` rise and fall with what readers feel? On EmoBank, beside what people themselves reach."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np

from benchmarks.affect.showing import expect, line, shown
from localeval.public_sets.emobank import AXES
from localeval.public_sets.moods import MoodRow, correlation
from localeval.stats.correlation import mean_correlation
from localeval.stats.estimate import Undefined
from localeval.values import Missing

"""Does `whole` rise and fall with what readers feel? On EmoBank, beside what people themselves reach."""


CEILING = {"valence": 0.85, "arousal": 0.78, "dominance": 0.77}
"""The highest r with the mean of five readers that their own reliability (.73, .61, .60) allows: its square root."""
WRITER_READER = {"valence": 0.66, "arousal": 0.26, "dominance": 0.24}
"""r between the means of those who rated as readers and of those who rated as writers."""
BAR = 0.6
"""The r of valence that is expected; set before anything was measured."""


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
