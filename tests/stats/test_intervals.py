"""Intervals of proportions and pooled ratios."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import (
    FOR_RATIOS,
    Floats,
    Ratio,
    clustered_bootstrap,
    clustered_ratio,
    clustered_ratios,
    design_effect,
    mean_of_sources,
    ratio_intervals,
    wilson,
)

CAP_R = Ratio((1, 0, 0), (1, 1, 1))
CAP_P = Ratio((1, 0, 0), (1, 1, 0))
CAP_F1 = Ratio((2, 0, 0), (2, 2, 1))


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_gives_the_published_intervals(right: int, n: int, low: float, high: float) -> None:
    """The four examples of Newcombe 1998 (Statistics in Medicine 17, 857-872, table I, method 3)."""
    assert wilson(right, n) == pytest.approx((low, high), abs=6e-5)


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
@settings(deadline=None)
def test_wilson_agrees_with_scipy(counts: tuple[int, int]) -> None:
    """The interval is that of scipy's binomtest, at any counts and at another confidence."""
    for confidence in (0.95, 0.8):
        expected = stats.binomtest(*counts).proportion_ci(confidence, "wilson")
        assert wilson(*counts, confidence) == pytest.approx((expected.low, expected.high), abs=1e-9)


def test_counts_that_cannot_be_are_refused() -> None:
    """More successes than trials, and no trials, are errors; so are a ratio above 1 and weights that do not match."""
    for right, n in ((3, 2), (-1, 2), (0, 0)):
        with pytest.raises(ValueError, match="trials"):
            wilson(right, n)
    with pytest.raises(ValueError, match="each numerator"):
        Ratio((2, 0), (1, 1))
    with pytest.raises(ValueError, match="argument 2 is shorter"):
        Ratio((1, 0), (1,))


def test_one_source_has_wilsons_interval() -> None:
    """For one text a share is Wilson's: CapR of 8 in 12, CapP of 8 in 10."""
    counts = np.array([[8.0, 2.0, 2.0]])
    for ratio, right, n in ((CAP_R, 8, 12), (CAP_P, 8, 10)):
        score = clustered_ratio(counts, ratio, missing=1)
        assert isinstance(score, Estimate)
        assert (score.low, score.high) == pytest.approx(wilson(right, n))
        assert (score.value, score.n, score.missing, score.note) == (right / n, n, 1, "one source")


def test_cap_f1_is_the_harmonic_mean_of_pooled_precision_and_recall() -> None:
    """The one-line ratio equals the formula of two ratios, over several sources."""
    counts = np.array([[8.0, 2.0, 2.0], [5.0, 1.0, 6.0], [10.0, 0.0, 1.0]])
    right, wrong, n = 23, 3, counts.sum()
    precision, recall = right / (right + wrong), right / n
    value = ratio_intervals(counts, CAP_F1).value
    assert value == pytest.approx(2 * precision * recall / (precision + recall))


def test_nothing_answered_is_undefined() -> None:
    """CapP without answers has no value, and says so; CapR and CapF1 of the same counts are 0."""
    counts = np.array([[0.0, 0.0, 9.0], [0.0, 0.0, 7.0]])
    assert clustered_ratio(counts, CAP_P, missing=2) == Undefined("nothing to divide by", 0, 2, 0)
    for ratio in (CAP_R, CAP_F1):
        score = clustered_ratio(counts, ratio)
        assert isinstance(score, Estimate)
        assert (score.value, score.low) == (0.0, 0.0)
        assert 0.1 < score.high < 0.6


def test_sources_that_happen_to_agree_do_not_give_certainty() -> None:
    """Two sources with the same share keep an interval wider than independent questions would have."""
    score = clustered_ratio(np.array([[11.0, 0.0, 1.0], [11.0, 0.0, 1.0]]), CAP_R)
    assert isinstance(score, Estimate)
    low, high = wilson(22, 24)
    assert score.low < low - 0.05
    assert score.high >= high
    assert score.note == "few sources"


def test_many_sources_are_taken_at_their_word() -> None:
    """With 200 sources the measured design effect rules: the interval is that of the linearised standard error."""
    rng = np.random.default_rng(1)
    n = rng.integers(6, 21, 200)
    right = rng.binomial(n, rng.beta(2.0, 2.0, 200))
    counts = np.stack([right, n - right, 0 * n], axis=1).astype(float)
    score = clustered_ratio(counts, CAP_R)
    assert isinstance(score, Estimate)
    deviations = right - score.value * n
    error = np.sqrt(200 / 199 * (deviations**2).sum()) / n.sum()
    assert score.high - score.low == pytest.approx(2 * 1.972 * error, rel=0.03)


@settings(deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=6))
def test_intervals_always_hold_their_value(rows: list[tuple[int, int, int]]) -> None:
    """Whatever the counts, each ratio is inside its interval, inside [0, 1], or undefined."""
    counts = np.array(rows, float)
    for ratio in (CAP_R, CAP_P, CAP_F1):
        score = clustered_ratio(counts, ratio)
        if isinstance(score, Estimate):
            assert 0.0 <= score.low <= score.value <= score.high <= 1.0
        else:
            assert (counts @ np.array(ratio.denominator)).sum() == 0.0


