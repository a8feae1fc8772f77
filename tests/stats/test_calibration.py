"""Probabilities set right by labels, and measures of how wrong they are."""

import json

import numpy as np
import pytest
from scipy import special

from localeval.stats.calibration import (
    FITS,
    Isotonic,
    Kind,
    Platt,
    brier,
    calibration_error,
    cross_fitted,
    curve_from_json,
    curve_to_json,
    equal_mass,
    isotonic,
    platt,
    reliability,
)
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Floats

KINDS: tuple[Kind, ...] = ("isotonic", "platt")


def overconfident(rng: np.random.Generator, k: int, each: int) -> tuple[Floats, Floats, list[int]]:
    """Probabilities of items of `k` sources whose log-odds are twice what they should be, labels, and sources."""
    odds = rng.normal(0.5, 1.2, k * each)
    labels = (rng.random(k * each) < special.expit(odds)).astype(float)
    return special.expit(2 * odds), labels, np.repeat(np.arange(k), each).tolist()


def test_isotonic_by_hand() -> None:
    """Neighbours that fall are pooled (1, 0 become .5 and .5); between points a straight line, beyond them level."""
    curve = isotonic(np.array([0.1, 0.2, 0.4, 0.6, 0.8]), np.array([0.0, 1.0, 0.0, 1.0, 1.0]))
    assert curve == Isotonic((0.1, 0.2, 0.4, 0.6, 0.8), (0.0, 0.5, 0.5, 1.0, 1.0))
    assert curve.apply(np.array([0.0, 0.15, 0.3, 0.5, 1.0])).tolist() == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])


def test_isotonic_pools_equal_probabilities_first() -> None:
    """Three items of one probability are one point, of their mean."""
    curve = isotonic(np.array([0.5, 0.5, 0.5, 0.9]), np.array([1.0, 0.0, 0.0, 1.0]))
    assert curve.at == (0.5, 0.9)
    assert curve.to == pytest.approx((1 / 3, 1.0))


def test_platt_finds_the_curve() -> None:
    """Log-odds that are twice too large are halved; thousands of labels leave little error."""
    chances, labels, _ = overconfident(np.random.default_rng(1), 4000, 1)
    curve = platt(chances, labels)
    assert curve.slope == pytest.approx(0.5, abs=0.04)
    assert curve.offset == pytest.approx(0.0, abs=0.08)


def test_labels_that_are_all_alike_give_no_certainty() -> None:
    """Platt's targets: five labels of 1 come to 6 / 7, not to 1."""
    curve = platt(np.full(5, 0.5), np.ones(5))
    assert curve.apply(np.array([0.5])) == pytest.approx([6 / 7], abs=1e-3)


def test_a_judge_that_is_upside_down_is_not_turned() -> None:
    """Both curves rise or are level: the labels' mean for every probability, up to Platt's targets."""
    chances = np.linspace(0.05, 0.95, 40)
    labels = (chances < 0.5).astype(float)
    for fit in FITS.values():
        assert fit(chances, labels).apply(np.array([0.1, 0.9])) == pytest.approx([0.5, 0.5], abs=0.01)
    assert platt(chances, labels).slope == 0.0


def test_no_item_gives_no_curve() -> None:
    """Nor a Brier score."""
    nothing = np.zeros(0)
    for fit in FITS.values():
        with pytest.raises(ValueError, match="needs an item"):
            fit(nothing, nothing)
    with pytest.raises(ValueError, match="needs an item"):
        brier(nothing, nothing, [])


@pytest.mark.parametrize("curve", [Platt(0.5, -0.25), Isotonic((0.1, 0.7), (0.0, 1.0))])
def test_curves_can_be_kept(curve: Platt | Isotonic) -> None:
    """As JSON and back they are the same."""
    assert curve_from_json(json.loads(json.dumps(curve_to_json(curve)))) == curve


@pytest.mark.parametrize(
    "body",
    [
        {"kind": "spline"},
        {"kind": "isotonic", "at": [0.1, 0.1], "to": [0.0, 1.0]},
        {"kind": "isotonic", "at": [0.1], "to": []},
        {"kind": "isotonic", "at": 3, "to": []},
        {"kind": "platt", "slope": "1", "offset": 0.0},
        {},
    ],
)
def test_what_is_no_curve(body: dict[str, object]) -> None:
    """Damaged JSON raises, and is never a curve of another form."""
    with pytest.raises((KeyError, TypeError, ValueError)):
        curve_from_json(body)


@pytest.mark.parametrize("kind", KINDS)
def test_calibration_helps_on_labels_that_it_did_not_see(kind: Kind) -> None:
    """Cross-fitted probabilities of an overconfident judge have a smaller error and a smaller Brier score."""
    chances, labels, sources = overconfident(np.random.default_rng(2), 60, 10)
    found = cross_fitted(chances, labels, sources, kind)
    assert not isinstance(found, Undefined)
    before, after = (calibration_error(each, labels, sources).debiased for each in (chances, found))
    assert isinstance(before, Estimate)
    assert isinstance(after, Estimate)
    assert after.value < before.low
    scores = [brier(each, labels, sources).score for each in (chances, found)]
    assert isinstance(scores[0], Estimate)
    assert isinstance(scores[1], Estimate)
    assert scores[1].value < scores[0].value


