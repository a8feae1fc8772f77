"""The probe for judges that like what they wrote."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.checking.probes.probe_project import Rule, grade, make_context, measured, rows, run, value

WORDINGS = {
    "one": r"In all, the lamps for \1 cost \2 euros. In March Anna Weber pays for the lamps. "
    r"Until the painters have left, the bridge at \1 stays closed.",
    "two": r"Altogether the lamps for \1 come to \2 euros. The lamps are paid for by Anna Weber in March. "
    r"Until the painters are gone, the bridge at \1 stays closed.",
    "three": r"The lamps for \1 cost \2 euros altogether. It is Anna Weber who pays for the lamps in March. "
    r"The bridge at \1 stays closed until the painters are gone.",
}
MARKS = {"one": "In all, the lamps", "two": "come to", "three": "It is Anna Weber who"}


def writes(name: str) -> Rule:
    """How a judge rewords."""
    task = r"<text \w+>\nThe lamps for (\w+) cost (\d+) euros.*Write the text above anew"
    return {"match": task, "template": WORDINGS[name]}


def judges(*names: str) -> str:
    return f"panel: {{judges: [{', '.join(names)}]}}"


def test_a_judge_that_likes_its_own_is_found(tmp_path: Path) -> None:
    """It gives its own wording 2 and all others 1, whose judges see no difference: half of the scale for it alone."""
    context = make_context("own family", judges("one", "two", "three"), models=("one", "two", "three"))
    likes = [writes("one"), grade(2, contains=MARKS["one"]), grade(1)]
    fair = {name: [writes(name), grade(1)] for name in ("two", "three")}
    found = measured(tmp_path, context, one=likes, **fair)
    assert value(found["panel", "one"]["shift"]) == 0.5
    assert value(rows(found["panel", "one"])["own against two's, by this judge"]) == 0.5
    assert value(found["panel", "two"]["shift"]) == 0.0, "the third, not the one that likes its own, is the measure"
    assert value(found["panel", "three"]["shift"]) == 0.0


def test_what_all_mark_alike_is_no_leaning(tmp_path: Path) -> None:
    """The first's wording really is better, and everybody says so."""
    names = ("one", "two", "three")
    context = make_context("own family", judges(*names), models=names)
    rules = {name: [writes(name), grade(2, contains=MARKS["one"]), grade(1)] for name in names}
    found = measured(tmp_path, context, **rules)
    assert {judge: value(each["shift"]) for (_, judge), each in found.items()} == dict.fromkeys(names, 0.0)
    assert value(rows(found["panel", "one"])["own against two's, by this judge"]) == 0.5


def test_two_judges_cannot_be_parted(tmp_path: Path) -> None:
    """What one likes of its own is seen in both, and the note says so. Six calls a judge and source."""
    context = make_context("own family", judges("one", "two"), models=("one", "two"))
    rules = {"one": [writes("one"), grade(2, contains=MARKS["one"]), grade(1)], "two": [writes("two"), grade(1)]}
    found = measured(tmp_path, context, **rules)
    assert value(found["panel", "one"]["shift"]) == value(found["panel", "two"]["shift"]) == 0.5
    assert "third judge" in found["panel", "two"]["note"]
    _, store = run(tmp_path, context, **rules)
    assert len(store.appended) == 4 * 2 * 6


def test_a_rewording_that_says_something_else_is_not_judged(tmp_path: Path) -> None:
    """Another price and another payer: the text is dropped and counted, and nothing is left to compare."""
    context = make_context("own family", judges("one", "two"), models=("one", "two"))
    bends = {"contains": "Write the text above anew", "reply": "The lamps cost 12 euros, and nobody pays for them."}
    found = measured(tmp_path, context, one=[bends, grade(2)], two=[writes("two"), grade(1)])
    assert found["panel", "one"]["shift"]["value"] is None
    assert found["panel", "one"]["shift"]["missing"] == 8
    assert "8 of 16 rewordings" in found["panel", "one"]["note"]


@pytest.mark.parametrize("families", [{"one": "a", "two": "a"}, {}])
def test_one_family_is_not_compared_with_itself(tmp_path: Path, families: dict[str, str]) -> None:
    """Two judges of a known family are one writer to the probe; of families that nobody knows they are two."""
    context = make_context("own family", judges("one", "two"), models=("one", "two"))
    context = replace(context, evaluation=replace(context.evaluation, families=families))
    rules = {name: [writes(name), grade(1)] for name in ("one", "two")}
    found = measured(tmp_path, context, **rules)["panel", "one"]
    assert (found["shift"]["value"] is None) == bool(families)
    assert ("family" in found["note"]) == bool(families)


def test_one_judge_alone_asks_nothing(tmp_path: Path) -> None:
    """And says why."""
    context = make_context("own family", judges("one"), models=("one",))
    results, store = run(tmp_path, context, one=[grade(1)])
    assert not results
    assert not store.appended
    found = measured(tmp_path, context, one=[grade(1)])["panel", "one"]
    assert found["shift"]["value"] is None
    assert "one judge" in found["note"]
