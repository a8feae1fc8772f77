"""The heat map of a check: does a judge still see errors about the middle of a long source?"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from localeval.report.check_rows import length_words, place_headings, place_rows, share_of
from localeval.report.console import score_text
from localeval.report.pictures.picture import NoPicture, Picture, Spec, Table

_CELL = 92, 52
"""Pixels of a cell."""


def heat_picture(judge: Mapping[str, Any], number: int) -> Picture | NoPicture:
    """What a judge of a method finds by length of the source and place in it; `number` tells pictures apart."""
    method, model = judge["method"], judge["model"]
    title = f"{method} by {model}: planted errors found, by length of the source and place in it"
    cells = [cell for cell in judge["heat"] if cell["detection"]["value"] is not None]
    if not cells:
        why = (
            "the quiz and affect are asked of the text alone"
            if method in ("quiz", "affect")
            else "no error has a place"
        )
        return NoPicture(title, why)
    n = sum(cell["detection"]["n"] for cell in cells)
    caption = (
        f"Share of {n} planted errors that were found, by where in the source stands what they are about, from its "
        "beginning (left) to its end. Each cell has its own number of errors: few say little. The last column of the "
        "table has the sound texts that were blamed."
    )
    table = Table(place_headings(judge), tuple(place_rows(judge)))
    return Picture(f"heat-{number}-{method}", title, caption, table, heat_chart(judge["heat"]))


def heat_chart(cells: Sequence[Mapping[str, Any]]) -> Spec:
    """Lengths upward, places across; each cell its share found, in words and as a shade. Names are data alone."""
    drawn = [
        {
            "characters": length_words(cell["characters"]),
            "place": _span(cell["position"]),
            "share": cell["detection"]["value"],
            "words": share_of(cell["detection"]),
            "interval": score_text(cell["detection"]),
            "dark": cell["detection"]["value"] > 0.5,
        }
        for cell in cells
        if cell["detection"]["value"] is not None
    ]
    lengths = list(dict.fromkeys(length_words(cell["characters"]) for cell in cells))
    places = list(dict.fromkeys(_span(cell["position"]) for cell in cells))
    base = alt.Chart(alt.InlineData(values=drawn)).encode(
        x=alt.X("place:O", title="place in the source", sort=places, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("characters:O", title="characters of the source", sort=lengths[::-1]),
        tooltip=[
            alt.Tooltip("characters:O"),
            alt.Tooltip("place:O"),
            alt.Tooltip("words:N", title="found"),
            alt.Tooltip("interval:N", title="per cent [95 %]"),
        ],
    )
    shades = alt.Scale(domain=[0, 1], range=["#f7fbff", "#08519c"])
    boxes = base.mark_rect(stroke="#888888", strokeWidth=0.5).encode(
        color=alt.Color("share:Q", title="share found", scale=shades, legend=alt.Legend(format=".0%"))
    )
    ink = alt.Color("dark:N", scale=alt.Scale(domain=[False, True], range=["#000000", "#ffffff"]), legend=None)
    words = base.mark_text(fontSize=13).encode(text="words:N", color=ink)
    chart = alt.layer(boxes, words).resolve_scale(color="independent")
    chart = chart.properties(width=_CELL[0] * len(places), height=_CELL[1] * len(lengths))
    found: dict[str, Any] = chart.to_dict()
    found.pop("config", None)  # whoever draws it says how it looks
    return found


def _span(position: Sequence[float]) -> str:
    return f"{100 * position[0]:.0f}-{100 * position[1]:.0f} %"
