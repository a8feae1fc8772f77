"""The contests as one picture: how many times localeval's time each contestant takes, on a logarithmic axis."""

from collections.abc import Sequence
from typing import Any

import altair as alt

from benchmarks.speed.results import LOCALEVAL, NAIVE, RAW, Contest
from benchmarks.speed.table import COLUMNS, cells, ordered, ratio_text
from localeval.report.pictures.picture import Picture, Table

_COLOURS = {RAW: "#009e73", LOCALEVAL: "#0072b2", NAIVE: "#d55e00"}
_PEER = "#cc79a7"
_WIDTH, _STEP = 520, 22


def picture_of(contests: Sequence[Contest]) -> Picture | None:
    """A band for each contest, a bar for each contestant that ran; None where nothing did."""
    points = [point for number, contest in enumerate(contests) for point in _points(contest, number)]
    if not points:
        return None
    rows = tuple(tuple(cells(contest, name)) for contest in contests for name in ordered(contest))
    caption = "Wall time without start-up over localeval's in the same turn: medians, lowest and highest of the turns."
    return Picture(
        "speed",
        "Time for the same work",
        caption,
        Table(tuple(" ".join(column.split()) for column in COLUMNS), rows),
        _chart(points),
    )


def _points(contest: Contest, number: int) -> list[dict[str, str | float]]:
    points: list[dict[str, str | float]] = []
    for name in ordered(contest):
        ratio = contest.ratio(name, LOCALEVAL)
        if ratio is not None:
            points.append(
                {
                    "band": number,
                    "contest": contest.title,
                    "contestant": name,
                    "ratio": ratio.value,
                    "low": ratio.low,
                    "high": ratio.high,
                    "words": "1" if name == LOCALEVAL else ratio_text(ratio),
                }
            )
    return points


def _chart(points: Sequence[dict[str, str | float]]) -> dict[str, Any]:
    names = list(dict.fromkeys(str(point["contestant"]) for point in points))
    colour = alt.Color(
        "contestant:N",
        legend=None,
        scale=alt.Scale(domain=names, range=[_COLOURS.get(name, _PEER) for name in names]),
    )
    highest = max(float(point["high"]) for point in points)
    lowest = min(float(point["low"]) for point in points)
    along = alt.Scale(type="log", domain=[min(0.5, lowest * 0.9), max(2.0, highest * 2.2)], nice=False)
    base = alt.Chart().encode(
        y=alt.Y("contestant:N", title=None, sort=alt.EncodingSortField(field="ratio", op="min")),
        tooltip=[alt.Tooltip("contestant:N"), alt.Tooltip("words:N", title="time / localeval")],
    )
    axis = alt.Axis(values=[0.5, 1, 2, 5, 10, 20, 50, 100], format="~g")
    layers = [
        base.mark_rule(strokeWidth=2).encode(
            x=alt.X("low:Q", title="time / localeval's", scale=along, axis=axis), x2="high:Q", color=colour
        ),
        base.mark_point(filled=True, size=90, opacity=1).encode(x=alt.X("ratio:Q", scale=along), color=colour),
        base.mark_text(align="left", baseline="middle", dx=9).encode(
            x=alt.X("high:Q", scale=along), text=alt.Text("words:N")
        ),
    ]
    plane = alt.LayerChart(layer=layers).properties(width=_WIDTH, height=alt.Step(_STEP))
    plane.data = alt.InlineData(values=list(points))
    header = alt.Header(title=None, labelOrient="top", labelAnchor="start", labelFontWeight="bold", labelLimit=_WIDTH)
    row = alt.Row("contest:N", header=header, sort=alt.EncodingSortField(field="band", op="min"))
    found: dict[str, Any] = plane.facet(row=row, spacing=12).resolve_scale(y="independent").to_dict()
    found.pop("config", None)  # whoever draws it says how it looks
    return found
