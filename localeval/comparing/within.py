"""What a judge leans to, beside raters who are taken for right: to some systems, or to its own family."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from localeval.comparing.pairs import Pair
from localeval.comparing.ratings import Mask
from localeval.stats.estimate import score_to_json
from localeval.stats.raters import mean_contrast, mean_gap

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Families:
    """Which family of models judges and systems are of, by name; who is of none that is known is left out."""

    judges: Mapping[str, str] = field(default_factory=dict)
    systems: Mapping[str, str] = field(default_factory=dict)


def by_system(pair: Pair) -> Json:
    """For each system both means and the judge's less the other's (`bias`), where both gave numbers."""
    found: Json = {}
    for number, system in enumerate(pair.table.systems):
        judge, other, sources, step = pair.numbers(pair.table.system == number)
        if not len(judge):
            continue
        found[system] = {
            "n": len(judge),
            "judge": float(judge.mean()),
            "other": float(other.mean()),
            "bias": score_to_json(mean_gap(judge, other, sources, step=step)),
        }
    return found


def gap(pair: Pair, systems: Json) -> Json | None:
    """What the judge makes of the distance between the systems that the other rates highest and lowest.

    `leniency` is how much more the judge gives the lowest than it gives the highest, beyond what the other gives them:
    above 0 it is lenient to the weak, and systems lie closer together than they are. None for one system.
    """
    if len(systems) < 2:
        return None
    order = sorted(systems, key=lambda system: (systems[system]["other"], system))
    lowest, highest = order[0], order[-1]
    error = pair.judge.numbers - pair.other.numbers
    is_lowest, is_highest = (_of(pair, name) for name in (lowest, highest))
    sources = pair.sources(pair.everywhere)
    return {
        "highest": highest,
        "lowest": lowest,
        "other": score_to_json(mean_contrast(pair.other.numbers, is_highest, is_lowest, sources)),
        "judge": score_to_json(mean_contrast(pair.judge.numbers, is_highest, is_lowest, sources)),
        "leniency": score_to_json(mean_contrast(error, is_lowest, is_highest, sources)),
    }


def own_family(pair: Pair, judge: str, families: Families) -> Json | None:
    """The judge's bias on texts of its own family less that on texts of others; above 0 it favours its own.

    None where its family is not known, or not among the systems', or no text is of another.
    """
    own = families.judges.get(judge, "")
    known = [families.systems.get(system, "") for system in pair.table.systems]
    if not own or own not in known or not set(known) - {own, ""}:
        return None
    of_row = np.array(known)[pair.table.system]
    both = pair.judge.is_number & pair.other.is_number
    sources = pair.sources(pair.everywhere)
    error = pair.judge.numbers - pair.other.numbers
    is_own, is_other = both & (of_row == own), both & (of_row != own) & (of_row != "")
    return {"family": own, "shift": score_to_json(mean_contrast(error, is_own, is_other, sources))}


def is_lenient(found: Json | None) -> bool:
    """Whether a gap's leniency lies above 0 with its whole interval."""
    return found is not None and found["leniency"]["value"] is not None and found["leniency"]["low"] > 0


def _of(pair: Pair, system: str) -> Mask:
    number = pair.table.systems.index(system)
    return np.asarray((pair.table.system == number) & pair.judge.is_number & pair.other.is_number)
