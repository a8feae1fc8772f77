"""Is the panel itself fit to judge: agreement, what its judges lean to, and where a person should look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from localeval.methods.panel.leanings import (
    length_effect,
    offsets_of,
    own_family,
    placings,
    position_effect,
    severity,
)
from localeval.methods.panel.schemas import GRADES, NA, Label, PanelSettings, SourcePanel
from localeval.methods.panel.tally import TOP, Cells, Mask, Table
from localeval.methods.panel.weights import given_score
from localeval.stats.agreement import gwet_ac1, interval_alpha, krippendorff_alpha, raw_agreement
from localeval.stats.correlation import effective_raters, mean_correlation, mean_spearman
from localeval.stats.estimate import Score, Undefined, score_to_json
from localeval.stats.intervals import Floats

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known beside the verdicts: see `localeval.methods.panel.score.score_panel`."""

    settings: PanelSettings
    judge_families: Mapping[str, str]
    lengths: Mapping[tuple[str, str], int]
    labels: Sequence[Label]


def panel_health(panels: Mapping[str, SourcePanel], table: Table, cells: Cells, facts: Facts) -> Json:
    """The panel's state, as docs/scores.md describes it. Nothing here uses the judges' weights."""
    offsets = offsets_of(table)
    placed = placings(panels, table)
    families = [facts.judge_families.get(judge, "") for judge in table.judges]
    return {
        "grades": _grade_agreement(table),
        "cells": _cell_agreement(table),
        "n_eff": _effective(panels, table, facts.labels),
        "judges": {
            judge: {
                "severity": score_to_json(severity(offsets, j)),
                "own_family": score_to_json(own_family(table, j, families, facts.settings.families)),
                "position": {name: score_to_json(each) for name, each in position_effect(placed[j]).items()},
                "length": {
                    name: score_to_json(each) for name, each in length_effect(table, offsets, j, facts.lengths).items()
                },
            }
            for j, judge in enumerate(table.judges)
        },
        "large_disagreements": _large(table, cells, facts.settings.large_disagreement / 100),
    }


def _grade_agreement(table: Table) -> Json:
    """Agreement on single verdicts, repeats settled and rounded to a grade; alpha leaves NA out, the others do not."""
    nearest = np.minimum(np.floor(table.grades + 0.5), TOP)
    counts = [((nearest == grade) & table.is_graded).sum(2) for grade in GRADES] + [table.is_na.sum(2)]
    here = table.is_cell[:, :, None] & table.is_asked[:, None, :]
    given = np.stack(counts, axis=-1)[here].astype(float)
    sources = np.broadcast_to(np.arange(len(table.sources))[:, None, None], here.shape)[here].tolist()
    return {
        "alpha": score_to_json(krippendorff_alpha(given[:, : len(GRADES)], "ordinal", sources=sources)),
        "ac1": score_to_json(gwet_ac1(given, sources)),
        "raw": score_to_json(raw_agreement(given, sources)),
    }


def _cell_agreement(table: Table) -> Json:
    """Agreement on the scores of cells, of all judges and of every two."""
    scores, given, sources = cell_columns(table)
    pairs = combinations(range(len(table.judges)), 2)
    return {
        "alpha": score_to_json(interval_alpha(scores, given, sources)),
        "alpha_within_systems": score_to_json(interval_alpha(_without_systems(table), given, sources)),
        "spearman": score_to_json(_two_or_more(mean_spearman(scores, given, sources), table)),
        "pairs": [
            {
                "first": table.judges[i],
                "second": table.judges[j],
                "spearman": score_to_json(mean_spearman(scores[:, [i, j]], given[:, [i, j]], sources)),
            }
            for i, j in pairs
        ],
    }


def cell_columns(table: Table) -> tuple[Floats, Mask, list[int]]:
    """(scores, is_given, sources): scores and mask [cells, judges], and the number of each cell's source."""
    here = table.is_cell
    sources = np.broadcast_to(np.arange(len(table.sources))[:, None], here.shape)[here].tolist()
    return table.scores[here], table.is_complete[here], sources


def _without_systems(table: Table) -> Floats:
    """Scores [cells, judges] less the mean of their system over sources and judges."""
    there = table.is_complete
    mean = (table.scores * there).sum((0, 2)) / np.maximum(there.sum((0, 2)), 1)
    return np.asarray((table.scores - mean[None, :, None])[table.is_cell])


def _effective(panels: Mapping[str, SourcePanel], table: Table, labels: Sequence[Label]) -> Json:
    """How many independent judges the panel is worth.

    `from_labels` is by the correlation of the judges' errors on labelled verdicts. `from_scores` is by that of their
    scores, which share the texts' quality besides: it is a lower bound as long as judges follow quality more than they
    distort it (docs/statistics.md).
    """
    scores, given, sources = cell_columns(table)
    n = len(table.judges)
    from_scores = effective_raters(n, _two_or_more(mean_correlation(scores, given, sources), table))
    return {
        "judges": n,
        "from_scores": score_to_json(from_scores),
        "from_labels": score_to_json(effective_raters(n, _error_correlation(panels, table, labels))),
    }


def _error_correlation(panels: Mapping[str, SourcePanel], table: Table, labels: Sequence[Label]) -> Score:
    """Mean correlation of the judges' errors, grade less label, where neither is NA."""
    graded = [(label, float(label.score)) for label in labels if label.score != NA]
    if not graded:
        return Undefined("no labels")
    errors, given = np.zeros((len(graded), len(table.judges))), np.zeros((len(graded), len(table.judges)), bool)
    for i, (label, right) in enumerate(graded):
        for j, judge in enumerate(table.judges):
            score = given_score(panels, label, judge)
            if score is not None and score != NA:
                errors[i, j], given[i, j] = float(score) - right, True
    found = mean_correlation(errors, given, [table.sources.index(label.source) for label, _ in graded])
    return _two_or_more(found, table)


def _two_or_more(score: Score, table: Table) -> Score:
    return Undefined("one judge alone", 0, 0, len(table.sources)) if len(table.judges) < 2 else score


def _large(table: Table, cells: Cells, least: float) -> list[Json]:
    """Cells whose judges lie at least so far apart, largest first, for a person to read."""
    there = table.is_complete
    # a difference of exactly the bar must not be lost to rounding
    chosen = table.is_cell & (cells.n_judges >= 2) & (cells.spread >= least - 1e-9)
    rows = [
        {
            "source": table.sources[s],
            "system": table.systems[m],
            "disagreement": float(cells.spread[s, m]),
            "judges": {judge: float(table.scores[s, m, j]) for j, judge in enumerate(table.judges) if there[s, m, j]},
        }
        for s, m in np.argwhere(chosen).tolist()
    ]
    return sorted(rows, key=lambda row: (-round(row["disagreement"], 9), row["source"], row["system"]))
