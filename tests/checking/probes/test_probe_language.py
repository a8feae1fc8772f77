"""The probe for the language of the instructions."""

from pathlib import Path

import pytest

from localeval.texts import Language
from tests.audit_rules import SUPPORTED, accuses
from tests.checking.probes.probe_project import WRONG, grade, make_context, measured, rows, run, value

PANEL = "panel: {judges: [m]}"
AUDIT = "audit: {auditors: [m]}"
SAME = "texts of which both find the same"


@pytest.mark.parametrize("language", ["ru", "zh"])
def test_a_judge_that_is_milder_in_english_is_found(tmp_path: Path, language: Language) -> None:
    """2 with English instructions, 0 with others: the whole of the scale, and never the same."""
    context = make_context("language", PANEL, language=language)
    found = measured(tmp_path, context, m=[grade(2, contains="by one criterion"), grade(0)])["panel", "m"]
    assert value(found["shift"]) == 1.0
    assert value(rows(found)[SAME]) == 0.0


def test_a_judge_to_whom_both_are_one_is_not_accused(tmp_path: Path) -> None:
    """It sees the error in either language; the English instructions come whole, with an English rubric."""
    context = make_context("language", PANEL, language="ru")
    found = measured(tmp_path, context, m=[grade(0, contains=WRONG), grade(2)])["panel", "m"]
    assert value(found["shift"]) == 0.0
    assert value(rows(found)[SAME]) == 1.0
    english = grade(2, match=r"by one criterion.*Criterion: [A-Z][a-z].*score 2: [A-Z][a-z]")
    strict = measured(tmp_path / "strict", context, m=[english, grade(0)])["panel", "m"]
    assert value(strict["shift"]) == 1.0


def test_an_auditor_is_probed_too(tmp_path: Path) -> None:
    """One that accuses in English alone: it lets the error pass in Russian."""
    blames = accuses(WRONG, "not found", "wrong number, date or unit", look="any")
    context = make_context("language", AUDIT, language="ru")
    found = measured(tmp_path, context, m=[blames, {"reply": SUPPORTED}])["audit", "m"]
    assert value(found["shift"]) == -0.5, "of each source one text has the error"
    assert value(rows(found)[SAME]) == 0.5


def test_english_sources_cannot_be_measured(tmp_path: Path) -> None:
    """Nothing is asked, and it says why."""
    context = make_context("language", PANEL)
    results, store = run(tmp_path, context, m=[grade(2)])
    assert not results
    assert not store.appended
    found = measured(tmp_path, context, m=[grade(2)])["panel", "m"]
    assert found["shift"]["value"] is None
    assert "English" in found["note"]
