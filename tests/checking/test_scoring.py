"""From rulings to scores: what is counted where."""

from localeval.checking.asking.rulings import Ruling
from localeval.checking.scoring import weighed
from localeval.checking.texts import Role


def ruling(text: str, role: Role, position: float | None, is_flagged: bool) -> Ruling:
    """One judge on one text about a source of 900 characters."""
    kind = "number" if role == "planted" else role
    return Ruling("audit", "m", text, role, kind, "whole", "s", "en", 900, position, is_flagged)


def test_controls_without_a_place_count_by_length() -> None:
    """A control is blamed as a whole: that one of its sentences has no place in the source keeps it from nothing."""
    rulings = [ruling("t1", "planted", 0.1, True), ruling("t2", "untouched", 0.9, False)]
    told = weighed([*rulings, ruling("t3", "paraphrase", None, True)], None)
    heat = told.rest["heat"]
    assert isinstance(heat, list)
    assert {(row["false_alarm"]["value"], row["false_alarm"]["n"]) for row in heat} == {(0.5, 2)}
    assert [row["detection"]["n"] for row in heat] == [1, 0, 0, 0, 0]


def test_errors_without_a_place_are_found_nowhere_on_the_map() -> None:
    """But they are in the detection."""
    told = weighed([ruling("t1", "planted", 0.5, True), ruling("t2", "planted", None, False)], None)
    heat = told.rest["heat"]
    assert isinstance(heat, list)
    assert sum(row["detection"]["n"] for row in heat) == 1
    assert told.detection.n == 2
