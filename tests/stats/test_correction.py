"""Means of judged items corrected by labels, and true shares behind a judge of known errors."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm, t

from localeval.stats.correction import FEWEST_LABELS, Corrected, JudgedItems, ppi_difference, ppi_mean, ppi_stratified
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Floats, Interval
from localeval.stats.paired import Difference
from localeval.stats.prevalence import Known, rogan_gladen

SHARES = Interval(0.0, 1.0)


def corrected(items: JudgedItems, bounds: Interval | None = None) -> Corrected:
    """A correction that there is."""
    found = ppi_mean(items, bounds)
    assert isinstance(found, Corrected)
    return found


def made(rng: np.random.Generator, n: int = 200, n_labels: int = 20, **more: Any) -> JudgedItems:
    """Normal items of which the judge sees .8 and is .5 too high."""
    truth = rng.normal(size=n)
    values = 0.8 * truth + 0.6 * rng.normal(size=n) + 0.5
    labelled = rng.choice(n, n_labels, replace=False)
    return JudgedItems(values, range(n), labelled.tolist(), truth[labelled], **more)


def test_a_correction_by_hand() -> None:
    """Independent items: value, weight and error are those of the formulas in the docstring."""
    rng = np.random.default_rng(4)
    items = made(rng)
    at = np.array(items.labelled)
    y, f, every = items.labels, items.values[at], items.values
    n, size = len(y), len(every)
    few, many = np.sqrt(n / (n - 1)), np.sqrt(size / (size - 1))
    label, own = np.zeros(size), np.zeros(size)
    label[at], own[at] = few * (y - y.mean()) / n, few * (f - f.mean()) / n
    shown = many * (every - every.mean()) / size
    weight = -float(label @ (shown - own)) / float((shown - own) @ (shown - own))
    found = corrected(items)
    assert found.weight == pytest.approx(weight)
    assert found.estimate.value == pytest.approx(y.mean() + weight * (every.mean() - f.mean()))
    assert found.labels_alone.value == pytest.approx(y.mean())
    assert isinstance(found.judged, Estimate)
    assert found.judged.value == pytest.approx(every.mean())
    moved = np.sqrt((n - 1) / (n - 2)) * (label - weight * own) + weight * shown
    assert found.worth == pytest.approx(n * (label @ label) / (moved @ moved))
    assert (found.estimate.n, found.n_labels) == (200, 20)


def test_a_perfect_judge_is_worth_all_its_items() -> None:
    """Where the judge says what people say, the mean is that of all items, with weight near 1."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=400)
    found = corrected(JudgedItems(truth, range(400), range(40), truth[:40]))
    assert found.weight > 0.99
    assert found.estimate.value == pytest.approx(truth.mean(), abs=0.01)
    assert found.worth > 300


