"""The probe for verbosity."""

from pathlib import Path

import pytest

from localeval.checking.probes.verbosity import FILLED, PLAIN, RESTATED, padded
from localeval.texts import Language
from tests.checking.probes.probe_project import AFFECT, PROMPTS, grade, make_context, measured, rows, run, value

PANEL = "panel: {judges: [m]}"
FILLERS = [line for line in PROMPTS.render("check/fillers", "en").split("\n") if line]
ADDED = "To say it once more|" + "|".join(line.rstrip(".") for line in FILLERS)


def test_a_judge_that_adds_one_for_length_is_found(tmp_path: Path) -> None:
    """It gives a text 1 and the same twice as long 2: half of the whole for each doubling."""
    found = measured(tmp_path, make_context("verbosity", PANEL), m=[grade(2, match=ADDED), grade(1)])["panel", "m"]
    assert value(found["shift"]) == pytest.approx(0.5, abs=0.12)
    assert {case: value(each) > 0.35 for case, each in rows(found).items()} == {FILLED: True, RESTATED: True}


def test_a_judge_that_does_not_care_is_not_accused(tmp_path: Path) -> None:
    """It gives everything 1."""
    context = make_context("verbosity", PANEL)
    found = measured(tmp_path, context, m=[grade(1)])["panel", "m"]
    assert value(found["shift"]) == 0.0
    _, store = run(tmp_path, context, m=[grade(1)])
    assert len(store.appended) == 4 * 6


def test_probabilities_are_read(tmp_path: Path) -> None:
    """The mood of a text rises by what the answer's probabilities say, not by the answer alone."""
    context = make_context("verbosity", AFFECT % "m")
    calm = {"reply": "neutral", "logprobs": {"neutral": -0.01}}
    words = {"match": ADDED, "reply": "pleasant", "logprobs": {"pleasant": -0.6931, "neutral": -0.6931}}
    found = measured(tmp_path, context, m=[words, calm])["affect", "m"]
    assert value(found["shift"]) == pytest.approx(0.25, abs=0.06)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_padding_doubles_a_text_and_adds_nothing(language: Language) -> None:
    """In each language the text itself stands first, unchanged, and what follows is the house's lines or its own."""
    context = make_context("verbosity", PANEL, language=language)
    fillers = PROMPTS.render("check/fillers", language).split("\n")
    for sample in context.samples:
        assert padded(context, sample, PLAIN) == sample.text
        for case in (FILLED, RESTATED):
            text = padded(context, sample, case)
            assert text.startswith(sample.text)
            assert 2.0 <= len(text) / len(sample.text) < 3.0
            added = text.removeprefix(sample.text).strip()
            own = [sample.text[s.start : s.end] for s in sample.copy(sample.text).segments]
            for known in fillers if case == FILLED else own:
                added = added.replace(known, "") if known else added
            lead = PROMPTS.render("check/restated", language, sentence="").strip() if case == RESTATED else ""
            assert not added.replace(lead, "").strip() if lead else not added.strip()
