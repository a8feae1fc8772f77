"""Groups of systems by the exact permutation test, and Holm's adjustment."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from localeval.stats.estimate import Undefined
from localeval.stats.intervals import Floats
from localeval.stats.permutation import MOST_ASSIGNMENTS, GroupComparison, compare_groups, holm


def marks(n_first: int, n_second: int) -> list[bool]:
    """So many systems of the first group, then of the second."""
    return [True] * n_first + [False] * n_second


def compared(values: Floats, n_first: int) -> GroupComparison:
    """The comparison, which there must be, with the first group's systems first."""
    found = compare_groups(values, marks(n_first, len(values) - n_first))
    assert isinstance(found, GroupComparison)
    return found


@pytest.mark.parametrize(("n_first", "n_second"), [(4, 4), (3, 6), (5, 2)])
def test_exact_p_value_is_that_of_scipy(n_first: int, n_second: int) -> None:
    """All assignments are tried, two-sided by distance from 0."""
    values = np.random.default_rng(n_first).normal(0.5, 0.1, n_first + n_second)

    def distance(first: Floats, second: Floats) -> float:
        return float(abs(first.mean() - second.mean()))

    groups = (values[:n_first], values[n_first:])
    expected = stats.permutation_test(groups, distance, n_resamples=np.inf, alternative="greater")
    found = compared(values, n_first)
    assert found.p_value == pytest.approx(expected.pvalue)
    assert found.difference == pytest.approx(groups[0].mean() - groups[1].mean())
    assert (found.n_first, found.n_second) == (n_first, n_second)


@pytest.mark.parametrize(
    ("n_first", "n_second", "least", "can_show"),
    [(2, 2, 2 / 6, False), (3, 3, 2 / 20, False), (2, 4, 1 / 15, False), (2, 5, 1 / 21, True), (4, 4, 2 / 70, True)],
)
def test_the_smallest_p_value_of_a_design_is_reached_and_said(
    n_first: int, n_second: int, least: float, can_show: bool
) -> None:
    """Groups that lie wholly apart have the least p-value there is; where that is above .05 nothing can be shown."""
    found = compared(np.array([0.9] * n_first + [0.1] * n_second) + np.arange(n_first + n_second) / 1000, n_first)
    assert found.p_value == pytest.approx(least)
    assert found.least_p == pytest.approx(least)
    assert found.can_show is can_show


def test_equal_systems_do_not_differ() -> None:
    """Ties count as at least as far: all the same has p 1."""
    assert compared(np.full(8, 0.1 + 0.2), 4).p_value == 1.0
    assert compared(np.zeros(6), 3).p_value == 1.0


@pytest.mark.parametrize("is_first", [marks(1, 7), marks(7, 1), marks(0, 4), marks(2, 0), []])
def test_a_group_takes_two_systems(is_first: list[bool]) -> None:
    """One system says nothing of its group, whatever the number of its texts."""
    n = len(is_first)
    found = compare_groups(np.linspace(0, 1, n), is_first)
    assert found == Undefined("a comparison of groups takes two systems in each", n, 0, n)


def test_marks_must_fit_the_values() -> None:
    """One mark a system."""
    with pytest.raises(ValueError, match="4 values and 3 marks"):
        compare_groups(np.zeros(4), [True, False, True])


def test_many_systems_are_drawn_and_near_the_exact_test() -> None:
    """Above the limit so many assignments are drawn: the p-value is near that of a t test, and the same twice."""
    values = np.random.default_rng(3).normal(0, 1, 30) + np.repeat([0.6, 0.0], 15)
    found = compared(values, 15)
    assert found == compared(values, 15)
    assert found.p_value == pytest.approx(stats.ttest_ind(values[:15], values[15:]).pvalue, abs=0.01)
    apart = compared(np.repeat([1.0, 0.0], 15), 15)
    assert apart.p_value == apart.least_p == 1 / (MOST_ASSIGNMENTS + 1)


@pytest.mark.parametrize(("n_first", "n_second"), [(4, 4), (3, 7), (5, 5)])
def test_equal_groups_are_rarely_told_apart(n_first: int, n_second: int) -> None:
    """Of 1,000 drawn sets of equal systems at most 7 in 100 have p < .05, skewed values or not."""
    rng = np.random.default_rng(n_first)
    for values in (rng.normal(0.5, 0.1, (1000, n_first + n_second)), rng.exponential(0.1, (1000, n_first + n_second))):
        p_values = np.array([compared(each, n_first).p_value for each in values])
        assert 0.01 < (p_values < 0.05).mean() <= 0.07


def test_more_texts_of_the_same_systems_show_no_more() -> None:
    """Systems that differ among themselves: over texts equal groups are "different" nearly always, over systems not."""
    rng = np.random.default_rng(9)
    over_texts, over_systems = [], []
    for _ in range(200):
        readings = rng.normal(0.5, 0.05, (8, 1)) + rng.normal(0, 0.1, (8, 500))
        over_texts.append(stats.ttest_ind(readings[:4].ravel(), readings[4:].ravel()).pvalue < 0.05)
        over_systems.append(compared(readings.mean(1), 4).p_value < 0.05)
    assert np.mean(over_texts) > 0.6
    assert np.mean(over_systems) <= 0.07


def test_holm_as_by_hand() -> None:
    """Smallest times n, next times n - 1, never falling, at most 1; in the order given."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_lies_between_plain_and_bonferroni(p_values: list[float]) -> None:
    """Adjusted values are no smaller than given ones, no larger than n times them, and keep their order."""
    adjusted = holm(p_values)
    for plain, found in zip(p_values, adjusted, strict=True):
        assert plain <= found <= 1.0
        assert found <= max(len(p_values) * each for each in p_values if each <= plain)
    order = sorted(range(len(p_values)), key=lambda each: p_values[each])
    assert all(adjusted[one] <= adjusted[other] for one, other in pairwise(order))
