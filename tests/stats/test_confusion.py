"""`localeval.stats.confusion`: classes beside classes that are right."""

import numpy as np
import pytest

from localeval.stats.confusion import accuracy, kappa, mean_recall, recalls
from localeval.stats.detection import balanced_accuracy
from localeval.stats.estimate import Estimate, Undefined
from localeval.stats.intervals import Floats
from localeval.stats.paired import joint_counts


def drawn(n_classes: int, seed: int = 1) -> Floats:
    """Counts of 12 sources in which a judge is right in two of three items."""
    rng = np.random.default_rng(seed)
    right = rng.integers(0, n_classes, 240)
    given = np.where(rng.random(240) < 2 / 3, right, rng.integers(0, n_classes, 240))
    return joint_counts(right.tolist(), given.tolist(), (np.arange(240) % 12).tolist(), 12, n_classes)


def test_cohens_own_example() -> None:
    """Cohen 1960: 200 persons in three classes, .70 of them alike where chance gives .41."""
    table = np.array([[88, 14, 18], [10, 40, 10], [2, 6, 12]], dtype=float)
    found = kappa(np.stack([table, table]))
    assert isinstance(found, Estimate)
    assert found.value == pytest.approx((0.70 - 0.41) / 0.59, abs=1e-9)
    assert found.n == 400
    share = accuracy(np.stack([table, table]))
    assert isinstance(share, Estimate)
    assert share.value == pytest.approx(0.70)


def test_two_classes_are_detections_balanced_accuracy() -> None:
    """The same value and the same interval."""
    joint = drawn(2)
    ours, theirs = mean_recall(joint), balanced_accuracy(joint)
    assert isinstance(ours, Estimate)
    assert isinstance(theirs, Estimate)
    assert (ours.value, ours.n, ours.sources) == (pytest.approx(theirs.value), theirs.n, theirs.sources)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_recall_of_each_class() -> None:
    """Row by row; their mean is the balanced accuracy, a class that is never right has none."""
    joint = np.zeros((12, 4, 4))
    joint[:, :3, :3] = drawn(3)
    each = recalls(joint)
    values = [score.value for score in each if isinstance(score, Estimate)]
    assert len(values) == 3
    assert isinstance(each[3], Undefined)
    mean = mean_recall(joint)
    assert isinstance(mean, Estimate)
    assert mean.value == pytest.approx(np.mean(values))


def test_what_cannot_be_said_says_why() -> None:
    """One class alone, one source alone, a class in one source alone."""
    one_class = np.zeros((3, 2, 2))
    one_class[:, 0, 0] = 4
    assert mean_recall(one_class) == Undefined("fewer than two classes occur", 12)
    assert kappa(one_class) == Undefined("both raters use one category", 12)
    lone = one_class.copy()
    lone[0, 1, 1] = 2
    assert mean_recall(lone) == Undefined("one source alone holds all that differs", 14, 0, 3)
    assert kappa(drawn(2)[:1]) == Undefined("an interval needs two sources", 20, 0, 1)
