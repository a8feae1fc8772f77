"""How well a yes-or-no judge finds what is wrong: sensitivity and specificity together, with intervals over sources."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import stats

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats
from localeval.stats.paired import Difference

FAULTY, SOUND = 0, 1
"""Truth and verdict alike: places in a table of counts."""


class _Found(NamedTuple):
    """A statistic, its standard error over sources, and how many items and sources it is of."""

    value: float
    error: float
    n: int
    sources: int


def balanced_accuracy(counts: Floats, missing: int = 0, confidence: float = 0.95) -> Score:
    """Mean of the share of faulty items called faulty and of sound ones called sound, in [0, 1]; 0.5 is chance.

    `counts` has shape [sources, truth, verdict]. The interval is from the jackknife over sources with a t quantile, as
    items about one source are alike. Undefined where one kind of item is missing, or stands in a single source.
    """
    found = _jackknife(_balanced, counts, missing)
    return found if isinstance(found, Undefined) else _estimate(found, missing, confidence, 0.0)


def balanced_difference(joint: Floats, missing: int = 0, confidence: float = 0.95) -> Difference | Undefined:
    """How much higher the first judge's balanced accuracy is than the second's, on the same items, in [-1, 1].

    `joint` has shape [sources, truth, verdict of the first, verdict of the second].
    """
    found = _jackknife(lambda total: _balanced(total.sum(-1)) - _balanced(total.sum(-2)), joint, missing)
    if isinstance(found, Undefined):
        return found
    if found.error == 0.0:  # the same in every source: no spread to test against
        p_value = float(found.value == 0.0)
    else:
        p_value = 2 * float(stats.t.sf(abs(found.value) / found.error, found.sources - 1))
    return Difference(_estimate(found, missing, confidence, -1.0), p_value)


def _balanced(total: Floats) -> Floats:
    """Of counts [..., truth, verdict]; NaN where a kind of item is missing."""
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.diagonal(total, axis1=-2, axis2=-1) / total.sum(-1)
    return np.asarray(shares.mean(-1))


def _jackknife(value: Callable[[Floats], Floats], counts: Floats, missing: int) -> _Found | Undefined:
    table = counts[counts.reshape(len(counts), -1).sum(-1) > 0]
    n, k = round(float(table.sum())), len(table)
    if k < 2:
        return Undefined("an interval needs two sources", n, missing, k)
    total = table.sum(0)
    whole, left_out = value(total), value(total - table)
    if not np.isfinite(left_out).all():
        return Undefined("faulty and sound items must each stand in two sources", n, missing, k)
    return _Found(float(whole), float(np.sqrt((k - 1) / k * ((left_out - left_out.mean()) ** 2).sum())), n, k)


def _estimate(found: _Found, missing: int, confidence: float, low: float) -> Estimate:
    half = float(stats.t.ppf((1 + confidence) / 2, found.sources - 1)) * found.error
    value = found.value
    return Estimate(value, max(low, value - half), min(1.0, value + half), found.n, missing, found.sources)


def balanced_from(detection: Score, false_alarm: Score) -> Score:
    """Balanced accuracy, (detection + 1 - false alarm) / 2 in [0, 1], from two shares of different items.

    The interval is made from the two shares' own (MOVER: Donner and Zou 2012, eq. 2), so that it also stands with two
    sources, where a jackknife over sources has one degree of freedom. The shares are taken to be independent: what
    makes a source hard to see errors in may also make it easy to blame, and the interval is then a little wide.
    Undefined where either is.
    """
    n, missing = detection.n + false_alarm.n, detection.missing + false_alarm.missing
    if isinstance(detection, Undefined):
        return Undefined(detection.reason, n, missing)
    if isinstance(false_alarm, Undefined):
        return Undefined(false_alarm.reason, n, missing)
    value = (detection.value + 1 - false_alarm.value) / 2
    below = np.hypot(detection.value - detection.low, false_alarm.high - false_alarm.value) / 2
    above = np.hypot(detection.high - detection.value, false_alarm.value - false_alarm.low) / 2
    sources = min(detection.sources, false_alarm.sources)
    return Estimate(value, max(0.0, float(value - below)), min(1.0, float(value + above)), n, missing, sources)
