"""`localeval.stats.clustered`: errors over one and two kinds of cluster, against the analysis of variance."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from localeval.stats.clustered import (
    cluster_sums,
    clustered_error,
    numbered,
    of_difference,
    of_mean,
    of_ratio,
    two_way_effect,
    two_way_error,
    two_way_mean,
    without_each,
)
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Interval
from localeval.stats.means import clustered_mean


def crossed(rows: int, columns: int, repeats: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The clusters of a full table, so many items a cell."""
    first = np.repeat(np.arange(rows), columns * repeats)
    return first, np.tile(np.repeat(np.arange(columns), repeats), rows)


def drawn(first: np.ndarray, second: np.ndarray, spread: tuple[float, float, float], seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    levels = (rng.normal(0, sd, each.max() + 1)[each] for sd, each in zip(spread, (first, second), strict=False))
    return np.asarray(sum(levels) + rng.normal(0, spread[2], len(first)))


def test_clusters_are_numbered_without_gaps() -> None:
    """In the order of their numbers; without any, each item is one; clusters of other items are refused."""
    assert numbered([7, 2, 7, 30], 4)[0].tolist() == [1, 0, 1, 2]
    assert numbered(None, 3) == (pytest.approx(np.arange(3)), 3)
    with pytest.raises(ValueError, match="4 items and clusters of 2"):
        numbered([1, 2], 4)


def test_what_leaves_with_a_cluster() -> None:
    """Sums by cluster, and the rest without each; a rest that is rounding alone is 0."""
    parts = cluster_sums(np.array([[1.0, 0.1], [2.0, 0.2], [4.0, 0.0]]), numbered([0, 0, 1], 3))
    assert parts == pytest.approx(np.array([[3.0, 0.3], [4.0, 0.0]]))
    assert without_each(parts)[0].tolist() == [4.0, 0.0]


def test_without_clusters_it_is_the_error_of_a_mean() -> None:
    """Student's, with n - 1 degrees of freedom."""
    values = np.random.default_rng(0).normal(size=17)
    error, freedom = clustered_error(of_mean(values))
    assert (error, freedom) == (pytest.approx(stats.sem(values)), 16)


def test_items_of_a_cluster_count_once() -> None:
    """Thirty copies of each value are no more than the values; as in `clustered_mean`."""
    values = np.random.default_rng(1).normal(size=9)
    copies, sources = np.repeat(values, 30), np.repeat(np.arange(9), 30)
    assert clustered_error(of_mean(copies), sources) == pytest.approx((stats.sem(values), 8))
    found = clustered_mean(copies, sources.tolist(), Interval(-9, 9))
    assert isinstance(found, Estimate)
    assert found.high - found.value == pytest.approx(stats.t.ppf(0.975, 8) * stats.sem(values))


def test_two_ways_are_the_analysis_of_variance_of_a_full_table() -> None:
    """Var(mean) = (MS rows + MS columns - MS cells) / items: the estimator of two crossed random effects."""
    first, second = crossed(12, 7, 2)
    values = drawn(first, second, (1.0, 0.8, 0.7), 3)
    table = values.reshape(12, 7, 2).mean(-1)
    rows, columns = table.mean(1) - table.mean(), table.mean(0) - table.mean()
    rest = table - table.mean() - rows[:, None] - columns[None, :]
    squares = 7 * (rows**2).sum() / 11, 12 * (columns**2).sum() / 6, (rest**2).sum() / 66
    error, freedom = two_way_error(of_mean(values), first, second)
    assert error**2 == pytest.approx((squares[0] + squares[1] - squares[2]) / 84)
    assert 6 <= freedom <= 17


def test_the_papers_estimator_is_near_where_clusters_are_many() -> None:
    """Cameron, Gelbach and Miller's sum of three squared errors, with full cells and one in three empty."""
    for share in (1.0, 0.67):
        first, second = crossed(60, 50)
        kept = np.random.default_rng(5).random(len(first)) < share
        first, second = first[kept], second[kept]
        influence = of_mean(drawn(first, second, (1.0, 1.0, 1.0), 6))
        three = [clustered_error(influence, each).error ** 2 for each in (first, second, first * 50 + second)]
        assert two_way_error(influence, first, second).error ** 2 == pytest.approx(
            three[0] + three[1] - three[2], rel=0.04
        )


def test_clusters_of_one_kind_inside_the_other_add_nothing() -> None:
    """Each system wrote about a source of its own: the cells are the systems, and the sources alone decide."""
    sources = np.repeat(np.arange(8), 6)
    systems = np.repeat(np.arange(24), 2)
    influence = of_mean(drawn(sources, systems, (1.0, 0.3, 0.5), 8))
    assert two_way_error(influence, sources, systems).error == pytest.approx(clustered_error(influence, sources).error)


def test_two_ways_are_never_surer_than_one() -> None:
    """Whatever the influences, the error is that of the surer kind at least."""
    rng = np.random.default_rng(9)
    for _ in range(50):
        first, second = rng.integers(0, 5, 40), rng.integers(0, 6, 40)
        influence = of_mean(rng.normal(size=40))
        both = two_way_error(influence, first, second).error
        assert both >= max(clustered_error(influence, each).error for each in (first, second)) - 1e-12


@given(st.integers(0, 10_000))
@settings(deadline=None, max_examples=15)
def test_the_kinds_may_change_places(seed: int) -> None:
    """Which of two kinds comes first makes no difference to the error."""
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 6, 50), rng.integers(0, 4, 50)
    influence = of_mean(rng.normal(size=50))
    there, back = two_way_error(influence, first, second), two_way_error(influence, second, first)
    assert there == pytest.approx(back, rel=1e-6)


