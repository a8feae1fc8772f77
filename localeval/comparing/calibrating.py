"""How far a judge's probabilities of the highest grade are right, and curves that set them right."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from localeval.comparing.certainty import Chances
from localeval.comparing.verdicts import Matter
from localeval.inputs.judge_labels import JudgeLabel
from localeval.methods.panel.schemas import GRADES
from localeval.stats.calibration import FITS, brier, calibration_error, cross_fitted, curve_to_json, reliability
from localeval.stats.estimate import Undefined, score_to_json
from localeval.stats.intervals import Floats

Json = dict[str, Any]

FEWEST_LABELS, FEWEST_SOURCES = 20, 5
"""With fewer labels, or of fewer sources, no curve is fitted and no error is told."""

_TOP = float(max(GRADES))
_A_BIN = 10
_MOST_BINS = 10


def calibrations(chances: Chances, labels: Sequence[JudgeLabel], people: Sequence[str]) -> list[Json]:
    """Of each judge that gave probabilities: how right that of grade 2 is, over all criteria that people labelled.

    `plain` is of the probabilities as they came; `isotonic` and `platt` are cross-fitted, so that nothing is measured
    on the labels that a curve was fitted to. `curves` are fitted to all of them, to be applied elsewhere.
    """
    truth = _truth(labels, people)
    return [found for judge in chances if (found := _of_judge(judge, chances[judge], truth)) is not None]


def _truth(labels: Sequence[JudgeLabel], people: Sequence[str]) -> dict[Matter, float]:
    """The share of people who gave grade 2, of those who gave a grade."""
    given: dict[Matter, list[bool]] = {}
    for each in labels:
        if each.rater in people and each.item.startswith("panel/") and isinstance(each.value, float):
            given.setdefault((each.source, each.system, each.item), []).append(each.value == _TOP)
    return {matter: float(np.mean(values)) for matter, values in given.items()}


def _of_judge(judge: str, chances: Mapping[Matter, Floats], truth: Mapping[Matter, float]) -> Json | None:
    matters = [matter for matter in chances if matter in truth]
    if not matters:
        return None
    sources = list(dict.fromkeys(source for source, _, _ in matters))
    n, k = len(matters), len(sources)
    head: Json = {"judge": judge, "items": sorted({item for _, _, item in matters}), "event": "grade 2", "n": n}
    if n < FEWEST_LABELS or k < FEWEST_SOURCES:
        why = f"{n} labels of {k} sources; it takes {FEWEST_LABELS} of {FEWEST_SOURCES}"
        return head | {"sources": k, "reason": why}
    given = np.array([chances[matter][-1] for matter in matters])
    right = np.array([truth[matter] for matter in matters])
    places = [sources.index(source) for source, _, _ in matters]
    measured: dict[str, Json] = {"plain": _measures(given, right, places)}
    for kind in FITS:
        fitted = cross_fitted(given, right, places, kind)
        assert not isinstance(fitted, Undefined)
        measured[kind] = _measures(fitted, right, places)
    curves = {kind: curve_to_json(fit(given, right)) for kind, fit in FITS.items()}
    return head | {"sources": k, "measured": measured, "curves": curves}


def _measures(chances: Floats, labels: Floats, sources: Sequence[int]) -> Json:
    bins = min(_MOST_BINS, max(2, len(labels) // _A_BIN))
    error, score = calibration_error(chances, labels, sources, bins), brier(chances, labels, sources, bins)
    return {
        "ece": error.plain,
        "error": score_to_json(error.debiased),
        "brier": score_to_json(score.score),
        "reliability": score.reliability,
        "resolution": score.resolution,
        "uncertainty": score.uncertainty,
        "within": score.within,
        "bins": [
            {"low": each.low, "high": each.high, "chance": each.chance, "share": score_to_json(each.share)}
            for each in reliability(chances, labels, sources, bins)
        ],
    }
