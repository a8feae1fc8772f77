"""What is measured on public sets, against figures worked out by hand."""

import numpy as np
import pytest

from localeval.public_sets.llmbar import Pair
from localeval.public_sets.newsmtsc import Mention, Sentence
from localeval.public_sets.raters import ceiling, reliability, severity, standardised, with_others
from localeval.public_sets.stored import mixed_share, share_of
from localeval.public_sets.votes import (
    learnt,
    longer_is_right,
    panel,
    picks_first,
    picks_longer,
    right,
    same_after_swap,
    weighed_panel,
)
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Interval

PAIRS = tuple(
    Pair(f"p{number}", "Natural", "Do it.", outputs, gold)
    for number, (outputs, gold) in enumerate(((("long one", "short"), 1), (("a", "longer"), 1), (("same", "size"), 2)))
)


def value(score: Score) -> float:
    """The number of a score that has one."""
    assert isinstance(score, Estimate), score
    assert score.low <= score.value <= score.high
    return score.value


def test_votes_are_counted_one_by_one() -> None:
    """Three of four given votes are right; two are missing."""
    found = right(np.array([[1.0, 1.0], [1.0, -1.0], [0.0, 0.0]]))
    assert value(found) == 0.75
    assert (found.n, found.missing, found.sources) == (4, 2, 2)


def test_leanings_are_of_what_was_shown() -> None:
    """First place: output 1 in the given order, output 2 in the swapped one. Equal lengths say nothing of length."""
    votes = [(1, 2), (2, 2), (1, 0)]
    assert value(picks_first(votes)) == 4 / 5
    assert value(picks_longer(PAIRS, votes)) == 3 / 4
    assert value(longer_is_right(PAIRS)) == 0.5
    same = same_after_swap(votes)
    assert value(same) == 0.5
    assert (same.n, same.missing) == (2, 1)


def test_an_even_panel_is_half_right() -> None:
    """One pair with all for it, one even, one against."""
    marks = np.array([[[1.0, 1.0], [1.0, 0.0]], [[1.0, -1.0], [1.0, -1.0]], [[-1.0, -1.0], [1.0, 0.0]]])
    assert value(panel(marks)) == 0.5


def test_labels_turn_a_judge_that_is_always_wrong() -> None:
    """Two judges below chance outvote a good one; weights from labels make them vote for the other side."""
    rng = np.random.default_rng(0)
    good = np.where(rng.random((80, 1, 2)) < 0.9, 1.0, -1.0)
    bad = np.where(rng.random((80, 2, 2)) < 0.1, 1.0, -1.0)
    marks = np.concatenate([good, bad], axis=1)
    assert value(panel(marks)) < 0.3
    assert value(weighed_panel(marks, 1, labelled=20, splits=50)) > 0.9
    assert [weight > 0 for weight in learnt(marks)] == [True, False, False]
    assert weighed_panel(marks, 1, 20, 50) == weighed_panel(marks, 1, 20, 50)


def test_severity_is_against_the_others_on_the_same_texts() -> None:
    """A rater who gives 20 more than the mean of two others; what another rated alone does not enter."""
    values = np.array([[30.0, 10.0, 10.0], [60.0, 30.0, 50.0], [99.0, 0.0, 0.0], [70.0, 50.0, 0.0]])
    given = np.array([[True, True, True], [True, True, True], [True, False, False], [True, True, False]])
    found = severity(values, given, 0, [0, 1, 2, 3], Interval(-100.0, 100.0))
    assert value(found) == 20.0
    assert (found.n, found.sources) == (3, 3)
    assert isinstance(with_others(values, given, 0, [0, 1, 2, 3]), Undefined), "three texts are too few for r"
    doubled = np.concatenate([values, values + 1])
    twice = with_others(doubled, np.concatenate([given, given]), 0, [0, 1, 2, 3, 4, 5, 6, 7])
    assert value(twice) == pytest.approx(1.0)


def test_standard_ratings_have_no_severity() -> None:
    """Mean 0 and deviation 1 for each rater over what he rated; one who always says the same has 0."""
    values = np.array([[10.0, 50.0, 7.0], [30.0, 90.0, 7.0], [50.0, 0.0, 7.0]])
    given = np.array([[True, True, True], [True, True, True], [True, False, True]])
    found = standardised(values, given)
    assert found[:, 0].tolist() == [-1.0, 0.0, 1.0]
    assert found[:2, 1].tolist() == pytest.approx([-np.sqrt(0.5), np.sqrt(0.5)])
    assert (found[2, 1], found[:, 2].tolist()) == (0.0, [0.0, 0.0, 0.0])


def test_a_mean_is_more_reliable_than_one_rater() -> None:
    """Alpha .5 of single ratings is .8 of four, and r can reach .894; what is negative counts as nothing."""
    four = reliability(Estimate(0.5, -0.1, 0.6, 100), 4)
    assert value(four) == pytest.approx(0.8)
    assert isinstance(four, Estimate)
    assert four.low == 0.0
    assert value(ceiling(four)) == pytest.approx(np.sqrt(0.8))
    none = Undefined("all ratings are the same")
    assert reliability(none, 4) is none
    assert ceiling(none) is none


def test_the_sample_is_weighed_as_the_whole_set() -> None:
    """Of the sample both of the mixed and one of two others have several targets: 324 of 324 + 1464 / 2."""
    anna, boris, clara = (Mention(name, label) for name, label in (("Anna", 1), ("Boris", -1), ("Clara", 1)))
    sentences = [
        Sentence("a", "", (anna, boris)),
        Sentence("b", "", (boris, clara)),
        Sentence("c", "", (anna, clara)),
        Sentence("d", "", (anna,)),
    ]
    found = mixed_share(sentences)
    assert value(found) == pytest.approx(324 / (324 + 732))
    assert found.n == 3


def test_shares_are_clustered_by_name() -> None:
    """Two of three, over two documents."""
    found = share_of([True, False, True], ["x", "y", "x"], missing=4)
    assert value(found) == pytest.approx(2 / 3)
    assert (found.n, found.sources, found.missing) == (3, 2, 4)
