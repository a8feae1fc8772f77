"""How far raters rise and fall together, and how many independent ones they are worth.

Tables are values [items, raters] with a mask `is_given` of the same shape: where it is False the value is not read.
`sources` numbers the source of each item, and intervals then are over sources; without it, items count as independent.
"""

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from localeval.stats.clustered import Numbered, cluster_sums, jackknife_error, numbered, without_each
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats

Mask = NDArray[np.bool_]
Places = NDArray[np.intp]

_FEWEST = 4
"""Items that the error of a correlation needs: it divides by items - 3."""


def spearman(first: Floats, second: Floats, sources: Sequence[int] | None = None, confidence: float = 0.95) -> Score:
    """Spearman's rank correlation of two columns [items], in [-1, 1]; tied values share their mean rank.

    The interval is made on Fisher's scale, from the jackknife over sources with a t quantile, and is never narrower
    than that of independent items (Bonett and Wright 2000). Undefined below four items or two sources, or where a
    column does not vary.
    """
    both = np.stack([first, second], axis=1)
    return mean_spearman(both, np.ones(both.shape, bool), sources, confidence)


def mean_spearman(
    values: Floats, is_given: Mask, sources: Sequence[int] | None = None, confidence: float = 0.95
) -> Score:
    """Mean of Spearman's correlation over every two raters, each over the items that both rated.

    As `spearman`; the interval of a mean is never narrower than that of one pair with independent items. A pair that
    shares fewer than four items, or of which one does not vary, does not enter.
    """
    n = len(values)
    groups = numbered(sources, n)
    place = np.stack([np.unique(column, return_inverse=True)[1] for column in values.T], axis=-1)

    def correlations(both: Mask, pair: tuple[int, int]) -> tuple[float, Floats]:
        first, second = place[:, pair[0]], place[:, pair[1]]
        without = [_rank_correlation(*_at(both & (groups.place != g), first, second)) for g in range(groups.n)]
        return _rank_correlation(*_at(both, first, second)), np.array(without)

    return _mean_of_pairs(correlations, is_given, groups, confidence)


def mean_correlation(
    values: Floats, is_given: Mask, sources: Sequence[int] | None = None, confidence: float = 0.95
) -> Score:
    """Mean of Pearson's correlation over every two raters, each over the items that both rated. As `mean_spearman`."""
    groups = numbered(sources, len(values))

    def correlations(both: Mask, pair: tuple[int, int]) -> tuple[float, Floats]:
        parts = _moments(values[both][:, pair[0]], values[both][:, pair[1]], Numbered(groups.place[both], groups.n))
        return float(_from_sums(parts.sum(0))), _from_sums(without_each(parts))

    return _mean_of_pairs(correlations, is_given, groups, confidence)


def pearson(
    first: Floats, second: Floats, sources: Sequence[int] | None = None, missing: int = 0, confidence: float = 0.95
) -> Score:
    """Pearson's correlation of two columns [items], in [-1, 1]; the same as `mean_correlation` of two raters.

    It is made of sums over sources, so that thousands of items of hundreds of sources take no longer than they must.
    """
    groups = numbered(sources, len(first))
    parts = _moments(first, second, groups)
    left_out = _from_sums(without_each(parts))
    return _with_interval(float(_from_sums(parts.sum(0))), left_out, len(first), (len(first), missing), confidence)


def spearman_within(first: Floats, second: Floats, sources: Sequence[int], confidence: float = 0.95) -> Score:
    """Spearman's correlation within sources, in [-1, 1]: ranks are taken in each source, about its mean rank.

    So a source whose items are all high in both columns adds nothing. Interval as of `spearman`, the items of a source
    counting one less than they are.
    """
    groups = np.asarray(sources, int)
    parts = []
    for source in np.unique(groups):
        here = groups == source
        x, y = (ranks(column[here]) - (here.sum() + 1) / 2 for column in (first, second))
        parts.append((x @ y, x @ x, y @ y, here.sum() - 1))
    table = np.array(parts).reshape(-1, 4)
    table = table[table[:, 3] > 0]
    n = round(float(table[:, 3].sum())) + 1 if len(table) else 0
    total = table.sum(0)
    value = _ratio(total)
    left_out = np.array([_ratio(total - part) for part in table])
    return _with_interval(value, left_out, n, (len(groups), 0), confidence)


def effective_number(raters: int, correlation: float) -> float:
    """How many independent raters so many correlated ones are worth: k / (1 + (k - 1) r), in [1, raters].

    `correlation` is the mean of their errors over every two (Kish 1965, the design effect of a mean). A negative one
    counts as 0: more than all raters is never claimed.
    """
    return raters / (1 + (raters - 1) * min(max(correlation, 0.0), 1.0))


def effective_raters(raters: int, correlation: Score) -> Score:
    """`effective_number` of an estimated mean correlation, with the interval that follows from its own."""
    if isinstance(correlation, Undefined):
        return correlation
    value, low, high = (
        effective_number(raters, each) for each in (correlation.value, correlation.high, correlation.low)
    )
    return Estimate(value, low, high, correlation.n, correlation.missing, correlation.sources)


def ranks(values: Floats) -> Floats:
    """Ranks from 1 [items], tied values sharing their mean rank."""
    _, place, n = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(n) - (n - 1) / 2)[place])


