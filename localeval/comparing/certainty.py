"""The probabilities that a run's panel judges gave their grades, in the places that labels name."""

from collections.abc import Mapping, Sequence

import numpy as np

from localeval.comparing.verdicts import Matter
from localeval.methods.panel.schemas import GRADES, SourcePanel, Verdict
from localeval.stats.intervals import Floats

Chances = Mapping[str, Mapping[Matter, Floats]]
"""By judge, then by (source, system, item): the probabilities of grades 0, 1 and 2, which sum to 1."""


def chances_of(panels: Mapping[str, SourcePanel]) -> Chances:
    """The mean over repeats of each graded verdict; NA left out, and every verdict without probabilities."""
    found: dict[str, dict[Matter, Floats]] = {}
    for source, panel in panels.items():
        for system, by_judge in panel.sheets.items():
            for judge, sheet in by_judge.items():
                for criterion, repeats in sheet.items():
                    chances = _mean(repeats)
                    if chances is not None:
                        found.setdefault(judge, {})[source, system, f"panel/{criterion}"] = chances
    return found


def _mean(repeats: Sequence[Verdict]) -> Floats | None:
    given = [np.array(each.probabilities[: len(GRADES)]) for each in repeats if each.score in GRADES]
    if not given or any(len(each) < len(GRADES) or each.sum() <= 0 for each in given):
        return None
    return np.asarray(np.mean([each / each.sum() for each in given], axis=0), float)
