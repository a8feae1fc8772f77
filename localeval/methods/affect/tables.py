"""The arrays of affect: texts as columns, and what each judge makes of each text and of each target in it.

Judges are kept apart, and so are contracts: nothing built on these puts two of them into one number.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from localeval.methods.affect.axes import Contract
from localeval.methods.affect.schemas import Target
from localeval.stats.intervals import Floats

Mask = NDArray[np.bool_]
Numbers = NDArray[np.intp]
Ids = Mapping[Contract, tuple[str, ...]]

NO_TARGET = -1
FLAGS = ("portraits", "not_named", "refusal", "generic", "mismatch", "below_bar", "unreadable")
"""What is counted of portraits."""


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The texts of a study, each once, as columns [texts] of numbers into `groups`, `systems` and `wordings`.

    `is_given` is False where a system gave no text. `cell` numbers system and wording together: what texts about one
    target are clustered by where they were elicited.
    """

    ids: tuple[str, ...]
    groups: tuple[str, ...]
    systems: tuple[str, ...]
    wordings: tuple[str, ...]
    group: Numbers
    system: Numbers
    wording: Numbers
    sample: Numbers
    is_given: Mask

    @property
    def is_elicited(self) -> bool:
        """Whether systems were asked to write the texts."""
        return any(self.wordings)

    @property
    def has_systems(self) -> bool:
        """Whether systems wrote the texts: sources have none."""
        return any(self.systems)

    @property
    def cell(self) -> Numbers:
        """Number of system and wording together [texts]."""
        return np.asarray(self.system * max(len(self.wordings), 1) + self.wording)

    @property
    def cluster(self) -> Numbers:
        """What means over all texts are clustered by [texts]: the group, or the cell where all are about one target."""
        return self.cell if self.is_elicited and len(self.groups) == 1 else self.group


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """One contract as one judge reads it: a row for each text, or for each target in each text.

    `text` and `target` number both [rows]; `target` is NO_TARGET under the contract `whole`. `values` and `spreads`
    [rows, axes] are in [0, 1] where `is_there`, else 0; `is_asked` [rows, axes]: an axis may lack in a language.
    `readings` [rows, axes, repeats] are the values that `values` are the means of. `is_named` [rows]: the target stands
    in the text, as far as that was looked at.
    """

    axes: tuple[str, ...]
    text: Numbers
    target: Numbers
    values: Floats
    spreads: Floats
    readings: Floats
    is_there: Mask
    is_asked: Mask
    is_named: Mask
    reasons: Counter[str]


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """All that one judge read."""

    blocks: Mapping[Contract, Block]
    flags: Counter[str]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """A study as arrays.

    `own` [texts] is the number of the target that an elicited text was asked about, NO_TARGET for others. `step` is the
    smallest step that a score can make: 0 where some are expectations over probabilities.
    """

    texts: Texts
    targets: tuple[Target, ...]
    ids: Ids
    sheets: Mapping[str, Sheet]
    own: Numbers
    step: float


def splits(numbers: Numbers, n: int) -> list[Numbers]:
    """The rows that hold each of the numbers 0 to n - 1, in one pass."""
    order = np.argsort(numbers, kind="stable")
    edges = np.searchsorted(numbers[order], np.arange(n + 1))
    return [order[edges[k] : edges[k + 1]] for k in range(n)]


def item_keys(text: Numbers, target: Numbers, n_targets: int) -> Numbers:
    """One number for each text and target, NO_TARGET included."""
    return np.asarray(text * (n_targets + 1) + target + 1)
