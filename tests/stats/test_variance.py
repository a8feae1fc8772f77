"""The split of variance: exact estimates, the coverage of its intervals, and designs that lack something."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from benchmarks.variance_coverage import DIFFERENCE, PLANS, Design, coverage, planted, scores, study
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Floats
from localeval.stats.variance import VarianceSplit, variance_split

DYESTUFF = (
    (1545, 1440, 1440, 1520, 1580),
    (1540, 1555, 1490, 1560, 1495),
    (1595, 1550, 1605, 1510, 1560),
    (1445, 1440, 1595, 1465, 1545),
    (1595, 1630, 1515, 1635, 1625),
    (1520, 1455, 1450, 1480, 1445),
)
"""Yield of five preparations of six batches: Davies 1947, the standard example of one random factor."""

BIG = Design((40, 3, 3, 3, 2))


def split_of(values: Floats) -> VarianceSplit:
    """The split, which there must be."""
    found = variance_split(values)
    assert isinstance(found, VarianceSplit), found
    return found


def drawn(design: Design = BIG, plan: int = 0, seed: int = 5) -> Floats:
    """One study."""
    return study(PLANS[plan], design, np.random.default_rng(seed))


def test_published_example_of_one_factor() -> None:
    """Variance between and within batches are those in the literature: 1764.05 and 2451.25."""
    found = split_of(np.array(DYESTUFF, float).reshape(6, 1, 1, 5, 1)).components
    assert list(found) == ["target", "sample"]
    assert found["target"].variance == pytest.approx(1764.05)
    assert found["sample"].variance == pytest.approx(2451.25)
    share = found["target"].share
    assert isinstance(share, Estimate)
    assert share.value == pytest.approx(1764.05 / (1764.05 + 2451.25))
    # the exact interval by F (Searle, Casella and McCulloch 1992, section 3.6), with four fifths of the error below
    ratios = (1764.05 * 5 / 2451.25 + 1) / stats.f.ppf([0.96, 0.01], 5, 24)
    exact = (ratios - 1) / (ratios - 1 + 5)
    assert (share.low, share.high) == pytest.approx(tuple(exact), abs=0.015)


def expected_by_projection(values: Floats) -> dict[str, float]:
    """The components by least squares: each term's gain in fit is set equal to what it is expected to be."""
    index = np.indices(values.shape).reshape(5, -1)
    crossed = [names for size in (1, 2, 3) for names in combinations(range(3), size)]
    terms = [*crossed, (0, 1, 2, 3), (0, 1, 2, 3, 4)]
    columns = {}
    for term in terms:
        _, level = np.unique(index[list(term)], axis=1, return_inverse=True)
        columns[term] = np.eye(level.max() + 1)[level.ravel()]
    basis = np.ones((values.size, 1)) / values.size**0.5
    observed, expected = [], []
    for term in terms:
        rest = columns[term] - basis @ (basis.T @ columns[term])
        left, size, _ = np.linalg.svd(rest, full_matrices=False)
        added = left[:, size > 1e-8]
        observed.append(((added.T @ values.ravel()) ** 2).sum())
        expected.append([((added.T @ columns[other]) ** 2).sum() for other in terms])
        basis = np.concatenate([basis, added], axis=1)
    solved = dict(zip(terms, np.linalg.solve(np.array(expected), np.array(observed)), strict=True))
    single = dict(zip(("target", "system", "wording"), (solved[term] for term in ((0,), (1,), (2,))), strict=True))
    mixed = sum(solved[term] for term in crossed if len(term) > 1)
    return single | {"interactions": mixed, "sample": solved[(0, 1, 2, 3)], "repeat": solved[(0, 1, 2, 3, 4)]}


def test_estimates_are_those_of_the_analysis_of_variance() -> None:
    """A balanced study gives what projections on the columns of each term give, solved for the components."""
    values = drawn(Design((4, 3, 3, 2, 2)), seed=8)
    expected = expected_by_projection(values)
    found = split_of(values).components
    assert {name: part.variance for name, part in found.items()} == pytest.approx(
        {name: max(each, 0.0) for name, each in expected.items()}
    )


COVERED = {
    "repeated": (BIG, 0),
    "many systems": (Design((12, 6, 3, 3, 1)), 2),
    "missing": (Design((40, 3, 3, 3, 2), 0.1), 1),
}


@pytest.mark.parametrize(("design", "plan"), COVERED.values(), ids=COVERED)
def test_intervals_hold_the_planted_shares(design: Design, plan: int) -> None:
    """In 300 studies each component's interval, and that of the difference, holds the truth in 90 to 99 of 100.

    A share at 0, or with few degrees of freedom behind it, may be held more often: its interval is cut at 0.
    """
    found = coverage(PLANS[plan], design, samples=300)
    assert set(found) == {*planted(PLANS[plan], design.shape), DIFFERENCE}
    shares = {name: each.share for name, each in found.items()}
    often = {name for name, share in shares.items() if share > 0.995}
    assert min(shares.values()) >= 0.90, shares
    assert often <= {"interactions", DIFFERENCE}, shares


def test_few_repeats_are_enough_for_a_component() -> None:
    """Where only the first sample of a cell was read twice, the intervals still hold the planted shares."""
    rng = np.random.default_rng(3)
    truth = planted(PLANS[0], BIG.shape)
    held = dict.fromkeys(truth, 0)
    for _ in range(200):
        values = study(PLANS[0], BIG, rng)
        values[:, :, :, 1:, 1] = np.nan
        for name, part in split_of(values).components.items():
            assert isinstance(part.share, Estimate)
            held[name] += part.share.low <= truth[name] <= part.share.high
    assert min(held.values()) >= 178, held


