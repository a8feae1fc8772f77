"""Sums over clusters, and errors of linear statistics whose items are alike within one or two kinds of cluster.

A linear statistic (a mean, a difference of means, a ratio, a regression slope) comes as its value and the influence of
each item: how far the item moves the value. Over all items influences sum to 0. Clusters are sources, systems or
raters; two kinds may cross each other in any way, with cells empty or full.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval

Clusters = Sequence[int] | NDArray[np.int_]
"""The number of each item's cluster [items]: any integers, equal ones for one cluster."""

EVERYWHERE = Interval(-np.inf, np.inf)

_MOST_ROUNDS = 200


class Numbered(NamedTuple):
    """Clusters numbered anew from 0 [items], and how many there are."""

    place: NDArray[np.intp]
    n: int


class StandardError(NamedTuple):
    """The standard error of a linear statistic, 0 or more, and the degrees of freedom of its t quantile, 1 or more."""

    error: float
    freedom: float


def numbered(clusters: Clusters | None, items: int) -> Numbered:
    """The clusters from 0 without gaps, in the order of their numbers; without any, each item is one.

    Raises ValueError unless there is a cluster for each item.
    """
    if clusters is None:
        return Numbered(np.arange(items), items)
    labels, place = np.unique(np.asarray(clusters, int), return_inverse=True)
    if len(place) != items:
        raise ValueError(f"{items} items and clusters of {len(place)}")
    return Numbered(place, len(labels))


def cluster_sums(columns: Floats, clusters: Numbered) -> Floats:
    """Sums over the items of each cluster [clusters, columns] of columns [items, columns]."""
    sums = [np.bincount(clusters.place, weights=column, minlength=clusters.n) for column in columns.T]
    return np.stack(sums, axis=-1) if sums else np.zeros((clusters.n, 0))


def without_each(parts: Floats) -> Floats:
    """What is left of the total when each cluster in turn leaves [clusters, columns], from the clusters' sums.

    What is nothing but the rounding of the subtraction is 0.
    """
    total = parts.sum(0)
    left = total - parts
    return np.where(np.abs(left) <= 1e-12 * np.abs(parts).sum(0), 0.0, left)


def jackknife_error(left_out: Floats) -> float:
    """Standard error of a statistic from its values without each cluster [clusters] (Efron and Stein 1981)."""
    k = len(left_out)
    return float(np.sqrt((k - 1) / k * ((left_out - left_out.mean()) ** 2).sum()))


def clustered_error(influence: Floats, clusters: Clusters | None = None) -> StandardError:
    """The standard error of a linear statistic from its influences [items], which are alike within clusters.

    Liang and Zeger 1986 with the factor k / (k - 1) for k clusters, and k - 1 degrees of freedom; without clusters,
    items are independent, and it is the usual standard error of a mean. Raises ValueError below two clusters.
    """
    groups = numbered(clusters, len(influence))
    _require_two(groups)
    sums = np.bincount(groups.place, weights=influence, minlength=groups.n)
    return StandardError(float(np.sqrt(groups.n / (groups.n - 1) * (sums**2).sum())), groups.n - 1)


