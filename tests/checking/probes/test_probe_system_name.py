"""The probe for a system's name in the text."""

from pathlib import Path

import pytest

from localeval.checking.probes.system_name import KNOWN, LOWLY, NEUTRAL
from localeval.texts import Language
from tests.audit_rules import SUPPORTED, accuses
from tests.checking.probes.probe_project import AFFECT, PROMPTS, WRONG, grade, make_context, measured, rows, run, value

PANEL = "panel: {judges: [m]}"
AUDIT = "audit: {auditors: [m]}"


def test_a_judge_that_likes_a_name_is_found(tmp_path: Path) -> None:
    """2 under the known model's name, 0 under the intern's script, 1 under nobody's."""
    rules = [grade(2, contains="GPT-5"), grade(0, contains="intern"), grade(1)]
    found = measured(tmp_path, make_context("system name", PANEL), m=rules)["panel", "m"]
    assert value(found["shift"]) == 1.0
    assert value(rows(found)[f"{KNOWN} against {NEUTRAL}"]) == 0.5
    assert value(rows(found)[f"{LOWLY} against {NEUTRAL}"]) == -0.5


def test_a_judge_that_reads_no_names_is_not_accused(tmp_path: Path) -> None:
    """Nor one that marks the error down under any name. Six calls a source."""
    context = make_context("system name", PANEL)
    found = measured(tmp_path, context, m=[grade(0, contains=WRONG), grade(2)])["panel", "m"]
    assert value(found["shift"]) == 0.0
    _, store = run(tmp_path, context, m=[grade(1)])
    assert len(store.appended) == 4 * 6


def test_an_auditor_that_spares_a_name_is_found(tmp_path: Path) -> None:
    """It lets the wrong price pass behind the known model's line, in both of its looks, and accuses it else."""
    spares = {"match": r"GPT-5.*(?:Check this claim|a second time):", "reply": SUPPORTED}
    blames = accuses(WRONG, "not found", "wrong number, date or unit", look="any")
    plain = {"reply": SUPPORTED}
    context = make_context("system name", AUDIT)
    found = measured(tmp_path, context, m=[spares, blames, plain])["audit", "m"]
    assert value(found["shift"]) == 1.0
    fair = measured(tmp_path / "fair", context, m=[blames, plain])["audit", "m"]
    assert value(fair["shift"]) == 0.0


def test_a_mood_that_follows_a_name_is_found(tmp_path: Path) -> None:
    """Pleasant under the known name, neutral under the others."""
    names = {"contains": "GPT-5", "reply": "pleasant", "logprobs": {"pleasant": -0.0001}}
    calm = {"reply": "neutral", "logprobs": {"neutral": -0.0001}}
    found = measured(tmp_path, make_context("system name", AFFECT % "m"), m=[names, calm])["affect", "m"]
    assert value(found["shift"]) == pytest.approx(0.5)
    assert value(rows(found)[f"{LOWLY} against {NEUTRAL}"]) == 0.0


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_bylines_are_alike_but_for_the_name(language: Language) -> None:
    """Three lines of about one length; the second alone names the model."""
    lines = [line for line in PROMPTS.render("check/bylines", language).split("\n") if line]
    assert len(lines) == 3
    assert max(map(len, lines)) - min(map(len, lines)) <= 4
    assert ["GPT-5" in line for line in lines] == [False, True, False]
