"""Weighted votes."""

import numpy as np
import pytest

from localeval.stats.voting import is_unanimous, log_odds, weighted_vote


@pytest.mark.parametrize(
    ("right", "n", "chance", "weight"),
    [
        (5, 10, 0.5, 0.0),
        (9, 10, 0.5, np.log(10 / 2)),
        (1, 10, 0.5, np.log(2 / 10)),
        (10, 10, 0.5, np.log(11)),
        (5, 10, 0.3, np.log((6 / 6) / (4 / 8))),
        (10, 10, 1.0, 0.0),
        (0, 10, 0.0, 0.0),
        (0, 0, 0.5, 0.0),
    ],
)
def test_log_odds_are_against_chance(right: int, n: int, chance: float, weight: float) -> None:
    """One item is added to each side of both odds, counted by hand; at chance, and without labels, the weight is 0."""
    assert log_odds(right, n, chance) == pytest.approx(weight)


def test_log_odds_grow_with_what_is_known() -> None:
    """The same share of right answers weighs more when more items say so, and never without bound."""
    assert 0 < log_odds(3, 3) < log_odds(30, 30) < 4


@pytest.mark.parametrize(("right", "n", "chance"), [(3, 2, 0.5), (-1, 2, 0.5), (1, 2, 1.5)])
def test_impossible_counts_are_refused(right: int, n: int, chance: float) -> None:
    """More right than there are, or a chance beyond 1, is the caller's mistake."""
    with pytest.raises(ValueError, match="right of"):
        log_odds(right, n, chance)


def test_votes_are_weighed() -> None:
    """One judge of weight 3 outvotes two of 1; a negative weight votes for the other side; even is half."""
    votes = np.array([[1.0, -1, -1], [-1, 1, 0], [0, 1, -1], [0, 0, 0]])
    assert weighted_vote(votes, np.array([3.0, 1, 1])).tolist() == [1, 0, 0.5, 0.5]
    assert weighted_vote(votes, np.array([1.0, 1, 1])).tolist() == [0, 0.5, 0.5, 0.5]
    assert weighted_vote(votes, np.array([0.0, -1, 0.1])).tolist() == [1, 0, 0, 0.5]


def test_weights_that_cancel_are_even() -> None:
    """Rounding decides nothing: .1 + .2 against .3 is even."""
    assert weighted_vote(np.array([[1.0, 1, -1]]), np.array([0.1, 0.2, 0.3])).tolist() == [0.5]


def test_unanimity_is_of_those_who_voted() -> None:
    """A vote not given is no dissent, and nobody voting is no unanimity."""
    votes = np.array([[1.0, 1, 1], [-1, 0, -1], [1, -1, 0], [0, 0, 0]])
    assert is_unanimous(votes).tolist() == [True, True, False, False]
