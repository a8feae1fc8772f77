"""Labels in one form, whoever gave them: people, hosted judges, or the judges of a run.

A file is JSONL or CSV with `source`, `system`, `item`, `rater` and `value`; or, instead of the last two, with a column
for each rater (CSV), or an object `ratings` of values by rater (JSONL). A row of a blind sheet has an `id` in place of
`system`, and who reads it says what the ids stand for (`resolved`).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from localeval.inputs.csv_tables import table_rows
from localeval.inputs.decoding import is_blank, read_text
from localeval.inputs.fields import as_object, kind_of, optional_text, rows_of, text_field
from localeval.inputs.label_items import FORMS, form_of, read_value
from localeval.inputs.names import normal
from localeval.inputs.wording import name_of, problem, show
from localeval.keys import canonical, digest

BLIND = "#id:"
"""What a label's `system` begins with where a sheet gave an id in its place."""

_COLUMNS = ("source", "system", "id", "item", "rater", "value", "criterion", "score")
_ASIDE = ("text", "note", "notes", "comment", "question", "statement", "levels", "number", "language", "segments")
"""Columns of a sheet that are no rater's."""


@dataclass(frozen=True, slots=True)
class JudgeLabel:
    """What one rater gave one item of one text: docs/judges.md lists the items and their values.

    `system` is "" for a source itself; numbers are floats, all else is text.
    """

    source: str
    system: str
    item: str
    rater: str
    value: float | str


class LabelRow(NamedTuple):
    """A label and the file and line that it stands in."""

    place: str
    label: JudgeLabel


def read_judge_labels(path: Path) -> tuple[JudgeLabel, ...]:
    """The labels of a file in its order, never empty; blank cells are texts that a rater left out.

    The rater is the file's name without suffix where a row names none. Raises InputError with file, line (of a table:
    row), field and value where a row lacks a field, names an item of no known form, has a value that the item cannot
    have, or says again what the same rater said before.
    """
    return tuple(row.label for row in read_label_rows(path))


def read_label_rows(path: Path) -> tuple[LabelRow, ...]:
    """`read_judge_labels`, each label with its place for what is found wrong later."""
    seen: dict[tuple[str, str, str, str], str] = {}
    rows: list[LabelRow] = []
    for row in _from_table(path) if path.suffix.lower() in (".csv", ".tsv") else _from_lines(path):
        label = row.label
        matter = (label.source, label.system, label.item, label.rater)
        if matter in seen:
            what = f"{show(label.rater)} also rated {show(label.item)} of this text in {seen[matter]}"
            raise problem(row.place, what, "keep one of the two, or name another rater")
        seen[matter] = row.place
        rows.append(row)
    if not rows:
        raise problem(name_of(path), "holds no label yet", "fill in at least one value")
    return tuple(rows)


def blind_id(source: str, system: str, item: str) -> str:
    """What stands in a blind sheet for one item of one text: 12 hexadecimal digits."""
    return digest(canonical(["label", source, system, item]))[:12]


def resolved(rows: Iterable[LabelRow], matters: Iterable[tuple[str, str, str]]) -> tuple[LabelRow, ...]:
    """The rows with what their ids stand for; `matters` are the (source, system, item) that there are.

    Raises InputError where an id stands for none of them, or the same rater rated it under its name as well.
    """
    rows = tuple(rows)
    if not any(row.label.system.startswith(BLIND) for row in rows):
        return rows
    by_id = {blind_id(*matter): matter for matter in matters}
    places = {
        (each.source, each.system, each.item, each.rater): place
        for place, each in rows
        if not each.system.startswith(BLIND)
    }
    found = []
    for place, label in rows:
        if label.system.startswith(BLIND):
            matter = by_id.get(label.system.removeprefix(BLIND))
            if matter is None:
                what = f"no text of this run has the id {show(label.system.removeprefix(BLIND))}"
                raise problem(f"{place}: id", what, "use the sheet that was made of this run")
            if (before := places.get((*matter, label.rater))) is not None:
                what = f"{show(label.rater)} also rated this text in {before}"
                raise problem(place, what, "keep one of the two, or name another rater")
            label = replace(label, source=matter[0], system=matter[1], item=matter[2])
        found.append(LabelRow(place, label))
    return tuple(found)


def _from_lines(path: Path) -> Iterator[LabelRow]:
    for place, row in rows_of(read_text(path), name_of(path)):
        if "ratings" not in row:
            yield from _labels(_named(row), place, path.stem)
            continue
        for rater, value in as_object(row["ratings"], f"{place}: ratings").items():
            yield from _labels(_named(row) | {"rater": rater, "value": value}, place, path.stem)


def _from_table(path: Path) -> Iterator[LabelRow]:
    for place, cells in table_rows(path, (*_COLUMNS, *_ASIDE)):
        row = _named(cells)
        if "value" in row:
            yield from _labels(row, place, path.stem)
            continue
        raters = [name for name in cells if name not in (*_COLUMNS, *_ASIDE) and not name.startswith("_")]
        if not raters:
            raise problem(place, "there is no column 'value' and none of a rater", "add `value`, or a column a rater")
        for rater in raters:
            yield from _labels(row | {"rater": rater, "value": cells[rater]}, place, path.stem, is_column=True)


def _named(row: Mapping[str, object]) -> dict[str, object]:
    """The row with the names of this form: a file of a panel's labels has `criterion` and `score`."""
    found = dict(row)
    if "item" not in found and isinstance(found.get("criterion"), str):
        found["item"] = f"panel/{found['criterion']}"
    if "value" not in found and "score" in found:
        found["value"] = found["score"]
    return found


def _labels(row: Mapping[str, object], place: str, stem: str, is_column: bool = False) -> Iterator[LabelRow]:
    """The label in a row, or none where its value is blank."""
    if "value" not in row:
        raise problem(f"{place}: value", "is missing", 'add `"value": …`, or `"ratings"` by rater')
    value = row["value"]
    if value is None or (isinstance(value, str) and is_blank(value)):
        return
    blind = None if optional_text(row, "system", place) else optional_text(row, "id", place)
    source = "" if blind else _name(row, "source", place)
    system = f"{BLIND}{blind}" if blind else _name(row, "system", place)
    item = normal(text_field(row, "item", place).strip())
    form = form_of(item)
    if form is None:
        raise problem(f"{place}: item", f"is {kind_of(item)}", f"expected {FORMS}")
    rater = normal(" ".join((optional_text(row, "rater", place) or stem).split()))
    field = f"column {show(rater)}" if is_column else "value"
    hint = f"; if {show(rater)} is no rater, begin the column's name with _" if is_column else ""
    read = read_value(item, form.scale, value, f"{place}: {field}", hint)
    yield LabelRow(place, JudgeLabel(source, system, item, rater, read))


def _name(row: Mapping[str, object], field: str, place: str) -> str:
    """A source or a system; a system may be blank, since a source itself can be rated."""
    name = normal(text_field(row, field, place).strip())
    if field == "source" and is_blank(name):
        raise problem(f"{place}: source", "is blank", "name the source")
    if name.startswith(BLIND):
        raise problem(f"{place}: {field}", f"is {show(name)}", f"a name may not begin with {BLIND}")
    return name
