"""One rater's classes beside another's that are taken for right: shares and kappa with intervals over sources.

All take counts [sources, classes, classes]: the class that is right, then the one that was given
(`localeval.stats.paired.joint_counts`).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from localeval.stats.agreement import cohen_kappa
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats, Interval, Ratio, clustered_ratio
from localeval.stats.jackknife import SIGNED, jackknifed

SHARES = Interval(0.0, 1.0)
_RIGHT = Ratio((1.0, 0.0), (1.0, 1.0))


def accuracy(joint: Floats, missing: int = 0, confidence: float = 0.95) -> Score:
    """Share of items that were given the right class, in [0, 1], with the interval of `clustered_ratio`."""
    right = np.trace(joint, axis1=1, axis2=2)
    return clustered_ratio(np.stack([right, joint.sum((1, 2)) - right], axis=-1), _RIGHT, missing, confidence)


def recalls(joint: Floats, confidence: float = 0.95) -> list[Score]:
    """For each class the share of its items that were given it, in [0, 1]; Undefined for a class without items."""
    found = []
    for each in range(joint.shape[1]):
        right = joint[:, each, each]
        found.append(clustered_ratio(np.stack([right, joint[:, each].sum(-1) - right], -1), _RIGHT, 0, confidence))
    return found


def mean_recall(joint: Floats, missing: int = 0, confidence: float = 0.95) -> Score:
    """Balanced accuracy: the mean over the classes that are right somewhere of `recalls`, in [0, 1].

    One over the number of those classes is chance. The same as `localeval.stats.detection.balanced_accuracy` for two
    classes; as there the interval is the jackknife's. Undefined where fewer than two classes are right somewhere, or
    one of them stands in a single source.
    """
    is_there = joint.sum((0, 2)) > 0
    if is_there.sum() < 2:
        return Undefined("fewer than two classes occur", round(float(joint.sum())), missing)
    return _over_sources(lambda total: _mean_recall(total, is_there), joint, missing, SHARES, confidence)


def kappa(joint: Floats, missing: int = 0, confidence: float = 0.95) -> Score:
    """Cohen's kappa (`localeval.stats.agreement.cohen_kappa`), in [-1, 1], with the jackknife's interval."""
    whole = cohen_kappa(joint.sum(0))
    if isinstance(whole, Undefined):
        return Undefined(whole.reason, whole.n, missing)
    return _over_sources(kappa_value, joint, missing, SIGNED, confidence)


def accuracy_value(total: Floats) -> float:
    """The value of `accuracy` from counts [classes, classes] over all sources, NaN where there are none."""
    return float(np.trace(total) / total.sum()) if total.sum() > 0 else np.nan


def mean_recall_value(total: Floats) -> float:
    """The value of `mean_recall` likewise, NaN where it is not defined."""
    is_there = total.sum(-1) > 0
    return _mean_recall(total, is_there) if is_there.sum() >= 2 else np.nan


def kappa_value(total: Floats) -> float:
    """The value of `kappa` likewise, NaN where it is not defined."""
    found = cohen_kappa(total)
    return np.nan if isinstance(found, Undefined) else found


def _mean_recall(total: Floats, is_there: NDArray[np.bool_]) -> float:
    with np.errstate(divide="ignore", invalid="ignore"):
        return float((np.diagonal(total) / total.sum(-1))[is_there].mean())


def _over_sources(
    value: Callable[[Floats], float], joint: Floats, missing: int, bounds: Interval, confidence: float
) -> Score:
    table = joint[joint.sum((1, 2)) > 0]
    total = table.sum(0)
    left_out = np.array([value(total - each) for each in table])
    return jackknifed(value(total), left_out, round(float(total.sum())), missing, bounds, confidence)
