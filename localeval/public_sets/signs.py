"""From values to signs: the cuts of the scale, and macro-F1 over negative, neutral and positive."""

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from localeval.public_sets.shares import bootstrapped
from localeval.stats.estimate import Score
from localeval.stats.intervals import Floats, Interval

CUTS = Interval(0.4, 0.6)
"""Below the first a value is negative, above the second positive, chosen without a look at labels. The middle of every
scale, 0.5, is neutral. On numbers the points beside it (0.375 and 0.625 on nine) are the first that take a side; on
three words, whose value is 0.5 + (P(good) - P(bad)) / 2, a side is taken where it has 0.2 more than the other."""
SIGNS = (-1, 0, 1)
_GRID = 41

Signs = NDArray[np.int64]


def signs(values: Floats, cuts: Interval = CUTS) -> Signs:
    """-1, 0 or 1 for each value."""
    return np.where(values < cuts.low, -1, np.where(values > cuts.high, 1, 0))


def confusion(truth: Signs, said: Signs, sources: Sequence[int], weights: Floats) -> Floats:
    """Weighed counts [sources, truth, said], in the order of SIGNS."""
    table = np.zeros((max(sources, default=-1) + 1, 3, 3))
    np.add.at(table, (np.asarray(sources, int), truth + 1, said + 1), weights)
    return table


def f1(total: Floats) -> Floats:
    """Mean over the three signs of F1, from counts [..., truth, said]; a sign neither there nor said counts as 0."""
    hits = np.diagonal(total, axis1=-2, axis2=-1)
    either = total.sum(-1) + total.sum(-2)
    return np.asarray((2 * hits / np.where(either > 0, either, 1.0)).mean(-1))


def macro_f1(table: Floats, n: int, missing: int) -> Score:
    """Macro-F1 of counts [sources, truth, said] with an interval over sources."""
    return bootstrapped(lambda drawn: f1(_drawn(drawn, table)), len(table), n, missing)


def macro_f1_difference(first: Floats, second: Floats, n: int, missing: int) -> Score:
    """How much higher the first macro-F1 is, on the same targets."""

    def difference(drawn: Floats) -> Floats:
        return np.asarray(f1(_drawn(drawn, first)) - f1(_drawn(drawn, second)))

    return bootstrapped(difference, len(first), n, missing)


def _drawn(weights: Floats, table: Floats) -> Floats:
    """Counts [..., truth, said] over the sources, as often as each was drawn [..., sources]."""
    return np.asarray(np.tensordot(weights, table, 1), float)


def fit_cuts(values: Floats, truth: Signs, weights: Floats) -> Interval:
    """The two cuts with the highest macro-F1 on these values, among the midpoints of 41 quantiles."""
    found = np.unique(np.quantile(values, np.linspace(0, 1, _GRID), method="inverted_cdf"))
    between = np.concatenate([found[:1], (found[:-1] + found[1:]) / 2, found[-1:]])  # the ends leave a sign out
    best, cuts = -1.0, CUTS
    for place, low in enumerate(between):
        for high in between[place:]:
            said = signs(values, Interval(float(low), float(high)))
            score = float(f1(confusion(truth, said, [0] * len(values), weights).sum(0)))
            if score > best:
                best, cuts = score, Interval(float(low), float(high))
    return cuts


def fitted_signs(
    values: Floats, truth: Signs, sources: Sequence[int], weights: Floats, seed: int
) -> tuple[Signs, list[Interval]]:
    """The sign of each value by cuts that were fitted on the other half of the sources, and the cuts of both halves."""
    names = sorted(set(sources))
    random.Random(seed).shuffle(names)
    first = np.isin(np.asarray(sources, int), names[: len(names) // 2])
    said, cuts = np.zeros(len(values), np.int64), []
    for half in (first, ~first):
        fitted = fit_cuts(values[~half], truth[~half], weights[~half]) if (~half).any() else CUTS
        said[half] = signs(values[half], fitted)
        cuts.append(fitted)
    return said, cuts