def two_way_error(influence: Floats, first: Clusters, second: Clusters) -> StandardError:
    """The same where items [items] are alike within the first and within the second kind of cluster, which cross.

    Cameron, Gelbach and Miller 2011, section 2: the squared error by the first kind and that by the second, each with
    its factor k / (k - 1), less that by the cells where they meet, which both hold. Deviations, chosen by simulation
    (docs/statistics.md): what is taken off is the spread of the cells beside the levels of both kinds, not their whole
    spread, so that few clusters of both kinds are no matter (where every cell holds as many items this is the analysis
    of variance); the squared error is never below that of either kind alone; and the degrees of freedom are
    Satterthwaite's (1946), but never less than one below the fewer clusters, which are the paper's.
    Raises ValueError below two clusters of either kind.
    """
    rows, columns = numbered(first, len(influence)), numbered(second, len(influence))
    by_row, by_column = clustered_error(influence, rows.place), clustered_error(influence, columns.place)
    cells, place = np.unique(rows.place * columns.n + columns.place, return_inverse=True)
    sums = np.bincount(place, weights=influence, minlength=len(cells)).astype(float)
    shared = _beside_levels(sums, Numbered(cells // columns.n, rows.n), Numbered(cells % columns.n, columns.n))
    one, other = by_row.error**2, by_column.error**2
    square = max(one + other - shared, one, other)
    fewest = min(by_row.freedom, by_column.freedom)
    spread = one**2 / by_row.freedom + other**2 / by_column.freedom
    return StandardError(float(np.sqrt(square)), max(fewest, square**2 / spread) if spread > 0.0 else fewest)


def _beside_levels(cells: Floats, rows: Numbered, columns: Numbered) -> float:
    """What the sums of cells [cells] would add to the squared error if they alone varied: from their spread beside the
    levels of rows and columns."""
    freedom = len(cells) - rows.n - columns.n + 1
    if freedom < 1:
        return float(len(cells) / (len(cells) - 1) * (cells**2).sum())
    rest = cells
    # one kind after the other until neither has a level left: alternating projections
    for _ in range(_MOST_ROUNDS):
        before = rest
        for each in (rows, columns):
            size = np.bincount(each.place, minlength=each.n)
            rest = rest - (np.bincount(each.place, weights=rest, minlength=each.n) / size)[each.place]
        if np.abs(rest - before).max() <= 1e-12 * np.abs(cells).max():
            break
    return float(len(cells) / freedom * (rest**2).sum())


def two_way_effect(
    value: float,
    influence: Floats,
    first: Clusters,
    second: Clusters,
    bounds: Interval = EVERYWHERE,
    missing: int = 0,
    confidence: float = 0.95,
) -> Score:
    """A linear statistic with the interval of `two_way_error`, a t quantile, cut to `bounds`.

    `n` counts the items, `sources` the clusters of the first kind: give the sources there. Undefined below two clusters
    of either kind.
    """
    n, counts = len(influence), [numbered(each, len(influence)).n for each in (first, second)]
    if min(counts) < 2:
        return Undefined("an interval needs two clusters of each kind", n, missing, counts[0])
    error, freedom = two_way_error(influence, first, second)
    half = float(stats.t.ppf((1 + confidence) / 2, freedom)) * error
    low, high = max(bounds.low, value - half), min(bounds.high, value + half)
    return Estimate(value, min(low, value), max(high, value), n, missing, counts[0])


def two_way_mean(
    values: Floats,
    first: Clusters,
    second: Clusters,
    bounds: Interval = EVERYWHERE,
    missing: int = 0,
    confidence: float = 0.95,
) -> Score:
    """Mean over items of values [items], each counting the same, as `two_way_effect`; of gaps, a paired difference."""
    if not len(values):
        return Undefined("no item", 0, missing, 0)
    return two_way_effect(float(values.mean()), of_mean(values), first, second, bounds, missing, confidence)


def of_mean(values: Floats) -> Floats:
    """Influences [items] of the mean of values [items]."""
    return np.asarray((values - values.mean()) / len(values))


def of_difference(values: Floats, is_first: NDArray[np.bool_]) -> Floats:
    """Influences [items] of the mean of the first group of items less that of the others; neither may be empty."""
    influence = np.empty(len(values))
    influence[is_first], influence[~is_first] = of_mean(values[is_first]), -of_mean(values[~is_first])
    return influence


def of_ratio(top: Floats, bottom: Floats) -> Floats:
    """Influences [items] of the pooled ratio sum(top) / sum(bottom), linearised; the bottoms may not sum to 0."""
    return np.asarray((top - top.sum() / bottom.sum() * bottom) / bottom.sum())


def _require_two(groups: Numbered) -> None:
    if groups.n < 2:
        raise ValueError("an error over clusters needs two")
