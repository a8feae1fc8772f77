"""True shares of faulty texts by Rogan and Gladen, with the judge's errors on the labelled ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from localeval.comparing.judged import Judged
from localeval.comparing.parts import part_of
from localeval.comparing.ratings import Mask, Ratings
from localeval.inputs.label_items import Scale
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.stats.correction import Corrected, JudgedItems, ppi_mean
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import FOR_RATIOS, Floats, Interval, Ratio, clustered_ratio, design_effect
from localeval.stats.prevalence import Known, rogan_gladen

Json = dict[str, Any]

FEWEST_OF_A_KIND = 5
"""With fewer labelled faulty, or sound, texts the judge's errors are not known."""

WHAT_IS_FAULTY: dict[Scale, str] = {
    "verdict": "share of texts that are unfaithful",
    "grade": "share of texts with faithfulness below 2",
}

_FAULTY_BELOW = 1.5
"""A grade of faithfulness nearer to 1 than to 2 is a fault."""
_SHARE = Ratio((1.0, 0.0), (1.0, 1.0))
_UNIT = Interval(0.0, 1.0)


def is_binary(table: Ratings) -> bool:
    """Whether labels of this group say that a text is faulty or sound."""
    return table.group in ("audit", f"panel/{FAITHFULNESS}")


def unmasked(judged: Judged) -> Json:
    """`systems`, `all` and `known` of a correction: the judge's errors are taken to be the same on every system.

    Texts on which judges, or people, are even count as not judged, or not labelled.
    """
    table = judged.table
    called, truth = (_faulty(table, each) for each in (judged.values, judged.truth))
    clear = Judged(
        table,
        judged.weights,
        np.nan_to_num(called),
        judged.is_judged & np.isfinite(called),
        np.nan_to_num(truth),
        judged.is_labelled & np.isfinite(truth),
        judged.is_doubtful,
    )
    every = clear.items(np.ones(len(called), bool))
    known = every if isinstance(every, str) else _known(every)
    systems = {
        name: _part(clear, np.asarray(table.system == m), known) | {"rank": None}
        for m, name in enumerate(table.systems)
    }
    whole = _part(clear, np.ones(len(called), bool), known)
    told = (
        None
        if isinstance(known, str)
        else {
            name: {"right": each.right, "n": each.n}
            for name, each in zip(("sensitivity", "specificity"), known, strict=True)
        }
    )
    return {"systems": systems, "all": whole | {"by_system": False}, "known": told}


def _faulty(table: Ratings, values: Floats) -> Floats:
    """1 for faulty, 0 for sound, NaN where several raters are even [rows]."""
    if table.scale == "grade":
        return np.asarray((values < _FAULTY_BELOW).astype(float))
    return np.asarray(np.where(values == 0.5, np.nan, (values > 0.5).astype(float)))


def _known(items: JudgedItems) -> tuple[Known, Known] | str:
    """Sensitivity and specificity on the labelled, counting each for those that it stands for."""
    at = np.asarray(items.labelled, int)
    called, sources = items.values[at], np.asarray(items.sources, int)[at]
    weights = np.ones(len(at)) if items.chances is None else 1 / items.chances
    found = []
    for kind, name in ((1.0, "faulty"), (0.0, "sound")):
        here = items.labels == kind
        if here.sum() < FEWEST_OF_A_KIND:
            n = int(here.sum())
            return f"{n} labelled texts are {name}; it takes {FEWEST_OF_A_KIND} faulty and as many sound ones"
        found.append(_effective(called[here] == kind, weights[here], sources[here].tolist()))
    return found[0], found[1]


def _effective(right: Mask, weights: Floats, sources: Sequence[int]) -> Known:
    """The share that is right, of so many items as would tell as much if they were independent."""
    share = float(weights @ right / weights.sum())
    _, place = np.unique(sources, return_inverse=True)
    gaps = right - share
    between = np.bincount(place, weights=gaps) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = design_effect(
            np.asarray((gaps**2).sum()), np.asarray(between.sum()), np.bincount(place).astype(float), FOR_RATIOS
        ).effect
    n = float(weights.sum() ** 2 / (weights @ weights) / effect)
    return Known(share * n, n)


def _part(judged: Judged, rows: Mask, known: tuple[Known, Known] | str) -> Json:
    items = judged.items(rows)
    lacking = next((each for each in (known, items) if isinstance(each, str)), None)
    if isinstance(items, str) or isinstance(known, str):
        nothing = Undefined(lacking or "", int((rows & judged.is_judged).sum()))
        return part_of(_shown(judged, rows), nothing, nothing, int((rows & judged.is_labelled).sum()))
    by_labels = ppi_mean(items, _UNIT)
    alone: Score = by_labels.labels_alone if isinstance(by_labels, Corrected) else by_labels
    if not len(items.values):
        return part_of(_shown(judged, rows), Undefined("no text was judged"), alone, 0)
    n_sources = len(set(items.sources))
    # texts about one source are alike: all systems together tell less than their number
    called = _effective(items.values == 1.0, np.ones(len(items.values)), items.sources)
    found = rogan_gladen(*called, *known, sources=n_sources)
    score = replace(found.score, n=len(items.values))
    return part_of(_shown(judged, rows), score, alone, len(items.labels), found.is_cut)


def _shown(judged: Judged, rows: Mask) -> Score:
    """The share that the judge calls faulty."""
    chosen = rows & judged.is_judged
    _, place = np.unique(judged.table.source[chosen], return_inverse=True)
    counts = np.zeros((int(place.max()) + 1 if len(place) else 0, 2))
    np.add.at(counts, (place, (1 - judged.values[chosen]).astype(int)), 1.0)
    return clustered_ratio(counts, _SHARE)
