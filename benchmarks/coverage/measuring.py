"""How often an interval holds the truth: a row of the table, and what it takes to fill it in."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Interval
from localeval.stats.paired import Difference

Found = Estimate | Interval | Difference | Undefined

LOW, HIGH = 0.93, 0.97
"""Where coverage of a 95 % interval should lie."""

MEANT, SMALL = 35, 5
"""Sources of an evaluation as it is meant to be, and of one that is too small."""


@dataclass(frozen=True)
class Row:
    """One interval: `draw` makes an evaluation of so many sources and gives what the function finds, `truth` is the
    value for endlessly many sources, or finds it. `function` is its name, with its module's where that says more, and
    then what it is of; `world` says what is drawn.

    `note` says why coverage may lie outside, at `meant` sources or at 5, where it is known to and cannot be helped.
    """

    function: str
    world: str
    draw: Callable[[np.random.Generator, int], Found]
    truth: float | Callable[[], float]
    note: str = ""
    meant: int = MEANT
    small: int = SMALL
    share: float = 1.0
    """Of the draws: less for an interval that takes long."""

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.function.partition(":")[0].rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Covered:
    """Coverage in [0, 1] with its simulation error, the mean width, and the share of draws without an interval.

    `low` and `high` are the shares of intervals that lie wholly above and wholly below the truth.
    """

    coverage: float
    error: float
    width: float
    undefined: float
    above: float
    below: float

    @property
    def is_within(self) -> bool:
        """Whether coverage is between 93 and 97 %, as far as the draws tell: by less than two simulation errors out."""
        return LOW - 2 * self.error <= self.coverage <= HIGH + 2 * self.error


def measure(row: Row, sources: int, draws: int, seed: int = 0) -> Covered:
    """Coverage of one interval over so many evaluations."""
    rng = np.random.default_rng([seed, sources])
    ends = [_ends(row.draw(rng, sources)) for _ in range(max(20, round(draws * row.share)))]
    table: NDArray[np.float64] = np.array([each for each in ends if each is not None]).reshape(-1, 2)
    if not len(table):
        return Covered(np.nan, np.nan, np.nan, 1.0, np.nan, np.nan)
    truth = row.truth() if callable(row.truth) else row.truth
    # rounding must not part a truth from the end that it lies on
    above, below = table[:, 0] > truth + 1e-9, table[:, 1] < truth - 1e-9
    share = 1 - float((above | below).mean())
    # of at least one miss, or full coverage would have no error
    error = sqrt(max(share * (1 - share), 1 / len(table)) / len(table))
    width = float((table[:, 1] - table[:, 0]).mean())
    return Covered(share, error, width, 1 - len(table) / len(ends), float(above.mean()), float(below.mean()))


def _ends(found: Found) -> tuple[float, float] | None:
    if isinstance(found, Undefined):
        return None
    if isinstance(found, Difference):
        found = found.estimate
    return found.low, found.high
