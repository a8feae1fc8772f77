"""The chart of the front: systems by quality and one thing that should be low. No text of the user's is ever part of an
expression: names are data and titles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import altair as alt

from localeval.report.pictures.charts import key_chart
from localeval.report.pictures.picture import Spec

Side = Literal["left", "right"]
"""Where a point is; its label stands at its other side."""

ON_FRONT, DOMINATED = "on the front", "dominated"

_COLOURS: Mapping[str, str] = {ON_FRONT: "#0072b2", DOMINATED: "#d55e00"}
"""Of the palette by Okabe and Ito (2008): with shapes, so that colour is not the only sign."""
_SHAPES: Mapping[str, str] = {ON_FRONT: "circle", DOMINATED: "diamond"}
_WIDTH, _HEIGHT = 480, 340
_LABEL, _LINE, _LETTER, _GAP = 320, 16, 6.5, 9
"""Pixels of the longest label, of a line of words, of a letter, and between a point and its label."""
_ALMOST = 0.999  # what is moved down by a line is not in the way, however its height is rounded
_SAME, _BESIDE = 5.0, 9.0
"""Points less than so many pixels apart across are at the same place; they are put so far apart."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A system: where it is, its intervals (the value itself where there is none), its label, its values in words."""

    system: str
    label: str
    x: float
    y: float
    x_ends: tuple[float, float]
    y_ends: tuple[float, float]
    is_on_front: bool
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Frame:
    """What the axes reach from and to."""

    x: tuple[float, float]
    y: tuple[float, float]


def front_chart(
    spots: Sequence[Spot], line: Sequence[tuple[float, float]], across: str, upward: str, is_numbered: bool
) -> Spec:
    """Systems as points with intervals and labels, with a key where these are numbers from 1.

    `line` joins those that are best in these two things, from left to right. `across` and `upward` are what the axes
    are called.
    """
    frame = frame_of(spots)
    axes: dict[str, Any] = {
        "x": alt.X("x:Q", title=across, scale=alt.Scale(domain=list(frame.x), nice=False), axis=_axis()),
        "y": alt.Y("y:Q", title=upward, scale=alt.Scale(domain=list(frame.y), nice=False), axis=_axis()),
    }
    shown = spread(spots, frame)
    points = [_point(spot) for spot in shown]
    standings = [each for each in _COLOURS if any(point["standing"] == each for point in points)]
    below = alt.Legend(orient="bottom", direction="horizontal")  # at the right are labels
    colour = alt.Color(
        "standing:N",
        title=None,
        legend=below,
        scale=alt.Scale(domain=standings, range=[_COLOURS[each] for each in standings]),
    )
    shape = alt.Shape(
        "standing:N",
        title=None,
        legend=below,
        scale=alt.Scale(domain=standings, range=[_SHAPES[each] for each in standings]),
    )
    base = alt.Chart(alt.InlineData(values=points)).encode(
        tooltip=[
            alt.Tooltip("system:N"),
            alt.Tooltip("x_words:N", title=across),
            alt.Tooltip("y_words:N", title=upward),
        ]
    )
    layers = [
        _steps(line, frame).encode(**axes),
        base.mark_rule(strokeWidth=1.5).encode(x=axes["x"], y=alt.Y("y_low:Q"), y2="y_high:Q", color=colour),
        base.mark_rule(strokeWidth=1.5).encode(x=alt.X("x_low:Q"), x2="x_high:Q", y=axes["y"], color=colour),
        base.mark_point(filled=True, size=90, opacity=1).encode(**axes, color=colour, shape=shape),
        *_labels(shown, frame, axes),
    ]
    plane = alt.LayerChart(layer=layers).properties(width=_WIDTH, height=_HEIGHT)
    names = enumerate((spot.system for spot in spots), start=1)
    key: list[Mapping[str, str | float]] = [{"number": number, "target": name} for number, name in names]
    found: dict[str, Any] = (alt.hconcat(plane, key_chart(key), spacing=40) if is_numbered else plane).to_dict()
    found.pop("config", None)  # whoever draws it says how it looks
    return found


