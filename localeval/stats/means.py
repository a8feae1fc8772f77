"""Means over sources, and what a linear effect is worth when items of one source are not independent."""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from localeval.stats.clustered import Numbered, jackknife_error, numbered
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.paired import Difference

DIFFERENCES = Interval(-1.0, 1.0)
"""Where differences of shares lie."""


def paired_mean(
    first: Floats, second: Floats, step: float = 0.0, missing: int = 0, confidence: float = 0.95
) -> Difference | Undefined:
    """Mean difference first minus second of shares [sources] in [0, 1], with the paired t test (Student 1908).

    `step` is the smallest step that a difference can make. Their spread is taken to be at least half of it: on a
    coarse scale two or three sources often differ by the same, and t would then be infinite. With step 0, differences
    that are all the same give p-value 0, or 1 where they are 0. Undefined below two sources.
    """
    gaps = first - second
    n = len(gaps)
    if n < 2:
        return Undefined("a paired test needs two sources", n, missing, n)
    value = float(gaps.mean())
    spread = max(float(np.std(gaps, ddof=1)), step / 2)
    # equal differences differ from their own mean by rounding alone
    error = float(spread / np.sqrt(n)) if spread > 1e-12 else 0.0
    half = float(stats.t.ppf((1 + confidence) / 2, n - 1)) * error
    without_error = 1.0 if abs(value) < 1e-12 else 0.0
    p_value = 2 * float(stats.t.sf(abs(value) / error, n - 1)) if error > 0 else without_error
    return Difference(_cut(value, half, DIFFERENCES, (n, missing, n)), p_value)


def clustered_mean(
    values: Floats,
    sources: Sequence[int],
    bounds: Interval = DIFFERENCES,
    missing: int = 0,
    confidence: float = 0.95,
) -> Score:
    """Mean over items of values [items] within `bounds`, each counting the same; interval as of `clustered_effect`."""
    if not len(values):
        return Undefined("no item", 0, missing, 0)
    value = float(values.mean())
    return clustered_effect(value, (values - value) / len(values), sources, bounds, missing, confidence)


def clustered_effect(
    value: float,
    influence: Floats,
    sources: Sequence[int],
    bounds: Interval = DIFFERENCES,
    missing: int = 0,
    confidence: float = 0.95,
) -> Score:
    """A linear statistic with the cluster-robust error of its influences [items], t with sources - 1, cut to `bounds`.

    The influence of an item is how far it moves the value; over all items they sum to 0. Liang and Zeger 1986 with
    the factor k / (k - 1) for k sources. Undefined below two sources. `n` counts the items with an influence.
    """
    groups = np.asarray(sources, int)
    n = len(influence)
    labels, place = np.unique(groups, return_inverse=True)
    k = len(labels)
    if k < 2:
        return Undefined("an interval needs two sources", n, missing, k)
    sums = np.bincount(place, weights=influence, minlength=k)
    error = float(np.sqrt(k / (k - 1) * (sums**2).sum()))
    half = float(stats.t.ppf((1 + confidence) / 2, k - 1)) * error
    return _cut(value, half, bounds, (n, missing, k))


def adjusted_slope(
    values: Floats,
    cause: Floats,
    factors: Sequence[Sequence[int]],
    sources: Sequence[int],
    confidence: float = 0.95,
) -> Score:
    """How much `values` [items] rise with one unit of `cause` once the level of every factor is allowed for.

    `factors` number the level of each item in each factor (which system, which source). Least squares with a constant
    for each level; the interval is from the jackknife over sources with a t quantile, cut to [-1, 1], since with many
    constants the usual clustered error is too small (docs/statistics.md). Undefined where the cause does not vary
    beside the factors, or does in one source alone, or below two sources.
    """
    n = len(values)
    groups = numbered(sources, n)
    k = groups.n
    if k < 2:
        return Undefined("an interval needs two sources" if k else "no item", n, 0, k)
    products = _Products(values, cause, factors, groups)
    total = np.zeros((products.width, products.width))
    for source in range(k):
        total += products.of(source)
    whole, left_out = _slope(total), np.array([_slope(total - products.of(source)) for source in range(k)])
    if not np.isfinite(whole):
        return Undefined("it does not vary beside systems and sources", n, 0, k)
    if not np.isfinite(left_out).all():
        return Undefined("one source alone holds all that varies", n, 0, k)
    half = float(stats.t.ppf((1 + confidence) / 2, k - 1)) * jackknife_error(left_out)
    return _cut(whole, half, DIFFERENCES, (n, 0, k))


class _Products:
    """Cross products of each source's columns: a constant for each level of the factors, then values and cause.

    Where a factor is the sources, columns go without their mean in the source instead of having its constants (Frisch
    and Waugh 1933): with hundreds of sources these would be most of the columns. Only products that are not 0 are kept,
    as each item has one constant of each factor.
    """

    def __init__(self, values: Floats, cause: Floats, factors: Sequence[Sequence[int]], groups: Numbered) -> None:
        levels = [numbered(factor, len(values)) for factor in factors]
        others = [each for each in levels if not np.array_equal(each.place, groups.place)]
        starts = np.cumsum([0, *(each.n for each in others)])
        columns = [(start + each.place, np.ones(len(values))) for start, each in zip(starts, others, strict=False)]
        last = int(starts[-1])
        columns += [(np.full(len(values), last + each), value) for each, value in enumerate((values, cause))]
        self.width = last + 2
        self._is_centred = len(others) < len(levels)
        self._items = np.bincount(groups.place, minlength=groups.n)
        each = [groups.place * self.width + place for place, _ in columns]
        self._sums = np.bincount(
            np.concatenate(each), np.concatenate([weight for _, weight in columns]), groups.n * self.width
        )
        pairs = [
            (row * self.width + place, one * other)
            for row, (_, one) in zip(each, columns, strict=True)
            for place, other in columns
        ]
        keys, cell = np.unique(np.concatenate([key for key, _ in pairs]), return_inverse=True)
        self._products = np.bincount(cell, np.concatenate([product for _, product in pairs]), len(keys))
        self._cells = keys % self.width**2
        self._ends = np.searchsorted(keys, np.arange(groups.n + 1) * self.width**2)

    def of(self, source: int) -> Floats:
        """Those of one source [width, width]."""
        found = np.zeros(self.width**2)
        here = slice(self._ends[source], self._ends[source + 1])
        found[self._cells[here]] = self._products[here]
        square = found.reshape(self.width, self.width)
        if self._is_centred:
            sums = self._sums[source * self.width : (source + 1) * self.width]
            square -= np.outer(sums, sums) / self._items[source]
        return square


def _slope(products: Floats) -> float:
    """Slope of the last but one column on the last from cross products [columns, columns].

    The other columns are constants of levels, which are not unique; a trace of ridge makes them so, and what they
    explain stays the same. NaN where nothing of the last column is left.
    """
    constants, both = products[:-2, :-2], products[:-2, -2:]
    rest = products[-2:, -2:] - both.T @ np.linalg.solve(constants + 1e-9 * np.eye(len(constants)), both)
    return float(rest[0, 1] / rest[1, 1]) if rest[1, 1] > 1e-6 else np.nan


def _cut(value: float, half: float, bounds: Interval, counts: tuple[int, int, int]) -> Estimate:
    """An estimate whose interval stays within the bounds; `counts` are n, missing and sources."""
    low, high = max(bounds.low, value - half), min(bounds.high, value + half)
    return Estimate(value, min(low, value), max(high, value), *counts)
