"""Comparing systems on the same questions, and ranking those that can be told apart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Assumption, Floats, Ratio, design_effect

FOR_DIFFERENCES = Assumption(correlation=0.05, weight=8.0)
"""Less than for a single system: what makes a source easy or hard as a whole cancels out in a difference."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher the first system's ratio is than the second's, in [-1, 1], and how surprising that would be.

    `p_value` is two-sided, for equal systems. It agrees with the interval: below 0.05 where a 95 % one leaves out 0.
    """

    estimate: Estimate
    p_value: float


class RatioDifferences(NamedTuple):
    """Differences of ratios with intervals and p-values, one for each table; NaN where a denominator is 0."""

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats


def mcnemar(only_first: int, only_second: int) -> float:
    """Exact two-sided p-value that two systems are right equally often, on the questions of one source.

    The arguments count the questions that only the first, or only the second, got right; those that both or neither
    did say nothing. In (0, 1], 1 where there are none. McNemar 1947 with the binomial distribution.
    """
    discordant = only_first + only_second
    return 1.0 if discordant == 0 else float(stats.binomtest(only_first, discordant, 0.5).pvalue)


def joint_counts(
    first: Sequence[int] | NDArray[np.int_],
    second: Sequence[int] | NDArray[np.int_],
    source: Sequence[int] | NDArray[np.int_],
    sources: int,
    outcomes: int,
) -> Floats:
    """Counts [sources, outcomes, outcomes] of questions by what the first and the second system did on them.

    The sequences run over questions that have a verdict for both: outcome numbers, and the number of the source.
    """
    shape = (sources, outcomes, outcomes)
    places = np.asarray(source, int), np.asarray(first, int), np.asarray(second, int)
    return np.bincount(np.ravel_multi_index(places, shape), minlength=prod(shape)).reshape(shape).astype(float)


def ratio_differences(joint: Floats, ratio: Ratio, confidence: float = 0.95) -> RatioDifferences:
    """Differences first minus second of a pooled ratio over the same questions, for many pairs of systems at once.

    `joint` has shape [..., sources, outcomes, outcomes], as `joint_counts` makes it; the results have the leading
    shape. The variance is linearised question by question, so that what both find hard cancels out, and carries the
    design effect of `localeval.stats.intervals`; t interval, cut to [-1, 1]. One question each way is added to the
    variance (after Bonett and Price 2012), or systems that never differ would get an interval without width.
    """
    tops, bottoms = np.array(ratio.numerator), np.array(ratio.denominator)
    total = joint.sum(-3)
    with np.errstate(divide="ignore", invalid="ignore"):
        first, first_influence = _influence(total.sum(-1), tops, bottoms)
        second, second_influence = _influence(total.sum(-2), tops, bottoms)
        influence = (first_influence[..., :, None] - second_influence[..., None, :])[..., None, :, :]
        within = (joint * influence**2).sum((-1, -2, -3))
        between = ((joint * influence).sum((-1, -2)) ** 2).sum(-1)
        effect, freedom = design_effect(within, between, joint.sum((-1, -2)), FOR_DIFFERENCES)
        each_way = influence.max((-1, -2, -3)) ** 2 + influence.min((-1, -2, -3)) ** 2
        error = np.sqrt((within + each_way) * effect)
        value = first - second
        half = stats.t.ppf((1 + confidence) / 2, freedom) * error
        p_value = 2 * stats.t.sf(np.abs(value) / error, freedom)
    return RatioDifferences(value, np.maximum(value - half, -1.0), np.minimum(value + half, 1.0), p_value)


def _influence(counts: Floats, tops: Floats, bottoms: Floats) -> tuple[Floats, Floats]:
    """The ratio [...] of counts [..., outcomes], and how far one more question of each outcome would move it."""
    bottom = (counts @ bottoms)[..., None]
    value = (counts @ tops)[..., None] / bottom
    return value[..., 0], (tops - value * bottoms) / bottom


def paired_clustered(joint: Floats, ratio: Ratio, missing: int = 0, confidence: float = 0.95) -> Difference | Undefined:
    """The difference of two systems: `ratio_differences` for one table of joint counts [sources, outcomes, outcomes].

    `n` counts the questions compared, `missing` those that lack a verdict for either. Undefined where a ratio is.
    """
    units = joint.sum((-1, -2))
    n, sources = round(float(units.sum())), int((units > 0).sum())
    value, low, high, p_value = ratio_differences(joint, ratio, confidence)
    if not np.isfinite(value):
        return Undefined("nothing to divide by", n, missing, sources)
    return Difference(Estimate(float(value), float(low), float(high), n, missing, sources), float(p_value))


def rank_groups(
    values: Mapping[str, float], p_value: Callable[[str, str], float], level: float = 0.05
) -> dict[str, int]:
    """Ranks from 1, best first; systems that cannot be told apart from the first of their group share its rank.

    The systems are sorted by value, higher first, equal ones by name. Each in turn joins the current group unless it
    is significantly worse than the group's first, the best in it; else it opens a group of its own, ranked one
    more than the number of systems before it. `p_value` compares the group's first with the system, two-sided. With
    n systems n - 1 comparisons are made, so each must reach `level` / (n - 1) (Bonferroni). Sharing a rank is not
    proof of being equal: with few sources most systems share one.
    """
    order = sorted(values, key=lambda name: (-values[name], name))
    ranks: dict[str, int] = {}
    leader = ""
    for position, name in enumerate(order, start=1):
        if not leader or p_value(leader, name) < level / (len(order) - 1):
            leader = name
            ranks[name] = position
        else:
            ranks[name] = ranks[leader]
    return ranks
