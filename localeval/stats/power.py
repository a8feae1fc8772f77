"""What a study can find: how many sources tell two systems apart, and how small a difference so many can show."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import special, stats

from localeval.stats.estimate import Undefined
from localeval.stats.intervals import Floats

MOST_SOURCES = 10_000
"""Where more would be needed, no number is given."""

LEAST_SOURCES = 3
"""From fewer sources no spread of differences is read."""

_SPREAD_CONFIDENCE = 0.8


@dataclass(frozen=True, slots=True)
class SourcesNeeded:
    """Sources with which the paired t test finds `difference` with probability `power` at two-sided `level`.

    `n` rests on the standard deviation `sd` of the differences found so far, `n_high` on the upper end of the one-sided
    80 % interval of that deviation (Browne 1995): from few sources the spread is hardly known, and `n` is too low as
    often as too high. None: more than `MOST_SOURCES`.
    """

    n: int | None
    n_high: int | None
    difference: float
    sd: float
    power: float
    level: float


def paired_power(n: int, difference: float, sd: float, level: float = 0.05) -> float:
    """Probability in [0, 1] that the two-sided paired t test over n sources is significant at `level`.

    For normal differences of mean `difference` and standard deviation `sd` > 0: the noncentral t distribution with
    n - 1 degrees of freedom and noncentrality sqrt(n) difference / sd (Cohen 1988, chapter 2), as the mean over the
    spread that may be found of the normal probability given that spread; exact to 1e-5. Takes n of 2 or more.
    """
    freedom = n - 1
    centre = math.sqrt(n) * abs(difference) / sd
    # not stats.nct: its series do not end for some large noncentralities
    shares, weights = _quadrature()
    bars = float(stats.t.ppf(1 - level / 2, freedom)) * np.sqrt(stats.chi2.ppf(shares, freedom) / freedom)
    return min(1.0, float(weights @ (special.ndtr(centre - bars) + special.ndtr(-centre - bars))))


@lru_cache(maxsize=1)
def _quadrature() -> tuple[Floats, Floats]:
    """Points in (0, 1) and weights that integrate a smooth function over it (Gauss and Legendre)."""
    points, weights = np.polynomial.legendre.leggauss(128)
    return (points + 1) / 2, weights / 2


def sources_for(difference: float, sd: float, power: float = 0.8, level: float = 0.05) -> int | None:
    """The least n, 2 or more, with which `paired_power` reaches `power`; None above `MOST_SOURCES`."""
    if difference == 0 or paired_power(MOST_SOURCES, difference, sd, level) < power:
        return None
    too_few, enough = 1, MOST_SOURCES
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        if paired_power(middle, difference, sd, level) >= power:
            enough = middle
        else:
            too_few = middle
    return enough


def sources_to_tell_apart(
    gaps: Floats, difference: float | None = None, power: float = 0.8, level: float = 0.05
) -> SourcesNeeded | Undefined:
    """How many sources would tell two systems apart whose differences on the sources so far are `gaps` [sources].

    `difference` is what is to be found; by default the mean of the gaps, which chance has likely made larger than it
    is. Undefined below three sources, or where all gaps are the same.
    """
    n = len(gaps)
    if n < LEAST_SOURCES:
        return Undefined(f"the spread of differences takes {LEAST_SOURCES} common sources", n, 0, n)
    sd = float(np.std(gaps, ddof=1))
    if sd < 1e-12:  # rounding alone
        return Undefined("the systems differ by the same on every source", n, 0, n)
    sought = float(gaps.mean()) if difference is None else difference
    high = sd * math.sqrt((n - 1) / float(stats.chi2.ppf(1 - _SPREAD_CONFIDENCE, n - 1)))
    if abs(sought) < 1e-12:
        return SourcesNeeded(None, None, 0.0, sd, power, level)
    needed, needed_high = (sources_for(sought, each, power, level) for each in (sd, high))
    return SourcesNeeded(needed, needed_high, sought, sd, power, level)


def least_difference(n: int, sd: float, power: float = 0.8, level: float = 0.05) -> float:
    """The minimal detectable difference: the least mean difference that n sources find with probability `power`.

    `paired_power` turned round, to 1e-6 of `sd`; `sd` is that of the differences on single sources. From n of 2.
    """
    low, high = 0.0, 1.0
    while paired_power(n, high, 1.0, level) < power:
        low, high = high, 2 * high
    while high - low > 1e-6:
        middle = (low + high) / 2
        low, high = (low, middle) if paired_power(n, middle, 1.0, level) >= power else (middle, high)
    return high * sd


def share_power(n: float, first: float, second: float, level: float = 0.05, effect: float = 1.0) -> float:
    """Probability in [0, 1] of telling apart two shares, each of n items of its own, at two-sided `level`.

    The normal approximation of the test with a pooled variance (Fleiss, Levin and Paik 2003, chapter 4, without their
    correction), which is what R's power.prop.test gives; here both tails count. `effect` is the design effect,
    1 + (m - 1) correlation for m items a source (`localeval.stats.intervals`): so many clustered items are worth one.
    """
    n_worth = n / effect
    middle = (first + second) / 2
    pooled = math.sqrt(2 * middle * (1 - middle))
    apart = math.sqrt(first * (1 - first) + second * (1 - second))
    bar, gap = float(stats.norm.ppf(1 - level / 2)) * pooled, abs(first - second) * math.sqrt(n_worth)
    if apart == 0.0:
        return float(gap > bar)
    return min(1.0, float(special.ndtr((gap - bar) / apart) + special.ndtr((-gap - bar) / apart)))


def paired_share_power(n: int, only_first: float, only_second: float, level: float = 0.05) -> float:
    """Probability in [0, 1] that McNemar's exact test of n items is significant at two-sided `level`.

    `only_first` and `only_second` are the shares of items that only the one or only the other gets right. Exact: over
    how many items differ, and then over who is right on them. Duffy 1984. Items count as independent: divide n by the
    design effect where sources cluster.
    """
    discordant = only_first + only_second
    if discordant <= 0.0:
        return 0.0
    found = 0.0
    spread = 8 * math.sqrt(n * discordant * (1 - discordant)) + 1
    for m in range(max(0, int(n * discordant - spread)), min(n, int(n * discordant + spread)) + 1):
        # the most on the smaller side that is still significant
        bar = int(stats.binom.ppf(level / 2, m, 0.5)) - 1
        bar += int(2 * stats.binom.cdf(bar + 1, m, 0.5) <= level)
        tails = stats.binom.cdf(bar, m, only_first / discordant) + stats.binom.cdf(bar, m, only_second / discordant)
        found += float(stats.binom.pmf(m, n, discordant) * tails)
    return min(1.0, found)
