"""Panels for tests, made of bare grades."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from localeval.methods.panel.rubrics import FAITHFULNESS, Criterion, Rubric
from localeval.methods.panel.schemas import Grade, NotApplicable, Sheet, SourcePanel, Verdict
from localeval.values import Missing

Score = Grade | NotApplicable | Missing | Verdict
LOST = Missing("truncated")


def rubric(n: int = 3, category: str = "meeting") -> Rubric:
    """Faithfulness and `n` - 1 criteria c1, c2, ... that allow NA."""
    levels = {0: "None.", 1: "Some.", 2: "All."}
    first = Criterion(id=FAITHFULNESS, statement="All of it is true.", levels=levels)
    rest = [Criterion(id=f"c{i}", statement="It has it.", levels=levels, allows_na=True) for i in range(1, n)]
    return Rubric(category=category, language="en", criteria=(first, *rest))


def sheet(*scores: Score | tuple[Score, ...]) -> Sheet:
    """One judge's sheet: a score for each criterion, or a tuple of them for its repeats."""
    ids = (FAITHFULNESS, *(f"c{i}" for i in range(1, len(scores))))
    repeats = [each if isinstance(each, tuple) else (each,) for each in scores]
    return {name: tuple(map(verdict, each)) for name, each in zip(ids, repeats, strict=True)}


def verdict(score: Score) -> Verdict:
    """A verdict that says no more than its score."""
    return score if isinstance(score, Verdict) else Verdict(score)


def panel(source: str, sheets: Mapping[str, Mapping[str, Sheet]], **changes: object) -> SourcePanel:
    """A source's panel whose rubric has as many criteria as the sheets."""
    n = max(len(each) for by_judge in sheets.values() for each in by_judge.values())
    fields: dict[str, object] = {"rubric": rubric(n), "sheets": sheets}
    return SourcePanel(source, **{**fields, **changes})  # type: ignore[arg-type]


def draw_panels(
    rng: np.random.Generator,
    n_sources: int,
    systems: Sequence[str],
    judges: Sequence[str],
    shift: Callable[[int, str, str, int], float] = lambda source, system, judge, place: 0.0,
    n_criteria: int = 6,
    line_up: bool = False,
) -> dict[str, SourcePanel]:
    """Panels whose grades are drawn: source, text and criterion vary, judges err; `shift` moves one judge's view.

    `shift` gets the source's number, system, judge, and the place in the line-up (-1 without one); one unit is about
    one grade.
    """
    panels: dict[str, SourcePanel] = {}
    for s in range(n_sources):
        hard = rng.normal(0, 0.3)
        order = rng.permutation(len(systems)).tolist()
        sheets: dict[str, dict[str, Sheet]] = {}
        for m, system in enumerate(systems):
            text = hard + rng.normal(0, 0.4) + rng.normal(0, 0.5, n_criteria)
            place = order.index(m) if line_up else -1
            sheets[system] = {}
            for judge in judges:
                seen = 1.2 + text + rng.normal(0, 0.4, n_criteria) + shift(s, system, judge, place)
                grades = np.clip(np.round(seen), 0, 2).astype(int).tolist()
                sheets[system][judge] = sheet(
                    *(Verdict(grade, position=place, line_up=len(systems) if line_up else 1) for grade in grades)
                )
        panels[f"s{s:02}"] = panel(f"s{s:02}", sheets)
    return panels
