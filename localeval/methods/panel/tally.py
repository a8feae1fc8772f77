"""From verdicts to arrays: what each judge gave each cell, a cell being one system's text about one source."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from localeval.methods.panel.schemas import GRADES, NA, NotApplicable, Sheet, SourcePanel, Verdict
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats, Ratio, clustered_ratio, clustered_ratios
from localeval.values import Missing

Mask = NDArray[np.bool_]

TOP = float(max(GRADES))
# outcomes in the order of GRADES
EARNED = Ratio(tuple(grade / TOP for grade in GRADES), tuple(1.0 for _ in GRADES))
NOT_JUDGED = "not judged"


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Every reading of a panel: repeats settled, one row a source, then system, judge, criterion.

    `criteria` are the ids of all rubrics, each once. `grades` and `expected` are in [0, 2] where `is_graded` and
    `is_expected`, else 0; both, and `is_na`, have shape [sources, systems, judges, criteria]. `is_cell` [sources,
    systems] says where there is a text, `is_asked` [sources, criteria] what its rubric asks.
    """

    sources: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    criteria: tuple[str, ...]
    grades: Floats
    expected: Floats
    is_graded: Mask
    is_na: Mask
    is_expected: Mask
    is_cell: Mask
    is_asked: Mask

    @property
    def is_complete(self) -> Mask:
        """Where a judge read every criterion of a cell, and graded at least one [sources, systems, judges]."""
        is_read = self.is_graded | self.is_na | ~self.is_asked[:, None, None, :]
        return np.asarray(is_read.all(-1) & self.is_graded.any(-1) & self.is_cell[:, :, None])

    @property
    def n_graded(self) -> Floats:
        """Criteria that a judge graded, so not NA [sources, systems, judges]."""
        return np.asarray(self.is_graded.sum(-1).astype(float))

    @property
    def scores(self) -> Floats:
        """Earned over possible [sources, systems, judges], in [0, 1]; 0 where nothing was graded."""
        return np.asarray(self.grades.sum(-1) / (TOP * np.maximum(self.n_graded, 1)))

    @property
    def n_asked(self) -> Floats:
        """Criteria of a source's rubric [sources]."""
        return np.asarray(self.is_asked.sum(-1).astype(float))


def settle(repeats: Sequence[Verdict]) -> float | NotApplicable | Missing:
    """One reading from the repeats of a verdict: a grade in [0, 2], NA, or why there is none.

    NA where more than half of the readable repeats are; else the mean of the grades among them. Missing where no
    repeat can be read, for the reason of the first.
    """
    if len(repeats) == 1:  # by far most verdicts
        score = repeats[0].score
        return score if isinstance(score, Missing) or score == NA else float(score)
    given = [verdict.score for verdict in repeats if not isinstance(verdict.score, Missing)]
    grades = [score for score in given if score != NA]
    if not given:
        return next((v.score for v in repeats if isinstance(v.score, Missing)), Missing("invalid", NOT_JUDGED))
    if 2 * len(grades) < len(given):
        return NA
    return sum(grades) / len(grades)


def expectation(repeats: Sequence[Verdict]) -> float | None:
    """The grade in [0, 2] that the probabilities of the score's token expect, NA left out, meaned over repeats.

    After G-Eval (Liu et al. 2023): finer than the most likely grade, which piles up on few values. None where a
    repeat that was graded has no probabilities, or gives the grades none.
    """
    found = []
    for verdict in repeats:
        if verdict.score == NA or isinstance(verdict.score, Missing):
            continue
        chances = verdict.probabilities[: len(GRADES)]
        if sum(chances) <= 0:
            return None
        found.append(sum(grade * chance for grade, chance in zip(GRADES, chances, strict=True)) / sum(chances))
    return sum(found) / len(found) if found else None


def tabulate(panels: Mapping[str, SourcePanel], judges: Sequence[str]) -> Table:
    """The readings of the panels, by source id in order; systems by name, judges as given."""
    systems = tuple(sorted({system for panel in panels.values() for system in panel.sheets}))
    rubrics = [panel.rubric for panel in panels.values()]
    criteria = tuple(dict.fromkeys(name for rubric in rubrics for name in rubric.criterion_ids))
    shape = (len(panels), len(systems), len(judges), len(criteria))
    table = Table(
        sources=tuple(panels),
        systems=systems,
        judges=tuple(judges),
        criteria=criteria,
        grades=np.zeros(shape),
        expected=np.zeros(shape),
        is_graded=np.zeros(shape, bool),
        is_na=np.zeros(shape, bool),
        is_expected=np.zeros(shape, bool),
        is_cell=_mask([[system in panel.sheets for system in systems] for panel in panels.values()], len(systems)),
        is_asked=_mask([[name in r.criterion_ids for name in criteria] for r in rubrics], len(criteria)),
    )
    place = {name: number for number, name in enumerate(criteria)}
    for s, panel in enumerate(panels.values()):
        asked = [(place[name], name) for name in panel.rubric.criterion_ids]
        for m, system in enumerate(systems):
            by_judge = panel.sheets.get(system, {})
            for j, judge in enumerate(judges):
                sheet: Sheet = by_judge.get(judge, {})
                for c, name in asked:
                    if name in sheet:
                        _enter(table, (s, m, j, c), sheet[name])
    return table


