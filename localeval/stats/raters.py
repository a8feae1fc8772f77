"""What raters make of the same items: how high each marks, and how far two groups of items lie apart.

Tables are values [items, raters] with a mask `is_given` of the same shape; `sources` numbers the source of each item.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.jackknife import allowing_for_steps, step_of
from localeval.stats.means import clustered_effect, clustered_mean

Mask = NDArray[np.bool_]

ANYWHERE = Interval(-np.inf, np.inf)


def mean_of_others(values: Floats, is_given: Mask, rater: int, among: Sequence[int]) -> tuple[Floats, Mask]:
    """(mean of the raters in `among` but this one [items], where there is any)."""
    others = [each for each in among if each != rater]
    n = is_given[:, others].sum(1)
    return (values * is_given)[:, others].sum(1) / np.maximum(n, 1), n > 0


def severity(
    values: Floats,
    is_given: Mask,
    rater: int,
    among: Sequence[int],
    sources: Sequence[int],
    confidence: float = 0.95,
) -> Score:
    """How much higher a rater marks than the others in `among` do, on the items that it and any of them rated.

    The mean over items of its value less their mean, in the values' own unit; below 0 it marks lower. The interval is
    of `localeval.stats.means.clustered_mean`. Undefined where no item was rated by both, or in one source alone.
    """
    others, is_there = mean_of_others(values, is_given, rater, among)
    both = is_given[:, rater] & is_there
    if not both.any():
        return Undefined("no item with another rater", 0, int(is_there.sum()))
    missing = int((is_there & ~both).sum())
    return mean_gap(
        values[both, rater], others[both], np.asarray(sources, int)[both].tolist(), missing, confidence=confidence
    )


def mean_gap(
    first: Floats,
    second: Floats,
    sources: Sequence[int],
    missing: int = 0,
    step: float = 0.0,
    confidence: float = 0.95,
) -> Score:
    """Mean over items of the first values less the second, in their own unit, with an interval over sources.

    As `localeval.stats.means.clustered_mean`; where all differences are the same, the interval allows for a `step` of
    the scale in sources that were not seen (`localeval.stats.jackknife.allowing_for_steps`), which is the smallest
    distance of two values where it is not given.
    """
    found = clustered_mean(first - second, sources, ANYWHERE, missing, confidence)
    return allowing_for_steps(found, step or step_of(np.concatenate([first, second])), ANYWHERE, confidence)


def standardised(values: Floats, is_given: Mask) -> Floats:
    """Each rater's values less their mean, over their standard deviation [items, raters]; 0 where none is given.

    So that who marks high, or uses little of the scale, does not for that disagree. A rater whose values are all alike
    gets 0 throughout.
    """
    found = np.zeros(values.shape)
    for rater, given in enumerate(is_given.T):
        column = values[given, rater]
        spread = float(np.std(column, ddof=1)) if len(column) > 1 else 0.0
        if spread > 1e-12:
            found[given, rater] = (column - column.mean()) / spread
    return found


def mean_contrast(
    values: Floats, is_first: Mask, is_second: Mask, sources: Sequence[int], confidence: float = 0.95
) -> Score:
    """Mean of the first items' values less that of the second items', in their own unit, with an interval over sources.

    Masks [items] do not overlap; the interval is of `localeval.stats.means.clustered_effect`, so that items of both
    kinds about one source are not taken for independent; where it would have no width, it is of `mean_gap`'s kind.
    Undefined where a kind has no item, or in one source alone.
    """
    used = is_first | is_second
    n = int(used.sum())
    if not (is_first.any() and is_second.any()):
        return Undefined("one kind of item alone", n)
    first, second = float(values[is_first].mean()), float(values[is_second].mean())
    influence = is_first * (values - first) / is_first.sum() - is_second * (values - second) / is_second.sum()
    groups = np.asarray(sources, int)[used].tolist()
    found = clustered_effect(first - second, influence[used], groups, ANYWHERE, 0, confidence)
    return allowing_for_steps(found, step_of(values[used]), ANYWHERE, confidence)
