"""`localeval.stats.resampling`: the bootstrap and the sign test, against scipy and by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Floats
from localeval.stats.paired import Difference
from localeval.stats.resampling import (
    MOST_SIGNS,
    SignTest,
    bca_interval,
    bootstrap_mean,
    paired_bootstrap,
    paired_signs,
)

SPATIAL = np.array(
    [48.0, 36, 20, 29, 42, 42, 20, 42, 22, 41, 45, 14, 6, 0, 33, 28, 34, 4, 32, 24, 47, 41, 24, 26, 30, 41]
)
"""The spatial test of 26 children: Efron and Tibshirani 1993, table 14.1, the first column."""


def draws(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def mean(sums: Floats) -> Floats:
    return np.asarray(sums[..., 0] / sums[..., 1])


def with_ones(values: Floats) -> Floats:
    return np.stack([values, np.ones(len(values))], axis=-1)


def as_published(confidence: float, clusters: int) -> float:
    """The confidence at which an interval that is widened for few clusters is the plain one of `confidence`."""
    plain = stats.norm.ppf((1 + confidence) / 2) * np.sqrt((clusters - 1) / clusters)
    return float(2 * stats.t.cdf(plain, clusters - 1) - 1)


def estimate(found: object) -> Estimate:
    assert isinstance(found, Estimate), found
    return found


def test_bca_gives_the_published_interval() -> None:
    """Efron and Tibshirani 1993, section 14.3: variance 171.5, 90 % BCa interval (115.8, 259.6) by 2,000 draws."""

    def variance(sums: Floats) -> Floats:
        return np.asarray(sums[..., 1] / sums[..., 2] - (sums[..., 0] / sums[..., 2]) ** 2)

    parts = np.stack([SPATIAL, SPATIAL**2, np.ones(26)], axis=-1)
    assert variance(parts.sum(0)) == pytest.approx(171.5, abs=0.05)
    low, high = bca_interval(variance, parts, draws(), as_published(0.9, 26))
    assert (low, high) == (pytest.approx(115.8, abs=5), pytest.approx(259.6, abs=7))


@pytest.mark.parametrize("seed", range(3))
def test_bca_is_scipys_where_each_item_is_drawn(seed: int) -> None:
    """Of skewed values, to what 9,999 draws of either leave open."""
    values = draws(seed).exponential(size=40)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=9999, method="BCa", rng=draws(9)).confidence_interval
    ours = bca_interval(mean, with_ones(values), draws(seed + 1), as_published(0.95, 40))
    width = theirs.high - theirs.low
    assert ours == (pytest.approx(theirs.low, abs=0.06 * width), pytest.approx(theirs.high, abs=0.06 * width))


def test_bca_of_a_ratio_over_sources_is_scipys_of_paired_sums() -> None:
    """Right answers and questions of 25 sources, drawn together."""
    rng = draws(4)
    n = rng.integers(6, 21, 25).astype(float)
    right = rng.binomial(n.astype(int), rng.beta(4, 2, 25)).astype(float)

    def pooled(top: Floats, bottom: Floats, axis: int) -> Floats:
        return np.asarray(top.sum(axis) / bottom.sum(axis))

    theirs = stats.bootstrap((right, n), pooled, n_resamples=9999, paired=True, rng=draws(5)).confidence_interval
    ours = bca_interval(mean, np.stack([right, n], axis=-1), draws(6), as_published(0.95, 25))
    assert ours == (pytest.approx(theirs.low, abs=0.01), pytest.approx(theirs.high, abs=0.01))


def test_equal_seeds_give_equal_intervals() -> None:
    """And others do not."""
    parts = with_ones(draws(1).normal(size=30))
    assert bca_interval(mean, parts, draws(2)) == bca_interval(mean, parts, draws(2))
    assert bca_interval(mean, parts, draws(2)) != bca_interval(mean, parts, draws(3))


def test_sources_are_drawn_not_items() -> None:
    """Twenty copies of each item, in one source each, leave the interval as wide as one copy does."""
    values = draws(7).normal(size=30)
    alone, copied = (
        estimate(found)
        for found in (
            bootstrap_mean(values, draws()),
            bootstrap_mean(np.repeat(values, 20), draws(), np.repeat(np.arange(30), 20)),
        )
    )
    assert copied.high - copied.low == pytest.approx(alone.high - alone.low, rel=0.05)
    assert (copied.n, copied.sources, alone.sources) == (600, 30, 30)


def test_equal_values_are_drawn_together() -> None:
    """A hundred thousand grades: the interval is that of the normal approximation."""
    grades = draws(8).choice([0.0, 1.0, 2.0], 100_000, p=[0.2, 0.5, 0.3])
    found = estimate(bootstrap_mean(grades, draws()))
    error = grades.std() / np.sqrt(len(grades))
    assert (found.low, found.high) == pytest.approx((found.value - 1.96 * error, found.value + 1.96 * error), abs=3e-4)


def test_what_cannot_be_drawn_is_refused() -> None:
    """One source, and a statistic that divides by nothing in some draw."""
    assert bootstrap_mean(np.array([1.0, 2.0]), draws(), [3, 3], missing=4) == Undefined(
        "a bootstrap needs two sources", 2, 4, 1
    )
    assert isinstance(paired_bootstrap(np.ones(1), np.ones(1), draws()), Undefined)
    with pytest.raises(ValueError, match="needs two clusters"):
        bca_interval(mean, np.ones((1, 2)), draws())
    with pytest.raises(ValueError, match="divide by nothing"), np.errstate(invalid="ignore", divide="ignore"):
        bca_interval(mean, np.array([[1.0, 0.0], [1.0, 1.0]]), draws())


def test_values_that_do_not_vary_have_no_width() -> None:
    """Nothing can be learnt of them by drawing again."""
    found = estimate(bootstrap_mean(np.full(12, 0.25), draws()))
    assert (found.low, found.value, found.high) == (0.25, 0.25, 0.25)


def test_the_paired_bootstrap_agrees_with_itself_and_with_t() -> None:
    """The interval leaves out 0 just where p is below .05; both are near the t test's on 60 normal differences."""
    for shift in (0.0, 0.2, 0.26, 0.3, 0.5):
        rng = draws(11)
        first, second = rng.normal(shift, 1, 60), rng.normal(0, 0.3, 60)
        found = paired_bootstrap(first, second, draws(1))
        assert isinstance(found, Difference)
        interval = found.estimate
        assert (interval.low > 0 or interval.high < 0) == (found.p_value < 0.05)
        theirs = stats.ttest_rel(first, second)
        assert found.p_value == pytest.approx(theirs.pvalue, abs=0.03)
        low, high = theirs.confidence_interval(0.95)
        assert (interval.low, interval.high) == pytest.approx((low, high), abs=0.08)


