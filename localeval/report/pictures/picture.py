"""What a picture is: a chart, what must be said with it, and the same numbers as a table."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Spec = Mapping[str, Any]
"""A Vega-Lite specification as JSON, data included."""


@dataclass(frozen=True, slots=True)
class Table:
    """Words in rows, as many in each as there are columns."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart. `name` is what its files are called, without ending: letters, digits, "-" and "_" alone.

    `title` says whose scores of what are seen, `caption` how to read them, how many they rest on and what is missing.
    """

    name: str
    title: str
    caption: str
    table: Table
    spec: Spec


@dataclass(frozen=True, slots=True)
class NoPicture:
    """Why a chart is left out."""

    title: str
    why: str


TEXT_SIZES: Spec = {
    "axis": {"labelFontSize": 12, "titleFontSize": 12},
    "legend": {"labelFontSize": 12, "titleFontSize": 12},
    "header": {"labelFontSize": 13},
    "text": {"fontSize": 12},
}
"""Of a chart's words, in the page and in files: part of Vega-Lite's `config`."""
