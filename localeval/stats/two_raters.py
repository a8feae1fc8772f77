"""Coefficients of two raters alone, without an interval: for who takes them many times over, each source left out.

Each is the value of the function of the same coefficient that has an interval, for two raters who rated every item;
NaN where it is not defined. A table has counts [classes, classes] of the two.
"""

from typing import Literal

import numpy as np
from scipy import stats

from localeval.stats.correlation import ranks
from localeval.stats.intervals import Floats

_PAIRWISE = 400
"""Items up to which all pairs at once take less time than scipy's test."""


def ac1_of_table(table: Floats) -> float:
    """Gwet's AC1: `localeval.stats.agreement.gwet_ac1`."""
    n, classes = float(table.sum()), len(table)
    if n <= 0 or classes < 2:
        return np.nan
    shares = (table.sum(0) + table.sum(1)) / (2 * n)
    chance = float((shares * (1 - shares)).sum()) / (classes - 1)
    return float((np.trace(table) / n - chance) / (1 - chance))


def alpha_of_table(table: Floats, level: Literal["nominal", "ordinal"]) -> float:
    """Krippendorff's alpha, classes in ascending order: `localeval.stats.agreement.krippendorff_alpha`."""
    coincidences = table + table.T
    margins = coincidences.sum(0)
    if np.count_nonzero(margins) < 2:
        return np.nan
    middle = np.cumsum(margins) - margins / 2
    gaps = (middle[:, None] - middle[None, :]) ** 2
    distance = gaps if level == "ordinal" else 1.0 - np.eye(len(margins))
    expected = float((np.outer(margins, margins) * distance).sum()) / (margins.sum() - 1)
    return float(1 - (coincidences * distance).sum() / expected)


def interval_alpha_of_two(first: Floats, second: Floats) -> float:
    """Krippendorff's alpha by distance: `localeval.stats.agreement.interval_alpha`."""
    values = np.concatenate([first, second])
    n = len(values)
    if not n:
        return np.nan
    spread = float(((values - values.mean()) ** 2).sum())
    if spread * n <= 1e-12:
        return np.nan
    return float(1 - ((first - second) ** 2).sum() / n * (n - 1) / spread)


def pearson_of_two(first: Floats, second: Floats) -> float:
    """Pearson's correlation: `localeval.stats.correlation.pearson`; NaN below four items, too."""
    if len(first) < 4:
        return np.nan
    x, y = first - first.mean(), second - second.mean()
    if max(abs(x)) < 1e-12 or max(abs(y)) < 1e-12:  # equal values differ from their own mean by rounding alone
        return np.nan
    return float(np.clip(x @ y / np.sqrt((x @ x) * (y @ y)), -1.0, 1.0))


def spearman_of_two(first: Floats, second: Floats) -> float:
    """Spearman's correlation: `localeval.stats.correlation.spearman`."""
    return pearson_of_two(ranks(first), ranks(second))


def kendall_of_two(first: Floats, second: Floats) -> float:
    """Kendall's tau-b (Kendall 1945), as scipy has it; NaN below four items, too."""
    if len(first) < 4 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return np.nan
    if len(first) > _PAIRWISE:
        return float(stats.kendalltau(first, second).statistic)
    x, y = (np.sign(column[:, None] - column[None, :]) for column in (first, second))
    return float((x * y).sum() / np.sqrt((x * x).sum() * (y * y).sum()))
