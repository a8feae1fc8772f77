"""`localeval.stats.power`: sources needed, against printed tables and against simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from localeval.stats.estimate import Undefined
from localeval.stats.means import paired_mean
from localeval.stats.paired import mcnemar
from localeval.stats.power import (
    MOST_SOURCES,
    SourcesNeeded,
    least_difference,
    paired_power,
    paired_share_power,
    share_power,
    sources_for,
    sources_to_tell_apart,
)


@pytest.mark.parametrize(
    ("effect", "power", "n"),
    [
        (0.2, 0.8, 199),
        (0.5, 0.8, 34),
        (0.8, 0.8, 15),
        (1.0, 0.8, 10),
        (0.2, 0.95, 327),
        (0.5, 0.95, 54),
        (0.8, 0.95, 23),
    ],
)
def test_numbers_of_pairs_are_the_printed_ones(effect: float, power: float, n: int) -> None:
    """Cohen's small, medium and large effects at two-sided .05: what G*Power 3 and R's power.t.test print for pairs."""
    assert sources_for(effect, 1.0, power) == n
    assert sources_for(-20 * effect, 20.0, power) == n


def test_power_is_how_often_the_paired_test_of_this_package_finds_it() -> None:
    """4,000 simulated comparisons of two systems over 12 sources: within three standard errors of the formula."""
    rng = np.random.default_rng(7)
    for difference in (0.0, 0.05, 0.1):
        first, second = rng.normal(0.5 + difference, 0.06, (4000, 12)), rng.normal(0.5, 0.08, (4000, 12))
        pairs = [paired_mean(a, b) for a, b in zip(first, second, strict=True)]
        found = np.mean([not isinstance(pair, Undefined) and pair.p_value < 0.05 for pair in pairs])
        told = paired_power(12, difference, 0.1)
        assert abs(found - told) < 3 * np.sqrt(told * (1 - told) / 4000)


def test_power_is_the_noncentral_t_distribution() -> None:
    """Scipy's, where its series end: few sources and many, weak effects and strong, levels down to .001."""
    for n in (2, 3, 5, 12, 100, 3000):
        for effect in (0.01, 0.1, 0.5, 1.0, 3.0):
            for level in (0.05, 0.001):
                bar, centre = stats.t.ppf(1 - level / 2, n - 1), np.sqrt(n) * effect
                below = stats.nct.cdf(-bar, n - 1, centre)  # scipy gives NaN far below the centre
                told = stats.nct.sf(bar, n - 1, centre) + np.nan_to_num(below)
                assert paired_power(n, effect, 1.0, level) == pytest.approx(min(told, 1.0), abs=1e-5)


def test_without_a_difference_power_is_the_level() -> None:
    """Whatever n; and no n finds what is not there."""
    assert paired_power(5, 0.0, 1.0) == pytest.approx(0.05, abs=1e-5)
    assert paired_power(50, 0.0, 1.0, 0.01) == pytest.approx(0.01, abs=1e-5)
    assert sources_for(0.0, 1.0) is None
    assert sources_for(1.0, 1000.0) is None


@given(st.floats(0.03, 1e4), st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([0.05, 0.05 / 7]))
def test_the_number_is_the_least_that_is_enough(effect: float, power: float, level: float) -> None:
    """One source fewer falls short, and power is a probability even for absurd effects."""
    n = sources_for(effect, 1.0, power, level)
    if n is None:
        assert paired_power(MOST_SOURCES, effect, 1.0, level) < power
        return
    assert power <= paired_power(n, effect, 1.0, level) <= 1
    if n > 2:
        assert 0 < paired_power(n - 1, effect, 1.0, level) < power


def test_the_spread_of_the_gaps_decides() -> None:
    """The mean gap by default, or what is asked for; the cautious number rests on the upper end of the spread."""
    gaps = np.array([0.02, 0.10, -0.04, 0.08])
    found = sources_to_tell_apart(gaps)
    assert isinstance(found, SourcesNeeded)
    assert (found.difference, found.sd) == (pytest.approx(gaps.mean()), pytest.approx(gaps.std(ddof=1)))
    assert found.n == sources_for(gaps.mean(), gaps.std(ddof=1))
    high = gaps.std(ddof=1) * np.sqrt(3 / stats.chi2.ppf(0.2, 3))
    assert found.n_high == sources_for(gaps.mean(), float(high))
    larger = sources_to_tell_apart(gaps, 0.2)
    assert isinstance(larger, SourcesNeeded)
    assert larger.difference == 0.2
    assert larger.n is not None
    assert found.n is not None
    assert larger.n < found.n


