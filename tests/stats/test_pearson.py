"""`localeval.stats.correlation.pearson`: the correlation of many items, by sums over sources."""

import time

import numpy as np
import pytest
from scipy import stats

from localeval.stats.correlation import mean_correlation, pearson
from localeval.stats.estimate import Estimate, Undefined


def columns(n: int, seed: int, shift: float = 0.0) -> tuple[np.ndarray, np.ndarray]:  # type: ignore[type-arg]
    """Two columns that have half of their variance in common."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(0.5, 0.1, n)
    return truth + rng.normal(0, 0.1, n) + shift, truth + rng.normal(0, 0.1, n)


@pytest.mark.parametrize("per_source", [1, 3, 11])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_same_as_the_mean_over_two_raters(per_source: int, shift: float) -> None:
    """Value and interval are those of `mean_correlation`, whatever is added to all values of a column."""
    first, second = columns(66, 1, shift)
    sources = [n // per_source for n in range(66)]
    found = pearson(first, second, sources, missing=4)
    expected = mean_correlation(np.stack([first, second], axis=1), np.ones((66, 2), bool), sources)
    assert isinstance(found, Estimate)
    assert isinstance(expected, Estimate)
    assert (found.value, found.low, found.high) == pytest.approx((expected.value, expected.low, expected.high))
    assert (found.n, found.missing, found.sources) == (66, 4, expected.sources)
    assert found.value == pytest.approx(stats.pearsonr(first, second).statistic)


def test_undefined_where_nothing_can_be_told() -> None:
    """No item, three items, one source, a column that does not vary, or varies in one source alone."""
    first, second = columns(12, 2)
    still = np.full(12, 0.3)
    one_moves = still + np.eye(12)[0]
    cases = [
        (first[:0], second[:0], None, "a correlation needs four items"),
        (first[:3], second[:3], None, "a correlation needs four items"),
        (first, second, [0] * 12, "an interval needs two sources"),
        (first, still, None, "the values do not vary"),
        (first, one_moves, None, "one source alone holds all that varies"),
    ]
    for one, other, sources, reason in cases:
        found = pearson(one, other, sources)
        assert isinstance(found, Undefined)
        assert found.reason == reason


def test_many_items_of_many_sources_take_no_second() -> None:
    """27,000 items of 9,000 sources."""
    first, second = columns(27_000, 3)
    begin = time.process_time()
    found = pearson(first, second, [n // 3 for n in range(27_000)])
    assert time.process_time() - begin < 5
    assert isinstance(found, Estimate)
    assert found.low < 0.5 < found.high