def _mask(rows: Sequence[Sequence[bool]], n_columns: int) -> Mask:
    """Shape [rows, n_columns], also without any row."""
    return np.array(rows, bool).reshape(len(rows), n_columns)


def _enter(table: Table, at: tuple[int, int, int, int], repeats: Sequence[Verdict]) -> None:
    """Puts one reading in its place of a table that is being made."""
    reading = settle(repeats)
    if isinstance(reading, float | int):
        table.grades[at], table.is_graded[at] = reading, True
        expects = expectation(repeats)
        table.expected[at], table.is_expected[at] = expects or 0.0, expects is not None
    table.is_na[at] = reading == NA


def missing_verdicts(panels: Mapping[str, SourcePanel], judges: Sequence[str]) -> dict[str, Counter[str]]:
    """Verdicts that no asking made readable, by judge and reason."""
    found: dict[str, Counter[str]] = {judge: Counter() for judge in judges}
    for panel in panels.values():
        for by_judge in panel.sheets.values():
            for judge in judges:
                sheet = by_judge.get(judge, {})
                for name in panel.rubric.criterion_ids:
                    reasons: list[str] = [v.score.reason for v in sheet.get(name, ()) if isinstance(v.score, Missing)]
                    if not sheet.get(name):
                        reasons = [NOT_JUDGED]
                    for reason in reasons:
                        found[judge][reason] += 1
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """What several judges, or one, make of each cell; all [sources, systems], read only where `is_there`.

    `levels` [sources, systems, 3] are the shares of the score that come from grades 0, 1 and 2, so that `score` is
    their mean grade over 2, in [0, 1]. `n_scored` is the mean number of graded criteria, `n_judges` the judges with a
    complete sheet, `spread` their highest less their lowest score.
    """

    score: Floats
    levels: Floats
    n_scored: Floats
    n_judges: Floats
    spread: Floats
    is_there: Mask


def expected_table(table: Table) -> Table:
    """The same readings with the expected grade in place of the given one; without probabilities it is missing."""
    return replace(table, grades=table.expected, is_graded=table.is_expected)


def cells_of(table: Table, weights: Floats, n_needed: int) -> Cells:
    """The weighted mean over the judges of each cell; `weights` [judges], renormalised over the judges there.

    A judge that lacks a criterion is not in the cell: a mean over its other criteria would be a guess. A cell is not
    there with fewer than `n_needed` judges, or none of any weight.
    """
    there = table.is_complete
    n_judges = there.sum(-1).astype(float)
    each = there * weights
    total = each.sum(-1)
    is_there = (n_judges >= n_needed) & (total > 0)
    share = each / np.where(total > 0, total, 1.0)[..., None]
    levels = judge_levels(table)
    blended = np.einsum("smj,smjl->sml", share, levels)
    scores = levels @ np.array(EARNED.numerator)
    spread = np.where(there, scores, -np.inf).max(-1) - np.where(there, scores, np.inf).min(-1)
    return Cells(
        score=blended @ np.array(EARNED.numerator),
        levels=blended,
        n_scored=(share * table.n_graded).sum(-1),
        n_judges=n_judges,
        spread=np.where(n_judges > 0, spread, 0.0),
        is_there=is_there,
    )


def judge_levels(table: Table) -> Floats:
    """Share of each judge's graded criteria at 0, 1 and 2 [sources, systems, judges, 3].

    A grade between two levels, from repeats, counts for both in proportion, which keeps its value.
    """
    split = split_grades(table.grades) * table.is_graded[..., None]
    return np.asarray(split.sum(-2) / np.maximum(table.n_graded, 1)[..., None])


def split_grades(grades: Floats) -> Floats:
    """Grades [...] in [0, 2] as shares of the levels 0, 1, 2 [..., 3] that have the same mean."""
    low, high = np.maximum(1.0 - grades, 0.0), np.maximum(grades - 1.0, 0.0)
    return np.stack([low, 1.0 - low - high, high], axis=-1)


def pooled(cells: Cells, chosen: Mask, missing: float = 0.0) -> Score:
    """Mean score of the chosen cells [sources, systems] that are there, at most one a source, with its interval.

    Each cell gets the same number of units, the mean number of scored criteria, so that the value is exactly the mean
    of the cells, one source still has an interval (over further criteria), and sources cluster. `missing` counts
    criteria without a verdict.
    """
    picked = chosen & cells.is_there
    if not picked.any():
        return Undefined("no cell has a score", 0, round(missing), 0)
    units = float(cells.n_scored[picked].mean())
    return clustered_ratio(cells.levels[picked] * units, EARNED, round(missing))


def single(cells: Cells, missing: Floats) -> dict[tuple[int, int], Score]:
    """`pooled` of each cell that is there by itself, by source and system; `missing` [sources, systems]."""
    at = np.argwhere(cells.is_there)
    units = cells.levels * cells.n_scored[..., None]
    lost = missing[cells.is_there].round().astype(int).tolist()
    scores = clustered_ratios(units[cells.is_there][:, None], EARNED, lost)
    return {(s, m): score for (s, m), score in zip(at.tolist(), scores, strict=True)}
