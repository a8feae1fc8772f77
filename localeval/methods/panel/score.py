"""From verdicts to numbers: consensus, disagreement and what lies behind them, as they stand in scores.json."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from localeval.methods.panel.compare import compare_systems, mean_scores
from localeval.methods.panel.health import Facts, panel_health
from localeval.methods.panel.schemas import Label, PanelSettings, SourcePanel, is_known_family
from localeval.methods.panel.tally import (
    EARNED,
    Cells,
    Mask,
    Table,
    cells_of,
    expected_table,
    missing_verdicts,
    pooled,
    single,
    split_grades,
    tabulate,
)
from localeval.methods.panel.weights import Weights, calibrate, equal_weights
from localeval.stats.estimate import Score, Undefined, score_to_json
from localeval.stats.intervals import Floats, Ratio, clustered_ratio, mean_of_sources

Json = dict[str, Any]

_NOT_APPLICABLE = Ratio((1.0, 0.0), (1.0, 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Panel:
    """All that a system's numbers are made of.

    `single` is each cell's consensus by source and system, `alone` by judge; `expected` is from probabilities.
    `n_lost` counts the criteria without a consensus [sources, systems], those of cells that are missing.
    """

    table: Table
    weights: Floats
    consensus: Cells
    n_lost: Floats
    expected: Cells
    single: Mapping[tuple[int, int], Score]
    alone: Mapping[str, Cells]
    categories: tuple[str | None, ...]
    n_needed: int


def score_panel(
    panels: Mapping[str, SourcePanel],
    settings: PanelSettings,
    judge_families: Mapping[str, str],
    lengths: Mapping[tuple[str, str], int],
    categories: Mapping[str, str | None],
    labels: Sequence[Label],
) -> Json:
    """The panel's part of scores.json: docs/scores.md describes it field by field.

    `panels` is by source id, in order; `judge_families` by judge, "" or "unknown" where nobody knows it; `lengths` in
    characters by source and system; `categories` by source. Raises ConfigError where labels are given and no judge
    agrees with them beyond chance. Numbers of different panels, or of different rubrics, must not be compared.
    """
    judge_families = {judge: family for judge, family in judge_families.items() if is_known_family(family)}
    weights = calibrate(labels, panels, settings) if labels else equal_weights(settings.judges)
    panel = _panel(tabulate(panels, settings.judges), weights, settings.n_needed, categories)
    table = panel.table
    pairs, ranks = compare_systems(table.systems, panel.consensus, settings.repeats)
    values = mean_scores(table.systems, panel.consensus)
    order = sorted(table.systems, key=lambda system: (system not in values, -values.get(system, 0.0), system))
    missing = missing_verdicts(panels, settings.judges)
    facts = Facts(settings, judge_families, lengths, labels)
    return {
        "missing": sum(reasons.total() for reasons in missing.values()),
        "settings": settings.model_dump(mode="json"),
        "rubrics": {
            name: {"category": each.rubric.category, "language": each.rubric.language, "hash": each.rubric.hash}
            for name, each in panels.items()
        },
        "systems": {system: {"rank": ranks.get(system)} | _system(panel, system) for system in order},
        "pairs": pairs,
        "judges": {
            judge: {
                "family": judge_families.get(judge, ""),
                "weight": weights.by_judge[judge],
                **_judge(panel, panels, judge),
                "missing": missing[judge].total(),
                "missing_reasons": dict(sorted(missing[judge].items())),
            }
            for judge in settings.judges
        },
        "health": panel_health(panels, table, panel.consensus, facts),
        "weights": _weights(weights),
    }


def _panel(table: Table, weights: Weights, n_needed: int, categories: Mapping[str, str | None]) -> _Panel:
    given = np.array([weights.by_judge[judge] for judge in table.judges])
    consensus = cells_of(table, given, n_needed)
    n_lost = _lost(table, consensus)
    return _Panel(
        table=table,
        weights=given,
        consensus=consensus,
        n_lost=n_lost,
        single=single(consensus, n_lost),
        expected=cells_of(expected_table(table), given, n_needed),
        alone={judge: cells_of(_only(table, j), np.ones(1), 1) for j, judge in enumerate(table.judges)},
        categories=tuple(categories.get(source) for source in table.sources),
        n_needed=n_needed,
    )


def _only(table: Table, judge: int) -> Table:
    """The readings of one judge."""
    arrays = ("grades", "expected", "is_graded", "is_na", "is_expected")
    alone = {name: getattr(table, name)[:, :, judge : judge + 1] for name in arrays}
    return replace(table, judges=(table.judges[judge],), **alone)


def _system(panel: _Panel, system: str) -> Json:
    """One system's numbers over its sources."""
    m = panel.table.systems.index(system)
    chosen = np.zeros(panel.table.is_cell.shape, bool)
    chosen[:, m] = True
    by_category = {name: _of_category(panel, name) & chosen for name in sorted({c for c in panel.categories if c})}
    return {
        **_headline(panel, chosen),
        "expected": score_to_json(_expected(panel.table, panel.expected, chosen)),
        "by_judge": {judge: score_to_json(_alone(panel.table, cells, chosen)) for judge, cells in panel.alone.items()},
        "by_criterion": _by_criterion(panel, m),
        "by_category": {
            name: _headline(panel, here) for name, here in by_category.items() if (here & panel.table.is_cell).any()
        },
        "by_source": {
            source: _cell(panel, s, m) for s, source in enumerate(panel.table.sources) if panel.table.is_cell[s, m]
        },
        "missing_cells": [
            {"source": source, "judges": int(panel.consensus.n_judges[s, m]), "needed": panel.n_needed}
            for s, source in enumerate(panel.table.sources)
            if panel.table.is_cell[s, m] and not panel.consensus.is_there[s, m]
        ],
    }


