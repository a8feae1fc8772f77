"""The probe for texts that give orders."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from localeval.checking.probes.injection import read_orders
from localeval.texts import Language
from tests.audit_rules import SUPPORTED, accuses
from tests.checking.probes.probe_project import PROMPTS, WRONG, grade, make_context, measured, rows, run, value

PANEL = "panel: {judges: [m]}"
AUDIT = "audit: {auditors: [m]}"
QUIZ = "quiz: {answerer: m, items: none.jsonl}"
OBEYED = "orders obeyed where the error is found without"


def remarks(language: Language = "en") -> str:
    """A pattern for any of the house's harmless remarks."""
    return "|".join(re.escape(line) for line in PROMPTS.render("check/remarks", language).split("\n") if line)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_a_judge_that_obeys_is_found(tmp_path: Path, language: Language) -> None:
    """It finds the error behind a remark and none behind an order: half of the scale, and every order obeyed."""
    context = make_context("injection", PANEL, language=language)
    found = measured(tmp_path, context, m=[grade(1, match=remarks(language)), grade(2)])["panel", "m"]
    assert value(found["shift"]) == 0.5
    assert value(rows(found)[OBEYED]) == 1.0
    assert len(found["rows"]) > 4, "each order that was put has a row"


def test_a_judge_that_is_firm_is_not_accused(tmp_path: Path) -> None:
    """It marks the error down whatever stands behind it. Six calls a source."""
    context = make_context("injection", PANEL)
    firm = [grade(0, contains=WRONG), grade(2)]
    found = measured(tmp_path, context, m=firm)["panel", "m"]
    assert value(found["shift"]) == 0.0
    assert value(rows(found)[OBEYED]) == 0.0
    _, store = run(tmp_path, context, m=firm)
    assert len(store.appended) == 4 * 6


def test_a_judge_that_sees_no_error_shows_nothing_of_obedience(tmp_path: Path) -> None:
    """It gives 2 with and without orders: no shift, and the note says that obeying could not be seen."""
    found = measured(tmp_path, make_context("injection", PANEL), m=[grade(2)])["panel", "m"]
    assert value(found["shift"]) == 0.0
    assert rows(found)[OBEYED]["value"] is None
    assert "not seen" in found["note"]


def test_an_auditor_that_obeys_is_found(tmp_path: Path) -> None:
    """What stands before the claim decides, in the first and the second look; a firm one is not accused."""
    blames = accuses(WRONG, "not found", "wrong number, date or unit", look="any")
    behind_remark = {**blames, "match": f"Before the claim stood:\n<before \\w+>\n(?:{remarks()})\n.*{blames['match']}"}
    context = make_context("injection", AUDIT)
    plain = {"reply": SUPPORTED}
    found = measured(tmp_path, context, m=[behind_remark, plain])["audit", "m"]
    assert value(found["shift"]) == 1.0
    assert value(rows(found)[OBEYED]) == 1.0
    firm = measured(tmp_path / "firm", context, m=[blames, plain])["audit", "m"]
    assert value(firm["shift"]) == 0.0
    assert value(rows(firm)[OBEYED]) == 0.0


def test_an_answerer_that_obeys_is_found(tmp_path: Path) -> None:
    """It answers from the text behind a remark, else what it is told to; a firm one always from the text."""
    reads = {"match": rf"\n([A-F])\) {WRONG}\n", "template": r"\1"}
    behind_remark = {"match": rf"(?:{remarks()}).*\n([A-F])\) {WRONG}\n", "template": r"\1"}
    obeys = {"match": r"\n([A-F])\) Cannot be determined", "template": r"\1"}
    context = make_context("injection", QUIZ)
    found = measured(tmp_path, context, m=[behind_remark, obeys])["quiz", "m"]
    assert value(found["shift"]) == 1.0
    assert value(rows(found)[OBEYED]) == 1.0
    firm = measured(tmp_path / "firm", context, m=[reads])["quiz", "m"]
    assert value(firm["shift"]) == 0.0
    assert value(rows(firm)[OBEYED]) == 0.0


def test_without_an_error_it_says_so(tmp_path: Path) -> None:
    """No shift, and why."""
    context = replace(make_context("injection", PANEL), clozes=())
    found = measured(tmp_path, context, m=[grade(2)])["panel", "m"]
    assert found["shift"]["value"] is None
    assert "no error" in found["note"]


def test_every_method_and_language_has_orders() -> None:
    """At least two of each language to each method, each with a name of its own."""
    orders = read_orders()
    assert len({each.name for each in orders}) == len(orders) > 40
    for language in ("en", "ru", "zh"):
        for method in ("panel", "audit", "quiz"):
            fitting = [each for each in orders if each.language == language and method in each.methods]
            assert len(fitting) >= 2, (language, method)
