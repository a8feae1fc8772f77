"""How far readings of the same targets shift: between two wordings, or between two readings by one judge."""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from scipy import optimize, stats

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval, wilson
from localeval.stats.means import paired_mean
from localeval.stats.paired import Difference

_NOTHING = 1e-12
"""Shifts below this are rounding."""


@dataclass(frozen=True, slots=True)
class ProfileShift:
    """How far profiles shift as a whole, over the same targets.

    `distance` is the Euclidean length of the mean shift, `p_value` that of no shift on any axis, None where `reason`
    says why there is none. `interval` of the distance goes with the test: its lower end is 0 just where the p-value
    is above 1 - confidence; None where the p-value is. `targets` [targets] are the lengths of each target's shift: even
    without any shift they are as long as the noise.
    """

    distance: float
    interval: Interval | None
    p_value: float | None
    reason: str
    targets: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class RepeatNoise:
    """How far two readings of the same by one judge differ.

    `sd` is the standard deviation of one reading, with its interval from the chi-square; what all second readings have
    in common is not in it but in `shift`, first minus second. `n` counts the pairs of readings.
    """

    sd: float
    interval: Interval
    shift: Difference
    n: int


def mean_shift(
    first: Floats, second: Floats, step: float = 0.0, missing: int = 0, confidence: float = 0.95
) -> Difference | Undefined:
    """Mean of second minus first over targets [targets], in [-1, 1], with the paired t test: `paired_mean` turned."""
    return paired_mean(second, first, step, missing, confidence)


def profile_shift(first: Floats, second: Floats, confidence: float = 0.95) -> ProfileShift | Undefined:
    """The shift from first to second of profiles [targets, axes] with Hotelling's one-sample T2 of the differences.

    All values are finite: a target that lacks an axis is left out by the caller. Axes that move for no target leave the
    test, and axes that move together count as one; where all targets shift by the same along some direction the
    p-value is 0. None with no more targets than moving axes. The interval is the least and the greatest length in
    the ellipsoid of the test, so it covers more often than it says. Hotelling 1931. Undefined below two targets.
    """
    gaps = second - first
    n = len(gaps)
    if n < 2:
        return Undefined("a shift of profiles needs two targets", n, 0, n)
    mean = gaps.mean(0)
    distance = float(np.linalg.norm(mean))
    targets = tuple(float(each) for each in np.linalg.norm(gaps, axis=1))
    moving = (np.abs(gaps) > _NOTHING).any(0)
    axes = int(moving.sum())
    if not axes:
        return ProfileShift(0.0, Interval(0.0, 0.0), 1.0, "", targets)
    if n <= axes:
        return ProfileShift(distance, None, None, f"{axes} axes take more than {axes} targets, not {n}", targets)
    p_value, interval = _hotelling(gaps[:, moving], confidence)
    return ProfileShift(distance, interval, p_value, "", targets)


def _hotelling(gaps: Floats, confidence: float) -> tuple[float, Interval]:
    """P-value that the mean of differences [targets, axes] is 0, and the least and greatest length in its region."""
    n, axes = gaps.shape
    mean = gaps.mean(0)
    spread, directions = np.linalg.eigh(np.cov(gaps, rowvar=False).reshape(axes, axes) / n)
    along = directions.T @ mean
    varies = spread > max(_NOTHING**2, 1e-10 * float(spread[-1]))
    rank = int(varies.sum())
    still = np.abs(along[~varies])
    fixed = float(np.linalg.norm(still))
    if not rank:
        return 0.0, Interval(fixed, fixed)
    scale = rank * (n - 1) / (n - rank)
    p_value = float(stats.f.sf((along[varies] ** 2 / spread[varies]).sum() / scale, rank, n - rank))
    radii = np.sqrt(spread[varies] * scale * float(stats.f.ppf(confidence, rank, n - rank)))
    low, high = _lengths(along[varies], radii)
    # an exact direction of the spread is known as far as rounding lets it be
    is_certain = bool((still > 1e-5 * np.linalg.norm(mean)).any())
    return 0.0 if is_certain else p_value, Interval(float(np.hypot(low, fixed)), float(np.hypot(high, fixed)))