def _headline(panel: _Panel, chosen: Mask) -> Json:
    """Consensus over the chosen cells of one system, and disagreement over those with two judges or more."""
    cells = panel.consensus
    two = chosen & panel.table.is_cell & (cells.n_judges >= 2)
    n_without = int((chosen & panel.table.is_cell).sum() - two.sum())
    return {
        "consensus": score_to_json(pooled(cells, chosen, float(panel.n_lost[chosen].sum()))),
        "disagreement": score_to_json(mean_of_sources(cells.spread[two], n_without)),
    }


def _of_category(panel: _Panel, name: str) -> Mask:
    return np.array([category == name for category in panel.categories])[:, None]


def _alone(table: Table, cells: Cells, chosen: Mask) -> Score:
    """One judge's mean score over the chosen cells; criteria of cells that it did not finish are missing."""
    return pooled(cells, chosen, float(_lost(table, cells)[chosen].sum()))


def _lost(table: Table, cells: Cells) -> Floats:
    """Criteria [sources, systems] of the cells that are not there."""
    return np.asarray((table.is_cell & ~cells.is_there) * table.n_asked[:, None])


def _expected(table: Table, cells: Cells, chosen: Mask) -> Score:
    """As `_alone`, for cells whose grades are expectations."""
    if not table.is_expected[chosen].any():
        return Undefined("no verdict came with probabilities")
    return _alone(table, cells, chosen)


def _cell(panel: _Panel, s: int, m: int) -> Json:
    """One system's text about one source."""
    cells = panel.consensus
    without = Undefined("no cell has a score", 0, round(float(panel.n_lost[s, m])), 0)
    return {
        "consensus": score_to_json(panel.single.get((s, m), without)),
        "disagreement": float(cells.spread[s, m]) if cells.n_judges[s, m] >= 2 else None,
        "judges": {
            judge: float(alone.score[s, m]) if alone.is_there[s, m] else None for judge, alone in panel.alone.items()
        },
    }


def _by_criterion(panel: _Panel, m: int) -> Json:
    """Each criterion's mean grade over 2, each source counting once, and the share of verdicts that were NA."""
    table, cells = panel.table, panel.consensus
    judged = (table.is_complete[:, m] & cells.is_there[:, m, None])[:, :, None]
    graded, na = table.is_graded[:, m] & judged, table.is_na[:, m] & judged
    each = graded * panel.weights[:, None]
    total = each.sum(1)
    share = each / np.where(total > 0, total, 1.0)[:, None]
    levels = np.einsum("sjc,sjcl->scl", share, split_grades(table.grades[:, m]))
    lost = table.is_asked & (table.is_cell[:, m] & ~cells.is_there[:, m])[:, None]
    found: Json = {}
    for c, name in enumerate(table.criteria):
        if not (table.is_asked[:, c] & table.is_cell[:, m]).any():
            continue
        here = total[:, c] > 0
        n_given = int(graded[:, :, c].sum() + na[:, :, c].sum())
        found[name] = {
            "score": score_to_json(clustered_ratio(levels[here, c], EARNED, int(lost[:, c].sum()))),
            "na": float(na[:, :, c].sum()) / n_given if n_given else None,
        }
    return found


def _judge(panel: _Panel, panels: Mapping[str, SourcePanel], judge: str) -> Json:
    """One judge's numbers over all systems."""
    table, j = panel.table, panel.table.judges.index(judge)
    allowed = {(s, c.id) for s, each in enumerate(panels.values()) for c in each.rubric.criteria if c.allows_na}
    asked = [(s, name) in allowed for s in range(len(table.sources)) for name in table.criteria]
    may_be = np.array(asked, bool).reshape(table.is_asked.shape)
    counts = [(each[:, :, j] & may_be[:, None]).sum((1, 2)) for each in (table.is_na, table.is_graded)]
    return {
        "cells": int(table.is_complete[:, :, j].sum()),
        "dropped_cells": int((table.is_cell & ~table.is_complete[:, :, j]).sum()),
        "na_rate": score_to_json(clustered_ratio(np.stack(counts, axis=-1).astype(float), _NOT_APPLICABLE)),
    }


def _weights(weights: Weights) -> Json:
    return {
        "kind": weights.kind,
        "labels": weights.n_labels,
        "by_judge": dict(weights.by_judge),
        "judges": {
            judge: {"accuracy": score_to_json(each.accuracy), "chance": each.chance, "log_odds": each.log_odds}
            for judge, each in weights.judges.items()
        },
    }
