"""Intervals and tests from drawing again: over items, or over whole sources where the items of a source are alike.

A bootstrap draws sources with replacement, a permutation test turns their signs. Both trust that sources stand for more
of their kind, and the bootstrap needs some ten of them (docs/statistics.md): below, use the t intervals of
`localeval.stats.means` and `clustered`. scipy.stats.bootstrap and permutation_test draw items, not clusters, and hold
every draw of every item in memory; here sums over sources are drawn. Their numbers are the same where there is one
item a source (tests/stats/test_resampling.py).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from scipy import stats

from localeval.stats.clustered import Clusters, cluster_sums, numbered, without_each
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.paired import Difference

RESAMPLES = 9999
MOST_SIGNS = 20_000
"""Up to so many ways to turn signs are all tried; of more, so many are drawn."""

_CHUNK = 2**22
"""Numbers that are drawn at once: 32 MB."""
_MANY_KINDS, _MOST_DRAWN, _FEWEST_RESAMPLES = 20_000, 1_000_000_000, 999
"""From so many different clusters they are drawn one by one, so many in all, in so many draws at least."""

Statistic = Callable[[Floats], Floats]
"""A statistic [...] of summed columns [..., columns], finite for every draw."""


@dataclass(frozen=True, slots=True)
class SignTest:
    """The mean difference of paired values and how surprising it would be if it were as likely the other way round.

    `p_value` is two-sided, in (0, 1]; `least_p` is the smallest that so many clusters can give, whatever the values.
    `n` counts items, `clusters` what was turned; `is_exact` tells whether every way to turn signs was tried.
    """

    difference: float
    p_value: float
    least_p: float
    n: int
    clusters: int
    is_exact: bool


def bca_interval(
    statistic: Statistic,
    parts: Floats,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
) -> Interval:
    """The bias-corrected and accelerated bootstrap interval of a statistic of sums over clusters.

    `parts` [clusters, columns] are each cluster's sums (`cluster_sums`), `statistic` gets those of the clusters drawn:
    for a pooled share `parts` are right answers and questions, and `statistic` divides the one by the other. Efron
    1987; Efron and Tibshirani 1993, section 14.3, the acceleration from the jackknife over clusters. Deviations: the
    normal quantile is widened for few clusters, as in `clustered_bootstrap` (Hesterberg 2015); draws equal to the value
    count half for the bias; of more than 100,000 clusters that all differ fewer draws are made, but 999 at least.
    Where the draws do not vary the interval has no width. Below ten clusters it covers less than it says. Raises
    ValueError below two clusters or where the statistic is not finite.
    """
    value, draws = _drawn(statistic, parts, rng, resamples)
    levels = _Bca(value, draws, statistic(without_each(parts))).levels(np.array([1 - confidence, 1 + confidence]) / 2)
    low, high = np.quantile(draws, levels)
    return Interval(float(low), float(high))


def bootstrap_mean(
    values: Floats,
    rng: np.random.Generator,
    sources: Clusters | None = None,
    missing: int = 0,
    confidence: float = 0.95,
) -> Score:
    """Mean over items of values [items], each counting the same, with the interval of `bca_interval` over sources.

    Without sources the items are drawn. Undefined below two sources. `sources` of the score counts what was drawn.
    """
    parts = _parts(values, sources)
    n, k = len(values), len(parts)
    if k < 2:
        return Undefined("a bootstrap needs two sources", n, missing, k)
    low, high = bca_interval(_mean, parts, rng, confidence)
    value = float(_mean(parts.sum(0)))
    return Estimate(value, min(value, low), max(value, high), n, missing, k)


def paired_bootstrap(
    first: Floats,
    second: Floats,
    rng: np.random.Generator,
    sources: Clusters | None = None,
    missing: int = 0,
    confidence: float = 0.95,
) -> Difference | Undefined:
    """Mean difference first minus second of values [items] of the same items, drawn over sources.

    The interval is that of `bca_interval`, the p-value the level at which such an interval would end at 0, two-sided,
    at least 2 / (draws + 1). Undefined below two sources.
    """
    parts = _parts(first - second, sources)
    n, k = len(first), len(parts)
    if k < 2:
        return Undefined("a bootstrap needs two sources", n, missing, k)
    value, draws = _drawn(_mean, parts, rng, RESAMPLES)
    bca = _Bca(value, draws, _mean(without_each(parts)))
    low, high = np.quantile(draws, bca.levels(np.array([1 - confidence, 1 + confidence]) / 2))
    estimate = Estimate(value, min(value, float(low)), max(value, float(high)), n, missing, k)
    return Difference(estimate, bca.p_value())


class _Bca:
    """Draws [resamples] of a statistic with their correction for bias, acceleration and few clusters."""

    def __init__(self, value: float, draws: Floats, left_out: Floats) -> None:
        self.draws = draws
        below = float((draws < value).mean() + (draws == value).mean() / 2)
        self.bias = float(stats.norm.ppf(np.clip(below, 1 / (len(draws) + 1), len(draws) / (len(draws) + 1))))
        gaps = left_out.mean() - left_out
        square = float((gaps**2).sum())
        self.acceleration = float((gaps**3).sum()) / (6 * square**1.5) if square > 0.0 else 0.0
        self.freedom = len(left_out) - 1
        self.wider = np.sqrt(len(left_out) / self.freedom)

    def levels(self, tails: Floats) -> Floats:
        """Which quantiles of the draws stand for these of an exact interval [tails]."""
        shifted = self.bias + stats.t.ppf(tails, self.freedom) * self.wider
        # beyond the pole the ends would change places
        scale = np.maximum(1 - self.acceleration * shifted, 1e-3)
        return np.asarray(stats.norm.cdf(self.bias + shifted / scale))

    def p_value(self) -> float:
        """Twice the tail whose end would be 0: `levels` turned round."""
        n = len(self.draws)
        share = float((self.draws < 0).mean() + (self.draws == 0).mean() / 2)
        gap = float(stats.norm.ppf(np.clip(share, 1 / (n + 1), n / (n + 1)))) - self.bias
        shifted = gap / max(1 + self.acceleration * gap, 1e-3)
        tail = float(stats.t.cdf((shifted - self.bias) / self.wider, self.freedom))
        return min(1.0, max(2 * min(tail, 1 - tail), 2 / (n + 1)))


def paired_signs(
    first: Floats, second: Floats, rng: np.random.Generator, sources: Clusters | None = None
) -> SignTest | Undefined:
    """The paired permutation test of values [items] of the same items: the two change places in whole sources.

    Fisher 1935; by source because a source that favours one of the two does so in all of its items. All ways are tried
    up to 20,000 (14 sources); of more, so many are drawn, and the p-value is (1 + at least as far) / (1 + drawn)
    (Phipson and Smyth 2010). Without sources each item is turned alone. Undefined without any item.
    """
    gaps = first - second
    n = len(gaps)
    if not n:
        return Undefined("no item")
    sums = _parts(gaps, sources)[:, 0]
    k = len(sums)
    scale = float(np.abs(sums).max()) or 1.0
    moving = sums[sums != 0.0] / scale
    is_exact = 2 ** min(len(moving), 60) <= MOST_SIGNS
    turned = _all_turned(moving) if is_exact else _drawn_turned(moving, rng)
    # rounding must not part ways that are equally far
    far = int((np.abs(turned) >= abs(moving.sum()) - 1e-9 * max(1.0, np.abs(moving).sum())).sum())
    p_value = far / len(turned) if is_exact else (1 + far) / (1 + len(turned))
    least = min(1.0, 2.0 ** (1 - min(k, 60)))
    return SignTest(float(gaps.mean()), p_value, max(least, 0.0 if is_exact else 1 / (1 + MOST_SIGNS)), n, k, is_exact)


def _all_turned(sums: Floats) -> Floats:
    """Sums over every way to turn signs."""
    ways = np.zeros(1)
    for each in sums:
        ways = np.concatenate([ways - each, ways + each])
    return ways


def _drawn_turned(sums: Floats, rng: np.random.Generator) -> Floats:
    """Sums over drawn ways. Sums of equal size are turned together: how many of them keep their sign is binomial."""
    sizes, n = np.unique(np.abs(sums), return_counts=True)
    rows = max(1, _CHUNK // len(sizes))
    found = []
    for start in range(0, MOST_SIGNS, rows):
        shape = (min(rows, MOST_SIGNS - start), len(sizes))
        kept = rng.integers(0, 2, shape, np.int8) if n.max() == 1 else rng.binomial(n, 0.5, shape)
        found.append((2.0 * kept - n) @ sizes)
    return np.concatenate(found)


def _mean(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def _parts(values: Floats, sources: Clusters | None) -> Floats:
    """Each source's sum of values and number of items [sources, 2]; values may be numbers of any size."""
    columns = np.stack([values, np.ones(len(values))], axis=-1)
    return columns if sources is None else cluster_sums(columns, numbered(sources, len(values)))


