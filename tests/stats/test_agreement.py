"""Agreement coefficients against published worked examples."""

import numpy as np
import pytest

from localeval.stats.agreement import (
    Level,
    cohen_kappa,
    count_ratings,
    gwet_ac1,
    interval_alpha,
    krippendorff_alpha,
    raw_agreement,
)
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats


def value(score: Score) -> float:
    assert isinstance(score, Estimate)
    return score.value


def four_raters() -> Floats:
    """Four raters, twelve items, five categories, ratings missing: Krippendorff 2011; Gwet 2014, p. 120."""
    raters = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")
    items = [[rater[item] for rater in raters if rater[item] != "."] for item in range(12)]
    return count_ratings(items, "12345")


SIX_RATERS = np.array(
    [
        [int(digit) for digit in row]
        for row in (
            "00060",
            "03003",
            "01401",
            "00006",
            "03030",
            "20400",
            "00402",
            "20310",
            "20040",
            "00006",
            "10050",
            "11040",
            "03300",
            "10050",
            "02031",
        )
    ],
    float,
)
"""15 patients, six psychiatrists, five diagnoses: Gwet 2014 (irrCAC, distrib.6raters)."""

ABSTRACTORS = np.array([[13, 0, 0], [0, 20, 7], [0, 4, 56]], float)
"""Two abstractors, 100 women: Gwet 2014 (irrCAC, cont3x3abstractors)."""


def abstractor_counts() -> Floats:
    pairs = [(i, j) for i in range(3) for j in range(3) for _ in range(int(ABSTRACTORS[i, j]))]
    return count_ratings(pairs, range(3))


@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_gives_the_published_values_with_missing_ratings(level: Level, expected: float) -> None:
    """Krippendorff 2011: four observers, five values, missing data."""
    score = krippendorff_alpha(four_raters(), level, [1, 2, 3, 4, 5] if level == "interval" else ())
    assert value(score) == pytest.approx(expected, abs=5e-4)
    assert isinstance(score, Estimate)
    assert (score.n, score.missing) == (11, 1)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("0100000010", "1110010000", 0.095), ("aabbdcccedda", "babbbccceddd", 0.692)],
)
def test_alpha_of_two_raters_gives_the_published_values(first: str, second: str, expected: float) -> None:
    """Krippendorff 2011: two values, and five."""
    counts = count_ratings(list(zip(first, second, strict=True)), sorted({*first, *second}))
    assert value(krippendorff_alpha(counts, "nominal")) == pytest.approx(expected, abs=5e-4)


def test_coefficients_agree_with_gwets_own_package() -> None:
    """AC1, alpha and raw agreement on the three data sets that irrCAC 1.0 prints."""
    assert value(gwet_ac1(four_raters())) == pytest.approx(0.77544, abs=5e-6)
    assert value(krippendorff_alpha(four_raters(), "nominal")) == pytest.approx(0.74342, abs=5e-6)
    assert value(raw_agreement(four_raters())) == pytest.approx(0.8181818, abs=5e-8)
    assert value(gwet_ac1(SIX_RATERS)) == pytest.approx(0.4448007, abs=5e-8)
    assert value(krippendorff_alpha(SIX_RATERS, "nominal")) == pytest.approx(0.4204384, abs=5e-8)
    assert value(raw_agreement(SIX_RATERS)) == pytest.approx(0.5511111, abs=5e-8)
    assert value(gwet_ac1(abstractor_counts())) == pytest.approx(0.8493305, abs=5e-8)
    assert value(krippendorff_alpha(abstractor_counts(), "nominal")) == pytest.approx(0.7972585, abs=5e-8)
    assert cohen_kappa(ABSTRACTORS) == pytest.approx(0.7964094, abs=5e-8)


def test_intervals_are_close_to_the_published_standard_errors() -> None:
    """The jackknife's half width on 100 items is within a few per cent of irrCAC's t interval."""
    for score, error in (
        (gwet_ac1(abstractor_counts()), 0.04321747),
        (krippendorff_alpha(abstractor_counts(), "nominal"), 0.05905473),
        (raw_agreement(abstractor_counts()), 0.03128898),
    ):
        assert isinstance(score, Estimate)
        assert (score.high - score.low) / 2 == pytest.approx(1.984 * error, rel=0.03)


def test_kappa_and_alpha_fall_with_skew_while_ac1_does_not() -> None:
    """Feinstein and Cicchetti 1990: 85 % raw agreement twice, kappa .70 and then .32."""
    even, skewed = np.array([[40.0, 9.0], [6.0, 45.0]]), np.array([[80.0, 10.0], [5.0, 5.0]])
    assert cohen_kappa(even) == pytest.approx(0.70, abs=0.005)
    assert cohen_kappa(skewed) == pytest.approx(0.32, abs=0.005)
    coefficients = []
    for table in (even, skewed):
        pairs = [(i, j) for i in range(2) for j in range(2) for _ in range(int(table[i, j]))]
        counts = count_ratings(pairs, range(2))
        assert value(raw_agreement(counts)) == pytest.approx(0.85)
        coefficients.append((value(gwet_ac1(counts)), value(krippendorff_alpha(counts, "nominal"))))
    assert coefficients[1][0] > coefficients[0][0] > 0.69
    assert coefficients[1][1] < 0.33


