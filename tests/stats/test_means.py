"""Means over sources, effects, and the paired test."""

import numpy as np
import pytest
from scipy import stats

from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Interval
from localeval.stats.means import adjusted_slope, clustered_effect, clustered_mean, paired_mean
from localeval.stats.paired import Difference


def shares(*values: float) -> np.ndarray:
    """An array of shares."""
    return np.array(values, float)


def test_paired_mean_is_the_paired_t_test() -> None:
    """Value, interval and p-value are scipy's."""
    rng = np.random.default_rng(1)
    first, second = rng.uniform(0.2, 0.8, (2, 12))
    expected = stats.ttest_rel(first, second)
    found = paired_mean(first, second, missing=3)
    assert isinstance(found, Difference)
    assert found.p_value == pytest.approx(expected.pvalue)
    interval = expected.confidence_interval()
    assert (found.estimate.low, found.estimate.high) == pytest.approx((interval.low, interval.high))
    assert (found.estimate.n, found.estimate.missing, found.estimate.sources) == (12, 3, 12)


@pytest.mark.parametrize(("gap", "p_value"), [(0.0, 1.0), (0.1, 0.0), (-0.3, 0.0)])
def test_equal_differences_have_no_spread(gap: float, p_value: float) -> None:
    """With step 0, differences that are all the same are certain: p is 1 at 0 and else 0, without a warning."""
    first = shares(0.7, 0.45, 0.55)
    found = paired_mean(first + gap, first)
    assert isinstance(found, Difference)
    assert found.p_value == p_value
    assert (found.estimate.low, found.estimate.high) == pytest.approx((gap, gap))


def test_a_coarse_scale_leaves_a_doubt() -> None:
    """Two sources that differ by one step each are no proof, thirty that do are."""
    step = 1 / 12
    two = paired_mean(shares(0.5, 0.5) + step, shares(0.5, 0.5), step)
    many = paired_mean(np.full(30, 0.5 + step), np.full(30, 0.5), step)
    assert isinstance(two, Difference)
    assert isinstance(many, Difference)
    # t = step / (step / 2 / sqrt(2)) = 2.83 with one degree of freedom
    assert two.p_value == pytest.approx(2 * stats.t.sf(2 * np.sqrt(2), 1))
    assert two.estimate.low < 0 < two.estimate.high
    assert many.p_value < 1e-9


@pytest.mark.parametrize("n", [0, 1])
def test_one_source_cannot_be_tested(n: int) -> None:
    """Below two sources there is no spread."""
    assert paired_mean(np.full(n, 0.5), np.full(n, 0.4)) == Undefined("a paired test needs two sources", n, 0, n)


def test_a_mean_of_one_item_a_source_is_student() -> None:
    """With one item a source the clustered mean has the one-sample t interval."""
    values = shares(0.1, -0.2, 0.3, 0.4)
    expected = stats.ttest_1samp(values, 0).confidence_interval()
    found = clustered_mean(values, [0, 1, 2, 3])
    assert isinstance(found, Estimate)
    assert (found.value, found.low, found.high) == pytest.approx((0.15, expected.low, expected.high))


def test_repeating_an_item_within_its_source_adds_nothing() -> None:
    """Ten copies of each item are as sure as one."""
    values = shares(0.1, -0.2, 0.3, 0.4)
    once, often = (
        clustered_mean(values, [0, 1, 2, 3]),
        clustered_mean(np.repeat(values, 10), [source for source in range(4) for _ in range(10)]),
    )
    assert isinstance(once, Estimate)
    assert isinstance(often, Estimate)
    assert (often.low, often.high) == pytest.approx((once.low, once.high))
    assert (often.n, often.sources) == (40, 4)


def test_intervals_stay_within_bounds() -> None:
    """An interval over two sources that differ wildly is cut to what can be."""
    found = clustered_mean(shares(0.1, 0.9), [0, 1], Interval(0.0, 1.0))
    assert isinstance(found, Estimate)
    assert (found.low, found.high) == (0.0, 1.0)


def test_one_source_gives_no_interval() -> None:
    """Neither a mean nor an effect has one, and nothing has none either."""
    assert isinstance(clustered_mean(shares(0.1, 0.2), [7, 7]), Undefined)
    assert isinstance(clustered_mean(shares(), []), Undefined)
    assert isinstance(clustered_effect(0.5, shares(), []), Undefined)
    assert isinstance(adjusted_slope(shares(), shares(), [[]], []), Undefined)


