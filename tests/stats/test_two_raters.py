"""`localeval.stats.two_raters`: the same values as the functions that have intervals."""

import numpy as np
import pytest
from scipy import stats

from localeval.stats.agreement import count_ratings, gwet_ac1, interval_alpha, krippendorff_alpha
from localeval.stats.correlation import pearson, spearman
from localeval.stats.estimate import Estimate, Score
from localeval.stats.two_raters import (
    ac1_of_table,
    alpha_of_table,
    interval_alpha_of_two,
    kendall_of_two,
    pearson_of_two,
    spearman_of_two,
)

RNG = np.random.default_rng(1)
FIRST = RNG.integers(0, 4, 60)
SECOND = np.where(RNG.random(60) < 0.6, FIRST, RNG.integers(0, 4, 60))
TABLE = np.bincount(FIRST * 4 + SECOND, minlength=16).reshape(4, 4).astype(float)


def value(score: Score) -> float:
    assert isinstance(score, Estimate)
    return score.value


def test_of_classes() -> None:
    """AC1, alpha at nominal and ordinal level, from the table alone."""
    counts = count_ratings(list(zip(FIRST.tolist(), SECOND.tolist(), strict=True)), range(4))
    assert ac1_of_table(TABLE) == pytest.approx(value(gwet_ac1(counts)))
    assert alpha_of_table(TABLE, "nominal") == pytest.approx(value(krippendorff_alpha(counts, "nominal")))
    assert alpha_of_table(TABLE, "ordinal") == pytest.approx(value(krippendorff_alpha(counts, "ordinal")))


def test_of_numbers() -> None:
    """Alpha by distance, Pearson, Spearman, Kendall."""
    first, second = FIRST + 1000.5, SECOND * 2.0
    both = np.stack([first, second], axis=1)
    assert interval_alpha_of_two(first, second) == pytest.approx(value(interval_alpha(both, np.ones((60, 2), bool))))
    assert pearson_of_two(first, second) == pytest.approx(value(pearson(first, second)))
    assert spearman_of_two(first, second) == pytest.approx(value(spearman(first, second)))
    for n in (1, 20):  # all pairs at once, and scipy's own way
        columns = np.tile(first, n), np.tile(second, n)
        assert kendall_of_two(*columns) == pytest.approx(float(stats.kendalltau(*columns).statistic))


def test_what_is_not_defined_is_no_number() -> None:
    """Nothing at all, one class, a column that does not vary, too few items."""
    nothing = np.zeros(0)
    assert np.isnan(ac1_of_table(np.zeros((3, 3))))
    assert np.isnan(alpha_of_table(np.diag([5.0, 0.0]), "nominal"))
    assert np.isnan(interval_alpha_of_two(nothing, nothing))
    assert np.isnan(interval_alpha_of_two(np.ones(3), np.ones(3)))
    for each in (pearson_of_two, spearman_of_two, kendall_of_two):
        assert np.isnan(each(np.arange(3.0), np.arange(3.0)))
        assert np.isnan(each(np.full(5, 0.1), np.arange(5.0)))
