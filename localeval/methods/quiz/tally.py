"""Counting answers: kept, bent, lost, and what cannot be said."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from localeval.methods.quiz.schemas import GOLD, HARD_NEGATIVE, UNDETERMINED, Answered
from localeval.stats.intervals import Floats, Ratio
from localeval.values import Missing

# outcomes in this order: right (TP), wrong (FP), cannot be determined (FN)
CAP_P = Ratio((1, 0, 0), (1, 1, 0))
CAP_R = Ratio((1, 0, 0), (1, 1, 1))
CAP_F1 = Ratio((2, 0, 0), (2, 2, 1))
ANSWERED = Ratio((1, 1, 0), (1, 1, 1))
BENT = Ratio((0, 1, 0), (1, 1, 1))
LOST = Ratio((0, 0, 1), (1, 1, 1))


@dataclass(frozen=True, slots=True)
class Tally:
    """Answers counted. Tallies add up.

    right: the right option (TP, kept); wrong: another one (FP, bent); undetermined: "cannot be determined" (FN, lost);
    missing: no verdict, not in any denominator. `hard_negative` counts the wrong ones that took the hard negative,
    `unstable` those whose orders of options disagreed, whatever came of it.
    """

    right: int = 0
    wrong: int = 0
    undetermined: int = 0
    missing: int = 0
    hard_negative: int = 0
    unstable: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.right + other.right,
            self.wrong + other.wrong,
            self.undetermined + other.undetermined,
            self.missing + other.missing,
            self.hard_negative + other.hard_negative,
            self.unstable + other.unstable,
        )

    @property
    def n(self) -> int:
        """Questions with a verdict."""
        return self.right + self.wrong + self.undetermined


def tally(answers: Iterable[Answered]) -> Tally:
    """The sum over answers."""
    chosen: Counter[int] = Counter()
    missing = unstable = 0
    for answer in answers:
        if isinstance(answer.chosen, Missing):
            missing += 1
        else:
            chosen[answer.chosen] += 1
        unstable += answer.is_unstable
    right, undetermined = chosen[GOLD], chosen[UNDETERMINED]
    wrong = chosen.total() - right - undetermined
    return Tally(right, wrong, undetermined, missing, chosen[HARD_NEGATIVE], unstable)


def counts(tallies: Sequence[Tally]) -> Floats:
    """Shape [len(tallies), 3]: right, wrong, undetermined; one row a source."""
    return np.array([[each.right, each.wrong, each.undetermined] for each in tallies], dtype=float).reshape(-1, 3)
