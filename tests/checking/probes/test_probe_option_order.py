"""The probe for the order of options."""

import math
from pathlib import Path

import pytest

from tests.checking.probes.probe_project import make_context, measured, rows, run, value

RIGHT = {"match": r"\n([A-F])\) 4\d\n", "template": r"\1"}
QUIZ = "quiz: {answerer: m, items: none.jsonl%s}"


def test_an_answerer_that_always_says_a_is_found(tmp_path: Path) -> None:
    """A is chosen every time and is right one time in six; every question has more than one answer."""
    context = make_context("option order", QUIZ % "")
    found = measured(tmp_path, context, m=[{"reply": "A"}])["quiz", "m"]
    assert value(found["shift"]) == pytest.approx(1 - 1 / 6)
    assert "A" in found["note"]
    told = rows(found)
    assert value(told["right where the right answer is A"]) == 1.0
    assert value(told["right where the right answer is D"]) == 0.0
    assert value(told["chosen above its due: D"]) == pytest.approx(-1 / 6)
    assert value(told["questions answered in two ways"]) == 1.0
    assert value(told["standard deviation of these"]) == pytest.approx(math.sqrt(5) / 6)


def test_an_answerer_that_reads_has_no_letter(tmp_path: Path) -> None:
    """It takes the right option wherever that stands: no shift, no spread; the interval still has a width."""
    found = measured(tmp_path, make_context("option order", QUIZ % ""), m=[RIGHT])["quiz", "m"]
    assert value(found["shift"]) == 0.0
    assert found["shift"]["low"] < 0 < found["shift"]["high"]
    told = rows(found)
    assert value(told["standard deviation of these"]) == 0.0
    assert value(told["questions answered in two ways"]) == 0.0


@pytest.mark.parametrize(("undetermined", "letters"), [("shuffled", 6), ("last", 5), ("none", 5)])
def test_the_right_answer_stands_at_each_letter_once(tmp_path: Path, undetermined: str, letters: int) -> None:
    """Whichever way the config puts "cannot be determined"."""
    context = make_context("option order", QUIZ % f", undetermined: {undetermined}", n_sources=2)
    results, store = run(tmp_path, context, m=[RIGHT])
    for place, trials in results.items():
        if place.case == undetermined:  # type: ignore[attr-defined]
            assert sorted(trial.gold_letter for trial in trials) == [*range(letters)]  # type: ignore[attr-defined]
    assert len(store.appended) <= 2 * 8, "a question costs its letters, and two askings more"


def test_the_way_out_is_measured_where_it_closes_the_list(tmp_path: Path) -> None:
    """Who takes the last of six options takes "cannot be determined" always where it is last, else one time in six."""
    context = make_context("option order", QUIZ % "")
    last = {"match": r"\nF\) ", "reply": "F"}
    told = rows(measured(tmp_path, context, m=[last])["quiz", "m"])
    assert value(told["“cannot be determined” chosen where it is last"]) == 1.0
    assert value(told["“cannot be determined” chosen where it is shuffled"]) == pytest.approx(1 / 6)


def test_without_questions_it_says_so(tmp_path: Path) -> None:
    """No shift, and why."""
    context = make_context("option order", QUIZ % "")
    bare = type(context)(context.evaluation, context.trusted, (), context.settings)
    found = measured(tmp_path, bare, m=[RIGHT])["quiz", "m"]
    assert found["shift"]["value"] is None
    assert "question" in found["note"]
