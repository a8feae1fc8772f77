"""Comparing groups of systems, and adjusting p-values for how many there are."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from localeval.stats.estimate import Undefined
from localeval.stats.intervals import Floats

MOST_ASSIGNMENTS = 20_000
"""Up to so many are all tried; of more, so many are drawn."""

LEVEL = 0.05
"""A design whose smallest p-value is above this can show nothing."""

_SEED = 0


@dataclass(frozen=True, slots=True)
class GroupComparison:
    """Mean of the first group of systems less that of the second, and how surprising it would be for equal groups.

    `p_value` is two-sided; `least_p` is the smallest that so many systems can give, whatever their values.
    """

    difference: float
    p_value: float
    least_p: float
    n_first: int
    n_second: int

    @property
    def can_show(self) -> bool:
        """Whether any values of so many systems could be significant at .05: four and four can, three and three not."""
        return self.least_p <= LEVEL


def compare_groups(values: Floats, is_first: Sequence[bool]) -> GroupComparison | Undefined:
    """The difference of two groups of systems with the exact permutation test over systems (Fisher 1935).

    `values` [systems] hold one finite value for each SYSTEM, its mean over all texts, never one for each text. The
    texts of a system share all that is particular to it, so they are no independent witnesses of what its group does;
    taking them as such is pseudo-replication (Hurlbert 1984). In the files of a published study (REGARD, arXiv
    2607.20722) one contrast of 8 models has the interval [-.049, -.041] by a bootstrap over 500 targets, and p = .20 by
    the permutation of the models. More targets make the values more exact; only more systems say more of the groups.

    All assignments of systems to groups of these sizes are tried. Above 20,000 so many are drawn instead, with a fixed
    seed, and the p-value is (1 + at least as far) / (1 + drawn) (Phipson and Smyth 2010). Undefined where a group has
    fewer than two systems. Raises ValueError where `is_first` is not as long as `values`.
    """
    first = np.asarray(is_first, bool)
    if first.shape != values.shape:
        raise ValueError(f"{len(values)} values and {len(first)} marks")
    n, n_first = len(first), int(first.sum())
    if min(n_first, n - n_first) < 2:
        return Undefined("a comparison of groups takes two systems in each", n, 0, n)
    # rounding must not part assignments that are equally far apart, nor large values lose digits
    centred = values / (np.abs(values).max() or 1.0)
    centred = centred - centred.mean()
    groups, is_all = _assignments(n, n_first)
    # centred values: the sums of both groups are opposite, so that the first alone orders the assignments
    far = int((np.abs(centred[groups].sum(1)) >= abs(centred[first].sum()) - 1e-9).sum())
    p_value = far / len(groups) if is_all else (1 + far) / (1 + len(groups))
    # with equal sizes the two groups may change places and are as far apart as before
    least = (2 if 2 * n_first == n else 1) / comb(n, n_first)
    difference = float(values[first].mean() - values[~first].mean())
    return GroupComparison(
        difference, p_value, least if is_all else max(least, 1 / (1 + len(groups))), n_first, n - n_first
    )


def _assignments(n: int, n_first: int) -> tuple[NDArray[np.intp], bool]:
    """Systems of the first group [assignments, n_first], and whether these are all there are."""
    if comb(n, n_first) <= MOST_ASSIGNMENTS:
        return np.array(list(combinations(range(n), n_first)), np.intp), True
    order = np.random.default_rng(_SEED).random((MOST_ASSIGNMENTS, n))
    return np.argsort(order, axis=1)[:, :n_first], False


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for how many there are, in the order given, each at most 1 (Holm 1979).

    Those below a level hold together: the chance that any of them is false is at most that level, however they depend
    on each other.
    """
    n = len(p_values)
    adjusted, largest = [0.0] * n, 0.0
    for rank, place in enumerate(sorted(range(n), key=lambda each: p_values[each])):
        largest = max(largest, min(1.0, (n - rank) * p_values[place]))
        adjusted[place] = largest
    return adjusted
