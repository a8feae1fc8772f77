"""Correlations with intervals, and the effective number of raters."""

import numpy as np
import pytest
from scipy import stats

from localeval.stats.correlation import (
    effective_number,
    effective_raters,
    mean_correlation,
    mean_spearman,
    ranks,
    spearman,
    spearman_within,
)
from localeval.stats.estimate import Estimate, Undefined


def everywhere(values: np.ndarray) -> np.ndarray:
    """A mask that gives every value."""
    return np.ones(values.shape, bool)


def estimate(found: object) -> Estimate:
    """The estimate that was found."""
    assert isinstance(found, Estimate), found
    return found


def test_ranks_share_ties() -> None:
    """As scipy ranks."""
    values = np.array([3.0, 1, 3, 2, 3, 1])
    assert ranks(values).tolist() == stats.rankdata(values).tolist() == [5, 1.5, 5, 3, 5, 1.5]


def test_spearman_is_scipys() -> None:
    """With ties."""
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 5, (2, 40)).astype(float)
    found = estimate(spearman(first + second, second))
    assert found.value == pytest.approx(stats.spearmanr(first + second, second).statistic)
    assert found.low < found.value < found.high


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_full_agreement_of_few_is_no_certainty(sign: float) -> None:
    """Six items in the same order, or the reverse, leave an interval on one side."""
    order = np.arange(6.0)
    found = estimate(spearman(order, sign * order))
    assert found.value == pytest.approx(sign)
    assert max(abs(found.low), abs(found.high)) == pytest.approx(1.0)
    assert 0.2 < found.high - found.low < 1.5


def test_sources_count_instead_of_items() -> None:
    """Ten copies of a source make its items no surer."""
    rng = np.random.default_rng(4)
    first = rng.normal(size=8)
    second = first + rng.normal(size=8)
    copies = [np.repeat(column, 10) for column in (first, second)]
    sources = np.repeat(np.arange(8), 10).tolist()
    clustered, naive = estimate(spearman(*copies, sources)), estimate(spearman(*copies))
    assert clustered.high - clustered.low > 2 * (naive.high - naive.low)
    assert (clustered.n, clustered.sources) == (80, 8)


@pytest.mark.parametrize(
    ("first", "second", "sources", "reason"),
    [
        ([1, 2, 3], [1, 2, 3], None, "a correlation needs four items"),
        ([1, 1, 1, 1, 1], [1, 2, 3, 4, 5], None, "the values do not vary"),
        ([1, 2, 3, 4], [4, 3, 2, 1], [0, 0, 0, 0], "an interval needs two sources"),
        ([1, 2, 1, 1], [1, 2, 3, 4], [0, 0, 1, 1], "one source alone holds all that varies"),
    ],
)
def test_what_has_no_correlation_says_why(
    first: list[float], second: list[float], sources: list[int] | None, reason: str
) -> None:
    """Too few items, a column without variation, one source, or one that all rests on."""
    found = spearman(np.array(first, float), np.array(second, float), sources)
    assert isinstance(found, Undefined)
    assert found.reason == reason


def test_clustered_correlations_cover() -> None:
    """Of 95 % intervals over ten sources of six items whose level they share, 92 % or more hold the truth."""
    rng = np.random.default_rng(5)
    slope = 0.5

    def draw(n: int) -> tuple[np.ndarray, np.ndarray, list[int]]:
        level = np.repeat(rng.normal(size=(2, n)), 6, axis=1)
        first, noise = level + rng.normal(size=(2, 6 * n))
        return first, slope * first + noise, np.repeat(np.arange(n), 6).tolist()

    truth = float(stats.spearmanr(*draw(10000)[:2]).statistic)
    held = 0
    for _ in range(150):
        found = estimate(spearman(*draw(10)))
        held += found.low <= truth <= found.high
    assert held / 150 >= 0.92


def test_within_sources_levels_do_not_count() -> None:
    """Sources that are high in both columns make a correlation over all, and none within them."""
    rng = np.random.default_rng(6)
    sources = np.repeat(np.arange(12), 5)
    first, second = sources + rng.normal(0, 0.1, (2, 60))
    assert estimate(spearman(first, second, sources.tolist())).value > 0.95
    within = estimate(spearman_within(first, second, sources.tolist()))
    assert within.low < 0 < within.high
    assert (within.n, within.sources) == (60, 12)


def test_within_sources_is_by_hand() -> None:
    """Two sources of three: ranks (1,2,3) with (1,3,2) and with (3,2,1) give (1 - 2) / 4."""
    found = spearman_within(np.array([1.0, 2, 3, 10, 20, 30]), np.array([1.0, 3, 2, 9, 8, 7]), [0, 0, 0, 1, 1, 1])
    assert estimate(found).value == pytest.approx((1 - 2) / 4)


def test_a_source_of_one_item_says_nothing() -> None:
    """It is left out, and alone it gives no correlation."""
    base = np.array([1.0, 2, 3, 10, 20, 30]), np.array([1.0, 3, 2, 9, 8, 7]), [0, 0, 0, 1, 1, 1]
    more = [np.append(column, 5.0) for column in base[:2]]
    assert estimate(spearman_within(*more, [*base[2], 2])).value == estimate(spearman_within(*base)).value
    assert isinstance(spearman_within(np.array([1.0]), np.array([2.0]), [0]), Undefined)
    assert isinstance(spearman_within(np.array([]), np.array([]), []), Undefined)


def test_the_mean_is_over_pairs_by_what_both_rated() -> None:
    """Three raters, one of whom left out half: each pair is compared on the items of both."""
    rng = np.random.default_rng(7)
    values = rng.normal(size=(20, 1)) + rng.normal(size=(20, 3))
    given = everywhere(values)
    given[:10, 2] = False
    expected = [
        np.corrcoef(values[:, 0], values[:, 1])[0, 1],
        np.corrcoef(values[10:, 0], values[10:, 2])[0, 1],
        np.corrcoef(values[10:, 1], values[10:, 2])[0, 1],
    ]
    assert estimate(mean_correlation(values, given)).value == pytest.approx(np.mean(expected))
    values[:10, 2] = 1e9
    assert estimate(mean_correlation(values, given)).value == pytest.approx(np.mean(expected))


def test_items_of_one_rater_are_missing() -> None:
    """They enter nothing and are counted."""
    values = np.arange(12.0).reshape(6, 2)
    given = everywhere(values)
    given[0, 1] = False
    found = estimate(mean_spearman(values, given))
    assert (found.n, found.missing) == (5, 1)


@pytest.mark.parametrize(
    ("raters", "correlation", "number"),
    [(5, 0.384, 5 / 2.536), (9, 0.44, 9 / 4.52), (4, 1.0, 1.0), (4, 0.0, 4.0), (4, -0.2, 4.0), (1, 0.5, 1.0)],
)
def test_effective_number_is_by_hand(raters: int, correlation: float, number: float) -> None:
    """k / (1 + (k - 1) r); never more than there are."""
    assert effective_number(raters, correlation) == pytest.approx(number)


def test_more_correlation_is_fewer_raters() -> None:
    """The interval of the number is that of the correlation, turned round."""
    found = estimate(effective_raters(4, Estimate(0.5, 0.2, 0.8, 30, 1, 10)))
    assert (found.low, found.value, found.high) == pytest.approx((4 / 3.4, 4 / 2.5, 4 / 1.6))
    assert (found.n, found.missing, found.sources) == (30, 1, 10)
    assert effective_raters(4, Undefined("no labels")) == Undefined("no labels")
