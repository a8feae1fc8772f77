"""Sources and candidates in JSONL files: one JSON object a line. Unknown fields are ignored."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from localeval.inputs.decoding import is_blank
from localeval.inputs.fields import optional_text, rows_of, text_field
from localeval.inputs.passages import Passage
from localeval.inputs.whisper import passages_of
from localeval.inputs.wording import problem, show
from localeval.texts import Language

_LANGUAGES: tuple[Language, ...] = get_args(Language)


@dataclass(frozen=True, slots=True)
class SourceRow:
    """One source of a JSONL file; `place` is the file and line. Exactly one of `text` and `passages` is set."""

    place: str
    id: str
    text: str | None
    passages: tuple[Passage, ...]
    language: Language | None
    category: str | None


@dataclass(frozen=True, slots=True)
class CandidateRow:
    """One candidate of a JSONL file; `place` is the file and line."""

    place: str
    source_id: str
    system: str
    text: str


def read_source_rows(text: str, place: str) -> list[SourceRow]:
    """Rows `{id, text | segments, language?, category?}` in file order; `segments` as in a Whisper file.

    Raises InputError with file, line and field; two rows with the same id are an error that names both lines.
    """
    rows: list[SourceRow] = []
    lines: dict[str, str] = {}
    for where, row in rows_of(text, place):
        read = _source_row(row, where)
        if read.id in lines:
            raise problem(
                f"{where}: id", f"{show(read.id)} is also the id in {lines[read.id]}", "give each row its own id"
            )
        lines[read.id] = where
        rows.append(read)
    return rows


def read_candidate_rows(text: str, place: str, source_id: str | None, system: str | None) -> list[CandidateRow]:
    """Rows `{source, system, text}` in file order; `source_id` and `system` stand in where a row lacks the field."""
    rows: list[CandidateRow] = []
    for where, row in rows_of(text, place):
        filled = {**({"source": source_id} if source_id else {}), **({"system": system} if system else {}), **row}
        names = [_not_blank(text_field(filled, name, where), name, where) for name in ("source", "system", "text")]
        rows.append(CandidateRow(where, *names))
    return rows


def _source_row(row: Mapping[str, object], where: str) -> SourceRow:
    identity = _not_blank(text_field(row, "id", where), "id", where)
    if ("text" in row) == ("segments" in row):
        what = "both `text` and `segments` are given" if "text" in row else "`text` is missing"
        raise problem(where, what, "give `text`, or `segments` with start, end and text")
    text = _not_blank(text_field(row, "text", where), "text", where) if "text" in row else None
    passages = () if text is not None else tuple(passages_of(row["segments"], where, "segments"))
    written = optional_text(row, "language", where)
    language = next((known for known in _LANGUAGES if known == written), None)
    if written is not None and language is None:
        raise problem(f"{where}: language", f"is {show(written)}", f"expected {', '.join(_LANGUAGES)}")
    return SourceRow(where, identity, text, passages, language, optional_text(row, "category", where))


def _not_blank(value: str, name: str, where: str) -> str:
    if is_blank(value):
        raise problem(f"{where}: {name}", "is empty", "fill it in or remove the row")
    return value
