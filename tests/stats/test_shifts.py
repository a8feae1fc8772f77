"""Shifts of profiles, shares that moved, and the noise of repeats; nothing is found where nothing shifts."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Floats, wilson
from localeval.stats.means import paired_mean
from localeval.stats.paired import Difference
from localeval.stats.shifts import (
    ProfileShift,
    RepeatNoise,
    least_detectable,
    mean_shift,
    moved_share,
    profile_shift,
    repeat_noise,
)

SPREAD = np.array([[0.010, 0.004, 0.001], [0.004, 0.008, -0.002], [0.001, -0.002, 0.006]])
"""How differences of three axes spread over targets."""


def profiles(shift: tuple[float, ...], targets: int = 30, seed: int = 2) -> tuple[Floats, Floats]:
    """Profiles [targets, 3] before and after a shift with noise."""
    rng = np.random.default_rng(seed)
    first = rng.uniform(0.2, 0.8, (targets, 3))
    return first, first + np.array(shift) + rng.multivariate_normal(np.zeros(3), SPREAD, targets)


def shift_of(first: Floats, second: Floats) -> ProfileShift:
    """The shift, which there must be."""
    found = profile_shift(first, second)
    assert isinstance(found, ProfileShift)
    return found


def test_distance_and_test_are_those_of_the_textbook() -> None:
    """Length of the mean shift; T2 = n d' S^-1 d; lengths of every target's shift."""
    first, second = profiles((0.05, -0.02, 0.03))
    gaps = second - first
    mean = gaps.mean(0)
    square = 30 * mean @ np.linalg.inv(np.cov(gaps.T)) @ mean
    found = shift_of(first, second)
    assert found.distance == pytest.approx(np.sqrt((mean**2).sum()))
    assert found.p_value == pytest.approx(stats.f.sf(square * 27 / (3 * 29), 3, 27))
    assert found.targets == pytest.approx(np.sqrt((gaps**2).sum(1)))
    assert found.reason == ""


def test_one_axis_is_the_paired_t_test() -> None:
    """With one axis the p-value and the interval are those of the mean shift."""
    first, second = profiles((0.08, 0.0, 0.0))
    found, expected = shift_of(first[:, :1], second[:, :1]), mean_shift(first[:, 0], second[:, 0])
    assert isinstance(expected, Difference)
    assert found.p_value == pytest.approx(expected.p_value)
    assert found.interval == pytest.approx((expected.estimate.low, expected.estimate.high))


def test_the_interval_is_the_region_of_the_test() -> None:
    """Least and greatest length are met by points drawn over the ellipsoid, and the least is 0 just where p > .05."""
    rng = np.random.default_rng(4)
    rays = rng.normal(size=(100_000, 3))
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    kinds = set()
    for seed, shift in enumerate([(0.0, 0.0, 0.0), (0.01, 0.0, 0.0), (0.1, 0.05, -0.1), (0.0, 0.04, 0.02)]):
        first, second = profiles(shift, 20, seed)
        found = shift_of(first, second)
        gaps = second - first
        reach = np.sqrt(3 * 19 / 17 / 20 * stats.f.ppf(0.95, 3, 17))
        surface = gaps.mean(0) + reach * rays @ np.linalg.cholesky(np.cov(gaps.T)).T
        lengths = np.linalg.norm(surface, axis=1)
        assert found.interval is not None
        assert found.p_value is not None
        is_shift = found.p_value < 0.05
        kinds.add(is_shift)
        assert (found.interval.low > 0) is is_shift
        if is_shift:
            assert found.interval.low == pytest.approx(lengths.min(), abs=1e-3)
        assert found.interval.high == pytest.approx(lengths.max(), abs=1e-3)
    assert kinds == {True, False}


def test_the_interval_holds_the_planted_distance() -> None:
    """It covers at least as often as it says, and no wider than twice what the noise would need."""
    held, widths = 0, []
    for seed in range(200):
        found = shift_of(*profiles((0.06, 0.0, -0.08), 25, seed))
        assert found.interval is not None
        held += found.interval.low <= 0.1 <= found.interval.high
        widths.append(found.interval.high - found.interval.low)
    assert held >= 190
    assert np.mean(widths) < 2 * 2 * 1.96 * (0.010 / 25) ** 0.5


def test_axes_that_stand_still_do_not_crash() -> None:
    """An axis without any movement leaves the test as it was; without movement at all there is no shift."""
    first, second = profiles((0.05, -0.02, 0.0))
    second[:, 2] = first[:, 2]
    assert shift_of(first, second).p_value == pytest.approx(shift_of(first[:, :2], second[:, :2]).p_value)
    still = shift_of(first, first.copy())
    assert (still.distance, still.interval, still.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_axes_that_move_together_count_as_one() -> None:
    """An axis that repeats another one adds no evidence: the p-value is that of one, the distance that of both."""
    first, second = profiles((0.05, -0.02, 0.0))
    one, both = shift_of(first[:, :1], second[:, :1]), shift_of(first[:, [0, 0]], second[:, [0, 0]])
    assert both.p_value == pytest.approx(one.p_value)
    assert both.distance == pytest.approx(2**0.5 * one.distance)
    assert both.interval is not None
    assert one.interval is not None
    assert both.interval == pytest.approx([2**0.5 * end for end in one.interval])


def test_the_same_shift_everywhere_is_certain() -> None:
    """A shift without any spread has p 0 and its own length at both ends, alone or beside an axis with noise."""
    first, second = profiles((0.0, 0.0, 0.0))
    same = shift_of(first, first + np.array([0.1, 0.0, 0.0]))
    assert same.p_value == 0.0
    assert same.interval == pytest.approx((0.1, 0.1))
    second[:, 0] = first[:, 0] + 0.1
    beside = shift_of(first, second)
    assert beside.p_value == 0.0
    assert beside.interval is not None
    assert beside.interval.low == pytest.approx(0.1)


def test_too_few_targets_for_the_axes_are_said() -> None:
    """Three targets give a distance of three axes but no test; one target gives nothing."""
    found = shift_of(*profiles((0.1, 0.0, 0.0), targets=3))
    assert found.distance > 0
    assert (found.p_value, found.interval) == (None, None)
    assert found.reason == "3 axes take more than 3 targets, not 3"
    single = profile_shift(*profiles((0.1, 0.0, 0.0), targets=1))
    assert single == Undefined("a shift of profiles needs two targets", 1, 0, 1)


def test_null_drift_is_rarely_significant() -> None:
    """Of 1,000 drawn studies without drift 3 to 7 in 100 are significant, by axis and as a profile, at most 7."""
    rng = np.random.default_rng(11)
    entity = rng.uniform(0.25, 0.75, (1000, 24, 3))
    noise = rng.multivariate_normal(np.zeros(3), SPREAD, (2, 1000, 24))
    # readings lie on a scale of hundredths within [0, 1]
    first, second = np.round(np.clip(entity + noise, 0, 1), 2)
    means = [mean_shift(a[:, 0], b[:, 0]) for a, b in zip(first, second, strict=True)]
    p_means = np.array([each.p_value for each in means if isinstance(each, Difference)])
    whole = [shift_of(a, b).p_value for a, b in zip(first, second, strict=True)]
    p_profiles = np.array([each for each in whole if each is not None])
    assert len(p_means) == len(p_profiles) == 1000
    assert 0.03 <= (p_means < 0.05).mean() <= 0.07
    assert 0.03 <= (p_profiles < 0.05).mean() <= 0.07


def test_a_real_drift_is_found() -> None:
    """The same studies with a shift of .08 on one axis are significant in most draws: the null test can fail."""
    found = [shift_of(*profiles((0.08, 0.0, 0.0), 24, seed)).p_value for seed in range(100)]
    assert np.mean([each is not None and each < 0.05 for each in found]) > 0.8


def test_mean_shift_is_second_minus_first() -> None:
    """The paired t test, turned."""
    first, second = profiles((0.05, 0.0, 0.0))
    found = mean_shift(first[:, 0], second[:, 0], missing=2)
    assert found == paired_mean(second[:, 0], first[:, 0], missing=2)
    assert isinstance(found, Difference)
    assert found.estimate.value > 0
    assert found.estimate.missing == 2


def test_moved_share_counts_both_directions() -> None:
    """What is further from 0 than the threshold, with Wilson's interval; at it is not beyond it."""
    found = moved_share(np.array([0.3, -0.3, 0.1, 0.0, 0.2]), 0.2, missing=1)
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.missing, found.sources) == (0.4, 5, 1, 5)
    assert (found.low, found.high) == tuple(wilson(2, 5))
    assert moved_share(np.array([]), 0.2) == Undefined("no target", 0, 0, 0)


