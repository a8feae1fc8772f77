"""Two columns of one table: a judge, and whoever it is compared with."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from localeval.comparing.ratings import NO_CLASS, Column, Mask, Numbers, Ratings
from localeval.inputs.label_items import STEPS
from localeval.stats.intervals import Floats
from localeval.stats.paired import joint_counts


class Numeric(NamedTuple):
    """Numbers of a judge and of the other [rows], the number of each row's source, and the step of their scale, 0 where
    it has none."""

    judge: Floats
    other: Floats
    sources: list[int]
    step: float = 0.0

    @property
    def both(self) -> Floats:
        """Both columns side by side."""
        return np.stack([self.judge, self.other], axis=1)


class Classed(NamedTuple):
    """The same of classes, of which there are `n_classes`."""

    judge: Numbers
    other: Numbers
    sources: list[int]
    n_classes: int

    @property
    def joint(self) -> Floats:
        """Counts [sources, classes of the other, classes of the judge]."""
        n = max(self.sources, default=-1) + 1
        return joint_counts(self.other.tolist(), self.judge.tolist(), self.sources, n, self.n_classes)

    @property
    def counts(self) -> Floats:
        """Counts [rows, classes] of the two."""
        one = np.eye(self.n_classes)
        return one[self.judge] + one[self.other]


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two columns of one table: a judge, and whoever it is compared with."""

    table: Ratings
    judge: Column
    other: Column

    @property
    def missing(self) -> int:
        """Rows that the other rated and the judge did not."""
        return int((self.other.is_rated & ~self.judge.is_rated).sum())

    @property
    def both(self) -> Mask:
        """Rows that both rated."""
        return np.asarray(self.judge.is_rated & self.other.is_rated)

    @property
    def everywhere(self) -> Mask:
        """All rows."""
        return np.ones(len(self.table.source), bool)

    def sources(self, rows: Mask) -> list[int]:
        """The number of each row's source."""
        return [int(each) for each in self.table.source[rows]]

    def numbers(self, rows: Mask) -> Numeric:
        """Both columns and the sources, where both gave numbers."""
        here = rows & self.judge.is_number & self.other.is_number
        return Numeric(*self.columns(rows), self.sources(here), STEPS.get(self.table.scale, 0.0))

    def columns(self, rows: Mask) -> tuple[Floats, Floats]:
        """The two columns of `numbers` alone."""
        here = rows & self.judge.is_number & self.other.is_number
        return self.judge.numbers[here], self.other.numbers[here]

    def classes(self, rows: Mask) -> Classed:
        """Both columns and the sources, where both gave classes."""
        here = rows & (self.judge.chosen != NO_CLASS) & (self.other.chosen != NO_CLASS)
        return Classed(self.judge.chosen[here], self.other.chosen[here], self.sources(here), len(self.table.classes))

    def counted(self, rows: Mask) -> Floats:
        """Counts [classes of the other, classes of the judge], where both gave classes."""
        here = rows & (self.judge.chosen != NO_CLASS) & (self.other.chosen != NO_CLASS)
        n = len(self.table.classes)
        cells = np.bincount(self.other.chosen[here] * n + self.judge.chosen[here], minlength=n * n)
        return cells.reshape(n, n).astype(float)