def test_a_judge_that_knows_nothing_is_left_out() -> None:
    """Constant values, or values that fall as labels rise, get weight 0: the mean is that of the labels alone."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=100)
    for values in (np.full(100, 3.0), -truth):
        found = corrected(JudgedItems(values, range(100), range(20), truth[:20]))
        assert found.weight == 0.0
        assert found.estimate.value == found.labels_alone.value
        assert found.worth == pytest.approx(20)
        half = [(each.high - each.low) / 2 for each in (found.estimate, found.labels_alone)]
        assert half[0] == pytest.approx(half[1])


def test_with_every_item_labelled_the_labels_speak() -> None:
    """A judge has nothing to add to a complete set of labels."""
    rng = np.random.default_rng(1)
    truth = rng.normal(size=30)
    found = corrected(JudgedItems(truth + 1.0, range(30), range(30), truth))
    assert found.estimate.value == pytest.approx(truth.mean())
    assert found.worth == pytest.approx(30)


def test_bounds_hold_and_are_told() -> None:
    """A corrected share below 0 becomes 0 and says so; labels that are all alike still leave an interval."""
    values = np.r_[np.ones(10), np.zeros(10), np.zeros(80)]
    labels = np.r_[np.zeros(12), np.ones(0)]
    found = corrected(JudgedItems(values, range(100), range(12), labels), SHARES)
    assert found.estimate.value == 0.0
    assert found.estimate.low == 0.0
    assert 0.05 < found.estimate.high < 0.6
    by_error = JudgedItems(values, range(100), range(20), np.r_[np.ones(1), np.zeros(19)])
    assert corrected(by_error, SHARES).estimate.low >= 0.0
    # the judge's mean is far below its mean on the labelled, which its weight takes off
    dived = np.r_[np.full(6, 1.0), np.full(6, 0.9), np.full(188, 0.0)]
    told = corrected(JudgedItems(dived, range(200), range(12), np.r_[np.full(6, 0.15), np.full(6, 0.05)]), SHARES)
    assert told.is_cut
    assert told.estimate.value == 0.0


def test_too_few_labels_are_refused() -> None:
    """Sources count, not items: two labels each of five sources are too few."""
    rng = np.random.default_rng(1)
    values = rng.normal(size=40)
    sources = np.repeat(np.arange(20), 2).tolist()
    found = ppi_mean(JudgedItems(values, sources, range(10), values[:10]))
    assert isinstance(found, Undefined)
    assert found.reason == f"a correction needs labels from {FEWEST_LABELS} sources, there are 5"
    assert isinstance(ppi_mean(JudgedItems(values, sources, range(12), values[:12])), Corrected)
    assert isinstance(ppi_stratified([]), Undefined)


@pytest.mark.parametrize(
    ("labelled", "chances", "told"),
    [([0, 0], None, "each once"), ([0, 9], None, "places of items"), ([0, 1], np.array([0.5, 0.0]), "in \\(0, 1]")],
)
def test_items_that_cannot_be(labelled: list[int], chances: Floats | None, told: str) -> None:
    """A place twice or outside, or a probability that no labelled item can have had, raises ValueError."""
    with pytest.raises(ValueError, match=told):
        JudgedItems(np.zeros(5), range(5), labelled, np.zeros(2), chances)
    with pytest.raises(ValueError, match="one length"):
        JudgedItems(np.zeros(5), range(4), [0, 1], np.zeros(2))


def test_one_stratum_is_the_same_as_none() -> None:
    """And two halves of independent strata have the mean of both, each by its own weight."""
    rng = np.random.default_rng(7)
    first, second = made(rng), made(rng)
    moved = JudgedItems(second.values, range(200, 400), second.labelled, second.labels)
    both = ppi_stratified([first, moved])
    assert isinstance(both, Corrected)
    alone = [corrected(each) for each in (first, moved)]
    assert both.estimate.value == pytest.approx(np.mean([each.estimate.value for each in alone]))
    assert both.weight == pytest.approx(np.mean([each.weight for each in alone]))
    assert both.estimate.n == 400
    assert both.n_labels == 40


def test_labels_drawn_unequally_are_weighed() -> None:
    """Faulty items are labelled five times as often: unweighed labels see too many of them, weighed ones do not."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(200):
        truth = (rng.random(400) < 0.2).astype(float)
        values = np.where(rng.random(400) < 0.8, truth, 1 - truth)
        chance = np.where(truth > 0, 0.5, 0.1)
        labelled = np.flatnonzero(rng.random(400) < chance)
        pair = [
            corrected(JudgedItems(values, range(400), labelled.tolist(), truth[labelled], each), SHARES).estimate
            for each in (None, chance[labelled])
        ]
        found.append([*(each.value for each in pair), float(pair[1].low <= 0.2 <= pair[1].high)])
    biased, weighed, covered = np.mean(found, axis=0)
    assert biased > 0.3
    assert weighed == pytest.approx(0.2, abs=0.01)
    assert 0.91 < covered < 0.99


