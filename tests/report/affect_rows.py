"""What judges read in a few texts, made by hand: candidates about two targets, and texts elicited about one."""

from dataclasses import replace
from typing import Any

from localeval.methods.affect.axes import Axis, AxisSet, Meaning
from localeval.methods.affect.readings import (
    AffectStudy,
    AffectText,
    Evidence,
    Flags,
    Item,
    Portrait,
    Reading,
    TextAffect,
)
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.values import Missing

MEANING = Meaning(question="How bright is it?", anchors={0.0: "Dark.", 0.5: "Grey.", 1.0: "Bright."})
AXES = AxisSet(
    name="light",
    language="en",
    axes=(
        Axis(id="valence", label="brightness", target=MEANING, whole=MEANING),
        Axis(id="trust", label="trust", target=MEANING, favourability=MEANING),
    ),
)
ANNA, BEN = Target(name="Anna", kind="person"), Target(name="Ben & Co", kind="organisation")
SETTINGS = AffectSettings(judges=("big", "small"), targets=(ANNA, BEN))

GOOD = Item(
    "target",
    "valence",
    (Reading(0.75, 0.1), Reading(0.85, 0.3)),
    Evidence(("a brave woman",), ("a hero",), "She is praised."),
)
UNSHOWN = Item(
    "target",
    "trust",
    (Reading(0.4, 0.2),),
    Evidence((), ("so they say",), missing=Missing("no evidence", "no phrase of 1 stands in the text")),
)
DRAWN = Item("favourability", "trust", (Reading(0.5, 0.12, draws=(4, 5, 6)),))
LOST = Item("whole", "valence", (Reading(Missing("invalid", "reply: 11")), Reading(0.5, 0.1)))
MOOD = Item("whole", "valence", (Reading(0.25, 0.05),))


def text(group: str = "talk", system: str = "good", wording: str = "", sample: int = 0) -> AffectText:
    """A text that says whose it is."""
    words = f"Anna is a brave woman, says {system or group} {sample}."
    return AffectText(f"{group}/{system}/{wording}/{sample}", group, words, "en", system, wording, sample)


def read(given: AffectText, judge: str = "big") -> TextAffect:
    """What a judge reads in a text: Anna well covered, Ben only mentioned."""
    return TextAffect(
        given,
        judge,
        whole=(MOOD,),
        portraits=(
            Portrait(ANNA, Flags(1.0, generic=True), (GOOD, UNSHOWN, DRAWN)),
            Portrait(BEN, Flags(1 / 3), ()),
        ),
    )


def study(*given: TextAffect) -> AffectStudy:
    """A study in which this was read."""
    return AffectStudy({"en": AXES}, given)


CANDIDATES = study(
    *(
        read(text(group, system), judge)
        for group in ("talk", "notes")
        for system in ("good", "bad")
        for judge in ("big", "small")
    )
)
ELICITED = study(
    *(
        read(text("Anna", system, wording, sample))
        for system in ("writer", "poet")
        for wording in ("neutral", "evaluative/en")
        for sample in (1, 2)
    )
)
UNGIVEN = TextAffect(replace(text("Anna", "poet", "neutral", 3), text=Missing("refused", "I cannot")), "big")


def difference(value: float, low: float, high: float, p_value: float) -> dict[str, Any]:
    """A difference as it stands in scores.json."""
    score = {"value": value, "low": low, "high": high, "n": 9, "missing": 0, "sources": 9, "note": ""}
    return score | {"p_value": p_value}


def no_difference(reason: str) -> dict[str, Any]:
    """One that there is none of."""
    return {"value": None, "reason": reason, "n": 0, "missing": 0, "sources": 0, "p_value": None}


def answered(affect: dict[str, Any]) -> dict[str, Any]:
    """Scores with every kind of answer to both questions, for every judge."""
    for judge in affect["judges"].values():
        cannot = {"answer": "cannot tell", "reason": "the interval holds 0"}
        judge["answers"] = {
            "wording_or_system": {
                "target": {
                    "valence": {"answer": "wording", "reason": ""},
                    "arousal": cannot,
                    "dominance": {"answer": "system", "reason": ""},
                },
                "whole": {"valence": cannot, "arousal": {"answer": "cannot tell", "reason": "one system"}},
            },
            "whole_and_target": {
                "valence": {
                    "answer": "differ",
                    "targets": list(judge["targets"])[:2],
                    "overall": difference(0.1, 0.05, 0.15, 0.0001),
                },
                "arousal": {
                    "answer": "no difference shown",
                    "targets": [],
                    "overall": difference(-0.001, -0.05, 0.05, 0.5),
                },
                "dominance": {"answer": "cannot tell", "targets": [], "overall": no_difference("no text has both")},
            },
        }
    return affect
