"""Where the scores of elicited texts vary: with the target, the system, the wording, the text at hand, or the judge."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from localeval.methods.affect.drift import Cells
from localeval.methods.affect.tables import Tally
from localeval.stats.estimate import Undefined, score_to_json
from localeval.stats.permutation import GroupComparison, compare_groups
from localeval.stats.variance import VarianceSplit

Json = dict[str, Any]

FEW = 3
"""Of fewer systems or wordings it is said that they are few: how much they differ is then hardly known."""


def split_to_json(split: VarianceSplit | Undefined) -> Json:
    """The parts of the variance of one reading, or why there are none."""
    if isinstance(split, Undefined):
        return {"reason": split.reason}
    return {
        "components": {
            name: {"variance": each.variance, "share": score_to_json(each.share)}
            for name, each in split.components.items()
        },
        "wording_minus_system": score_to_json(split.wording_minus_system),
        "design": dict(split.design),
        "dropped": split.dropped,
    }


def wording_or_system(split: VarianceSplit | Undefined) -> Json:
    """Does the wording move the score more than the system does? Told only where the interval leaves out 0."""
    if isinstance(split, Undefined):
        return {"answer": "cannot tell", "reason": split.reason}
    gap = split.wording_minus_system
    if isinstance(gap, Undefined):
        return {"answer": "cannot tell", "reason": gap.reason}
    if gap.low > 0 or gap.high < 0:
        return {"answer": "wording" if gap.low > 0 else "system", "reason": ""}
    few = [f"fewer than {FEW} {name}" for name in ("systems", "wordings") if split.design[name] < FEW]
    reason = f"the interval of the wording's share less the system's, {gap.low:.2f} to {gap.high:.2f}, holds 0"
    return {"answer": "cannot tell", "reason": "; ".join([reason, *few])}


@dataclass(frozen=True, slots=True)
class Groups:
    """Two groups of systems: the first is that of the system which the config lists first."""

    first: str
    second: str
    is_first: Mapping[str, bool]


def groups_of(by_system: Mapping[str, str], systems: tuple[str, ...]) -> Groups | None:
    """The two groups, None where systems are in none; `systems` in the order of the config."""
    names = list(dict.fromkeys(by_system[system] for system in systems if system in by_system))
    if len(names) != 2:
        return None
    is_first = {system: by_system[system] == names[0] for system in systems if system in by_system}
    return Groups(names[0], names[1], is_first)


def group_contrast(tally: Tally, cells: Cells, axis: int, groups: Groups) -> Json:
    """First group less second, the unit being the system: many targets make its mean exact, not more of its kind.

    A system's value is its mean over the targets and wordings that all systems of both groups have.
    """
    columns = [tally.texts.systems.index(system) for system in groups.is_first]
    there = cells.is_there[..., axis][:, columns].all(1)
    n_first = sum(groups.is_first.values())
    found: GroupComparison | Undefined = Undefined("no target and wording has a score of every system")
    if there.any():
        values = np.array([cells.means[..., axis][:, column][there].mean() for column in columns])
        found = compare_groups(values, list(groups.is_first.values()))
    head: Json = {"first": groups.first, "second": groups.second, "systems": [n_first, len(columns) - n_first]}
    if isinstance(found, Undefined):
        return head | {"difference": None, "p_value": None, "reason": found.reason}
    # said beside the p-value: a large one from so few systems is no sign of equal groups
    reason = "" if found.can_show else f"so few systems can give no p-value below {found.least_p:.2g}"
    return head | {"difference": found.difference, "p_value": found.p_value, "reason": reason}
