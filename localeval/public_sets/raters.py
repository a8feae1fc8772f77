"""How far people agree who rate the same texts, how severe each is, and what that allows a judge to reach."""

from collections.abc import Sequence

import numpy as np

from localeval.stats.correlation import Mask, pearson
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.means import clustered_mean


def standardised(values: Floats, is_given: Mask) -> Floats:
    """Ratings [texts, raters] with mean 0 and standard deviation 1 for each rater, 0 where none is given.

    A rater who always says the same has 0 everywhere.
    """
    scaled = np.zeros_like(values)
    for rater in range(values.shape[1]):
        here = is_given[:, rater]
        said = values[here, rater]
        spread = float(said.std(ddof=1)) if len(said) > 1 else 0.0
        if spread > 1e-12:
            scaled[here, rater] = (said - said.mean()) / spread
    return scaled


def severity(values: Floats, is_given: Mask, rater: int, sources: Sequence[int], bounds: Interval) -> Score:
    """How much higher a rater rates than the others do on the same texts, in points; over sources.

    Negative: more severe than they are.
    """
    own, others, kept = _against(values, is_given, rater, sources)
    return clustered_mean(own - others, kept, bounds)


def with_others(values: Floats, is_given: Mask, rater: int, sources: Sequence[int]) -> Score:
    """Pearson's r of a rater with the mean of the others on the same texts."""
    own, others, kept = _against(values, is_given, rater, sources)
    return pearson(own, others, kept)


def reliability(alpha: Score, raters: float) -> Score:
    """Of the mean of so many raters, from the alpha of single ones; in [0, 1], 0 where alpha is negative.

    Spearman 1910 and Brown 1910: k alpha / (1 + (k - 1) alpha).
    """
    if isinstance(alpha, Undefined):
        return alpha
    value, low, high = (raters * held / (1 + (raters - 1) * held) for held in _held(alpha))
    return Estimate(value, low, high, alpha.n, alpha.missing, alpha.sources)


def ceiling(reliable: Score) -> Score:
    """The highest r with a mean of that reliability that can be expected: its square root (Spearman 1904)."""
    if isinstance(reliable, Undefined):
        return reliable
    value, low, high = (float(np.sqrt(each)) for each in _held(reliable))
    return Estimate(value, low, high, reliable.n, reliable.missing, reliable.sources)


def _held(score: Estimate) -> tuple[float, float, float]:
    value, low, high = (min(max(each, 0.0), 1.0) for each in (score.value, score.low, score.high))
    return value, low, high


def _against(values: Floats, is_given: Mask, rater: int, sources: Sequence[int]) -> tuple[Floats, Floats, list[int]]:
    """A rater's ratings, the means of the others, and the sources, of the texts that both rated."""
    others = is_given.copy()
    others[:, rater] = False
    n = others.sum(1)
    both = is_given[:, rater] & (n > 0)
    means = np.where(others, values, 0.0).sum(1) / np.maximum(n, 1)
    return values[both, rater], means[both], [source for source, kept in zip(sources, both, strict=True) if kept]
