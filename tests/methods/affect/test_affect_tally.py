"""What of a judge's readings counts, and why the rest does not."""

from dataclasses import replace

import numpy as np
import pytest

from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.readings import Evidence, Flags, Portrait, Reading
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.methods.affect.tally import read_from, tally, value_of
from localeval.values import Missing
from tests.methods.affect.readings import (
    GOOD,
    UNNAMED,
    UNREADABLE,
    VAD,
    by_judge,
    items,
    portrait,
    read,
    settings,
    study,
    text,
    vad,
)

ONE = dict.fromkeys(VAD, 0.75)
CUT = Missing("truncated", "cut after 300 tokens")


def test_value_of_gives_the_gravest_reason_first() -> None:
    """No text, then the portrait's flags, then the item: its readings, and its evidence last."""
    given, item = text("a"), items("target", {"valence": 0.75})[0]
    lacking = replace(item, evidence=Evidence(missing=Missing("no evidence", "")))
    refused = portrait("Ada", ONE, Flags(1.0, refusal=True))
    assert value_of(given, portrait("Ada", ONE), item, 0.5) == 0.75
    assert value_of(given, None, None, 0.5) == Missing("invalid", "not asked")
    assert value_of(given, portrait("Ada", ONE), lacking, 0.5) == Missing("no evidence", "")
    assert value_of(given, refused, lacking, 0.5) == refused.fault(0.5)
    assert value_of(replace(given, text=CUT), refused, item, 0.5) == CUT


def test_mood_does_not_depend_on_flags() -> None:
    """A text that refuses to speak of its target has a mood all the same."""
    found = tally(study([read(text("a"), ONE, [portrait("Ada", ONE, Flags(0.0, refusal=True))])]), settings())
    blocks = found.sheets["judge"].blocks
    assert blocks["whole"].is_there.all()
    assert not blocks["target"].is_there.any()
    assert blocks["target"].reasons == {"refused": 3}


@pytest.mark.parametrize("flags", [UNNAMED, UNREADABLE])
def test_portrait_without_items_misses_every_axis_that_is_asked(flags: Missing) -> None:
    """A target that is not named, or whose flags cannot be read, lacks each axis of each contract, with that reason."""
    asked = settings(contracts=["target", "whole", "favourability"])
    found = tally(study([read(text("a"), ONE, [Portrait(Target(name="Ada"), flags)])]), asked)
    blocks = found.sheets["judge"].blocks
    assert {name: int(block.is_asked.sum()) for name, block in blocks.items()} == {
        "target": 3,
        "whole": 3,
        "favourability": 1,
    }
    assert blocks["target"].reasons == {flags.reason: 3}
    assert blocks["favourability"].reasons == {flags.reason: 1}


@pytest.mark.parametrize("portraits", [[], [Portrait(Target(name="Ada"), CUT)]])
def test_text_that_was_not_given_misses_all_that_it_should_have_had(portraits: list[Portrait]) -> None:
    """Mood and targets of a missing text are missing for its reason, whether or not portraits stand for them."""
    found = tally(study([read(replace(text("a"), text=CUT), {}, portraits)]), settings())
    sheet = found.sheets["judge"]
    assert [block.reasons for block in sheet.blocks.values()] == [{"truncated": 3}, {"truncated": 3}]
    assert not found.texts.is_given.any()
    assert sheet.flags["portraits"] == 0
    assert not sheet.blocks["target"].is_named.any()


def test_flags_are_counted_one_by_one() -> None:
    """A portrait may have several faults; not named is told from unreadable; no flags are no fault."""
    flags = [
        GOOD,
        Flags(0.0, refusal=True, generic=True),
        Flags(1 / 3),
        Flags(1.0, mismatch=True),
        UNNAMED,
        UNREADABLE,
        Missing("too long", ""),
        None,
    ]
    rows = [read(text(f"t{n}"), ONE, [portrait("Ada", ONE, each)]) for n, each in enumerate(flags)]
    found = tally(study(rows), settings()).sheets["judge"]
    assert found.flags == {
        "portraits": 8,
        "not_named": 1,
        "refusal": 1,
        "generic": 1,
        "mismatch": 1,
        "below_bar": 2,
        "unreadable": 2,
    }
    assert found.blocks["target"].is_there.all(1).tolist() == [True, *[False] * 6, True]
    assert found.blocks["target"].is_named.tolist() == [True] * 4 + [False] + [True] * 3