def test_the_sign_test_is_scipys_exact_one() -> None:
    """Ten pairs: every one of 1,024 ways, the p-value to the last digit."""
    rng = draws(3)
    first, second = rng.normal(0.4, 1, 10), rng.normal(size=10)
    found = paired_signs(first, second, draws())
    theirs = stats.permutation_test(
        (first, second), lambda a, b, axis: (a - b).mean(axis), permutation_type="samples", n_resamples=5000
    )
    assert isinstance(found, SignTest)
    assert found.p_value == pytest.approx(theirs.pvalue)
    assert (found.is_exact, found.least_p, found.n, found.clusters) == (True, 2 / 1024, 10, 10)


def test_darwins_maize_gives_fishers_p_value() -> None:
    """Fisher 1935, section 21: crossed and self-fertilised maize, 15 pairs: 1,726 of 32,768 ways are as far, p .0527.

    The ways are more than are tried one by one, so the drawn test has to come near.
    """
    gaps = np.array([49.0, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48])
    found = paired_signs(gaps, np.zeros(15), draws())
    assert isinstance(found, SignTest)
    assert not found.is_exact
    assert found.p_value == pytest.approx(1726 / 32768, abs=3 * np.sqrt(0.05 * 0.95 / MOST_SIGNS))


def test_signs_turn_by_source() -> None:
    """Four sources of fifty items each that all favour the first can show no more than four items can."""
    first = np.ones(200)
    found = paired_signs(first, np.zeros(200), draws(), np.repeat(np.arange(4), 50))
    assert isinstance(found, SignTest)
    assert (found.p_value, found.least_p, found.clusters, found.difference) == (2 / 16, 2 / 16, 4, 1.0)


def test_equal_systems_are_never_surprising() -> None:
    """Differences of 0 everywhere: p is 1, whatever their number; without items there is no test."""
    for n in (3, 5000):
        found = paired_signs(np.ones(n), np.ones(n), draws())
        assert isinstance(found, SignTest)
        assert found.p_value == 1.0
    assert paired_signs(np.ones(0), np.ones(0), draws()) == Undefined("no item")


def test_many_equal_gaps_are_turned_together() -> None:
    """A hundred thousand differences of a right or wrong answer: near the normal approximation of McNemar's test."""
    rng = draws(13)
    first, second = rng.random(100_000) < 0.505, rng.random(100_000) < 0.5
    found = paired_signs(first.astype(float), second.astype(float), draws())
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    assert isinstance(found, SignTest)
    expected = stats.binomtest(only_first, only_first + only_second).pvalue
    assert found.p_value == pytest.approx(expected, abs=0.02)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
@settings(deadline=None, max_examples=15)
def test_the_exact_test_counts_every_way(gaps: list[int]) -> None:
    """Against all ways written out, ties and zeros among the differences."""
    values = np.array(gaps, float)
    found = paired_signs(values, np.zeros(len(values)), draws())
    ways = np.array(np.meshgrid(*[[-1, 1]] * len(values))).reshape(len(values), -1)
    far = np.abs(values @ ways) >= abs(values.sum()) - 1e-9
    assert isinstance(found, SignTest)
    assert found.p_value == pytest.approx(far.mean())


def test_the_sign_test_keeps_its_level_where_sources_are_alike() -> None:
    """400 comparisons of equal systems over 8 sources that favour one or the other: p < .05 in at most 5 %; by item,
    as if all were independent, in many more."""
    rng = draws(21)
    sources = np.repeat(np.arange(8), 12)
    by_source, by_item = [], []
    for seed in range(400):
        gaps = rng.normal(0, 1, 8)[sources] + rng.normal(0, 1, 96)
        by_source.append(paired_signs(gaps, np.zeros(96), draws(seed), sources))
        if seed < 20:
            by_item.append(paired_signs(gaps, np.zeros(96), draws(seed)))
    false, false_by_item = (
        np.mean([isinstance(each, SignTest) and each.p_value < 0.05 for each in found])
        for found in (by_source, by_item)
    )
    assert false < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert false_by_item > 0.2


def test_many_different_values_are_drawn_one_by_one() -> None:
    """Twenty-one thousand items without equal ones: as the normal approximation has it."""
    values = draws(17).normal(size=21_000)
    low, high = bca_interval(mean, with_ones(values), draws(), resamples=999)
    middle, error = values.mean(), values.std() / np.sqrt(len(values))
    assert (low, high) == pytest.approx((middle - 1.96 * error, middle + 1.96 * error), abs=0.3 * error)
