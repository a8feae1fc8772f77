"""Scores with names, as the points of a chart and as the rows of its table: pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from localeval.report.console import counted, decimal_text
from localeval.report.pictures.picture import Table

Score = Mapping[str, Any]
"""A score as it stands in scores.json: docs/scores.md."""
Point = dict[str, str | float]
"""What a chart knows of one score: its names, `value`, `low` and `high`, `score` in words, `n` and `missing`."""


@dataclass(frozen=True, slots=True)
class Row:
    """A score and what it is of, column by column."""

    names: Mapping[str, str]
    score: Score


def points(rows: Iterable[Row], write: Callable[[Score], str] = decimal_text) -> list[Point]:
    """Those rows that have a number."""
    return [
        {
            **row.names,
            **{each: float(row.score[each]) for each in ("value", "low", "high")},
            "score": write(row.score),
            "n": int(row.score["n"]),
            "missing": int(row.score["missing"]),
        }
        for row in rows
        if row.score["value"] is not None
    ]


def table(rows: Sequence[Row], heading: str, write: Callable[[Score], str] = decimal_text) -> Table:
    """All rows; where there is no number the reason stands in its place. `heading` says what the number is."""
    columns = (*(rows[0].names if rows else ()), f"{heading} [95 % interval]", "n", "missing")
    return Table(
        columns,
        tuple(
            (*row.names.values(), score_words(row.score, write), str(row.score["n"]), str(row.score["missing"]))
            for row in rows
        ),
    )


def score_words(score: Score, write: Callable[[Score], str] = decimal_text) -> str:
    """The number with its interval, or why there is none."""
    return write(score) if score["value"] is not None else f"none: {score['reason']}"


def counts_text(scores: Iterable[Score], unit: str) -> str:
    """How many units the scores rest on, each or from the fewest to the most, and how many are missing over all."""
    found = list(scores)
    counts = [int(score["n"]) for score in found] or [0]
    least, most = min(counts), max(counts)
    span = counted(most, unit) if least == most else f"{least} to {counted(most, unit)}"
    return f"n = {span} each, {sum(int(score['missing']) for score in found)} missing over all"


def notes(scores: Iterable[Score]) -> list[str]:
    """What the intervals of these scores must not be taken for, each thing once."""
    found = {score.get("note") for score in scores}
    said = {
        "one source": "Where there is one text, the interval is the judge's own spread.",
        "few sources": "Few texts: how much texts differ is mostly assumed in these intervals.",
    }
    return [words for note, words in said.items() if note in found]