def test_coverage_bar_is_the_settings_own() -> None:
    """What covers its target by a third counts where a third is enough."""
    rows = [read(text("a"), ONE, [portrait("Ada", ONE, Flags(1 / 3))])]
    for bar, counts in ((0.3, True), (0.5, False)):
        found = tally(study(rows), settings(coverage=bar)).sheets["judge"].blocks["target"]
        assert bool(found.is_there.all()) is counts


def test_item_keeps_its_repeats_and_its_spread() -> None:
    """The value is the mean of the repeats, the spread their root mean square; without a value nothing is entered."""
    readings = (Reading(0.25, 0.3, (1.0,)), Reading(0.75, 0.4, (1.0,)))
    whole = replace(items("whole", {"valence": 0.5})[0], readings=readings)
    lost = replace(whole, axis="arousal", readings=(readings[0], Reading(UNREADABLE)))
    row = replace(read(text("a"), {}), whole=(whole, lost))
    block = tally(study([row]), settings(repeats=2)).sheets["judge"].blocks["whole"]
    assert block.values[0].tolist() == [0.5, 0.0, 0.0]
    assert block.is_there[0].tolist() == [True, False, False]
    assert block.readings[0, 0].tolist() == [0.25, 0.75]
    assert block.spreads[0, 0] == pytest.approx(np.sqrt((0.09 + 0.16) / 2))
    assert block.reasons == {"invalid": 2}


def test_judges_and_targets_are_kept_apart() -> None:
    """Each judge has its own arrays; given targets come before those that were found, each once."""
    first = study([read(text("a"), ONE, [portrait("Bob", ONE), portrait("Ada", ONE)], "one")])
    second = study([read(text("a"), dict.fromkeys(VAD, 0.25), [portrait("Ada", ONE)], "two")])
    found = tally(by_judge(first, second), settings(judges=["one", "two"]))
    assert [each.name for each in found.targets] == ["Ada", "Bob"]
    assert found.texts.ids == ("a",)
    assert found.sheets["one"].blocks["target"].target.tolist() == [1, 0]
    assert found.sheets["one"].blocks["whole"].values[0].tolist() == [0.75] * 3
    assert found.sheets["two"].blocks["whole"].values[0].tolist() == [0.25] * 3


def test_axis_of_one_language_is_not_asked_in_another() -> None:
    """What a language's axes lack is no missing value of its texts."""
    english, russian = vad(more=["trust"]), vad(language="ru")
    rows = [
        read(text("a"), ONE, [portrait("Ada", {**ONE, "trust": 0.5})]),
        read(replace(text("b"), language="ru"), ONE, [portrait("Ada", ONE)]),
    ]
    axes: dict[str, AxisSet] = {"en": english, "ru": russian}
    found = tally(replace(study(rows), axes=axes), settings())
    block = found.sheets["judge"].blocks["target"]
    assert block.axes == (*VAD, "trust")
    assert block.is_asked[:, 3].tolist() == [True, False]
    assert block.reasons == {}


def test_readings_are_counted_by_how_they_were_read() -> None:
    """From probabilities or from draws; what is missing was read in neither way."""
    drawn = replace(items("whole", {"valence": 0.5})[0], readings=(Reading(0.5, 0.0, (), (5, 5, 5)),))
    row = replace(read(text("a"), {"arousal": 0.5, "dominance": UNREADABLE}, [portrait("Ada", ONE)]))
    row = replace(row, whole=(drawn, *row.whole))
    assert read_from([row]) == {"logprobs": 4, "samples": 1}


@pytest.mark.parametrize(("given", "step"), [({}, 1 / 10), ({"scale": 5, "samples": 3, "repeats": 2}, 1 / 24)])
def test_step_of_drawn_scores(given: dict[str, int], step: float) -> None:
    """Draws make a score move in steps; a single score from probabilities has none."""
    asked: AffectSettings = settings(contracts=["whole"], targets=[], **given)
    drawn = replace(items("whole", {"valence": 0.5})[0], readings=(Reading(0.5, 0.0, (), (5,)),) * asked.repeats)
    row = replace(read(text("a"), {}), whole=(drawn,))
    read_once = read(text("b"), {"valence": (0.5,) * asked.repeats})
    assert tally(study([row]), asked).step == pytest.approx(step)
    assert tally(study([row, read_once]), asked).step == 0.0
