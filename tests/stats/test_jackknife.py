"""`localeval.stats.jackknife`: the interval of any statistic over sources, and means over groups."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from localeval.stats.correlation import pearson
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Interval
from localeval.stats.jackknife import allowing_for_steps, jackknifed, mean_of_groups, over_sources, step_of, unseen
from localeval.stats.means import clustered_mean
from localeval.stats.two_raters import kendall_of_two, pearson_of_two

Mask = NDArray[np.bool_]


def test_of_a_mean_it_is_students_interval() -> None:
    """Each source with one value: the jackknife of the mean is the t interval (Student 1908)."""
    values = np.array([0.1, 0.4, 0.35, 0.8, 0.2])
    left_out = np.array([np.delete(values, each).mean() for each in range(5)])
    found = jackknifed(float(values.mean()), left_out, 5)
    assert isinstance(found, Estimate)
    low, high = stats.t.interval(0.95, 4, values.mean(), stats.sem(values))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.n, found.sources) == (5, 5)


def test_bounds_cut_and_one_source_is_not_enough() -> None:
    """Nothing leaves its range; without a second source, or where one holds it all, the reason is told."""
    cut = jackknifed(0.9, np.array([0.2, 1.0, 0.9]), 9, 2, Interval(0.0, 1.0))
    assert isinstance(cut, Estimate)
    assert (cut.low, cut.high, cut.missing) == (0.0, 1.0, 2)
    assert jackknifed(0.5, np.array([0.5]), 3) == Undefined("an interval needs two sources", 3, 0, 1)
    lone = jackknifed(0.5, np.array([0.5, np.nan]), 3)
    assert lone == Undefined("one source alone holds all that differs", 3, 0, 2)


def test_groups_count_the_same_and_share_sources() -> None:
    """The mean of two groups' means; equal groups about the same sources are no more certain than one of them."""
    rng = np.random.default_rng(1)
    one = rng.normal(size=30)
    values, group = np.concatenate([one, one]), [0] * 30 + [1] * 30
    source = [each // 3 for each in range(30)] * 2

    both = mean_of_groups(lambda rows: float(values[rows].mean()), group, source, Interval(-9.0, 9.0))
    alone = clustered_mean(one, source[:30], Interval(-9.0, 9.0))
    assert isinstance(both, Estimate)
    assert isinstance(alone, Estimate)
    assert both.value == pytest.approx(alone.value)
    assert both.high - both.low == pytest.approx(alone.high - alone.low, rel=0.01)
    assert both.n == 60


def test_an_easy_contrast_is_not_agreement() -> None:
    """Two systems far apart, and noise within each: the correlation over all is high and that within is none."""
    rng = np.random.default_rng(2)
    group = np.repeat([0, 1], 200)
    source = np.tile(np.arange(40), 10)
    first, second = (group * 8.0 + rng.normal(size=400) for _ in range(2))

    overall = pearson(first, second, source.tolist())
    within = mean_of_groups(lambda rows: pearson_of_two(first[rows], second[rows]), group.tolist(), source.tolist())
    assert isinstance(overall, Estimate)
    assert isinstance(within, Estimate)
    assert overall.value > 0.9
    assert within.low < 0.0 < within.high


def test_a_group_without_a_value_does_not_enter() -> None:
    """One group too small for a correlation is left out; where all are, there is no number."""
    first, second = np.arange(12.0), np.arange(12.0) ** 2
    group, source = [0] * 10 + [1] * 2, [each % 5 for each in range(12)]

    def value(rows: Mask) -> float:
        return pearson_of_two(first[rows], second[rows])

    found = mean_of_groups(value, group, source)
    assert isinstance(found, Estimate)
    assert found.n == 10
    assert isinstance(mean_of_groups(value, list(range(12)), source), Undefined)


def test_the_interval_of_a_mean_over_groups_covers() -> None:
    """Within-group correlations of clustered values, 200 draws of 30 sources: the true .5 is covered as claimed."""
    rng = np.random.default_rng(3)
    group, source = np.tile([0, 1, 2], 60), np.repeat(np.arange(30), 6)
    hits = 0
    for _ in range(200):
        common, own = (rng.normal(size=30)[source] for _ in range(2))
        shared = common + rng.normal(size=180)
        first = shared + own + rng.normal(size=180)
        second = shared + rng.normal(size=30)[source] + rng.normal(size=180)

        def value(rows: Mask, x: NDArray[np.float64] = first, y: NDArray[np.float64] = second) -> float:
            return pearson_of_two(x[rows], y[rows])

        found = mean_of_groups(value, group.tolist(), source.tolist())
        assert isinstance(found, Estimate)
        hits += found.low <= 0.5 <= found.high
    assert 0.91 <= hits / 200 <= 0.985


def test_the_same_without_each_source_is_no_certainty() -> None:
    """Agreement that is full in three sources: a share of them that would go unseen 1 time in 20 may hold none."""
    found = jackknifed(1.0, np.ones(3), 12)
    assert isinstance(found, Estimate)
    assert unseen(3) == pytest.approx(1 - 0.05 ** (1 / 3))
    assert (found.low, found.high) == pytest.approx((1 - 2 * unseen(3), 1.0))
    many = jackknifed(1.0, np.ones(300), 900)
    assert isinstance(many, Estimate)
    assert many.low > 0.97


def test_equal_differences_have_an_interval_of_steps() -> None:
    """A grade lower in both sources: another step in as many as may have gone unseen; others stay as they are."""
    bounds = Interval(-np.inf, np.inf)
    found = allowing_for_steps(Estimate(-1.0, -1.0, -1.0, 6, 0, 2), 1.0, bounds)
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == pytest.approx((-1 - unseen(2), -1 + unseen(2)))
    wide, nothing = Estimate(0.0, -1.0, 1.0, 6, 0, 2), Undefined("no item")
    assert (allowing_for_steps(wide, 1.0, bounds), allowing_for_steps(nothing, 1.0, bounds)) == (wide, nothing)
    assert step_of(np.array([2.0, 0.0, 0.5, 2.0])) == 0.5
    assert step_of(np.ones(3)) == 0.0


def test_any_statistic_of_two_columns_over_sources() -> None:
    """Kendall's tau-b with scipy's value and an interval over sources; what is not defined says so."""
    rng = np.random.default_rng(4)
    first = rng.normal(size=40)
    second = first + rng.normal(size=40)
    found = over_sources(kendall_of_two, first, second, [each // 4 for each in range(40)])
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(float(stats.kendalltau(first, second).statistic))
    assert found.low < found.value < found.high
    assert (found.n, found.sources) == (40, 10)
    nothing = over_sources(kendall_of_two, np.ones(8), second[:8], [0, 1] * 4)
    assert nothing == Undefined("too few items, or values that do not vary", 8)


def test_many_sources_leave_in_blocks() -> None:
    """300 sources: the interval is on average as wide as that of leaving out each, and all sources are counted."""
    source, bounds, ratios = [each % 300 for each in range(600)], Interval(-9.0, 9.0), []
    for seed in range(20):
        values = np.random.default_rng(seed).normal(size=600)

        def mean(rows: Mask, values: NDArray[np.float64] = values) -> float:
            return float(values[rows].mean())

        blocks, exact = mean_of_groups(mean, [0] * 600, source, bounds), clustered_mean(values, source, bounds)
        assert isinstance(blocks, Estimate)
        assert isinstance(exact, Estimate)
        assert (blocks.value, blocks.sources) == (pytest.approx(exact.value), 300)
        ratios.append((blocks.high - blocks.low) / (exact.high - exact.low))
    assert 0.95 < np.mean(ratios) < 1.08
