"""The pictures of a decision: quality against fabrications, cost and time, with the front."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from localeval.decision.front import pareto
from localeval.decision.measures import KINDS, MeasureName
from localeval.decision.words import joined, name_of
from localeval.report.console import counted, some
from localeval.report.decision_page import standing, system_name
from localeval.report.marks import decision_refused, mark_picture
from localeval.report.measure_words import measure_heading, measure_text
from localeval.report.pictures.front_chart import Spot, front_chart
from localeval.report.pictures.picture import NoPicture, Picture, Table

NAMED = 6
"""Up to so many systems their names stand beside the points, else their numbers, with a key."""

_LONGEST_NAME = 24
_BESIDES: Sequence[MeasureName] = ("fabrications", "cost_per_1000", "seconds")
_FILES: Mapping[MeasureName, str] = {"fabrications": "fabrications", "cost_per_1000": "cost", "seconds": "seconds"}

Decision = Mapping[str, Any]
"""decision.json: docs/decision.md."""


def front_pictures(decision: Decision, currency: str) -> tuple[Picture | NoPicture, ...]:
    """Quality against each of fabrications, cost and seconds that any system has a number of, in this order; then why
    the others are left out. Nothing where fewer than two systems have a number of quality."""
    axes: list[MeasureName] = [axis["measure"] for axis in decision["front"]["axes"]]
    if not axes or len(_known(decision, axes[0])) < 2:
        return ()
    quality, *besides = axes
    drawn = tuple(_picture(decision, quality, beside, currency) for beside in besides if _known(decision, beside))
    absent = [measure for measure in _BESIDES if measure not in besides]
    if not absent:
        return drawn
    title = f"{_capital(name_of(quality))} against {joined(name_of(each) for each in absent)}"
    why = "; ".join(f"{name_of(each)} not known ({_why(decision, each)})" for each in absent)
    return (*drawn, NoPicture(title, why))


def _known(decision: Decision, *measures: MeasureName) -> list[str]:
    """The systems that have a number of each measure."""
    return [
        name
        for name, system in decision["systems"].items()
        if all(system["measures"][each]["value"] is not None for each in measures)
    ]


def _why(decision: Decision, measure: MeasureName) -> str:
    reasons = (str(system["measures"][measure]["reason"]) for system in decision["systems"].values())
    return "; ".join(dict.fromkeys(reasons))


def _picture(decision: Decision, quality: MeasureName, beside: MeasureName, currency: str) -> Picture:
    shown = _known(decision, quality, beside)
    is_numbered = len(shown) > NAMED
    labels = [str(n) if is_numbered else _label(decision, name) for n, name in enumerate(shown, start=1)]
    spots = [_spot(decision, name, (beside, quality), label) for name, label in zip(shown, labels, strict=True)]
    across = f"{measure_heading(beside, currency)} (less is better)"
    upward = f"{measure_heading(quality, currency)} (more is better)"
    title = f"{_capital(name_of(quality))} against {name_of(beside)}, n = {counted(len(shown), 'system')}"
    picture = Picture(
        f"front-{_FILES[beside]}",
        title,
        " ".join(_caption(decision, quality, beside, shown)),
        _table(decision, quality, beside, currency),
        front_chart(spots, _line(spots), across, upward, is_numbered),
    )
    return _marked(decision, picture, {measure_heading(each, currency): each for each in (quality, beside)})


def _marked(decision: Decision, picture: Picture, columns: Mapping[str, MeasureName]) -> Picture:
    """The picture with its marks, where a refused judge has a part in what is weighed."""
    weighed = {KINDS[axis["measure"]].needs for axis in decision["front"]["axes"]}
    refused = [method for method in decision_refused(decision) if method in weighed]
    touched = [column for column, measure in columns.items() if KINDS[measure].needs in refused]
    told = [line for method in refused for line in decision["refused"][method]]
    return mark_picture(picture, refused, told, touched)


def _spot(decision: Decision, name: str, measures: tuple[MeasureName, MeasureName], label: str) -> Spot:
    (x, *x_ends), (y, *y_ends) = (_scaled(decision, name, measure) for measure in measures)
    told = decision["systems"][name]["measures"]
    words = (measure_text(measure, told[measure]) for measure in measures)
    return Spot(
        system=system_name(decision, name),
        label=label,
        x=x,
        y=y,
        x_ends=(max(x_ends[0], 0.0), x_ends[1]),
        y_ends=(y_ends[0], y_ends[1]),
        is_on_front=bool(decision["systems"][name]["on_front"]),
        words=dict(zip(("x_words", "y_words"), words, strict=True)),
    )


def _label(decision: Decision, name: str) -> str:
    """The name with its marks, which stay whole: a long name loses its middle."""
    short = name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 + 1 :]}"
    return system_name(decision, name).replace(name, short, 1)


def _scaled(decision: Decision, name: str, measure: MeasureName) -> tuple[float, float, float]:
    """Value, low and high in the unit of rules; the value in place of an end that there is not."""
    told, scale = decision["systems"][name]["measures"][measure], KINDS[measure].scale
    value = float(told["value"])
    ends = (value if told.get(end) is None else float(told[end]) for end in ("low", "high"))
    low, high = ends
    return value * scale, low * scale, high * scale


def _line(spots: Sequence[Spot]) -> list[tuple[float, float]]:
    """Where those stand whom nobody beats in these two things, from left to right."""
    free = pareto({str(number): (-spot.x, spot.y) for number, spot in enumerate(spots)})
    return sorted({(spot.x, spot.y) for number, spot in enumerate(spots) if not free[str(number)]})


def _caption(decision: Decision, quality: MeasureName, beside: MeasureName, shown: Sequence[str]) -> Iterator[str]:
    yield "Up and to the left is better; the upward axis need not begin at 0."
    axes = [name_of(axis["measure"]) for axis in decision["front"]["axes"]]
    yield f"Circles are on the front of {joined(axes)}, by value; diamonds are dominated."
    yield "The dashed line joins those that nobody beats in the two things of this picture."
    yield from _interval_words(decision, (quality, beside), shown)
    yield "Points at the same place stand beside each other."
    without = [name for name in decision["systems"] if name not in shown]
    if without:
        yield f"Without a number of both: {some(without)}."


def _interval_words(decision: Decision, measures: Sequence[MeasureName], shown: Sequence[str]) -> Iterator[str]:
    has = [
        name_of(measure)
        for measure in measures
        if any(decision["systems"][name]["measures"][measure].get("low") is not None for name in shown)
    ]
    if has:
        yield f"Solid lines are 95 % intervals of {joined(has)}."


def _table(decision: Decision, quality: MeasureName, beside: MeasureName, currency: str) -> Table:
    rows = tuple(
        (
            system_name(decision, name),
            measure_text(quality, system["measures"][quality]),
            measure_text(beside, system["measures"][beside]),
            standing(system),
        )
        for name, system in decision["systems"].items()
    )
    return Table(("system", measure_heading(quality, currency), measure_heading(beside, currency), "front"), rows)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
