"""The pictures of a decision: what is drawn of the front, and what is said with it."""

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from localeval.report.pictures.files import write_pictures
from localeval.report.pictures.front import NAMED, front_pictures
from localeval.report.pictures.front_chart import Spot, frame_of, label_places, spread
from localeval.report.pictures.picture import NoPicture, Picture
from tests.report.selection_files import NAMES, Json, selection_decision, selection_scores

FIRST, SECOND, THIRD, FOURTH = NAMES


def decided() -> Json:
    return selection_decision(selection_scores())


def drawn(decision: Json) -> dict[str, Picture]:
    """Those that are drawn, by name."""
    found = front_pictures(decision, "EUR")
    return {each.name: each for each in found if isinstance(each, Picture)}


def points(picture: Picture) -> dict[str, dict[str, Any]]:
    """The points of a chart by system."""
    (rows,) = (each for each in picture.spec["datasets"].values() if "standing" in each[0])
    return {row["system"].split(" (")[0]: row for row in rows}


def spot(x: float, y: float, name: str = "x", y_ends: tuple[float, float] | None = None) -> Spot:
    return Spot(name, name, x, y, (x, x), y_ends or (y, y), True, {})


def test_quality_is_drawn_against_each_thing_that_is_known() -> None:
    """Fabrications first; values and intervals are the decision's, in the unit of rules."""
    decision = decided()
    found = drawn(decision)
    assert list(found) == ["front-fabrications", "front-cost", "front-seconds"]
    point = points(found["front-fabrications"])[THIRD]
    told = decision["systems"][THIRD]["measures"]
    assert point["x"] == told["fabrications"]["value"]
    assert (point["x_low"], point["x_high"]) == (told["fabrications"]["low"], told["fabrications"]["high"])
    assert point["y"] == pytest.approx(told["consensus"]["value"] * 100)
    assert point["y_low"] == pytest.approx(told["consensus"]["low"] * 100)
    assert points(found["front-cost"])[FIRST]["x"] == 7.15


def test_who_is_dominated_differs_in_shape_and_colour_and_words() -> None:
    """Colour is not the only sign: shapes differ, and the table says who dominates."""
    decision = decided()
    decision["systems"][FIRST] |= {"on_front": False, "dominated_by": [SECOND]}
    picture = drawn(decision)["front-cost"]
    assert points(picture)[FIRST]["standing"] == "dominated"
    assert points(picture)[SECOND]["standing"] == "on the front"
    shapes = [layer["encoding"]["shape"]["scale"] for layer in picture.spec["layer"] if "shape" in layer["encoding"]]
    assert shapes == [{"domain": ["on the front", "dominated"], "range": ["circle", "diamond"]}]
    rows = {row[0].split(" (")[0]: row for row in picture.table.rows}
    assert rows[FIRST][-1] == f"dominated by {SECOND}"


def test_the_table_holds_every_system() -> None:
    """Also those that cannot be drawn, with the reason, and the caption names them."""
    picture = drawn(decided())["front-fabrications"]
    rows = {row[0].split(" (")[0]: row for row in picture.table.rows}
    assert set(rows) == set(NAMES)
    assert rows[FOURTH][2] == "not known: not audited"
    assert f"Without a number of both: {FOURTH}." in picture.caption
    assert picture.title == "Consensus against fabrications, n = 3 systems"


def test_the_line_joins_those_that_nobody_beats_in_these_two() -> None:
    """From left to right up, then to the right edge."""
    picture = drawn(decided())["front-seconds"]
    (line,) = (each for each in picture.spec["datasets"].values() if set(each[0]) == {"x", "y"})
    assert [row["x"] for row in line[:-1]] == [4.0, 9.1, 12.0]
    assert [row["y"] for row in line] == sorted(row["y"] for row in line)
    assert line[-1]["y"] == line[-2]["y"]


def test_what_is_not_known_is_left_out_in_words() -> None:
    """The axes that nobody has a number of, with the reasons."""
    decision = decided()
    decision["front"]["axes"] = decision["front"]["axes"][:2]
    for system in decision["systems"].values():
        for measure in ("cost_per_1000", "seconds"):
            system["measures"][measure] = {"value": None, "reason": "no ledger"}
    *pictures, left_out = front_pictures(decision, "EUR")
    assert [each.name for each in pictures if isinstance(each, Picture)] == ["front-fabrications"]
    assert isinstance(left_out, NoPicture)
    assert left_out.title == "Consensus against cost and seconds"
    assert left_out.why == "cost not known (no ledger); seconds not known (no ledger)"


