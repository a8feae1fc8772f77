"""Kendall's tau-b: against scipy, the definition, and every source left out by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from localeval.stats.clustered import numbered
from localeval.stats.concordance import net_concordance
from localeval.stats.correlation import kendall
from localeval.stats.estimate import Estimate, Undefined


def estimate(found: object) -> Estimate:
    assert isinstance(found, Estimate), found
    return found


columns = st.lists(st.tuples(st.integers(0, 5), st.integers(-3, 3), st.integers(0, 3)), min_size=1, max_size=25)


@given(columns)
@settings(deadline=None, max_examples=40)
def test_every_pair_is_counted_once(rows: list[tuple[int, int, int]]) -> None:
    """Ties in either column count for nothing, items of other groups neither: against all pairs written out."""
    first, second, group = (np.array(column, float) for column in zip(*rows, strict=True))
    signs = np.sign(first[:, None] - first) * np.sign(second[:, None] - second) * (group[:, None] == group)
    groups = numbered(group.astype(int).tolist(), len(rows))
    assert net_concordance(first, second, groups).tolist() == signs.sum(1).tolist()


@pytest.mark.parametrize(("levels", "seed"), [(None, 0), (3, 1), (9, 2), (2, 3)])
def test_the_value_is_scipys_tau_b(levels: int | None, seed: int) -> None:
    """Of values without ties and of grades with many."""
    rng = np.random.default_rng(seed)
    first = rng.normal(size=120) if levels is None else rng.integers(0, levels, 120).astype(float)
    second = first + rng.normal(size=120) if levels is None else np.round(first + rng.normal(size=120))
    assert estimate(kendall(first, second)).value == pytest.approx(stats.kendalltau(first, second).statistic)


def test_the_value_is_that_of_the_definition() -> None:
    """Two rankings of ten: pairs in the same order less those in the other, by all 45 (Kendall 1938)."""
    first = np.arange(10.0)
    second = np.array([4.0, 6, 1, 3, 0, 9, 2, 5, 8, 7])
    order = [second[i] < second[j] for i in range(10) for j in range(i + 1, 10)]
    assert estimate(kendall(first, second)).value == pytest.approx((2 * sum(order) - 45) / 45)


def test_the_interval_is_from_sources_left_out() -> None:
    """Each source left out by hand, on Fisher's scale with a t quantile."""
    rng = np.random.default_rng(5)
    sources = np.repeat(np.arange(12), 9)
    level = rng.normal(0, 1, 12)[sources]
    first, second = np.round(level + rng.normal(size=108)), np.round(level + rng.normal(size=108))
    found = estimate(kendall(first, second, sources.tolist(), missing=3))
    left = np.array([stats.kendalltau(first[sources != s], second[sources != s]).statistic for s in range(12)])
    error = np.sqrt(11 / 12 * ((left - left.mean()) ** 2).sum()) / (1 - found.value**2)
    half = stats.t.ppf(0.975, 11) * max(error, np.sqrt(0.437 / 104))
    ends = np.tanh(np.arctanh(found.value) + np.array([-half, half]))
    assert (found.low, found.high) == pytest.approx(tuple(ends))
    assert (found.n, found.missing, found.sources) == (108, 3, 12)


def test_a_column_that_does_not_vary_has_no_correlation() -> None:
    """As with the other correlations; too few items neither, and one source alone that holds what varies."""
    rising = np.arange(6.0)
    assert kendall(rising, np.ones(6)) == Undefined("the values do not vary", 6, 0, 6)
    assert isinstance(kendall(rising[:3], rising[:3]), Undefined)
    assert isinstance(kendall(rising, rising, [1] * 6), Undefined)
    assert kendall(rising[:0], rising[:0]) == Undefined("a correlation needs four items", 0, 0, 0)
    lone = np.array([0.0, 1, 2, 0, 0, 0])
    assert kendall(lone, rising, [0, 0, 0, 1, 1, 1]) == Undefined("one source alone holds all that varies", 6, 0, 2)


def test_full_agreement_of_few_is_no_certainty() -> None:
    """Six items in the same order leave an interval below 1."""
    found = estimate(kendall(np.arange(6.0), np.arange(6.0)))
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low < 0.9


def test_many_items_take_no_longer_than_they_must() -> None:
    """The same tau as scipy's, over 200 sources."""
    rng = np.random.default_rng(6)
    first = rng.normal(size=20_000)
    second = first + rng.normal(size=20_000)
    found = estimate(kendall(first, second, (np.arange(20_000) // 100).tolist()))
    assert found.value == pytest.approx(stats.kendalltau(first, second).statistic)
    assert found.high - found.low < 0.05