def drawn(
    rng: np.random.Generator, kind: str, n_sources: int, each: int, alike: float
) -> tuple[Floats, Floats, Floats]:
    """Truth, judge's values and sources; `alike` is the correlation of two items of a source."""
    sources = np.repeat(np.arange(n_sources), each)
    parts = [
        np.sqrt(alike) * rng.normal(size=n_sources)[sources] + np.sqrt(1 - alike) * rng.normal(size=len(sources))
        for _ in range(2)
    ]
    if kind == "normal":
        return parts[0], 0.8 * parts[0] + 0.6 * parts[1] + 0.5, sources
    truth = (parts[0] < norm.ppf(0.3)).astype(float)
    return truth, np.where(truth > 0, parts[1] < norm.ppf(0.8), parts[1] > norm.ppf(0.8)).astype(float), sources


@pytest.mark.parametrize(
    ("kind", "n_sources", "each", "alike", "n_labels"),
    [
        ("normal", 200, 1, 0.0, 8),
        ("normal", 200, 1, 0.0, 30),
        ("share", 200, 1, 0.0, 30),
        ("normal", 30, 10, 0.3, 30),
        ("share", 30, 10, 0.3, 60),
    ],
)
def test_intervals_cover(kind: str, n_sources: int, each: int, alike: float, n_labels: int) -> None:
    """95 % intervals hold the true mean of further sources in 93 to 97 % of simulations, clustered or not."""
    rng = np.random.default_rng(11)
    true = 0.0 if kind == "normal" else 0.3
    hits = []
    for _ in range(600):
        truth, values, sources = drawn(rng, kind, n_sources, each, alike)
        labelled = rng.choice(len(truth), n_labels, replace=False)
        items = JudgedItems(values, sources.astype(int).tolist(), labelled.tolist(), truth[labelled])
        found = ppi_mean(items, None if kind == "normal" else SHARES)
        if isinstance(found, Corrected):
            hits.append(found.estimate.low <= true <= found.estimate.high)
    assert len(hits) == 600
    assert 0.92 < np.mean(hits) < 0.985


def test_systems_that_share_sources_are_not_independent() -> None:
    """Two systems on the same sources, alike in what is hard: their mean is less sure than of separate sources."""
    rng = np.random.default_rng(5)
    hard = rng.normal(size=100)
    labelled = rng.choice(100, 30, replace=False)
    strata = []
    for _ in range(2):
        truth = hard + 0.3 * rng.normal(size=100)
        strata.append(JudgedItems(truth + rng.normal(size=100), range(100), labelled.tolist(), truth[labelled]))
    shared = ppi_stratified(strata)
    apart = ppi_stratified(
        [strata[0], JudgedItems(strata[1].values, range(100, 200), strata[1].labelled, strata[1].labels)]
    )
    assert isinstance(shared, Corrected)
    assert isinstance(apart, Corrected)
    assert shared.estimate.high - shared.estimate.low > 1.2 * (apart.estimate.high - apart.estimate.low)


def test_a_difference_of_two_systems() -> None:
    """What is hard for both cancels out; systems that are equal differ at p < .05 in about 5 % of simulations."""
    rng = np.random.default_rng(8)
    significant, widths = [], []
    for _ in range(400):
        hard = rng.normal(size=80)
        labelled = rng.choice(80, 20, replace=False)
        pair = []
        for _ in range(2):
            truth = hard + 0.5 * rng.normal(size=80)
            values = truth + 0.5 * rng.normal(size=80)
            pair.append(JudgedItems(values, range(80), labelled.tolist(), truth[labelled]))
        found = ppi_difference(pair[0], pair[1])
        assert isinstance(found, Difference)
        significant.append(found.p_value < 0.05)
        widths.append((found.estimate.high - found.estimate.low) / 2)
        both = [corrected(each).estimate.value for each in pair]
        assert found.estimate.value == pytest.approx(both[0] - both[1])
    assert 0.02 < np.mean(significant) < 0.09
    assert np.mean(widths) < 0.45
    few = JudgedItems(np.zeros(80), range(80), [0], np.zeros(1))
    assert isinstance(ppi_difference(pair[0], few), Undefined)
    same = JudgedItems(np.zeros(80), range(80), range(10), np.zeros(10))
    assert ppi_difference(same, same) == Difference(Estimate(0.0, 0.0, 0.0, 160, 0, 80), 1.0)