def test_noise_alone_moves_one_target_in_twenty() -> None:
    """With the noise of repeats known, the threshold is passed by 5 in 100 of targets that do not move."""
    rng = np.random.default_rng(6)
    share = moved_share(rng.normal(0, 0.07 * 2**0.5, 20_000), least_detectable(0.07))
    assert isinstance(share, Estimate)
    assert share.low <= 0.05 <= share.high


def test_repeat_noise_is_that_of_one_reading() -> None:
    """A planted sd of .05 and a shift of .1 by order are both found; the shift does not count as noise."""
    rng = np.random.default_rng(7)
    entity = rng.uniform(0.3, 0.7, 400)
    first, second = entity + 0.1 + rng.normal(0, 0.05, 400), entity + rng.normal(0, 0.05, 400)
    found = repeat_noise(first, second)
    assert isinstance(found, RepeatNoise)
    assert found.sd == pytest.approx(np.std(first - second, ddof=1) / 2**0.5)
    assert found.interval.low < 0.05 < found.interval.high
    assert found.interval.high - found.interval.low < 0.01
    assert found.shift == paired_mean(first, second)
    assert found.shift.estimate.low <= 0.1 <= found.shift.estimate.high
    assert found.n == 400


def test_repeat_noise_covers() -> None:
    """The interval of the noise holds the planted one in about 95 of 100 with ten pairs."""
    rng = np.random.default_rng(8)
    held = 0
    for _ in range(500):
        found = repeat_noise(*rng.normal(0.5, 0.05, (2, 10)))
        assert isinstance(found, RepeatNoise)
        held += found.interval.low <= 0.05 <= found.interval.high
    assert 460 <= held <= 490


