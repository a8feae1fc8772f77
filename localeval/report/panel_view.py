"""Rows of the panel: each candidate's score from each judge, and each criterion with the passages that decided it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from localeval.methods.panel.rubrics import Criterion
from localeval.methods.panel.schemas import NA, Sheet, SourcePanel, Verdict
from localeval.methods.panel.tally import Cells, Table, cells_of, settle, tabulate
from localeval.methods.panel.weights import Weights
from localeval.report.rows import Proof, Scope, proofs, why
from localeval.texts import Candidate, Source
from localeval.values import Missing


@dataclass(frozen=True, slots=True)
class GradeRow:
    """One judge's grade on one criterion. `repeats` is each asking's 0, 1, 2, NA or "missing"; `grade` is what stands.

    `cited` numbers the candidate's sentences that decided it, `proof` the source's segments. `lacks` is what the source
    lacks, with NA. `missing` says why there is no grade, each reason once; a single repeat may lack one, too.
    """

    judge: str
    grade: float | str
    """0 to 2, NA or "missing"."""
    repeats: tuple[str, ...]
    cited: tuple[int, ...]
    proof: tuple[int, ...]
    lacks: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One criterion for one candidate: every judge's grade, and every passage that one of them cited."""

    id: str
    statement: str
    grades: tuple[GradeRow, ...]
    cited: tuple[Proof, ...]
    proof: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class CellRow:
    """One system's text about one source. Scores are in [0, 100].

    `judges` has None for a judge that lacks a criterion. `consensus` is None where fewer than `needed` judges are
    complete, `disagreement` where fewer than two are.
    """

    source: str
    system: str
    rubric: str
    consensus: float | None
    disagreement: float | None
    judges: dict[str, float | None]
    n_judges: int
    needed: int
    criteria: tuple[CriterionRow, ...]


@dataclass(frozen=True, slots=True)
class PanelDetails:
    """The chosen candidates as the panel sees them, by source."""

    cells: tuple[CellRow, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The numbers of a panel, as they stand in scores.json; a candidate is looked up by source id and system."""

    table: Table
    cells: Cells
    needed: int

    def judge(self, place: tuple[int, int], judge: int) -> float | None:
        """One judge's score, 0 to 100."""
        is_there = bool(self.table.is_complete[(*place, judge)])
        return 100 * float(self.table.scores[(*place, judge)]) if is_there else None

    def place(self, source: str, system: str) -> tuple[int, int]:
        """Where a candidate stands in the table."""
        return self.table.sources.index(source), self.table.systems.index(system)


def scored(panels: Mapping[str, SourcePanel], weights: Weights, needed: int) -> Scored:
    """The same numbers as `localeval.methods.panel.score.score_panel` gives each candidate."""
    judges = tuple(weights.by_judge)
    table = tabulate(panels, judges)
    return Scored(table, cells_of(table, np.array([weights.by_judge[judge] for judge in judges]), needed), needed)


def panel_details(panels: Mapping[str, SourcePanel], numbers: Scored, chosen: Scope) -> PanelDetails:
    """Every chosen candidate, source by source."""
    return PanelDetails(
        tuple(
            _cell(chosen.sources[source], candidate, panels[source], numbers)
            for (source, _), candidate in chosen.candidates.items()
            if source in panels
        )
    )


def _cell(source: Source, candidate: Candidate, panel: SourcePanel, numbers: Scored) -> CellRow:
    place = numbers.place(source.id, candidate.system)
    cells = numbers.cells
    n_judges = int(cells.n_judges[place])
    sheets = panel.sheets[candidate.system]
    return CellRow(
        source=source.id,
        system=candidate.system,
        rubric=panel.rubric.category,
        consensus=100 * float(cells.score[place]) if cells.is_there[place] else None,
        disagreement=100 * float(cells.spread[place]) if n_judges >= 2 else None,
        judges={judge: numbers.judge(place, number) for number, judge in enumerate(numbers.table.judges)},
        n_judges=n_judges,
        needed=numbers.needed,
        criteria=tuple(_criterion(source, candidate, each, sheets) for each in panel.rubric.criteria),
    )


def _criterion(source: Source, candidate: Candidate, criterion: Criterion, sheets: Mapping[str, Sheet]) -> CriterionRow:
    grades = tuple(_grade(judge, sheet.get(criterion.id, ())) for judge, sheet in sheets.items())
    return CriterionRow(
        id=criterion.id,
        statement=criterion.statement,
        grades=grades,
        cited=proofs(candidate, (number for grade in grades for number in grade.cited)),
        proof=proofs(source, (number for grade in grades for number in grade.proof)),
    )


def _grade(judge: str, repeats: tuple[Verdict, ...]) -> GradeRow:
    stands = settle(repeats)
    return GradeRow(
        judge=judge,
        grade="missing" if isinstance(stands, Missing) else stands if stands == NA else float(stands),
        repeats=tuple("missing" if isinstance(each.score, Missing) else str(each.score) for each in repeats),
        cited=_each_once(number for each in repeats for number in each.cited),
        proof=_each_once(number for each in repeats for number in each.proof),
        lacks=tuple(dict.fromkeys(each.lacks for each in repeats if each.lacks)),
        missing=tuple(dict.fromkeys(why(each.score) for each in repeats if isinstance(each.score, Missing))),
    )


def _each_once(numbers: Iterator[int]) -> tuple[int, ...]:
    return tuple(sorted(set(numbers)))
