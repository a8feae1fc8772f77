"""Reliability diagrams: how often people give the highest grade where a judge calls it so probable."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import altair as alt

from localeval.errors import InputError
from localeval.report.console import counted, decimal_text
from localeval.report.pictures.affect import slug
from localeval.report.pictures.files import write_pictures
from localeval.report.pictures.picture import Picture, Spec, Table
from localeval.report.pictures.rows import Point, Row, points, score_words

Json = Mapping[str, Any]

_COLOURS = {"as it came": "#0072b2", "isotonic": "#d55e00", "Platt": "#009e73"}
"""Of the palette by Okabe and Ito (2008), with shapes, so that colour is not the only sign."""
_SHAPES = {"as it came": "circle", "isotonic": "diamond", "Platt": "square"}
_NAMES = {"plain": "as it came", "isotonic": "isotonic", "platt": "Platt"}
_WIDTH = 400
_UNIT = alt.Scale(domain=[0, 1], nice=False)
_ALONG = alt.Axis(values=[0, 0.25, 0.5, 0.75, 1], format=".2~f")


def reliability_pictures(calibration: Sequence[Json]) -> tuple[Picture, ...]:
    """A picture of each judge in `calibration` of a correction that has labels enough; names are unique."""
    shown = [each for each in calibration if "measured" in each]
    return tuple(_picture(each, number) for number, each in enumerate(shown, start=1))


def write_reliability(calibration: Sequence[Json], folder: Path) -> Iterator[Path]:
    """Writes the pictures into a folder, which is made where it is not there, and yields each path.

    Raises InputError where there is nothing to draw, or the folder cannot be made or written to.
    """
    drawn = reliability_pictures(calibration)
    if not drawn:
        why = "no judge gave probabilities where there are labels enough"
        raise InputError(f"--pictures {folder}: there is no reliability diagram ({why}); leave the option out")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        what = "is a file" if folder.exists() else f"cannot be made ({error.strerror})"
        raise InputError(f"--pictures {folder} {what}: name a folder, in one that there is") from error
    yield from write_pictures(drawn, folder)


def _picture(found: Json, number: int) -> Picture:
    rows = [
        Row({"probabilities": _NAMES[kind], "bin": f"{each['low']:.2f} to {each['high']:.2f}"}, each["share"])
        for kind, measured in found["measured"].items()
        for each in measured["bins"]
    ]
    chances = [each["chance"] for measured in found["measured"].values() for each in measured["bins"]]
    drawn = [{**point, "chance": chance} for row, chance in zip(rows, chances, strict=True) for point in points([row])]
    errors = ", ".join(f"{_NAMES[kind]} {measured['ece']:.2f}" for kind, measured in found["measured"].items())
    caption = (
        "Across what the judge calls probable, upward the share that people say, with 95 % intervals over sources; on "
        "the dashed line both are the same. Calibrated ones are cross-fitted: no label is shown that its curve was "
        "fitted to. "
        f"Expected calibration error: {errors}."
    )
    table = Table(
        ("probabilities", "from, to", "mean", "share of labels [95 % interval]", "n"),
        tuple(
            (
                row.names["probabilities"],
                row.names["bin"],
                f"{chance:.2f}",
                score_words(row.score, decimal_text),
                str(row.score["n"]),
            )
            for row, chance in zip(rows, chances, strict=True)
        ),
    )
    title = (
        f"Probability of {found['event']} by {found['judge']}, against people, n = {counted(int(found['n']), 'label')}"
    )
    return Picture(f"reliability-{number}-{slug(found['judge'])}", title, caption, table, reliability_chart(drawn))


def reliability_chart(drawn: Sequence[Point]) -> Spec:
    """Points at `chance` and `value` with intervals, a colour and a shape for each of `probabilities`, in the unit
    square with its diagonal."""
    kinds = [each for each in _COLOURS if any(point["probabilities"] == each for point in drawn)]
    below = alt.Legend(orient="bottom", direction="horizontal")
    colour = alt.Color(
        "probabilities:N",
        title=None,
        legend=below,
        scale=alt.Scale(domain=kinds, range=[_COLOURS[each] for each in kinds]),
    )
    shape = alt.Shape(
        "probabilities:N",
        title=None,
        legend=below,
        scale=alt.Scale(domain=kinds, range=[_SHAPES[each] for each in kinds]),
    )
    x = alt.X("chance:Q", title="probability by the judge", scale=_UNIT, axis=_ALONG)
    y = alt.Y("value:Q", title="share of labels", scale=_UNIT, axis=_ALONG)
    base = alt.Chart(alt.InlineData(values=list(drawn))).encode(
        tooltip=[
            alt.Tooltip("probabilities:N"),
            alt.Tooltip("bin:N"),
            alt.Tooltip("score:N", title="share of labels"),
            alt.Tooltip("n:Q"),
        ]
    )
    ends = [{"chance": 0.0, "value": 0.0}, {"chance": 1.0, "value": 1.0}]
    diagonal = alt.Chart(alt.InlineData(values=ends)).mark_line(strokeDash=[4, 3], strokeWidth=1.5, color="#888888")
    layers = [
        diagonal.encode(x=x, y=y),
        base.mark_rule(strokeWidth=1.5).encode(x=x, y=alt.Y("low:Q"), y2="high:Q", color=colour),
        base.mark_point(filled=True, size=70, opacity=1).encode(x=x, y=y, color=colour, shape=shape),
    ]
    found: dict[str, Any] = alt.LayerChart(layer=layers).properties(width=_WIDTH, height=_WIDTH).to_dict()
    found.pop("config", None)  # whoever draws it says how it looks
    return found