def frame_of(spots: Sequence[Spot]) -> Frame:
    """Across from 0 to a little beyond everything; upward what the intervals need, so that small differences show."""
    furthest = max(max(spot.x_ends[1], spot.x) for spot in spots)
    low = min(min(spot.y_ends[0], spot.y) for spot in spots)
    high = max(max(spot.y_ends[1], spot.y) for spot in spots)
    room = max((high - low) * 0.06, 0.5)
    return Frame((0.0, furthest * 1.08 or 1.0), (low - room, high + room))


def spread(spots: Sequence[Spot], frame: Frame) -> list[Spot]:
    """The same from left to right, those at the same place across beside each other, so that no interval hides
    another."""
    pixel = (frame.x[1] - frame.x[0]) / _WIDTH
    placed: list[Spot] = []
    for spot in sorted(spots, key=lambda each: (each.x, -each.y)):
        x = spot.x
        if placed and x - placed[-1].x < _SAME * pixel:
            x = placed[-1].x + _BESIDE * pixel
        ends = spot.x_ends if spot.x_ends != (spot.x, spot.x) else (x, x)
        placed.append(Spot(spot.system, spot.label, x, spot.y, ends, spot.y_ends, spot.is_on_front, spot.words))
    return placed


def label_places(spots: Sequence[Spot], frame: Frame) -> list[tuple[Spot, Side, float]]:
    """Each with the side on which it is and the height of its label, so that no label covers another."""
    middle = (frame.x[0] + frame.x[1]) / 2
    line = _LINE * (frame.y[1] - frame.y[0]) / _HEIGHT
    pixel = (frame.x[1] - frame.x[0]) / _WIDTH
    placed: list[tuple[Spot, Side, float, tuple[float, float]]] = []
    for spot in sorted(spots, key=lambda each: -each.y):
        side: Side = "left" if spot.x <= middle else "right"
        wide = (_GAP + min(len(spot.label) * _LETTER, _LABEL)) * pixel
        reach = (spot.x, spot.x + wide) if side == "left" else (spot.x - wide, spot.x)
        height = spot.y
        for *_, other, (start, end) in sorted(placed, key=lambda each: -each[2]):
            if reach[0] < end and start < reach[1] and abs(height - other) < line * _ALMOST:
                height = other - line
        placed.append((spot, side, height, reach))
    lowest = min(height for _, _, height, _ in placed)
    beneath = max(frame.y[0] + line / 2 - lowest, 0.0)  # so far does the lowest hang out of the frame
    return [(spot, side, height + beneath) for spot, side, height, _ in placed]


def _axis() -> alt.Axis:
    return alt.Axis(format=".3~r", tickCount=6)


def _point(spot: Spot) -> dict[str, Any]:
    return {
        "system": spot.system,
        "x": spot.x,
        "y": spot.y,
        **{f"x_{end}": value for end, value in zip(("low", "high"), spot.x_ends, strict=True)},
        **{f"y_{end}": value for end, value in zip(("low", "high"), spot.y_ends, strict=True)},
        "standing": ON_FRONT if spot.is_on_front else DOMINATED,
        **spot.words,
    }


def _steps(line: Sequence[tuple[float, float]], frame: Frame) -> alt.Chart:
    """What is reached at most with so much of what should be low, from the first of the line to the right edge."""
    values = [{"x": x, "y": y} for x, y in (*line, (frame.x[1], line[-1][1]))]
    steps: alt.Chart = alt.Chart(alt.InlineData(values=values)).mark_line(
        interpolate="step-after", strokeDash=[5, 4], strokeWidth=1.5, color="#888888"
    )
    return steps


def _labels(spots: Sequence[Spot], frame: Frame, axes: Mapping[str, Any]) -> list[alt.Chart]:
    places = label_places(spots, frame)
    layers = []
    sides: tuple[tuple[Side, int], ...] = (("left", _GAP), ("right", -_GAP))
    for side, distance in sides:
        values = [{"x": spot.x, "y": height, "label": spot.label} for spot, at, height in places if at == side]
        if values:
            chart = alt.Chart(alt.InlineData(values=values))
            text = chart.mark_text(align=side, baseline="middle", dx=distance, dy=-8, limit=_LABEL)
            layers.append(text.encode(**axes, text=alt.Text("label:N")))
    return layers