def test_influences_sum_to_nothing_and_move_the_value() -> None:
    """Of a mean, a difference and a ratio: leaving an item out moves the value by its influence, nearly."""
    rng = np.random.default_rng(10)
    top, bottom, is_first = (
        rng.integers(0, 5, 200).astype(float),
        rng.integers(5, 9, 200).astype(float),
        rng.random(200) < 0.4,
    )
    statistics = {
        "mean": (of_mean(top), lambda kept: top[kept].mean()),
        "difference": (of_difference(top, is_first), lambda k: top[k & is_first].mean() - top[k & ~is_first].mean()),
        "ratio": (of_ratio(top, bottom), lambda kept: top[kept].sum() / bottom[kept].sum()),
    }
    for influence, value in statistics.values():
        assert influence.sum() == pytest.approx(0.0, abs=1e-12)
        everyone = np.ones(200, bool)
        for item in (0, 17, 120):
            without = everyone.copy()
            without[item] = False
            assert value(everyone) - value(without) == pytest.approx(influence[item], abs=2e-4)


def test_scores_of_two_ways() -> None:
    """An interval about the mean within bounds, counting items and the clusters of the first kind."""
    first, second = crossed(10, 6)
    values = drawn(first, second, (0.1, 0.1, 0.1), 12) + 0.95
    found = two_way_mean(values, first, second, Interval(0, 1), missing=2)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(values.mean())
    assert (found.high, found.n, found.sources, found.missing) == (1.0, 60, 10, 2)
    effect = two_way_effect(found.value, of_mean(values), first, second)
    assert isinstance(effect, Estimate)
    assert effect.low == pytest.approx(found.low)


def test_one_cluster_of_a_kind_is_not_enough() -> None:
    """No error can be had of it, and it is said."""
    assert two_way_mean(np.ones(4), [0, 0, 1, 1], [5, 5, 5, 5]) == Undefined(
        "an interval needs two clusters of each kind", 4, 0, 2
    )
    assert two_way_mean(np.ones(0), [], [], missing=3) == Undefined("no item", 0, 3, 0)
    with pytest.raises(ValueError, match="needs two"):
        clustered_error(np.ones(3), [1, 1, 1])
    assert two_way_error(np.zeros(4), [0, 0, 1, 1], [0, 1, 0, 1]) == (0.0, 1)
