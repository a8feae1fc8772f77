"""The interval of any statistic from its values without each source in turn."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from localeval.stats.clustered import jackknife_error
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval

SIGNED = Interval(-1.0, 1.0)
"""Where coefficients of agreement and correlation lie."""

_ROUNDING = 1e-12
_MOST_BLOCKS = 60
_LONE = "one source alone holds all that differs"


def jackknifed(
    value: float,
    left_out: Floats,
    n: int,
    missing: int = 0,
    bounds: Interval = SIGNED,
    confidence: float = 0.95,
) -> Score:
    """A statistic of `n` items with the jackknife interval over sources, t with sources - 1, cut to `bounds`.

    `left_out` [sources] are its values without each source (Tukey 1958; Efron 1982, eq. 3.5). Where it is the same
    without each, which is no certainty, the interval allows for as many sources as may have gone unseen (`unseen`) at
    either bound. Undefined below two sources, and where a value is not finite: then one source holds what the statistic
    needs.
    """
    k = len(left_out)
    if k < 2:
        return Undefined("an interval needs two sources", n, missing, k)
    if not (np.isfinite(value) and np.isfinite(left_out).all()):
        return Undefined(_LONE, n, missing, k)
    half = float(stats.t.ppf((1 + confidence) / 2, k - 1)) * jackknife_error(left_out)
    low, high = max(bounds.low, value - half), min(bounds.high, value + half)
    if half < _ROUNDING:
        share = unseen(k, confidence)
        low, high = value - share * (value - bounds.low), value + share * (bounds.high - value)
    return Estimate(value, min(value, low), max(value, high), n, missing, k)


def over_sources(
    value: Callable[[Floats, Floats], float],
    first: Floats,
    second: Floats,
    sources: Sequence[int],
    bounds: Interval = SIGNED,
    confidence: float = 0.95,
) -> Score:
    """A statistic of two columns [items] that has no interval of its own, with that of `jackknifed`.

    `value` gives NaN where it is not defined (`localeval.stats.two_raters`); Undefined where it is not of all items.
    Many sources leave in blocks, as in `mean_of_groups`.
    """
    source, n_sources = _blocks(sources)
    whole = value(first, second)
    if not np.isfinite(whole):
        return Undefined("too few items, or values that do not vary", len(first))
    left_out = [value(first[source != each], second[source != each]) for each in np.unique(source)]
    found = jackknifed(whole, np.array(left_out), len(first), 0, bounds, confidence)
    return replace(found, sources=n_sources)


def unseen(sources: int, confidence: float = 0.95) -> float:
    """The largest share of sources of another kind of which none would be among so many, in (0, 1].

    Such a sample has a probability of 1 - confidence at that share (Clopper and Pearson 1934, for no success).
    """
    return float(1 - (1 - confidence) ** (1 / sources))


def allowing_for_steps(score: Score, step: float, bounds: Interval, confidence: float = 0.95) -> Score:
    """A mean of differences whose interval has no width, because all sources happen to give the same, with some.

    It then allows for one `step` of the scale, up or down, in as many sources as may have gone unseen (`unseen`).
    """
    if isinstance(score, Undefined) or score.high - score.low > _ROUNDING or step <= 0.0:
        return score
    half = step * unseen(score.sources, confidence)
    low, high = max(bounds.low, score.value - half), min(bounds.high, score.value + half)
    return replace(score, low=min(low, score.value), high=max(high, score.value))


def step_of(values: Floats) -> float:
    """The smallest distance of two values that differ, 0 where none do."""
    gaps = np.diff(np.unique(values))
    return float(gaps.min()) if len(gaps) else 0.0


def mean_of_groups(
    value: Callable[[NDArray[np.bool_]], float],
    groups: Sequence[int],
    sources: Sequence[int],
    bounds: Interval = SIGNED,
    confidence: float = 0.95,
) -> Score:
    """Mean over groups of items of a statistic that is taken within each: what pooling all items does not tell.

    `groups` and `sources` [items] number both; `value` is the statistic of the items where its mask [items] is True,
    NaN where it has none. Every group counts the same. A group in which the statistic is not defined, or hangs on one
    source, does not enter. The interval is the jackknife's over sources of the mean, so that groups about the same
    sources are not taken for independent; more than 60 sources leave in 60 blocks of equal size (Kott 2001, the
    delete-a-group jackknife), so that its time does not grow with their square. Undefined where no group enters; `n`
    counts the items of those that do.
    """
    group, (source, n_sources) = np.asarray(groups, int), _blocks(sources)
    labels = np.unique(source)
    values, left_out, n = [], [], 0
    for each in np.unique(group):
        here = group == each
        whole = value(here)
        if not np.isfinite(whole):
            continue
        told = set(source[here].tolist())  # leaving out a source that the group does not have changes nothing
        without = [value(here & (source != label)) if label in told else whole for label in labels.tolist()]
        if np.isfinite(without).all():
            values.append(whole)
            left_out.append(without)
            n += int(here.sum())
    if not values:
        return Undefined("in no group is it defined", len(group), 0, n_sources)
    found = jackknifed(float(np.mean(values)), np.mean(left_out, axis=0), n, 0, bounds, confidence)
    return replace(found, sources=n_sources)


def _blocks(sources: Sequence[int]) -> tuple[NDArray[np.intp], int]:
    """The block of sources that each item belongs to [items], a source by itself where they are few; how many sources.

    Sources are dealt to blocks in turn.
    """
    labels, place = np.unique(np.asarray(sources, int), return_inverse=True)
    return np.asarray(place % _MOST_BLOCKS, np.intp), len(labels)