def _mean_of_pairs(
    correlations: Callable[[Mask, tuple[int, int]], tuple[float, Floats]],
    is_given: Mask,
    groups: Numbered,
    confidence: float,
) -> Score:
    """Mean correlation of every two columns with its jackknife over sources.

    `correlations` gives that of two columns over the items [items] that have both, with all sources and without each
    [sources]; NaN where a column does not vary.
    """
    usable = is_given.sum(1) >= 2
    n, missing = int(usable.sum()), int((~usable).sum())
    both = {pair: is_given[:, pair[0]] & is_given[:, pair[1]] for pair in combinations(range(is_given.shape[1]), 2)}
    kept = {pair: mask for pair, mask in both.items() if mask.sum() >= _FEWEST}
    found = [correlations(mask, pair) for pair, mask in kept.items()]
    counted = np.bincount(groups.place, weights=usable, minlength=groups.n) > 0
    value = _mean_of_known(np.array([each for each, _ in found]).reshape(-1, 1))
    left_out = _mean_of_known(np.array([each for _, each in found]).reshape(len(found), groups.n))[counted]
    fewest = min((int(mask.sum()) for mask in kept.values()), default=n)
    return _with_interval(float(value[0]), left_out, fewest, (n, missing), confidence)


def _mean_of_known(values: Floats) -> Floats:
    """Means [columns] of values [rows, columns] that are numbers, NaN where none is."""
    known = np.isfinite(values)
    sums = np.where(known, values, 0.0).sum(0)
    return np.where(known.any(0), sums / np.maximum(known.sum(0), 1), np.nan)


def _with_interval(value: float, left_out: Floats, n: int, counts: tuple[int, int], confidence: float) -> Score:
    """The correlation with its interval; `left_out` [sources] without each source, `counts` are `n` and `missing`."""
    k = len(left_out)
    if n < _FEWEST:
        return Undefined("a correlation needs four items", *counts, k)
    if not np.isfinite(value):
        return Undefined("the values do not vary", *counts, k)
    if k < 2:
        return Undefined("an interval needs two sources", *counts, k)
    if not np.isfinite(left_out).all():
        return Undefined("one source alone holds all that varies", *counts, k)
    # half the smallest step by which ranks can fall short of full agreement
    most = 1 - 6 / (n * (n * n - 1))
    held = float(np.clip(value, -most, most))
    jackknife = jackknife_error(left_out) / (1 - held**2)
    independent = np.sqrt((1 + held**2 / 2) / (n - 3))
    half = float(stats.t.ppf((1 + confidence) / 2, k - 1)) * max(jackknife, float(independent))
    low, high = np.tanh(np.arctanh(held) - half), np.tanh(np.arctanh(held) + half)
    return Estimate(value, min(value, float(low)), max(value, float(high)), *counts, k)


def _correlation(first: Floats, second: Floats) -> float:
    """Pearson's correlation, NaN where a column does not vary."""
    if len(first) < 2:
        return np.nan
    x, y = first - first.mean(), second - second.mean()
    # equal values differ from their own mean by rounding alone
    if max(abs(x)) < 1e-12 or max(abs(y)) < 1e-12:
        return np.nan
    return float(np.clip(x @ y / np.sqrt((x @ x) * (y @ y)), -1.0, 1.0))


def _centred(values: Floats) -> Floats:
    """Deviations [items] from the mean, the greatest 1 in size; 0 where values differ by rounding alone."""
    if not len(values):
        return values
    gaps = values - values.mean()
    most = float(np.abs(gaps).max())
    return gaps / most if most >= 1e-12 else np.zeros(len(values))


def _moments(first: Floats, second: Floats, groups: Numbered) -> Floats:
    """Sums over each source [sources, 6] of 1, x, y, xy, xx and yy."""
    x, y = _centred(first), _centred(second)
    return cluster_sums(np.stack([np.ones(len(x)), x, y, x * y, x * x, y * y], axis=-1), groups)


def _from_sums(sums: Floats) -> Floats:
    """Correlations [...] from sums [..., 6] of 1, x, y, xy, xx and yy; NaN where a column does not vary."""
    n, x, y, xy, xx, yy = np.moveaxis(sums, -1, 0)
    n = np.maximum(n, 1)
    one, other = xx - x * x / n, yy - y * y / n
    varies = (one > 1e-12) & (other > 1e-12)
    return np.where(varies, np.clip((xy - x * y / n) / np.sqrt(np.where(varies, one * other, 1.0)), -1, 1), np.nan)


def _at(chosen: Mask, first: Places, second: Places) -> tuple[Places, Places]:
    return first[chosen], second[chosen]


def _rank_correlation(first: Places, second: Places) -> float:
    """Spearman's correlation of two columns, each value given as its place among the distinct ones."""
    return _correlation(_ranks_of(first), _ranks_of(second))


def _ranks_of(place: Places) -> Floats:
    n = np.bincount(place)
    return np.asarray((np.cumsum(n) - (n - 1) / 2)[place])


def _ratio(sums: Floats) -> float:
    """Covariance over both deviations from their sums [xy, xx, yy, ...], NaN where one is 0."""
    square = sums[1] * sums[2]
    return float(np.clip(sums[0] / np.sqrt(square), -1.0, 1.0)) if square > 1e-9 else np.nan
