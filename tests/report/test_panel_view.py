"""`localeval.report.panel_view`: each candidate's sheet as rows, with the numbers of scores.json."""

from pathlib import Path

import pytest

from localeval.evaluation import load_run, load_scores
from localeval.measuring import Evaluation, Results
from localeval.methods.panel.schemas import NA, Verdict
from localeval.methods.panel.weights import Weights, equal_weights
from localeval.report.panel_view import CellRow, PanelDetails, panel_details, scored
from localeval.report.rows import Proof
from localeval.report.view import details
from localeval.values import Missing
from tests.methods.panel.made_panels import LOST, panel, sheet
from tests.report.judged import CHOSEN, judge

Loaded = tuple[Evaluation, Results]

EQUAL = equal_weights(("a", "b"))


def cell_of(a: tuple[object, ...], b: tuple[object, ...], weights: Weights = EQUAL, needed: int = 2) -> CellRow:
    """The row of a text to which two judges gave this, criterion by criterion."""
    sheets = {"a": sheet(*a), "b": sheet(*b)}  # type: ignore[arg-type]
    panels = {"s": panel("s", {"x": sheets})}
    (row,) = panel_details(panels, scored(panels, weights, needed), CHOSEN).cells
    return row


def of_run(folder: Path) -> PanelDetails:
    """Everything that the panel of a run says."""
    found = details(*load_run(folder)).panel
    assert found is not None
    return found


def assert_as_scored(folder: Path) -> None:
    """Every number of every text is that of scores.json, in points."""
    systems = load_scores(folder)["methods"]["panel"]["systems"]
    cells = of_run(folder).cells
    assert len(cells) == 6
    for cell in cells:
        told = systems[cell.system]["by_source"][cell.source]
        for found, right in (
            (cell.consensus, told["consensus"]["value"]),
            *((cell.judges[name], score) for name, score in told["judges"].items()),
        ):
            assert found == (right if right is None else pytest.approx(100 * right))
        if cell.consensus is not None:
            assert cell.disagreement == pytest.approx(100 * told["disagreement"])


def test_numbers_are_those_of_the_scores(judged_run: Path) -> None:
    """Each judge's score, consensus, disagreement; None where there is none."""
    assert_as_scored(judged_run)
    assert any(cell.consensus is None for cell in of_run(judged_run).cells)


def test_numbers_are_weighed_as_the_scores_are(tmp_path: Path) -> None:
    """With people's labels the consensus of a text is the weighted one."""
    labels = [("bad", "faithfulness", 0), ("bad", "reasons", 0), ("[bold]", "faithfulness", 2), ("[bold]", "topics", 2)]
    (tmp_path / "labels.jsonl").write_text(
        "".join(
            f'{{"source": "talk", "system": "{system}", "criterion": "{criterion}", "score": {score}}}\n'
            for system, criterion, score in labels
        )
    )
    folder = judge(tmp_path, (), ("panel: {judges: [big, small], labels: labels.jsonl}",))
    assert_as_scored(folder)
    bad = next(cell for cell in of_run(folder).cells if (cell.source, cell.system) == ("talk", "bad"))
    assert bad.judges == {"big": 0.0, "small": 100.0}
    assert bad.consensus is not None
    assert bad.consensus < 50


def test_every_grade_has_its_passages_and_every_passage_its_words() -> None:
    """By number with each judge, in words once a criterion, with time and speaker."""
    row = cell_of((Verdict(2, (1,), (1, 2)), 1), (Verdict(0, (2, 1), (2,)), 1))
    first = row.criteria[0]
    assert [(grade.judge, grade.grade, grade.cited, grade.proof) for grade in first.grades] == [
        ("a", 2.0, (1,), (1, 2)),
        ("b", 0.0, (1, 2), (2,)),
    ]
    assert [(each.segment, each.words) for each in first.cited] == [(1, "A."), (2, "B.")]
    assert first.proof == (Proof(1, "1:01", "Ann", "One."), Proof(2, "", "", "Two."))
    assert (first.id, first.statement) == ("faithfulness", "All of it is true.")


def test_na_says_what_the_source_lacks() -> None:
    """And leaves the judge's denominator."""
    row = cell_of((2, Verdict(NA, lacks="prices")), (2, 0))
    assert row.criteria[1].grades[0].grade == NA
    assert row.criteria[1].grades[0].lacks == ("prices",)
    assert row.judges == {"a": 100.0, "b": 50.0}
    assert (row.consensus, row.disagreement) == (75.0, 50.0)


def test_a_text_with_too_few_judges_has_no_consensus() -> None:
    """What is missing has its reason, and the judge that lacks a criterion has no score."""
    row = cell_of((2, Verdict(Missing("truncated", "cut after 120 tokens"))), (2, 0))
    assert (row.consensus, row.disagreement) == (None, None)
    assert (row.n_judges, row.needed) == (1, 2)
    assert row.judges == {"a": None, "b": 50.0}
    assert row.criteria[1].grades[0].grade == "missing"
    assert row.criteria[1].grades[0].missing == ("truncated: cut after 120 tokens",)


def test_repeats_are_told_beside_what_stands() -> None:
    """The mean of the grades, and each asking, one that is missing among them."""
    row = cell_of(((2, 1, LOST), 1), ((2, 2, 2), 1))
    grade = row.criteria[0].grades[0]
    assert (grade.grade, grade.repeats, grade.missing) == (1.5, ("2", "1", "missing"), ("truncated",))
    assert row.criteria[0].grades[1].grade == 2.0