def test_the_upper_end_of_the_spread_holds_as_often_as_it_says() -> None:
    """In 4 of 5 samples of six normal gaps the cautious number is at least what the true spread needs."""
    rng = np.random.default_rng(5)
    true = sources_for(0.05, 0.1)
    assert true is not None
    found = [sources_to_tell_apart(gaps, 0.05) for gaps in rng.normal(0.0, 0.1, (250, 6))]
    held = [isinstance(each, SourcesNeeded) and (each.n_high is None or each.n_high >= true) for each in found]
    assert abs(np.mean(held) - 0.8) < 0.08


def test_no_number_where_there_is_no_spread_or_no_difference() -> None:
    """Two sources have no spread to speak of; equal gaps none at all; equal means none that could be found."""
    two = sources_to_tell_apart(np.array([0.1, 0.2]))
    assert two == Undefined("the spread of differences takes 3 common sources", 2, 0, 2)
    equal = sources_to_tell_apart(np.array([0.1, 0.1, 0.1]))
    assert isinstance(equal, Undefined)
    assert "by the same on every source" in equal.reason
    none = sources_to_tell_apart(np.array([0.1, -0.1, 0.0]))
    assert isinstance(none, SourcesNeeded)
    assert (none.n, none.n_high) == (None, None)


def test_the_least_difference_is_the_sources_turned_round() -> None:
    """34 pairs find an effect of half a deviation in 80 %, 33 do not (Cohen; G*Power 3): so does the difference."""
    assert least_difference(34, 1.0) < 0.5 < least_difference(33, 1.0)
    assert least_difference(12, 0.2) == pytest.approx(0.2 * least_difference(12, 1.0))
    for n in (2, 7, 60):
        assert paired_power(n, least_difference(n, 1.0, 0.9), 1.0) == pytest.approx(0.9, abs=1e-4)


def test_power_of_shares_is_the_printed_one() -> None:
    """R's documentation of power.prop.test: 50 a group, .5 and .75, power .740; 77 a group reach .9, 76 do not."""
    assert share_power(50, 0.5, 0.75) == pytest.approx(0.740, abs=5e-4)
    assert share_power(76, 0.5, 0.75) < 0.9 < share_power(77, 0.5, 0.75)
    assert share_power(50, 0.5, 0.75) == share_power(50, 0.75, 0.5)
    assert share_power(40, 0.3, 0.3) == pytest.approx(0.05)
    assert (share_power(5, 0.0, 1.0), share_power(5, 1.0, 1.0)) == (1.0, 0.0)


def test_clustered_items_are_worth_their_number_by_the_design_effect() -> None:
    """Ten items a source of correlation .1 are worth a little more than half of themselves."""
    assert share_power(190, 0.5, 0.65, effect=1 + 9 * 0.1) == pytest.approx(share_power(100, 0.5, 0.65))


def test_power_of_paired_shares_is_how_often_mcnemar_finds_them() -> None:
    """4,000 simulated tests of 60 and of 120 items: within three standard errors."""
    rng = np.random.default_rng(3)
    for n, only_first, only_second in ((60, 0.25, 0.08), (120, 0.15, 0.05), (60, 0.1, 0.1)):
        drawn = rng.multinomial(n, [only_first, only_second, 1 - only_first - only_second], 4000)
        pairs, n_drawn = np.unique(drawn[:, :2], axis=0, return_counts=True)
        is_found = np.array([mcnemar(int(first), int(second)) <= 0.05 for first, second in pairs])
        found = is_found @ n_drawn / 4000
        told = paired_share_power(n, only_first, only_second)
        assert abs(found - told) < 3 * np.sqrt(max(told * (1 - told), 0.01) / 4000)
    assert paired_share_power(50, 0.0, 0.0) == 0.0
    assert paired_share_power(5, 1.0, 0.0) == 0.0
    assert paired_share_power(6, 1.0, 0.0) == pytest.approx(1.0)