def _lengths(centre: Floats, radii: Floats) -> Interval:
    """Least and greatest length of a point in the ellipsoid with this centre and these radii [axes] along the axes.

    At both ends the point lies on the normal through the origin (Lagrange): it is centre * m / (m + radii ** 2), with m
    above 0 for the least and below -max(radii ** 2) for the greatest length.
    """
    # a centre just beside the middle of the longest axis: on it the equation for the greatest length has no root
    centre = np.where(np.abs(centre) < 1e-9 * radii, 1e-9 * radii, centre)
    weights, squares = np.abs(centre) * radii, radii**2
    longest = int(squares.argmax())
    behind = squares[longest] - squares
    m = _root(weights, behind, float(weights[longest]))
    high = float(np.linalg.norm(centre * (squares[longest] + m) / (behind + m)))
    if ((centre / radii) ** 2).sum() <= 1:
        return Interval(0.0, high)
    m = _root(weights, squares, 0.0)
    return Interval(float(np.linalg.norm(centre * m / (squares + m))), high)


def _root(weights: Floats, offsets: Floats, least: float) -> float:
    """Where the sum of (weights / (offsets + m)) ** 2 falls to 1, from `least`, where it is no less."""

    def excess(m: float) -> float:
        return float(((weights / (offsets + m)) ** 2).sum()) - 1

    most = float(np.linalg.norm(weights))
    # at either end rounding may leave the sum on the wrong side of 1
    if excess(least) <= 0 or excess(most) >= 0:
        return least if excess(least) <= 0 else most
    return float(optimize.brentq(excess, least, most, xtol=1e-300))


def moved_share(shifts: Floats, threshold: float | Floats, missing: int = 0, confidence: float = 0.95) -> Score:
    """Share of targets whose shift [targets] is further from 0 than the threshold, with Wilson's interval.

    One threshold for all, or each target's own [targets], where they are means of more readings or fewer.
    Even where nothing shifts, one target in twenty passes `least_detectable`. Undefined without a target.
    """
    n = len(shifts)
    if not n:
        return Undefined("no target", 0, missing, 0)
    moved = int((np.abs(shifts) > threshold).sum())
    low, high = wilson(moved, n, confidence)
    return Estimate(moved / n, low, high, n, missing, n)


def least_detectable(repeat_sd: float) -> float:
    """The shift between two readings that their own noise passes once in twenty: 1.96 sqrt(2) `repeat_sd`.

    The minimal detectable change of measurement studies (Weir 2005). `repeat_sd` is the noise of what is compared: of
    one reading, or of a mean of m, which has sd / sqrt(m).
    """
    return 1.96 * sqrt(2) * repeat_sd


def repeat_noise(first: Floats, second: Floats, missing: int = 0, confidence: float = 0.95) -> RepeatNoise | Undefined:
    """The noise of one reading, in [0, 1], from two of each [readings]: sd(first - second) / sqrt(2), mean removed.

    Both readings are taken to be equally noisy, and the noise of two texts to be independent. Undefined below two
    pairs.
    """
    shift = paired_mean(first, second, missing=missing, confidence=confidence)
    if isinstance(shift, Undefined):
        return Undefined("noise of repeats takes two pairs of readings", shift.n, missing, shift.sources)
    n = len(first)
    sd = float(np.std(first - second, ddof=1)) / sqrt(2)
    tail = (1 - confidence) / 2
    low, high = (sd * sqrt((n - 1) / float(stats.chi2.ppf(each, n - 1))) for each in (1 - tail, tail))
    return RepeatNoise(sd, Interval(low, high), shift, n)