@pytest.mark.parametrize("kind", KINDS)
def test_no_item_is_calibrated_by_its_own_source(kind: Kind) -> None:
    """Turning all labels of one source around changes nothing in what its own items get, and something elsewhere."""
    chances, labels, sources = overconfident(np.random.default_rng(3), 12, 8)
    turned = labels.copy()
    turned[:8] = 1 - turned[:8]
    first, second = (cross_fitted(chances, each, sources, kind) for each in (labels, turned))
    assert not isinstance(first, Undefined)
    assert not isinstance(second, Undefined)
    assert first[:8].tolist() == second[:8].tolist()
    assert np.abs(first[8:] - second[8:]).max() > 0.01
    assert isinstance(cross_fitted(chances[:8], labels[:8], [0] * 8, kind), Undefined)


def test_random_labels_gain_nothing_by_calibration() -> None:
    """Isotonic fitted and measured on the same labels claims a resolution that cross-fitting shows to be none."""
    rng = np.random.default_rng(4)
    chances, labels = rng.random(120), (rng.random(120) < 0.5).astype(float)
    sources = list(range(120))
    own = isotonic(chances, labels).apply(chances)
    crossed = cross_fitted(chances, labels, sources, "isotonic")
    assert not isinstance(crossed, Undefined)
    assert float(((own - labels) ** 2).mean()) < 0.24
    assert float(((crossed - labels) ** 2).mean()) > 0.25


def test_bins_hold_equally_many() -> None:
    """Ten bins of ten; equal probabilities stay together, however many they are."""
    assert np.bincount(equal_mass(np.random.default_rng(1).random(100), 10)).tolist() == [10] * 10
    place = equal_mass(np.r_[np.full(90, 1.0), np.linspace(0, 0.9, 10)], 10)
    assert len(set(place[:90].tolist())) == 1
    assert len(set(place[90:].tolist())) == 1


def test_the_reliability_table_by_hand() -> None:
    """Two bins: of .1 and .3 a quarter is true, of .7 and .9 all are."""
    chances = np.array([0.1, 0.3, 0.1, 0.3, 0.7, 0.9, 0.7, 0.9])
    labels = np.array([0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0])
    low, high = reliability(chances, labels, [0, 0, 1, 1, 0, 0, 1, 1], bins=2)
    assert (low.low, low.high, low.chance) == pytest.approx((0.1, 0.3, 0.2))
    assert isinstance(low.share, Estimate)
    assert low.share.value == pytest.approx(0.25)
    assert isinstance(high.share, Estimate)
    assert (high.chance, high.share.value) == pytest.approx((0.8, 1.0))
    assert reliability(np.zeros(0), np.zeros(0), []) == ()
    assert high.share.low < 0.9
    (alone, _) = reliability(chances, labels, [0] * 8, bins=2)
    assert isinstance(alone.share, Estimate)
    assert alone.share.note == "one source"


def test_the_plain_error_by_hand() -> None:
    """Two bins of two: gaps of .2 and .3 make .25."""
    chances, labels = np.array([0.1, 0.3, 0.7, 0.9]), np.array([0.0, 0.0, 1.0, 0.0])
    found = calibration_error(chances, labels, [0, 1, 0, 1], bins=2)
    assert found.plain == pytest.approx((0.4 + 0.6) / 4)
    assert isinstance(found.debiased, Undefined)


def test_the_plain_error_flatters_nobody_and_the_debiased_is_fair() -> None:
    """Of a perfect judge the plain error of 60 labels is .09; the other is far less, with an interval from 0."""
    rng = np.random.default_rng(5)
    found = []
    for _ in range(200):
        chances = rng.random(60)
        labels = (rng.random(60) < chances).astype(float)
        error = calibration_error(chances, labels, range(60))
        assert isinstance(error.debiased, Estimate)
        found.append((error.plain, error.debiased.value, float(error.debiased.low == 0.0)))
    plain, debiased, from_nothing = np.mean(found, axis=0)
    assert plain > 0.08
    assert debiased < plain / 2
    assert from_nothing > 0.94


@pytest.mark.parametrize(("k", "each"), [(60, 1), (20, 6), (200, 1)])
def test_the_interval_of_the_error_covers(k: int, each: int) -> None:
    """A judge that is .15 too sure of everything: 95 % intervals hold the true error in 91 to 98 %."""
    rng = np.random.default_rng(6)
    hits = []
    for _ in range(300):
        chances = 0.15 + 0.85 * rng.random(k * each)
        labels = (rng.random(k * each) < chances - 0.15).astype(float)
        error = calibration_error(chances, labels, np.repeat(np.arange(k), each).tolist()).debiased
        assert isinstance(error, Estimate)
        hits.append(error.low <= 0.15 <= error.high)
    assert 0.91 < np.mean(hits) < 0.985


def test_the_brier_score_is_the_sum_of_its_parts() -> None:
    """By hand for two bins whose items are of one probability each, where nothing is left within bins."""
    chances = np.array([0.2, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.8])
    labels = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0])
    found = brier(chances, labels, [0, 1] * 4, bins=2)
    assert isinstance(found.score, Estimate)
    assert found.score.value == pytest.approx((6 * 0.04 + 2 * 0.64) / 8)
    assert found.reliability == pytest.approx(0.05**2)
    assert found.resolution == pytest.approx(0.25**2)
    assert found.uncertainty == pytest.approx(0.25)
    assert found.within == pytest.approx(0.0)
    rng = np.random.default_rng(7)
    many = rng.random(500)
    spread = brier(many, (rng.random(500) < many).astype(float), range(500))
    assert isinstance(spread.score, Estimate)
    parts = spread.reliability - spread.resolution + spread.uncertainty + spread.within
    assert spread.score.value == pytest.approx(parts)
    assert abs(spread.within) < 0.01