def test_differences_that_are_all_the_same_are_no_certainty() -> None:
    """Six sources, 2 for one system and 1 for the other: a step of the scale in one label of each is allowed for."""
    pair = [JudgedItems(np.full(6, level), range(6), range(6), np.full(6, level)) for level in (2.0, 1.0)]
    found = ppi_difference(pair[0], pair[1])
    assert isinstance(found, Difference)
    assert found.estimate.value == pytest.approx(1.0)
    # error sqrt(2) / 6, t of 5 degrees of freedom
    assert found.p_value == pytest.approx(2 * t.sf(6 / np.sqrt(2), 5))
    assert found.estimate.low == pytest.approx(1 - t.ppf(0.975, 5) * np.sqrt(2) / 6)


def test_a_true_share_by_hand() -> None:
    """(.3 + .9 - 1) / (.8 + .9 - 1) = .2 / .7; Rogan and Gladen's formula."""
    found = rogan_gladen(30, 100, Known(80, 100), Known(90, 100))
    assert isinstance(found.score, Estimate)
    assert found.score.value == pytest.approx(0.2 / 0.7)
    assert found.score.low < 0.2 / 0.7 < found.score.high
    assert not found.is_cut
    assert found.youden.low < 0.7 < found.youden.high


def test_a_share_below_nothing_is_nothing_and_told() -> None:
    """Fewer accusations than the judge raises against sound items: 0, with an interval above it."""
    found = rogan_gladen(11, 100, Known(80, 100), Known(85, 100))
    assert found.is_cut
    assert isinstance(found.score, Estimate)
    assert found.score.value == 0.0 == found.score.low
    assert found.score.high > 0.01


def test_errors_that_cannot_be_the_same_are_told() -> None:
    """So few accusations that not even chance explains them: the labelled items are no sample of these."""
    found = rogan_gladen(2, 100, Known(80, 100), Known(75, 100))
    assert isinstance(found.score, Undefined)
    assert found.score.reason.startswith("the judge called 2% of the items faulty, which its errors on the labelled")


def test_a_judge_near_chance_is_refused() -> None:
    """Where sensitivity + specificity - 1 may be 0 nothing is divided by it; the reason says how near it is."""
    found = rogan_gladen(50, 100, Known(12, 20), Known(11, 20))
    assert isinstance(found.score, Undefined)
    assert "is 0.15 [-0." in found.score.reason
    assert found.youden.low <= 0 < found.youden.high
    # with ten times the labels the same judge is above chance
    assert isinstance(rogan_gladen(50, 100, Known(120, 200), Known(110, 200)).score, Estimate)


@pytest.mark.parametrize(
    ("n", "labelled", "se", "sp"), [(100, 30, 0.95, 0.95), (400, 30, 0.8, 0.9), (100, 100, 0.7, 0.7)]
)
@pytest.mark.parametrize("true", [0.02, 0.3, 0.9])
def test_intervals_of_true_shares_cover(n: int, labelled: int, se: float, sp: float, true: float) -> None:
    """They hold the truth in 94 % or more, also of rare faults, where the delta method falls to 80 %."""
    rng = np.random.default_rng(2)
    hits = []
    for _ in range(500):
        positives = rng.binomial(n, true * se + (1 - true) * (1 - sp))
        known = Known(rng.binomial(labelled, se), labelled), Known(rng.binomial(labelled, sp), labelled)
        found = rogan_gladen(positives, n, *known).score
        if isinstance(found, Estimate):
            hits.append(found.low <= true <= found.high)
    assert len(hits) > 480
    assert np.mean(hits) > 0.93