def test_items_of_one_source_are_not_independent() -> None:
    """Grouped by source, four sources of copies give the interval of four items, not of forty."""
    single = count_ratings(["aa", "ab", "bb", "ba"], "ab")
    copies = np.repeat(single, 10, axis=0)
    grouped = krippendorff_alpha(copies, "nominal", sources=[0] * 10 + [1] * 10 + [2] * 10 + [3] * 10)
    alone = krippendorff_alpha(copies, "nominal")
    assert isinstance(grouped, Estimate)
    assert isinstance(alone, Estimate)
    assert grouped.sources == 4
    assert grouped.high - grouped.low > 3 * (alone.high - alone.low)


def test_what_has_no_value_says_why() -> None:
    """No pair of ratings, ratings all the same, one category, one source: each is undefined with its own reason."""
    none = count_ratings(["a", ""], "ab")
    same = count_ratings(["aa", "aaa"], "ab")
    reasons = [
        gwet_ac1(none),
        krippendorff_alpha(none, "nominal"),
        krippendorff_alpha(same, "nominal"),
        gwet_ac1(count_ratings(["aa"], "a")),
        gwet_ac1(same, sources=[7, 7]),
        krippendorff_alpha(count_ratings(["aa", "bb"], "ab"), "nominal"),
    ]
    assert [score.reason for score in reasons if isinstance(score, Undefined)] == [
        "no item has two ratings",
        "no item has two ratings",
        "all ratings are the same",
        "one category only",
        "an interval needs two sources",
        "one source alone holds all that differs",
    ]
    assert isinstance(cohen_kappa(np.zeros((2, 2))), Undefined)
    assert isinstance(cohen_kappa(np.array([[5.0, 0.0], [0.0, 0.0]])), Undefined)
    assert value(gwet_ac1(same)) == 1.0


def test_a_rating_outside_the_categories_is_refused() -> None:
    """An unknown category names the item; interval distances need a value for every category."""
    with pytest.raises(ValueError, match="item 1: 'c' is not one of 'a', 'b'"):
        count_ratings(["ab", "ac"], "ab")
    with pytest.raises(ValueError, match="2 categories and 1 values"):
        krippendorff_alpha(count_ratings(["ab"], "ab"), "interval", [1.0])


def test_interval_alpha_is_krippendorffs() -> None:
    """From values it is the same number and interval as from counts by value, ratings missing or not."""
    rng = np.random.default_rng(11)
    values = np.round(rng.normal(50, 10, (40, 1)) + rng.normal(0, 5, (40, 4)))
    given = rng.random((40, 4)) < 0.7
    sources = np.repeat(np.arange(8), 5).tolist()
    scale = np.unique(values)
    counts = ((values[:, :, None] == scale) & given[:, :, None]).sum(1).astype(float)
    expected = krippendorff_alpha(counts, "interval", scale.tolist(), sources)
    found = interval_alpha(values, given, sources)
    assert isinstance(found, Estimate)
    assert isinstance(expected, Estimate)
    assert (found.value, found.low, found.high) == pytest.approx((expected.value, expected.low, expected.high))
    assert (found.n, found.missing, found.sources) == (expected.n, expected.missing, expected.sources)


def test_interval_alpha_needs_values_that_differ() -> None:
    """All the same, or no item with two ratings: no number, and why."""
    same = interval_alpha(np.full((5, 2), 0.1), np.ones((5, 2), bool))
    alone = interval_alpha(np.arange(4.0).reshape(2, 2), np.eye(2, dtype=bool))
    assert isinstance(same, Undefined)
    assert same.reason == "all ratings are the same"
    assert isinstance(alone, Undefined)
    assert alone.reason == "no item has two ratings"


def test_full_agreement_has_a_width() -> None:
    """Four sources in which all agree are no certainty: half of all sources may be others, within the scale's ends."""
    counts = count_ratings(["aa", "bb"] * 4, "ab")
    sources = [0, 0, 1, 1, 2, 2, 3, 3]
    unseen = 1 - 0.05**0.25
    for score, width in (
        (gwet_ac1(counts, sources), 2.0),
        (krippendorff_alpha(counts, "nominal", sources=sources), 2.0),
        (raw_agreement(counts, sources), 1.0),
    ):
        assert isinstance(score, Estimate)
        assert (score.value, score.low, score.high) == (1.0, pytest.approx(1 - width * unseen), 1.0)
