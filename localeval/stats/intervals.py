"""Intervals of pooled ratios over few sources.

Questions about one source are not independent: a source is easy or hard as a whole. docs/statistics.md has the
study behind the choice made here; in short, for 2 to 30 sources of 6 to 20 questions the percentile bootstrap over
sources covers 47 to 95 % where 95 % is claimed, and `ratio_intervals` 92 % or more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from localeval.stats.estimate import Estimate, Score, Undefined

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """A pooled ratio of counted outcomes: sum(numerator * counts) / sum(denominator * counts).

    One weight for each kind of outcome. With outcomes right, wrong, not answered: CapR is (1, 0, 0) / (1, 1, 1),
    CapP is (1, 0, 0) / (1, 1, 0), and CapF1, their harmonic mean, is (2, 0, 0) / (2, 2, 1). The ratio must lie in
    [0, 1] for every outcome.
    """

    numerator: tuple[float, ...]
    denominator: tuple[float, ...]

    def __post_init__(self) -> None:
        pairs = list(zip(self.numerator, self.denominator, strict=True))
        if not all(0.0 <= top <= bottom for top, bottom in pairs) or not any(self.denominator):
            raise ValueError(f"each numerator must be in [0, denominator]: {pairs}")


@dataclass(frozen=True, slots=True)
class Assumption:
    """What is taken to hold before any source was seen, and how many sources' worth of evidence it counts for.

    `correlation`: what two questions about one source have in common. The values used were chosen by simulation
    (docs/statistics.md).
    """

    correlation: float
    weight: float


FOR_RATIOS = Assumption(correlation=0.1, weight=4.0)


class RatioIntervals(NamedTuple):
    """Ratios with their intervals, one for each table of counts; NaN where the denominator is 0."""

    value: Floats
    low: Floats
    high: Floats


def wilson(successes: float, trials: float, confidence: float = 0.95) -> Interval:
    """Score interval of a proportion of independent trials, in [0, 1]; fractions of trials may be given.

    Raises ValueError unless 0 <= successes <= trials and trials > 0. Wilson 1927; Brown, Cai and DasGupta 2001, eq. 4.
    """
    if not 0.0 <= successes <= trials or trials <= 0.0:
        raise ValueError(f"{successes} successes in {trials} trials")
    quantile = np.asarray(stats.norm.ppf((1 + confidence) / 2))
    low, high = _wilson(np.asarray(successes / trials), np.asarray(float(trials)), quantile)
    return Interval(float(low), float(high))


def _wilson(share: Floats, trials: Floats, quantile: Floats) -> tuple[Floats, Floats]:
    square = quantile**2
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    half = quantile * np.sqrt(share * (1 - share) / trials + square / (4 * trials**2)) / (1 + square / trials)
    return np.minimum(np.clip(centre - half, 0.0, 1.0), share), np.maximum(np.clip(centre + half, 0.0, 1.0), share)


def ratio_intervals(counts: Floats, ratio: Ratio, confidence: float = 0.95) -> RatioIntervals:
    """Pooled ratios and their intervals over sources, for many systems at once.

    `counts` has shape [..., sources, outcomes]; the results have the leading shape. The interval is Wilson's with the
    effective number of questions, N / design effect, and a t quantile (Dean and Pagano 2015, for survey samples). The
    design effect, 1 + (m - 1) * correlation for m questions a source, comes from the linearised variance over
    sources. Deviation: the correlation is drawn towards an assumed one, since two or three sources that happen to agree
    would otherwise give an interval without width. A single source has design effect 1 and the normal quantile.
    """
    top, bottom = counts @ np.array(ratio.numerator), counts @ np.array(ratio.denominator)
    units = counts @ (np.array(ratio.denominator) > 0).astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = top.sum(-1) / bottom.sum(-1)
        weights = np.array(ratio.numerator) - value[..., None] * np.array(ratio.denominator)
        within = (counts * weights[..., None, :] ** 2).sum((-1, -2))
        between = ((top - value[..., None] * bottom) ** 2).sum(-1)
        effect, freedom = design_effect(within, between, units, FOR_RATIOS)
        # a proportion's own N; elsewhere the number of yes-or-no trials of equal variance
        trials = np.where(within > 0, value * (1 - value) * bottom.sum(-1) ** 2 / within, units.sum(-1))
        low, high = _wilson(value, trials / effect, stats.t.ppf((1 + confidence) / 2, freedom))
    return RatioIntervals(value, low, high)


class DesignEffect(NamedTuple):
    """Variance over sources by variance of independent questions, and the degrees of freedom it is known with."""

    effect: Floats
    freedom: Floats


def design_effect(within: Floats, between: Floats, units: Floats, assumption: Assumption) -> DesignEffect:
    """The design effect measured over sources, drawn to an assumed one the more, the fewer they are; at least 1.

    `within` sums squared deviations over questions [...], `between` over sources [...]; `units` counts questions
    [..., sources]. Call it where numpy is told to let 0 / 0 pass.
    """
    sources = (units > 0).sum(-1).astype(float)
    size = (units**2).sum(-1) / units.sum(-1)
    measured = sources / (sources - 1) * between / within
    correlation = (measured - 1) / (size - 1)
    # nothing was measured where all answers are alike, or no source has two questions
    known = np.where(np.isfinite(correlation), sources - 1, 0.0)
    weighed = known * np.nan_to_num(correlation, posinf=0.0, neginf=0.0) + assumption.weight * assumption.correlation
    effect = 1 + (size - 1) * np.clip(weighed / (known + assumption.weight), 0.0, 1.0)
    is_single = sources <= 1
    freedom = np.where(is_single, np.inf, sources - 1 + assumption.weight)
    return DesignEffect(np.where(is_single, 1.0, effect), freedom)


def clustered_ratio(counts: Floats, ratio: Ratio, missing: int = 0, confidence: float = 0.95) -> Score:
    """One pooled ratio with its interval: `ratio_intervals` for one table of counts [sources, outcomes].

    `n` counts the questions in the denominator, `sources` those that have any. Undefined where there are none.
    """
    return clustered_ratios(counts[None], ratio, [missing], confidence)[0]


def clustered_ratios(counts: Floats, ratio: Ratio, missing: Sequence[int], confidence: float = 0.95) -> list[Score]:
    """`clustered_ratio` of each of many tables [tables, sources, outcomes] in one pass, in their order."""
    units = counts @ (np.array(ratio.denominator) > 0).astype(float)
    table = ratio_intervals(counts, ratio, confidence)
    columns = (units.sum(-1), (units > 0).sum(-1), missing, *table)
    return [
        Estimate(value, low, high, round(n), lost, sources) if sources
        else Undefined("nothing to divide by", round(n), lost, sources)
        for n, sources, lost, value, low, high in zip(*(np.asarray(each).tolist() for each in columns), strict=True)
    ]  # fmt: skip


def mean_of_sources(values: Floats, missing: int = 0, confidence: float = 0.95) -> Score:
    """Mean over sources, each counting the same, with a t interval cut to [0, 1]; `values` [sources] are in [0, 1].

    Undefined for fewer than two sources: one value has no spread. Below about ten sources prefer `clustered_ratio`.
    """
    sources = len(values)
    if sources < 2:
        return Undefined("a mean over sources needs two", sources, missing, sources)
    value = float(np.mean(values))
    half = float(stats.t.ppf((1 + confidence) / 2, sources - 1) * np.std(values, ddof=1) / np.sqrt(sources))
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), sources, missing, sources)


def clustered_bootstrap(
    statistic: Callable[[Floats], Floats],
    sources: int,
    rng: np.random.Generator,
    confidence: float = 0.95,
    resamples: int = 9999,
) -> Interval:
    """Percentile interval of any statistic over resampled sources, for what is not a pooled ratio.

    `statistic` gets weights [resamples, sources] (how often each source was drawn; rows sum to `sources`) and gives
    values [resamples]; with counts [sources, outcomes], `weights @ counts` are the resampled totals. The percentiles
    are widened for few sources (Hesterberg 2015). Even so it undercovers below ten sources
    (docs/statistics.md): use `clustered_ratio` wherever it applies. Raises ValueError for fewer than two sources, or
    where the statistic is not finite for a resample.
    """
    if sources < 2:
        raise ValueError("a bootstrap over sources needs two")
    weights = rng.multinomial(sources, np.full(sources, 1 / sources), resamples).astype(float)
    values = statistic(weights)
    if values.shape != (resamples,) or not np.isfinite(values).all():
        raise ValueError(f"the statistic must give {resamples} finite values; handle resamples that divide by nothing")
    quantile = stats.t.ppf((1 + confidence) / 2, sources - 1) * np.sqrt(sources / (sources - 1))
    tail = float(stats.norm.cdf(-quantile))
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(float(low), float(high))
