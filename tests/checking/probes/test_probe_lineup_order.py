"""The probe for the order of line-ups."""

from dataclasses import replace
from pathlib import Path

import pytest

from localeval.texts import Candidate
from tests.checking.probes.probe_project import PLACES, WRONG, grade, make_context, measured, rows, run, value

PANEL = "panel: {judges: [m]%s}"
SEES_IT = grade(0, match=rf"<candidate ([A-C]) \w+>\n[^<]*{WRONG}[^<]*</candidate.*Judge candidate \1\.")


def test_a_judge_that_likes_the_first_is_found(tmp_path: Path) -> None:
    """Two texts change places: the first has 2 and the second 0 in either order, half a point of 2 a place."""
    context = make_context("line-up order", PANEL % ", mode: lineup")
    found = measured(tmp_path, context, m=[grade(2, contains="Judge candidate A."), grade(0)])["panel", "m"]
    assert value(found["shift"]) == -1.0
    assert value(rows(found)["pairs that change sides with the order"]) == 1.0
    assert found["note"] == ""


def test_a_judge_that_reads_keeps_its_order(tmp_path: Path) -> None:
    """It marks the text with the error down wherever that stands."""
    found = measured(tmp_path, make_context("line-up order", PANEL % ""), m=[SEES_IT, grade(2)])["panel", "m"]
    assert value(found["shift"]) == 0.0
    assert value(rows(found)["pairs that change sides with the order"]) == 0.0
    assert "alone" in found["note"], "this panel has no line-ups: it is said what they would do"


def with_third(context: object) -> object:
    """A further candidate of each source."""
    material = context.evaluation.material  # type: ignore[attr-defined]
    third = [Candidate(f"s{n}", "other", f"Nothing was decided at {place}.") for n, place in enumerate(PLACES)]
    whole = replace(material, candidates=[*material.candidates, *third])
    return replace(context, evaluation=replace(context.evaluation, material=whole))  # type: ignore[attr-defined,type-var]


def test_three_stand_in_an_order_and_in_its_reverse(tmp_path: Path) -> None:
    """The user's own candidates join; the middle one keeps its place, the others move two."""
    context = with_third(make_context("line-up order", PANEL % ", mode: lineup"))
    results, store = run(tmp_path, context, m=[grade(2, contains="Judge candidate A."), grade(0)])  # type: ignore[arg-type]
    for place, one in results.items():
        other = results[place._replace(case="its reverse")]  # type: ignore[attr-defined]
        if place.case == "one order":  # type: ignore[attr-defined]
            assert len(one) == 3  # type: ignore[arg-type]
            assert all(one[name].place + other[name].place == 2 for name in one)  # type: ignore[index]
    assert len(store.appended) == 4 * 6
    scored = measured(tmp_path / "again", context, m=[grade(2, contains="Judge candidate A."), grade(0)])  # type: ignore[arg-type]
    assert value(scored["panel", "m"]["shift"]) == -0.5
    assert value(rows(scored["panel", "m"])["pairs that change sides with the order"]) == pytest.approx(1 / 3)


def test_a_batch_is_a_line_up_in_one_call(tmp_path: Path) -> None:
    """Two calls a source; who gives the first letter 2 and the second 0 is found."""
    context = make_context("line-up order", PANEL % ", mode: batch")
    cells = ",".join(
        f'"{letter}":{{"faithfulness":{{"candidate":"1","source":"1","score":"{score}"}}}}'
        for letter, score in (("A", 2), ("B", 0))
    )
    results, store = run(tmp_path, context, m=[{"reply": f"{{{cells}}}"}])
    assert len(store.appended) == 4 * 2
    assert len(results) == 4 * 2
    scored = measured(tmp_path / "again", context, m=[{"reply": f"{{{cells}}}"}])
    assert value(scored["panel", "m"]["shift"]) == -1.0


def test_one_candidate_alone_cannot_be_measured(tmp_path: Path) -> None:
    """It says so instead of a number."""
    context = make_context("line-up order", PANEL % "")
    bare = replace(context, clozes=())
    found = measured(tmp_path, bare, m=[grade(2)])["panel", "m"]
    assert found["shift"]["value"] is None
    assert "two texts" in found["note"]
