"""The sheet on which people review a quiz: CSV out to a spreadsheet, and CSV back from whatever it made of it."""

import csv
import io
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from localeval.inputs.decoding import is_blank, read_text
from localeval.inputs.names import normal
from localeval.inputs.quiz_files import has_reviewed
from localeval.inputs.wording import meant, name_of, problem, show
from localeval.inputs.writing import write_file
from localeval.methods.quiz.review import ANSWERS
from localeval.methods.quiz.schemas import GOLD, HARD_NEGATIVE, N_WRITTEN, QuizItem, Review
from localeval.prompts import clock
from localeval.texts import Source

_TEXTS = ("source", "number", "kind", "question", "right_answer", "hard_negative", "wrong_1", "wrong_2", "wrong_3")
COLUMNS = ("id", *_TEXTS, "proof", *ANSWERS, "reviewer", "note")

_YES = frozenset(["yes", "y", "true", "1", "да", "д", "истина", "是", "对"])
_NO = frozenset(["no", "n", "false", "0", "нет", "н", "ложь", "否", "不", "错"])
Delimiter = Literal[",", ";", "\t"]
_DELIMITERS: tuple[Delimiter, ...] = (",", ";", "\t")
_LONGEST_CELL = 32_000  # spreadsheets hold 32,767 characters and spill the rest over other rows
_FORMULA = re.compile(r"[=+\-@＝＋－＠]")
# what a spreadsheet would turn into a date, a time, or a number with its zeros or digits lost; 42 it leaves alone
_NUMBER_LIKE = re.compile(r"(?!(0|[1-9]\d{0,8})$)\d[\d\s.,:/-]*(e\d+)?", re.IGNORECASE)


class _Row(NamedTuple):
    """One row of a sheet by column; `place` is the file and the row, counted as spreadsheets do."""

    place: str
    cells: Mapping[str, str]


def write_sheet(path: Path, items: Sequence[QuizItem], sources: Sequence[Source], delimiter: Delimiter = ",") -> None:
    """Writes the sheet of a quiz in one step: UTF-8 with a byte order mark, as spreadsheets expect, one row an item.

    `sources` holds the source of every item. A cell that a spreadsheet would run or turn into a date or another
    number begins with an apostrophe. Where the comma is the decimal sign, spreadsheets split at semicolons. Raises
    InputError where the file cannot be written.
    """
    by_id = {source.id: source for source in sources}
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(COLUMNS)
    for item in items:
        wrong = item.options[HARD_NEGATIVE + 1 : N_WRITTEN]
        words = (item.question, item.options[GOLD], item.options[HARD_NEGATIVE], *wrong)
        texts = (item.id, item.source, str(item.number), item.kind, *words, proof(item, by_id[item.source]))
        writer.writerow([*map(cell, texts), *[""] * (len(COLUMNS) - len(texts))])
    write_file(path, buffer.getvalue(), "utf-8-sig")


def proof(item: QuizItem, source: Source) -> str:
    """The segments that an item cites, each with number, time, speaker and words."""
    cited = [source.segments[number - 1] for number in item.segments]
    return " | ".join(
        f"[{segment.number}]"
        + (f" {clock(segment.begin_s)}" if segment.begin_s is not None else "")
        + (f" {segment.speaker}:" if segment.speaker else "")
        + f" {source.words_of(segment)}"
        for segment in cited
    )


def read_sheets(paths: Sequence[Path], items: Sequence[QuizItem]) -> tuple[QuizItem, ...]:
    """The items in their order, each with the reviews that the sheets hold behind those that it had.

    A sheet is comma, semicolon or tab separated, its columns in any order; beyond `id` and the three answers all may
    be absent, and what it says of the questions is not read. The reviewer is the `reviewer` column, else the file's
    name without suffix. A row with all three answers blank is not reviewed. Raises InputError with file, row, column
    and value for an unknown id or word, a row that is half filled, and an item that one person reviewed twice.
    """
    by_id = {item.id: item for item in items}
    for path in paths:
        for row in _rows(path):
            identity = row.cells["id"]
            review = _review(row, path.stem)
            if identity not in by_id:
                fix = f"{meant(identity, by_id)}use the sheet that was exported with this quiz"
                raise problem(f"{row.place}: id", f"no question has the id {show(identity)}", fix)
            if review is None:
                continue
            item = by_id[identity]
            if has_reviewed(review.reviewer, item.reviews):
                what = f"{show(review.reviewer)} reviewed question {identity} before"
                raise problem(f"{row.place}: reviewer", what, "name another reviewer, or remove the row")
            by_id[identity] = item.model_copy(update={"reviews": (*item.reviews, review)})
    return tuple(by_id[item.id] for item in items)