def test_a_slope_beside_factors_is_exact() -> None:
    """Levels of systems and sources of any size are taken off; what remains is 0.2 a unit, with a little noise."""
    rng = np.random.default_rng(2)
    system, source = np.divmod(np.arange(60), 12)
    cause = rng.choice([-0.5, 0.0, 0.5], 60)
    values = 0.3 * system - 0.1 * source + 0.2 * cause + rng.normal(0, 0.01, 60)
    found = adjusted_slope(values, cause, [system.tolist(), source.tolist()], source.tolist())
    assert isinstance(found, Estimate)
    assert found.low < 0.2 < found.high
    assert found.high - found.low < 0.03
    design = np.stack([cause, *(system == i for i in range(5)), *(source == i for i in range(1, 12))], 1).astype(float)
    assert found.value == pytest.approx(np.linalg.lstsq(design, values, rcond=None)[0][0])


@pytest.mark.parametrize("with_sources", [True, False])
def test_a_slope_is_that_of_least_squares_with_a_constant_each(with_sources: bool) -> None:
    """Value and every source left out by hand, whether the sources are a factor or not; levels go by any number."""
    rng = np.random.default_rng(8)
    source, system = np.repeat([5, 2, 9, 40], 12), rng.integers(0, 4, 48) * 3
    cause = rng.choice([-0.5, 0.0, 0.5], 48)
    values = 0.2 * cause + 0.1 * source % 3 + 0.05 * system + rng.normal(0, 0.2, 48)
    factors = [system, source] if with_sources else [system]

    def slope(kept: np.ndarray) -> float:
        constants = [factor[kept][:, None] == np.unique(factor[kept]) for factor in factors]
        columns = np.concatenate([cause[kept][:, None], *constants], axis=1)
        return float(np.linalg.lstsq(columns, values[kept], rcond=None)[0][0])

    found = adjusted_slope(values, cause, [each.tolist() for each in factors], source.tolist())
    assert isinstance(found, Estimate)
    left = np.array([slope(source != each) for each in (5, 2, 9, 40)])
    half = stats.t.ppf(0.975, 3) * np.sqrt(3 / 4 * ((left - left.mean()) ** 2).sum())
    assert found.value == pytest.approx(slope(source > 0), abs=1e-7)
    assert found.high - found.value == pytest.approx(half, abs=1e-6)


def test_a_cause_that_goes_with_a_factor_has_no_slope() -> None:
    """Where each source has one place of its own, place and source cannot be told apart."""
    source = [0, 0, 1, 1, 2, 2]
    found = adjusted_slope(shares(1, 2, 3, 4, 5, 6) / 6, np.array(source, float), [source], source)
    assert isinstance(found, Undefined)


@pytest.mark.parametrize("sources", [5, 30])
def test_a_clustered_mean_covers(sources: int) -> None:
    """Of 95 % intervals over items that share their source's level, 92 to 98 % hold the truth."""
    rng = np.random.default_rng(sources)
    place = np.repeat(np.arange(sources), 6).tolist()
    held = 0
    for _ in range(600):
        values = np.repeat(rng.normal(0, 0.1, sources), 6) + rng.normal(0, 0.1, 6 * sources)
        found = clustered_mean(values, place)
        assert isinstance(found, Estimate)
        held += found.low <= 0 <= found.high
    assert 0.92 <= held / 600 <= 0.98


@pytest.mark.parametrize("sources", [5, 12])
def test_a_slope_covers_with_few_sources(sources: int) -> None:
    """Of 95 % intervals beside a constant for every system and source, 92 % or more hold the truth."""
    rng = np.random.default_rng(sources)
    system, source = np.divmod(np.arange(4 * sources), sources)
    held, n = 0, 0
    for _ in range(300):
        cause = rng.permuted(np.tile([-0.5, -0.5, 0.5, 0.5], (sources, 1)), axis=1).T.ravel()
        values = 0.1 * cause + 0.2 * system + rng.normal(0, 0.1, sources)[source] + rng.normal(0, 0.1, 4 * sources)
        found = adjusted_slope(values, cause, [system.tolist(), source.tolist()], source.tolist())
        if isinstance(found, Estimate):
            held, n = held + (found.low <= 0.1 <= found.high), n + 1
    assert n > 270
    assert held / n >= 0.92