def _drawn(statistic: Statistic, parts: Floats, rng: np.random.Generator, resamples: int) -> tuple[float, Floats]:
    """The statistic of all clusters, and of the clusters drawn [resamples]."""
    if len(parts) < 2:
        raise ValueError("a bootstrap needs two clusters")
    value = float(statistic(parts.sum(0)))
    draws = np.concatenate([np.atleast_1d(statistic(sums)) for sums in _resampled(parts, rng, resamples)])
    if not np.isfinite(draws).all() or not np.isfinite(value):
        raise ValueError("the statistic must be finite for every draw; handle draws that divide by nothing")
    return value, draws


def _resampled(parts: Floats, rng: np.random.Generator, resamples: int) -> Iterator[Floats]:
    """Sums [draws, columns] over clusters drawn, in pieces. Clusters with equal sums are one kind, drawn together."""
    kinds, n = np.unique(parts, axis=0, return_counts=True)
    k = len(parts)
    if len(kinds) > _MANY_KINDS:
        columns = np.asfortranarray(parts)
        for _ in range(max(min(resamples, _MOST_DRAWN // k), min(resamples, _FEWEST_RESAMPLES))):
            yield (np.bincount(rng.integers(0, k, k, np.int32), minlength=k) @ columns)[None]
        return
    rows = max(1, _CHUNK // len(kinds))
    for start in range(0, resamples, rows):
        yield rng.multinomial(k, n / k, min(rows, resamples - start)).astype(float) @ kinds