def cell(text: str) -> str:
    """One cell of a sheet: a single line that a spreadsheet takes for text, and can hold."""
    line = "".join(" " if unicodedata.category(c) == "Cc" else c for c in text)
    line = " ".join(line.split())  # one line a row, so that rows count as lines do
    if len(line) > _LONGEST_CELL:
        line = f"{line[:_LONGEST_CELL]}… (cut here: spreadsheets hold no more; the rest is in the source)"
    return f"'{line}" if _FORMULA.match(line) or _NUMBER_LIKE.fullmatch(line) else line


def _rows(path: Path) -> Iterator[_Row]:
    """The rows below the header that are not blank."""
    name = name_of(path)
    text = read_text(path)
    lines = enumerate(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True), 1)
    row = 0
    try:
        header: list[str] = []
        for row, cells in lines:
            if all(is_blank(cell) for cell in cells):
                continue
            if not header:
                header = _header(cells, f"{name} row {row}")
            else:
                yield _Row(f"{name} row {row}", _by_column(header, cells, f"{name} row {row}"))
    except csv.Error as error:
        what = f"is not CSV ({error})"
        raise problem(f"{name} row {row + 1}", what, "save the sheet as CSV again") from None


def _delimiter(text: str) -> Delimiter:
    """The delimiter of the header: the one with the most known columns."""
    first = next(line for line in text.split("\n") if not is_blank(line))
    known = {"id", *ANSWERS, "reviewer", *_TEXTS}
    return max(_DELIMITERS, key=lambda delimiter: len(known & {_bare(cell).lower() for cell in first.split(delimiter)}))


def _header(cells: Sequence[str], place: str) -> list[str]:
    names = [_bare(cell).lower() for cell in cells]
    for column in ("id", *ANSWERS):
        if column not in names:
            fix = f"{meant(column, filter(None, names))}give the sheet the columns id, {', '.join(ANSWERS)}"
            raise problem(place, f"there is no column {show(column)}", fix)
    for column in ("id", *ANSWERS, "reviewer"):
        if names.count(column) > 1:
            raise problem(place, f"the column {show(column)} stands twice", "remove one of them")
    return names


def _by_column(header: Sequence[str], cells: Sequence[str], place: str) -> dict[str, str]:
    if not all(map(is_blank, cells[len(header) :])):
        what = f"has {len(cells)} cells under {len(header)} columns"
        raise problem(place, what, "put cells that hold the delimiter in quotes, or save the sheet as CSV again")
    padded = [*map(_bare, cells), *[""] * (len(header) - len(cells))]
    return dict(zip(header, padded, strict=False))


def _bare(cell: str) -> str:
    """A cell without the white space, quotes and apostrophes that people, spreadsheets and `write_sheet` put on it."""
    return cell.strip(" \t\n\ufeff\xa0\"'")


def _review(row: _Row, stem: str) -> Review | None:
    """The review in a row, or None where all three answers are blank."""
    blank = [column for column in ANSWERS if is_blank(row.cells[column])]
    if len(blank) == len(ANSWERS):
        return None
    if blank:
        raise problem(f"{row.place}: {blank[0]}", "is blank", "answer all three columns, or none of them")
    grounded, one_right_answer, hard_negative = (_is_yes(row, column) for column in ANSWERS)
    reviewer = normal(" ".join((row.cells.get("reviewer") or stem).split()))
    return Review(reviewer=reviewer, grounded=grounded, one_right_answer=one_right_answer, hard_negative=hard_negative)


def _is_yes(row: _Row, column: str) -> bool:
    word = unicodedata.normalize("NFKC", row.cells[column]).casefold().strip(" .!。")
    if word not in _YES | _NO:
        fix = "write yes or no (also y n true false 1 0, да нет, 是 否)"
        raise problem(f"{row.place}: {column}", f"is {show(row.cells[column])}", fix)
    return word in _YES