def test_repeat_noise_takes_two_pairs() -> None:
    """One pair has no spread; pairs that agree have noise 0."""
    assert repeat_noise(np.array([0.5]), np.array([0.6]), missing=3) == Undefined(
        "noise of repeats takes two pairs of readings", 1, 3, 1
    )
    equal = repeat_noise(np.array([0.5, 0.7, 0.2]), np.array([0.5, 0.7, 0.2]))
    assert isinstance(equal, RepeatNoise)
    assert (equal.sd, equal.interval, equal.shift.p_value) == (0.0, (0.0, 0.0), 1.0)


@settings(max_examples=100, deadline=None)
@given(
    st.tuples(st.integers(2, 7), st.integers(1, 4)).flatmap(
        lambda shape: arrays(float, (2, *shape), elements=st.floats(0, 1) | st.sampled_from([0.0, 0.25, 0.5]))
    )
)
def test_any_profiles_give_a_shift(both: Floats) -> None:
    """Coarse, equal, or tiny: nothing raises or warns, and the distance lies in its interval."""
    found = shift_of(*both)
    if found.p_value is None:
        assert found.reason
    else:
        assert 0 <= found.p_value <= 1
        assert found.interval is not None
        assert found.interval.low <= found.distance + 1e-6
        assert found.distance <= found.interval.high + 1e-6
