"""Charts as Vega-Lite specifications: points with intervals, shifts, a plane, stacked shares. No text of the user's is
ever part of an expression: names are data, titles and the domains of scales."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from localeval.report.pictures.picture import Spec
from localeval.report.pictures.rows import Point

CONTRACT_COLOURS: Mapping[str, str] = {"target": "#0072b2", "whole": "#d55e00", "favourability": "#009e73"}
"""Of the palette by Okabe and Ito (2008), which colour-blind people can tell apart, those with enough contrast on white
and on black."""
_SHAPES: Mapping[str, str] = {"target": "circle", "whole": "diamond", "favourability": "square"}
COMPONENT_COLOURS: Mapping[str, str] = {
    "target": "#0072b2",
    "system": "#e69f00",
    "wording": "#d55e00",
    "interactions": "#cc79a7",
    "sample": "#56b4e9",
    "repeat": "#999999",
}
_WIDTH = 480
_STEP = 16
_UNIT = alt.Scale(domain=[0, 1], nice=False)
_ALONG = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2~f")


def profile_chart(points: Sequence[Point]) -> Spec:
    """Scores in [0, 1] with intervals: a band for each `target`, a line for each `axis`, colours and shapes for each
    `contract`."""
    contracts = [each for each in CONTRACT_COLOURS if each in _values(points, "contract")]
    colour = alt.Color(
        "contract:N",
        title="contract",
        scale=alt.Scale(domain=contracts, range=[CONTRACT_COLOURS[each] for each in contracts]),
    )
    shape = alt.Shape(
        "contract:N",
        title="contract",
        scale=alt.Scale(domain=contracts, range=[_SHAPES[each] for each in contracts]),
    )
    # apart from one another, so that one interval does not hide the other
    offset = alt.YOffset("contract:N", scale=alt.Scale(domain=contracts, paddingOuter=0.4))
    base = alt.Chart().encode(
        y=alt.Y("axis:N", title=None, scale=alt.Scale(domain=_values(points, "axis")), axis=alt.Axis(labelLimit=300)),
        yOffset=offset,
        tooltip=_tooltip("target", "contract", "axis"),
    )
    intervals = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title="score", scale=_UNIT, axis=_ALONG), x2="high:Q", color=colour
    )
    values = base.mark_point(filled=True, size=60, opacity=1).encode(x=alt.X("value:Q"), color=colour, shape=shape)
    height = _STEP * len(contracts) * len(_values(points, "axis"))
    return _in_bands(
        alt.LayerChart(layer=[intervals, values]).properties(width=_WIDTH, height=height), points, "target"
    )


def drift_chart(points: Sequence[Point]) -> Spec:
    """Shifts in [-1, 1] with intervals and a line at 0: a band for each `axis`, a line for each `wordings`; the `rank
    correlation` stands at the right."""
    reach = shift_domain(points)
    scale = alt.Scale(domain=[-reach, reach], nice=False)
    pairs = _values(points, "wordings")
    base = alt.Chart().encode(
        y=alt.Y("wordings:N", title=None, scale=alt.Scale(domain=pairs), axis=alt.Axis(labelLimit=300)),
        tooltip=[*_tooltip("wordings", "axis"), alt.Tooltip("p-value:N"), alt.Tooltip("rank correlation:N")],
    )
    zero = _line_at(0.0).encode(x=alt.X("at:Q", scale=scale))
    colour = alt.value(CONTRACT_COLOURS["target"])
    intervals = base.mark_rule(strokeWidth=2).encode(
        x=alt.X("low:Q", title="shift (second less first)", scale=scale, axis=alt.Axis(format="+.2~f", tickCount=5)),
        x2="high:Q",
        color=colour,
    )
    values = base.mark_point(filled=True, size=60, opacity=1).encode(x="value:Q", color=colour)
    words = base.mark_text(align="left", baseline="middle", dx=8).encode(
        x=alt.value(_WIDTH), text=alt.Text("rank correlation:N")
    )
    height = _STEP * 1.5 * len(pairs)
    layers = alt.LayerChart(layer=[zero, intervals, values, words]).properties(width=_WIDTH, height=height)
    return _in_bands(layers, points, "axis")


def plane_chart(points: Sequence[Mapping[str, str | float]], across: str, upward: str) -> Spec:
    """Targets in the plane of two axes in [0, 1], with the cross of their intervals; `across` and `upward` are what the
    axes are called.

    Points have `target`, `number` (from 1), `x`, `x_low`, `x_high`, `x_score` in words, and the same of `y`. Where a
    `label` is not the target's name, a key at the right says which number is whose.
    """
    base = alt.Chart().encode(
        tooltip=[
            alt.Tooltip("target:N"),
            alt.Tooltip("x_score:N", title=across),
            alt.Tooltip("y_score:N", title=upward),
            alt.Tooltip("n:Q"),
        ]
    )
    x = alt.X("x:Q", title=across, scale=_UNIT, axis=_ALONG)
    y = alt.Y("y:Q", title=upward, scale=_UNIT, axis=_ALONG)
    colour = alt.value(CONTRACT_COLOURS["target"])
    layers = [
        _line_at(0.5).encode(x=alt.X("at:Q", title=across, scale=_UNIT)),
        _line_at(0.5).encode(y=alt.Y("at:Q", title=upward, scale=_UNIT)),
        base.mark_rule(strokeWidth=1.5).encode(x="x_low:Q", x2="x_high:Q", y=y, color=colour),
        base.mark_rule(strokeWidth=1.5).encode(x=x, y="y_low:Q", y2="y_high:Q", color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, y=y, color=colour),
        base.mark_text(align="left", baseline="bottom", dx=6, dy=-4, limit=220).encode(
            x=x, y=y, text=alt.Text("label:N")
        ),
    ]
    data = alt.InlineData(values=list(points))
    plane = alt.LayerChart(layer=layers, data=data).properties(width=_WIDTH, height=_WIDTH)
    if all(point["label"] == point["target"] for point in points):
        return _spec(plane)
    return _spec(alt.hconcat(plane, key_chart(points), spacing=40))


def key_chart(points: Sequence[Mapping[str, str | float]]) -> alt.Chart:
    """`number` and `target` of each point, one below the other."""
    lines = [{"number": each["number"], "words": f"{each['number']}. {each['target']}"} for each in points]
    rows = alt.Scale(domain=[0, len(lines) + 1], nice=False, reverse=True)
    found: alt.Chart = (
        alt.Chart(alt.InlineData(values=lines), view=alt.ViewBackground(stroke=None))
        .mark_text(align="left", baseline="middle", limit=320)
        .encode(x=alt.value(0), y=alt.Y("number:Q", axis=None, scale=rows), text=alt.Text("words:N"))
        .properties(width=1, height=18 * (len(lines) + 1))
    )
    return found


def shares_chart(points: Sequence[Point]) -> Spec:
    """Shares stacked to bars: a band for each `contract`, a bar for each `axis`, a colour for each `component`."""
    present = _values(points, "component")
    components = [each for each in COMPONENT_COLOURS if each in present]
    components += [each for each in present if each not in components]
    ordered = [{**point, "order": components.index(str(point["component"]))} for point in points]
    colours = [COMPONENT_COLOURS.get(each, "#444444") for each in components]
    axes = _values(points, "axis")
    base = alt.Chart().encode(
        y=alt.Y("axis:N", title=None, scale=alt.Scale(domain=axes), axis=alt.Axis(labelLimit=300)),
        x=alt.X("value:Q", title="share of the variance", stack="zero", scale=_UNIT, axis=_ALONG),
        order=alt.Order("order:Q"),
        tooltip=_tooltip("contract", "axis", "component"),
    )
    bars = base.mark_bar(stroke="white", strokeWidth=1).encode(
        color=alt.Color("component:N", title="component", scale=alt.Scale(domain=components, range=colours))
    )
    return _in_bands(bars.properties(width=_WIDTH, height=_STEP * 2 * len(axes)), ordered, "contract")


def shift_domain(points: Sequence[Point]) -> float:
    """How far the axis of shifts reaches to both sides of 0: all intervals, in steps of 0.1, at least 0.1."""
    furthest = max((abs(float(point[end])) for point in points for end in ("low", "high")), default=0.0)
    return min(1.0, max(1, int(furthest * 10 + 0.999)) / 10)


def _values(points: Sequence[Mapping[str, Any]], name: str) -> list[str]:
    """What stands under a name, each once, in the order of the points."""
    return list(dict.fromkeys(str(point[name]) for point in points))


def _line_at(place: float) -> alt.Chart:
    """A line across the whole chart. Its data are its own: else one would be drawn for each point."""
    line: alt.Chart = alt.Chart(alt.InlineData(values=[{"at": place}])).mark_rule(strokeDash=[4, 3], color="#888888")
    return line


def _tooltip(*names: str) -> list[alt.Tooltip]:
    return [*(alt.Tooltip(f"{name}:N") for name in (*names, "score")), alt.Tooltip("n:Q"), alt.Tooltip("missing:Q")]


def _in_bands(chart: alt.Chart | alt.LayerChart, points: Sequence[Mapping[str, Any]], name: str) -> Spec:
    """One chart below the other for each value of a name, in the order of the points."""
    order = {value: number for number, value in enumerate(_values(points, name))}
    data = alt.InlineData(values=[{**point, "band": order[str(point[name])]} for point in points])
    header = alt.Header(
        title=None, labelOrient="top", labelAnchor="start", labelLimit=_WIDTH, labelPadding=2, labelFontWeight="bold"
    )
    row = alt.Row(f"{name}:N", header=header, sort=alt.EncodingSortField(field="band", op="min", order="ascending"))
    chart.data = data
    return _spec(chart.facet(row=row, spacing=12))


def _spec(chart: alt.TopLevelMixin) -> Spec:
    found: dict[str, Any] = chart.to_dict()
    found.pop("config", None)  # whoever draws it says how it looks
    return found