def test_many_systems_at_once_give_what_each_gives_alone() -> None:
    """1,000 systems on 30 sources are one call, and its rows are those of single calls."""
    counts = np.random.default_rng(2).multinomial(12, (0.7, 0.1, 0.2), (1000, 30)).astype(float)
    table = ratio_intervals(counts, CAP_F1)
    for system in (0, 123, 999):
        score = clustered_ratio(counts[system], CAP_F1)
        assert isinstance(score, Estimate)
        assert (score.value, score.low, score.high) == (table.value[system], table.low[system], table.high[system])


def test_many_tables_give_the_scores_that_each_gives_alone() -> None:
    """To the last digit, with one that has nothing to divide by among them."""
    tables = np.random.default_rng(14).integers(0, 9, (6, 4, 3)).astype(float)
    tables[2, :, :2] = 0.0
    for ratio in (CAP_P, CAP_R, CAP_F1):
        alone = [clustered_ratio(table, ratio, lost) for lost, table in enumerate(tables)]
        assert clustered_ratios(tables, ratio, range(6)) == alone
    assert isinstance(clustered_ratios(tables, CAP_P, range(6))[2], Undefined)


def test_the_design_effect_lies_between_data_and_assumption() -> None:
    """Two sources of ten questions, by hand.

    All right and all wrong: measured 20, correlation 19/9; with four parts of 0.1 that is 0.5022, effect 5.52. The
    same share in both: measured 0, correlation -1/9, drawn to 0.0578, effect 1.52.
    """
    units = np.array([10.0, 10.0])
    apart = design_effect(np.array(5.0), np.array(50.0), units, FOR_RATIOS)
    alike = design_effect(np.array(5.0), np.array(0.0), units, FOR_RATIOS)
    assert (float(apart.effect), float(alike.effect)) == pytest.approx((5.52, 1.52))
    assert float(apart.freedom) == 5.0


def draw(rng: np.random.Generator, shares: tuple[float, ...], correlation: float, size: tuple[int, int]) -> Floats:
    """Counts [samples, sources, outcomes] of 6 to 20 questions a source, sources correlated as Dirichlet draws are."""
    n = rng.integers(6, 21, size)
    if not correlation:
        return rng.multinomial(n, shares).astype(float)
    gammas = rng.gamma(np.array(shares) * (1 - correlation) / correlation, size=(*size, len(shares)))
    return rng.multinomial(n, gammas / gammas.sum(-1, keepdims=True)).astype(float)


@pytest.mark.parametrize("ratio", [CAP_R, CAP_P, CAP_F1], ids=["CapR", "CapP", "CapF1"])
@pytest.mark.parametrize("sources", [2, 3, 5, 10, 30])
def test_intervals_cover_what_they_claim(ratio: Ratio, sources: int) -> None:
    """95 % intervals cover the truth in 93 to 100 % of simulated evaluations, averaged over shares and correlations.

    Never below 90 % at any single setting: docs/statistics.md has the table.
    """
    rng = np.random.default_rng(sources)
    covered = []
    for shares in ((0.2, 0.3, 0.5), (0.5, 0.2, 0.3), (0.7, 0.1, 0.2), (0.9, 0.04, 0.06)):
        truth = np.dot(ratio.numerator, shares) / np.dot(ratio.denominator, shares)
        for correlation in (0.0, 0.1, 0.2):
            table = ratio_intervals(draw(rng, shares, correlation, (1500, sources)), ratio)
            is_defined = np.isfinite(table.value)
            covered.append(np.mean(((table.low <= truth) & (truth <= table.high))[is_defined]))
    assert np.mean(covered) > 0.93
    assert min(covered) > 0.89


def test_the_mean_of_sources_has_the_t_interval() -> None:
    """Each source counts the same; the interval is scipy's t interval, cut to [0, 1]; one source has none."""
    values = np.array([0.5, 0.75, 0.6, 0.9, 0.7])
    score = mean_of_sources(values)
    assert isinstance(score, Estimate)
    expected = stats.ttest_1samp(values, 0.0).confidence_interval()
    assert (score.low, score.high) == pytest.approx((expected.low, expected.high))
    cut = mean_of_sources(np.array([1.0, 0.2]))
    assert isinstance(cut, Estimate)
    assert (cut.low, cut.high) == (0.0, 1.0)
    assert isinstance(mean_of_sources(np.array([0.5])), Undefined)


def test_the_bootstrap_is_seeded_and_agrees_with_the_formula() -> None:
    """The same generator gives the same interval; over 40 sources it is close to the linearised one."""
    counts = draw(np.random.default_rng(4), (0.7, 0.1, 0.2), 0.1, (1, 40))[0]

    def recall(weights: Floats) -> Floats:
        total = weights @ counts
        return np.asarray(total[:, 0] / total.sum(1))

    first = clustered_bootstrap(recall, 40, np.random.default_rng(9))
    assert first == clustered_bootstrap(recall, 40, np.random.default_rng(9))
    table = ratio_intervals(counts, CAP_R)
    assert first == pytest.approx((float(table.low), float(table.high)), abs=0.02)


def test_a_bootstrap_that_cannot_be_is_refused() -> None:
    """One source has nothing to resample; a statistic that divides by nothing is the caller's to settle."""
    rng = np.random.default_rng(1)
    with pytest.raises(ValueError, match="needs two"):
        clustered_bootstrap(lambda weights: weights[:, 0], 1, rng)
    with pytest.raises(ValueError, match="finite values"):
        clustered_bootstrap(lambda weights: np.full(len(weights), np.nan), 3, rng)
