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
from localeval.stats.concordance import net_concordance
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats

Mask = NDArray[np.bool_]

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
    groups = numbered(sources, len(values))

    def correlations(both: Mask, pair: tuple[int, int]) -> tuple[float, Floats]:
        first, second = values[both][:, pair[0]], values[both][:, pair[1]]
        found = _rank_correlations(first, second, Numbered(groups.place[both], groups.n))
        return float(found[0]), found[1:]

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
    order = np.argsort(groups, kind="stable")
    edges = np.flatnonzero(np.diff(groups[order])) + 1
    parts = []
    for here in np.split(order, edges):
        x, y = (ranks(column[here]) - (len(here) + 1) / 2 for column in (first, second))
        parts.append((x @ y, x @ x, y @ y, len(here) - 1))
    table = np.array(parts).reshape(-1, 4)
    table = table[table[:, 3] > 0]
    n = round(float(table[:, 3].sum())) + 1 if len(table) else 0
    total = table.sum(0)
    value = _ratio(total)
    left_out = np.array([_ratio(total - part) for part in table])
    return _with_interval(value, left_out, n, (len(groups), 0), confidence)


def kendall(
    first: Floats, second: Floats, sources: Sequence[int] | None = None, missing: int = 0, confidence: float = 0.95
) -> Score:
    """Kendall's rank correlation of two columns [items], tau-b, in [-1, 1]; of all pairs that neither column ties.

    Kendall 1945. Interval as of `spearman`: Fisher's scale, jackknife over sources, never narrower than that of
    independent items (Fieller, Hartley and Pearson 1957). scipy.stats.kendalltau has the value, but would count the
    pairs anew for every source that is left out; here each item's pairs are counted once.
    """
    n = len(first)
    groups = numbered(sources, n)
    everyone = Numbered(np.zeros(n, np.intp), 1)
    net, inside = (net_concordance(first, second, each) for each in (everyone, groups))
    # pairs that leave with a source: each of its items' pairs, those inside of it once
    gone = np.bincount(groups.place, weights=net - inside / 2, minlength=groups.n)
    left = np.concatenate([[0.0], gone])  # with all sources, then without each
    found = _tau(net.sum() / 2 - left, _without_ties(first, groups), _without_ties(second, groups))
    return _with_interval(float(found[0]), found[1:], n, (n, missing), confidence, is_tau=True)


def _without_ties(values: Floats, groups: Numbered) -> Floats:
    """Pairs that a column does not tie [1 + sources]: of all items, then without each source."""
    place = np.unique(values, return_inverse=True)[1]
    counts = np.bincount(place)
    cells, of_cell = np.unique(groups.place * len(counts) + place, return_counts=True)
    of_source, of_value = cells // max(len(counts), 1), cells % max(len(counts), 1)
    size = len(values) - np.bincount(groups.place, minlength=groups.n)
    # ties without a source: those of all, less what its own members of each value change
    change = (counts[of_value] - of_cell) * (counts[of_value] - of_cell - 1) - counts[of_value] * (counts[of_value] - 1)
    tied = (counts * (counts - 1)).sum() + np.bincount(of_source, weights=change, minlength=groups.n)
    whole = len(values) * (len(values) - 1) - (counts * (counts - 1)).sum()
    return np.asarray(np.concatenate([[whole], size * (size - 1) - tied]) / 2, float)


def _tau(net: Floats, first: Floats, second: Floats) -> Floats:
    """Tau-b [...] from net concordance and the pairs that each column does not tie; NaN where it ties all."""
    varies = (first > 0) & (second > 0)
    return np.where(varies, np.clip(net / np.sqrt(np.where(varies, first * second, 1.0)), -1, 1), np.nan)


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


def _with_interval(
    value: float,
    left_out: Floats,
    n: int,
    counts: tuple[int, int],
    confidence: float,
    is_tau: bool = False,
) -> Score:
    """The correlation with its interval; `left_out` [sources] without each source, `counts` are `n` and `missing`.

    `is_tau` takes Kendall's error of independent items instead of Spearman's.
    """
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
    square = 0.437 / max(n - 4, 0.5) if is_tau else (1 + held**2 / 2) / (n - 3)
    half = float(stats.t.ppf((1 + confidence) / 2, k - 1)) * max(jackknife, float(np.sqrt(square)))
    low, high = np.tanh(np.arctanh(held) - half), np.tanh(np.arctanh(held) + half)
    return Estimate(value, min(value, float(low)), max(value, float(high)), *counts, k)


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


def _rank_correlations(first: Floats, second: Floats, groups: Numbered) -> Floats:
    """Spearman's correlation of two columns [1 + sources]: of all items, then without each source.

    Items are ranked by how many there are of each value, and counted by the cells of equal values in both columns, so
    that grades by the million take no longer than the table of the grades.
    """
    x, y = (np.unique(column, return_inverse=True)[1] for column in (first, second))
    width = int(y.max(initial=0)) + 1
    cells, cell = np.unique(x * width + y, return_inverse=True)
    cell_x, cell_y = cells // width, cells % width
    every = np.bincount(cell, minlength=len(cells)).astype(float)
    members = np.split(cell[np.argsort(groups.place, kind="stable")], np.cumsum(np.bincount(groups.place))[:-1])
    found = np.full(1 + groups.n, np.nan)
    for g, gone in enumerate([np.array([], int), *members]):
        n: Floats = every - np.bincount(gone, minlength=len(cells))
        ranks_x, ranks_y = _centred_ranks(cell_x, n), _centred_ranks(cell_y, n)
        found[g] = _ratio(np.array([n @ (ranks_x * ranks_y), n @ ranks_x**2, n @ ranks_y**2]))
    return found


def _centred_ranks(level: NDArray[np.intp], n: Floats) -> Floats:
    """Mean ranks [cells] about the middle one, of so many items of each level as the cells hold."""
    of_level = np.bincount(level, weights=n)
    return np.asarray((np.cumsum(of_level) - (of_level - 1) / 2 - (n.sum() + 1) / 2)[level])


def _ratio(sums: Floats) -> float:
    """Covariance over both deviations from their sums [xy, xx, yy, ...], NaN where one is 0."""
    square = sums[1] * sums[2]
    return float(np.clip(sums[0] / np.sqrt(square), -1.0, 1.0)) if square > 1e-9 else np.nan
