"""Sums over clusters, and errors of linear statistics whose items are alike within one or two kinds of cluster.

A linear statistic (a mean, a difference of means, a ratio, a regression slope) comes as its value and the influence of
each item: how far the item moves the value. Over all items influences sum to 0. Clusters are sources, systems or
raters; two kinds may cross each other in any way, with cells empty or full.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from localeval.stats.intervals import Floats, Interval

Clusters = Sequence[int] | NDArray[np.int_]
"""The number of each item's cluster [items]: any integers, equal ones for one cluster."""

EVERYWHERE = Interval(-np.inf, np.inf)


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