def test_one_system_is_weighed_against_nobody() -> None:
    """Nor is a run in which none has a number of quality."""
    decision = decided()
    decision["systems"] = {SECOND: decision["systems"][SECOND]}
    assert front_pictures(decision, "EUR") == ()
    decision["front"]["axes"] = []
    assert front_pictures(decision, "EUR") == ()


def test_many_systems_have_numbers_and_a_key() -> None:
    """Names would cover one another."""
    decision = decided()
    one = decision["systems"][THIRD]
    decision["systems"] |= {f"system {number}": one for number in range(NAMED)}
    chart = drawn(decision)["front-cost"].spec
    assert "hconcat" in chart
    words = {row["words"] for each in chart["datasets"].values() for row in each if "words" in row}
    assert f"{NAMED + 3}. system {NAMED - 1}" in words


def test_a_long_name_loses_its_middle_and_no_mark() -> None:
    """The label still says what is deployed and recommended; tooltip and table have the whole name."""
    name = "an-incumbent-with-a-name-that-no-chart-has-room-for-v2"
    decision = selection_decision(selection_scores((FIRST, name, THIRD, FOURTH)), (FIRST, name, THIRD, FOURTH))
    picture = drawn(decision)["front-cost"]
    labels = {row["label"] for each in picture.spec["datasets"].values() for row in each if "label" in row}
    assert "an-incumbent…room-for-v2 (recommended, incumbent)" in labels
    assert f"{name} (recommended, incumbent)" in {row[0] for row in picture.table.rows}


def test_no_label_covers_another_and_none_hangs_out() -> None:
    """However close the points are, a line of words is between their labels."""
    spots = [spot(0.0, 80.0 + number / 100, f"the system {number}") for number in range(12)]
    frame = frame_of([*spots, spot(1.0, 90.0)])
    places = label_places(spread(spots, frame), frame)
    heights = sorted(height for _, _, height in places)
    line = 16 * (frame.y[1] - frame.y[0]) / 340
    assert all(second - first >= line * 0.999 for first, second in pairwise(heights))
    assert heights[0] >= frame.y[0]


def test_a_label_with_room_stays_at_its_point() -> None:
    """Beside others that are far off, left or right, nothing is moved."""
    spots = [spot(0.0, 80.0, "a"), spot(3.0, 80.1, "b"), spot(10.0, 80.0, "c")]
    frame = frame_of(spots)
    assert {each.system: (side, height) for each, side, height in label_places(spots, frame)} == {
        "a": ("left", 80.0),
        "b": ("left", 80.1),
        "c": ("right", 80.0),
    }


def test_points_at_one_place_stand_side_by_side() -> None:
    """So that one interval does not hide another; a point that is alone stays where it is."""
    spots = [spot(0.0, 80.0), spot(0.0, 81.0), spot(5.0, 70.0)]
    x = [each.x for each in spread(spots, frame_of(spots))]
    assert x[0] == 0.0 < x[1] < 0.2
    assert x[2] == 5.0


def test_a_frame_of_nothing_but_zeros_has_room() -> None:
    """No fabrication anywhere and equal quality is a picture, too."""
    frame = frame_of([spot(0.0, 80.0), spot(0.0, 80.0)])
    assert frame.x == (0.0, 1.0)
    assert frame.y[0] < 80.0 < frame.y[1]


def test_pictures_are_written_as_files(tmp_path: Path) -> None:
    """PNG and SVG, offline, whatever a system is called."""
    name = '</text><script>"&'
    names = (name, SECOND, THIRD, FOURTH)
    found = drawn(selection_decision(selection_scores(names), names))
    paths = list(write_pictures([found["front-cost"]], tmp_path))
    assert [path.name for path in paths] == ["front-cost.png", "front-cost.svg"]
    assert paths[0].read_bytes().startswith(b"\x89PNG")
    svg = paths[1].read_text(encoding="utf-8")
    assert "<script>" not in svg
    assert "incumbent)" in svg
