"""What single sources say: each measure of a system read from its cells, one cell a source."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from localeval.decision.measures import MeasureName, is_known_audit
from localeval.methods.leaderboard import Measure, method_of
from localeval.stats.intervals import Floats

Cell = Mapping[str, Any]
"""A method's part of one system about one source, as in scores.json."""


class Part(NamedTuple):
    """What a cell adds to a measure, which is the sum of all tops over the sum of all bottoms; (0, 0): nothing.

    Both are exact, so that a cell can be taken away again and leaves what the others would have given alone.
    """

    top: Fraction | int
    bottom: int

    @property
    def value(self) -> float | None:
        """The quotient, None where there is nothing to divide by."""
        return float(self.top) / self.bottom if self.bottom else None


NOTHING = Part(0, 0)

_SHARES = {"cap_f1": (2, 2, 1), "cap_p": (1, 1, 0), "cap_r": (1, 1, 1)}
"""How kept, bent and lost questions stand beneath the line; above it are kept ones, as often as the first says."""


def _consensus(cell: Cell) -> Part:
    return _one(cell["consensus"]["value"])


def _disagreement(cell: Cell) -> Part:
    return _one(cell["disagreement"])


def _one(value: float | None) -> Part:
    """A text that counts as one in a mean."""
    return NOTHING if value is None else Part(Fraction(value), 1)


def _fabrications(cell: Cell) -> Part:
    return Part(int(cell["fabrications"]), 1) if is_known_audit(cell) else NOTHING


def _disputed(cell: Cell) -> Part:
    return Part(int(cell["disputed"]), 1) if is_known_audit(cell) else NOTHING


def _rate(cell: Cell) -> Part:
    return Part(int(cell["fabrications"]), int(cell["claims"]))


def _share(measure: str) -> Callable[[Cell], Part]:
    """A pooled ratio of the quiz."""
    above, bent, lost = _SHARES[measure]

    def read(cell: Cell) -> Part:
        counts = cell["counts"]
        kept = above * int(counts["kept"])
        return Part(kept, kept + bent * int(counts["bent"]) + lost * int(counts["lost"]))

    return read


READERS: Mapping[str, Mapping[MeasureName, Callable[[Cell], Part]]] = {
    "panel": {"consensus": _consensus, "disagreement": _disagreement},
    "audit": {"fabrications": _fabrications, "fabrication_rate": _rate, "disputed": _disputed},
    "quiz": {"cap_f1": _share("cap_f1"), "cap_p": _share("cap_p"), "cap_r": _share("cap_r")},
}
"""By method, how each of its measures is read from a cell."""


def cells_of(methods: Mapping[str, Any], method: str, system: str) -> Mapping[str, Cell]:
    """A system's cells by source; none where the method has nothing of it."""
    found: Mapping[str, Cell] = methods[method]["systems"].get(system, {"by_source": {}})["by_source"]
    return found


def by_source(methods: Mapping[str, Any], measure: Measure, system: str) -> dict[str, float]:
    """The system's value about each source where there is one: shares in [0, 1], fabrications as counts."""
    method = method_of(measure)
    read = READERS[method][measure]
    cells = cells_of(methods, method, system)
    return {source: value for source, cell in cells.items() if (value := read(cell).value) is not None}


def gaps(methods: Mapping[str, Any], measure: Measure, first: str, second: str) -> Floats:
    """First minus second on every source where both have a value [sources]."""
    mine, theirs = by_source(methods, measure, first), by_source(methods, measure, second)
    return np.array([mine[source] - theirs[source] for source in mine if source in theirs])


def smallest_step(measure: Measure, cell: Cell) -> float:
    """The smallest step of a text's value: one fabrication, one question, one grade by one judge on one criterion."""
    if measure == "fabrications":
        return 1.0
    if measure == "consensus":
        judges = sum(value is not None for value in cell["judges"].values())
        return 1 / max(2 * int(cell["consensus"]["n"]) * judges, 1)
    return 1 / max(int(cell["counts"]["n"]), 1)