def test_what_is_planted_alone_has_all() -> None:
    """Readings that differ by wording alone give wording the whole, and an interval that says so."""
    values = np.zeros((4, 3, 3, 2, 2)) + np.array([0.2, 0.5, 0.9]).reshape(3, 1, 1)
    found = split_of(values)
    shares = scores(found)
    assert {name: each.value for name, each in shares.items() if isinstance(each, Estimate)} == pytest.approx(
        {"target": 0, "system": 0, "wording": 1, "interactions": 0, "sample": 0, "repeat": 0, DIFFERENCE: 1}, abs=1e-12
    )
    assert found.components["wording"].variance == pytest.approx(np.var([0.2, 0.5, 0.9], ddof=1))


def test_a_factor_with_one_level_has_no_component() -> None:
    """One system: no system, no difference; the design says so."""
    found = split_of(drawn()[:, :1])
    assert list(found.components) == ["target", "wording", "interactions", "sample", "repeat"]
    assert found.design == {"targets": 40, "systems": 1, "wordings": 3, "samples": 3, "repeats": 2}
    assert found.wording_minus_system == Undefined("it takes two systems", 40 * 18, 0, 40)
    other = split_of(drawn()[:, :, :1]).wording_minus_system
    assert isinstance(other, Undefined)
    assert other.reason == "it takes two wordings"
    assert list(split_of(drawn()[:, :1, :1]).components) == ["target", "sample", "repeat"]


def test_what_cannot_be_told_apart_falls_to_the_component_above() -> None:
    """Without repeats the judge's noise is in "sample", with one sample too it is in "interactions"; the sum stays."""
    values = drawn(Design((300, 4, 4, 3, 2)))
    whole = {name: part.variance for name, part in split_of(values).components.items()}
    read_once = {name: part.variance for name, part in split_of(values[..., :1]).components.items()}
    assert read_once["sample"] == pytest.approx(whole["sample"] + whole["repeat"], rel=0.05)
    single = {name: part.variance for name, part in split_of(values[..., :1, :1]).components.items()}
    assert set(single) == {"target", "system", "wording", "interactions"}
    assert single["interactions"] == pytest.approx(whole["interactions"] + read_once["sample"], rel=0.05)


def test_targets_without_a_whole_cell_are_dropped_and_counted() -> None:
    """A missing reading is counted; a target that lacks a cell leaves, with the same result as without it."""
    values = drawn()
    values[3, 1, 2] = np.nan
    values[7, 0, 0, 1, 0] = np.nan
    found = split_of(values)
    assert (found.dropped, found.design["targets"]) == (1, 39)
    share = found.components["target"].share
    assert (share.n, share.missing, share.sources) == (39 * 54 - 1, 7, 39)
    without = split_of(np.delete(values, 3, axis=0))
    assert {name: part.variance for name, part in without.components.items()} == pytest.approx(
        {name: part.variance for name, part in found.components.items()}
    )


def test_systems_without_any_reading_leave() -> None:
    """A system that gave nothing does not take all targets with it."""
    values = drawn()
    values[:, 1] = np.nan
    found = split_of(values)
    assert (found.dropped, found.design["systems"], found.design["targets"]) == (0, 2, 40)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.zeros((0, 3, 3, 2, 1)), "fewer than two targets have a reading in every cell"),
        (np.full((5, 3, 3, 2, 1), np.nan), "fewer than two targets have a reading in every cell"),
        (drawn()[:1], "fewer than two targets have a reading in every cell"),
        (np.full((5, 3, 3, 2, 1), 0.1), "the readings do not vary"),
        (np.zeros((5, 3, 3, 2, 1)), "the readings do not vary"),
        (drawn()[:, :1, :1, :1, :1], "one reading a target: nothing to split"),
    ],
)
def test_nothing_to_split_is_said(values: Floats, reason: str) -> None:
    """No number is made up where there are no two targets, no variation or nothing but targets."""
    found = variance_split(values)
    assert isinstance(found, Undefined)
    assert found.reason == reason


def test_the_same_whatever_the_unit() -> None:
    """Shares and their intervals do not change with unit and origin; two calls give the same."""
    values = drawn(plan=1)
    one, other = split_of(values), split_of(1000 * values + 7)
    assert split_of(values) == one
    for name, part in one.components.items():
        changed = other.components[name]
        assert isinstance(part.share, Estimate)
        assert isinstance(changed.share, Estimate)
        assert changed.variance == pytest.approx(1e6 * part.variance)
        assert (changed.share.value, changed.share.low, changed.share.high) == pytest.approx(
            (part.share.value, part.share.low, part.share.high), abs=1e-9
        )


def test_few_systems_are_said_to_be_few() -> None:
    """However many targets: with two systems the interval of their share leaves nearly all open, with eight not."""
    two, eight = (coverage(PLANS[0], Design((60, n, 3, 2, 1)), samples=20)["system"].width for n in (2, 8))
    assert two > 0.6 > 0.4 > eight


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(*[st.integers(0, 3)] * 5).flatmap(
        lambda shape: arrays(float, shape, elements=st.floats(-1e300, 1e300) | st.sampled_from([0.0, 0.5, 1.0, np.nan]))
    )
)
@example(np.array([0.1 + 0.2, 0.3] * 4).reshape(2, 2, 2, 1, 1))
@example(np.array([1e-320, 0.0] * 4).reshape(2, 2, 2, 1, 1))
def test_any_readings_give_shares_or_a_reason(values: Floats) -> None:
    """Nothing raises or warns, and shares add up to 1."""
    found = variance_split(values)
    if isinstance(found, VarianceSplit):
        shares = [part.share for part in found.components.values()]
        assert sum(share.value for share in shares if isinstance(share, Estimate)) == pytest.approx(1.0)
    else:
        assert found.reason
