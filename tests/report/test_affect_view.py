"""`localeval.report.affect_view`: each text with what each judge reads in it, and why something is missing."""

import json
from dataclasses import asdict, replace

from localeval.methods.affect.readings import Flags, Portrait, TextAffect
from localeval.report.affect_view import AxisRow, PortraitRow, TextRow, affect_details
from localeval.values import Missing
from tests.report.affect_rows import (
    ANNA,
    BEN,
    CANDIDATES,
    DRAWN,
    ELICITED,
    GOOD,
    LOST,
    SETTINGS,
    UNGIVEN,
    UNSHOWN,
    read,
    study,
    text,
)


def row_of(given: TextAffect) -> TextRow:
    """The row of one text that one judge read."""
    (row,) = affect_details(study(given), SETTINGS).texts
    return row


def portrait_of(given: Portrait, coverage: float = 0.5) -> PortraitRow:
    """The row of one portrait, where texts must be about a target so far."""
    settings = SETTINGS.model_copy(update={"coverage": coverage})
    (row,) = affect_details(study(TextAffect(text(), "big", portraits=(given,))), settings).texts
    return row.judges[0].portraits[0]


def axis_of(given: TextAffect) -> AxisRow:
    """The first axis of the whole text."""
    return row_of(given).judges[0].whole[0]


def test_texts_are_in_order_and_each_judge_stands_beneath_its_text() -> None:
    """One row a text, one a judge in it."""
    rows = affect_details(CANDIDATES, SETTINGS).texts
    assert [(row.group, row.system) for row in rows] == [
        (group, system) for group in ("talk", "notes") for system in ("good", "bad")
    ]
    assert {tuple(judge.judge for judge in row.judges) for row in rows} == {("big", "small")}


def test_sources_targets_and_systems_are_chosen() -> None:
    """By the text's group, which is the target of an elicited text, and by its system."""
    assert [row.id for row in affect_details(CANDIDATES, SETTINGS, "bad", "notes").texts] == ["notes/bad//0"]
    assert len(affect_details(CANDIDATES, SETTINGS, source="talk").texts) == 2
    elicited = affect_details(ELICITED, SETTINGS, "poet", "Anna").texts
    assert [(row.wording, row.sample) for row in elicited] == [
        (wording, sample) for wording in ("neutral", "evaluative/en") for sample in (1, 2)
    ]
    assert affect_details(ELICITED, SETTINGS, source="Ben & Co").texts == ()


def test_an_elicited_text_is_whole() -> None:
    """With its system, wording and sample; a text that was not elicited says so."""
    row = affect_details(ELICITED, SETTINGS).texts[0]
    assert (row.is_elicited, row.system, row.wording, row.sample) == (True, "writer", "neutral", 1)
    assert row.text == "Anna is a brave woman, says writer 1."
    assert not affect_details(CANDIDATES, SETTINGS).texts[0].is_elicited


def test_an_axis_has_its_value_spread_readings_and_evidence() -> None:
    """The mean of the readings, their mean spread, each of them; phrases that were found and that were not."""
    portrait = portrait_of(Portrait(ANNA, Flags(1.0), (GOOD, DRAWN)))
    good, drawn = portrait.axes
    assert (good.contract, good.axis, good.label) == ("target", "valence", "brightness")
    assert (good.value, good.spread, good.repeats, good.missing) == (0.8, 0.2, (0.75, 0.85), "")
    assert good.evidence is not None
    assert (good.evidence.phrases, good.evidence.rejected) == (("a brave woman",), ("a hero",))
    assert good.draws == ((), ())
    assert (drawn.contract, drawn.draws, drawn.evidence) == ("favourability", ((4, 5, 6),), None)


def test_what_is_missing_says_why_and_keeps_what_there_is() -> None:
    """Evidence that does not stand in the text, a reading that cannot be read."""
    unshown = portrait_of(Portrait(ANNA, Flags(1.0), (UNSHOWN,))).axes[0]
    assert (unshown.value, unshown.repeats) == (None, (0.4,))
    assert unshown.missing == "no evidence: no phrase of 1 stands in the text"
    assert unshown.evidence is not None
    assert unshown.evidence.rejected == ("so they say",)
    lost = axis_of(TextAffect(text(), "big", whole=(LOST,)))
    assert (lost.value, lost.repeats, lost.spread, lost.missing) == (None, (None, 0.5), 0.1, "invalid: reply: 11")


def test_a_portrait_that_does_not_count_says_why() -> None:
    """Below the bar, refused, of another, not named, unreadable; at the bar it counts."""
    cases = {
        "not covered: coverage 0.33 is below 0.5": Flags(1 / 3),
        "refused: the text declines to speak of the target": Flags(1.0, refusal=True),
        "mismatch: the text speaks of another of that name": Flags(1.0, mismatch=True),
    }
    for told, flags in cases.items():
        row = portrait_of(Portrait(BEN, flags, (GOOD,)))
        assert (row.missing, row.flags, len(row.axes)) == (told, flags, 1)
    absent = portrait_of(Portrait(BEN, Missing("not covered", "the text does not name the target")))
    assert (absent.missing, absent.flags, absent.axes) == (
        "not covered: the text does not name the target", None, (),
    )  # fmt: skip
    assert portrait_of(Portrait(BEN, Flags(1 / 3)), coverage=1 / 3).missing == ""
    assert portrait_of(Portrait(BEN, None)).missing == ""


def test_a_text_that_was_not_given_and_a_proposal_that_cannot_be_read() -> None:
    """No judge reads what is not there."""
    row = row_of(UNGIVEN)
    assert (row.text, row.missing, row.judges) == ("", "refused: I cannot", ())
    lost = replace(read(text()), proposed=Missing("truncated", "cut"))
    assert row_of(lost).judges[0].missing == "truncated: cut"
    assert row_of(read(text())).judges[0].missing == ""


def test_rows_are_json() -> None:
    """Everything, with nothing that JSON has no word for."""
    found = asdict(affect_details(CANDIDATES, SETTINGS))
    again = json.loads(json.dumps(found))
    portrait = again["texts"][0]["judges"][1]["portraits"][0]
    assert portrait["flags"] == {"coverage": 1.0, "refusal": False, "generic": True, "mismatch": False}
    assert portrait["axes"][0]["evidence"]["rejected"] == ["a hero"]
