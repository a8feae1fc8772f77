"""Balanced accuracy: by hand, its interval by simulation, and the paired difference."""

import numpy as np
import pytest

from localeval.stats.detection import FAULTY, SOUND, balanced_accuracy, balanced_difference
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.paired import Difference


def test_both_kinds_count_the_same_however_many_there_are() -> None:
    """One of two faulty ones found, nine of ten sound ones let pass: (0.5 + 0.9) / 2."""
    counts = np.array([[[1.0, 0.0], [0.0, 5.0]], [[0.0, 1.0], [1.0, 4.0]]])
    doubled = np.concatenate([counts, counts])
    found = balanced_accuracy(doubled, missing=3)
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx(0.7)
    assert (found.n, found.missing, found.sources) == (24, 3, 4)


@pytest.mark.parametrize("verdict", [FAULTY, SOUND])
def test_one_answer_to_everything_is_chance(verdict: int) -> None:
    """Whatever share of the items is faulty."""
    counts = np.zeros((6, 2, 2))
    counts[:, FAULTY, verdict] = 7
    counts[:, SOUND, verdict] = 2
    found = balanced_accuracy(counts)
    assert isinstance(found, Estimate)
    assert (found.value, found.low, found.high) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        (np.zeros((3, 2, 2)), "two sources"),
        (np.array([[[3.0, 1.0], [1.0, 3.0]]]), "two sources"),
        (np.array([[[3.0, 1.0], [0.0, 0.0]]] * 3), "faulty and sound"),
        (np.array([[[3.0, 1.0], [1.0, 3.0]], [[3.0, 1.0], [0.0, 0.0]]]), "faulty and sound"),
    ],
)
def test_what_cannot_be_told_is_undefined(counts: np.ndarray, reason: str) -> None:
    """No source, one source, one kind of item alone, or a kind that stands in one source."""
    found = balanced_accuracy(counts)
    assert isinstance(found, Undefined)
    assert reason in found.reason


def test_the_interval_covers_the_truth_over_sources() -> None:
    """Sources that differ in how hard they are: about 95 % of intervals hold the true value, from 12 sources."""
    rng = np.random.default_rng(5)
    n_covered = 0
    for _ in range(400):
        ability = np.clip(rng.normal([0.6, 0.8], 0.12, (12, 2)), 0.0, 1.0)
        right = rng.binomial(10, ability)
        counts = np.zeros((12, 2, 2))
        counts[:, FAULTY, FAULTY], counts[:, FAULTY, SOUND] = right[:, 0], 10 - right[:, 0]
        counts[:, SOUND, SOUND], counts[:, SOUND, FAULTY] = right[:, 1], 10 - right[:, 1]
        found = balanced_accuracy(counts)
        assert isinstance(found, Estimate)
        n_covered += found.low <= 0.6995 <= found.high  # clipping moves the mean of the sound ones a little
    assert 0.92 <= n_covered / 400 <= 0.98


def joint(both: int, first: int, second: int, neither: int, sources: int = 8) -> np.ndarray:
    """Sources alike but for one in two: faulty items by which judge found them; all sound ones pass."""
    table = np.zeros((sources, 2, 2, 2))
    table[:, FAULTY] = [[both, first], [second, neither]]
    table[::2, FAULTY, FAULTY, SOUND] += 1
    table[:, SOUND, SOUND, SOUND] = 5
    return table


def test_a_judge_that_finds_more_is_told_apart() -> None:
    """Half of the difference in sensitivity; swapped, the same the other way round."""
    found = balanced_difference(joint(2, 4, 1, 3))
    turned = balanced_difference(joint(2, 4, 1, 3).swapaxes(-1, -2))
    assert isinstance(found, Difference)
    assert isinstance(turned, Difference)
    assert found.estimate.low > 0
    assert found.p_value < 0.001
    assert turned.estimate.value == pytest.approx(-found.estimate.value)
    assert turned.p_value == pytest.approx(found.p_value)


def test_equal_judges_are_not() -> None:
    """The same verdicts everywhere: no difference, and nothing surprising about that."""
    table = joint(2, 0, 0, 3)
    table[::2, FAULTY, FAULTY, SOUND] -= 1
    found = balanced_difference(table)
    assert isinstance(found, Difference)
    assert (found.estimate.value, found.p_value) == (0.0, 1.0)
