"""Tables that a spreadsheet saved: CSV with commas, semicolons or tabs, each row with the place that errors name."""

import csv
import io
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from localeval.inputs.decoding import is_blank, read_text
from localeval.inputs.wording import name_of, problem, show

_DELIMITERS = (",", ";", "\t")


class TableRow(NamedTuple):
    """One row by column; `place` is the file and the row, counted as spreadsheets do."""

    place: str
    cells: Mapping[str, str]


def table_rows(path: Path, known: Collection[str]) -> Iterator[TableRow]:
    """The rows below the header that are not blank, cells without the white space and apostrophes around them.

    The delimiter is the one that finds most of the `known` columns (in lower case) in the header; the names of those
    come in lower case, those of others as they are written. Raises InputError with file and row where the file is no
    CSV, a column stands twice, or a row has more cells than the header.
    """
    name, text = name_of(path), read_text(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, known), strict=True)
    header: list[str] = []
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            place = f"{name} row {number}"
            if all(map(is_blank, cells)):
                continue
            if header:
                yield TableRow(place, _by_column(header, cells, place))
            else:
                header = _header(cells, known, place)
    except csv.Error as error:
        what = f"is not CSV ({error})"
        raise problem(f"{name} row {number + 1}", what, "save the sheet as CSV again") from None


def _delimiter(text: str, known: Collection[str]) -> str:
    first = next(line for line in text.split("\n") if not is_blank(line))
    return max(_DELIMITERS, key=lambda each: len({_bare(cell).lower() for cell in first.split(each)} & set(known)))


def _header(cells: list[str], known: Collection[str], place: str) -> list[str]:
    bare = [_bare(cell) for cell in cells]
    names = [name.lower() if name.lower() in known else name for name in bare]
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise problem(place, f"the column {show(twice)} stands twice", "remove or rename one of them")
    return names


def _by_column(header: list[str], cells: list[str], place: str) -> dict[str, str]:
    if not all(map(is_blank, cells[len(header) :])):
        what = f"has {len(cells)} cells under {len(header)} columns"
        raise problem(place, what, "put cells that hold the delimiter in quotes, or save the sheet as CSV again")
    padded = [*map(_bare, cells), *[""] * (len(header) - len(cells))]
    return {name: cell for name, cell in zip(header, padded, strict=False) if name}


def _bare(cell: str) -> str:
    """A cell without what people and spreadsheets put around it."""
    return cell.strip(" \t\n\ufeff\xa0\"'")
