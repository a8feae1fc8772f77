"""`localeval.stats.raters`: who marks high, whether rescaling lifts agreement, and contrasts."""

import numpy as np
import pytest

from localeval.stats.agreement import interval_alpha
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.jackknife import unseen
from localeval.stats.raters import mean_contrast, mean_gap, severity, standardised

SOURCES = [each // 4 for each in range(40)]


def test_severity_is_the_distance_from_the_others() -> None:
    """A rater who adds 3 to what two others say marks 3 higher; each of these 1.5 lower than the other two."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=40)
    values = np.stack([truth, truth, truth + 3], axis=1)
    given = np.ones(values.shape, bool)
    found = [severity(values, given, rater, range(3), SOURCES) for rater in range(3)]
    assert [each.value for each in found if isinstance(each, Estimate)] == pytest.approx([-1.5, -1.5, 3.0])


def test_severity_is_of_common_items_alone() -> None:
    """What only one of them rated does not enter; a rater without a common item has none. An outsider is held
    against those who are named."""
    values, given = np.zeros((40, 3)), np.ones((40, 3), bool)
    values[:20, 1], values[20:, 1] = 1.0, 99.0
    given[20:, 0], given[:, 2] = False, False
    found = severity(values, given, 1, [0, 1], SOURCES)
    assert isinstance(found, Estimate)
    assert (found.value, found.n, found.missing) == (1.0, 20, 0)
    assert isinstance(severity(values, given, 2, [0, 1], SOURCES), Undefined)
    other = severity(values, given, 0, [1], SOURCES)
    assert isinstance(other, Estimate)
    assert (other.value, other.missing) == (-1.0, 20)


def test_rescaling_takes_away_level_and_spread_alone() -> None:
    """Raters who differ by a shift and a stretch agree wholly once rescaled, and those who differ otherwise do not."""
    rng = np.random.default_rng(2)
    truth = rng.normal(size=40)
    values = np.stack([truth, 5 + 3 * truth], axis=1)
    given = np.ones(values.shape, bool)
    plain, rescaled = interval_alpha(values, given), interval_alpha(standardised(values, given), given)
    assert isinstance(plain, Estimate)
    assert isinstance(rescaled, Estimate)
    assert plain.value < 0.2
    assert rescaled.value == pytest.approx(1.0)
    noise = np.stack([truth, rng.normal(size=40)], axis=1)
    apart = interval_alpha(standardised(noise, given), given)
    assert isinstance(apart, Estimate)
    assert apart.value < 0.5
    assert not standardised(np.ones((4, 2)), np.ones((4, 2), bool)).any()


def test_a_contrast_knows_what_sources_share() -> None:
    """Items of both kinds about one source: a source's level cancels, so the interval is that of the paired gaps."""
    rng = np.random.default_rng(3)
    level, gap = rng.normal(size=20) * 10, 1 + 0.1 * rng.normal(size=20)
    values = np.concatenate([level + gap, level])
    is_first = np.arange(40) < 20
    found = mean_contrast(values, is_first, ~is_first, [*range(20), *range(20)])
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(gap.mean())
    assert found.high - found.low < 0.2
    assert isinstance(mean_contrast(values, is_first, np.zeros(40, bool), [*range(20), *range(20)]), Undefined)


def test_a_gap_that_is_the_same_everywhere_has_an_interval() -> None:
    """Two grades a source, each one lower: the interval allows for a step; a gap that varies has the clustered one."""
    first, second = np.array([1.0, 1.0, 0.0, 0.0]), np.array([2.0, 2.0, 1.0, 1.0])
    found = mean_gap(first, second, [0, 0, 1, 1], missing=2)
    assert isinstance(found, Estimate)
    assert (found.value, found.missing) == (-1.0, 2)
    assert found.high == pytest.approx(-1 + unseen(2))
    varied = mean_gap(first, np.array([2.0, 2.0, 1.0, 2.0]), [0, 0, 1, 1])
    assert isinstance(varied, Estimate)
    assert varied.high - varied.low > 1.0
