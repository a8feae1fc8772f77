"""Verdicts that were made elsewhere, in a JSONL file: by people, by a hosted judge, on another machine.

A row answers one call: by the call's key, or, for a panel that judges each candidate by itself, by source, system and
criterion. Unknown fields are ignored, so that a file of exported calls can be filled in and used as it is.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from localeval.inputs.decoding import is_blank, read_text
from localeval.inputs.fields import kind_of, rows_of, text_field
from localeval.inputs.labels import score_field
from localeval.inputs.names import normal
from localeval.inputs.wording import meant, name_of, problem, show
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import NA, NA_LETTER, Grade, Graded, Inapplicable, NotApplicable
from localeval.values import Choice, Output

_LACKS = "not said"
"""What NA says that the source lacks, where the row does not."""

_MOST_CITED = 4
_LARGEST = 10**7
_EVIDENCE = ("evidence", "source_segments")


@dataclass(frozen=True, slots=True)
class GivenVerdict:
    """One row. `key` names the call, or else `source`, `system`, `criterion` and `repeat` (from 1) do.

    `text` is the reply as a model would have written it; empty where a row is still to be answered. `score` is None
    where the row gives the text itself. `place` is the file and line.
    """

    place: str
    text: str
    key: str = ""
    source: str = ""
    system: str = ""
    criterion: str = ""
    repeat: int = 1
    score: Grade | NotApplicable | None = None

    @property
    def subject(self) -> str:
        """What the panel's call is about."""
        return f"{self.source}/{self.system}"

    @property
    def item(self) -> str:
        """Which of the panel's calls about it."""
        return self.criterion if self.repeat == 1 else f"{self.criterion}#{self.repeat}"

    def reply_to(self, output: Output) -> str:
        """The reply to a call: `text`, or of a row with a score that alone where the call asks for no more."""
        if self.score is None or not isinstance(output, Choice):
            return self.text
        return NA_LETTER if self.score == NA else str(self.score)


def read_verdicts(path: Path) -> tuple[GivenVerdict, ...]:
    """The rows of a file of verdicts in its order; none where the file is empty, since nobody may have begun yet.

    Raises InputError with file, line and field where a row is not JSON, names no call, has another score than 0, 1, 2
    or "NA", NA on faithfulness, cites what cannot be cited, or answers what a row before it answered.
    """
    if path.is_file() and path.stat().st_size == 0:
        return ()
    lines: dict[tuple[str, ...], str] = {}
    rows: list[GivenVerdict] = []
    for where, fields in rows_of(read_text(path), name_of(path)):
        row = _row(fields, where)
        matter = (row.key,) if row.key else (row.subject, row.item)
        if matter in lines:
            what = "its call is" if row.key else f"{show(row.criterion)} of this text is"
            raise problem(where, f"{what} also answered in {lines[matter]}", "keep one of the two rows")
        lines[matter] = where
        rows.append(row)
    return tuple(rows)


def check_verdicts(
    path: Path, sources: Collection[str], systems: Collection[str], criteria: Mapping[str, Rubric]
) -> None:
    """Raises InputError where a file of verdicts cannot be read, or a row is about something that the run has not.

    `sources` are ids, those that are left out of the run included; `criteria` are the rubrics by source id, of those
    that are in it. Rows by key are not looked at: which calls a run asks shows as it goes.
    """
    check_matters(read_verdicts(path), sources, systems, criteria)


def check_matters(
    rows: Collection[GivenVerdict],
    sources: Collection[str],
    systems: Collection[str],
    criteria: Mapping[str, Rubric],
) -> None:
    """`check_verdicts` of rows that are read already."""
    for row in rows:
        if row.key:
            continue
        if row.source not in sources:
            fix = f"{meant(row.source, sources)}correct it"
            raise problem(f"{row.place}: source", f"there is no source {show(row.source)}", fix)
        if row.system not in systems:
            fix = f"{meant(row.system, systems)}expected one of {', '.join(sorted(systems))}"
            raise problem(f"{row.place}: system", f"there is no system {show(row.system)}", fix)
        if row.source in criteria:
            _check_criterion(row, criteria[row.source])


def _check_criterion(row: GivenVerdict, rubric: Rubric) -> None:
    found = next((each for each in rubric.criteria if each.id == row.criterion), None)
    if found is None:
        known = rubric.criterion_ids
        what = f"the rubric of {show(row.source)} has no criterion {show(row.criterion)}"
        raise problem(
            f"{row.place}: criterion", what, f"{meant(row.criterion, known)}expected one of {', '.join(known)}"
        )
    if row.score == NA and not found.allows_na:
        what = f"is {NA!r}, and {show(row.criterion)} applies to every text"
        raise problem(f"{row.place}: score", what, "give 0, 1 or 2")


def _row(fields: Mapping[str, object], where: str) -> GivenVerdict:
    if "key" in fields:
        key = text_field(fields, "key", where)
        if is_blank(key):
            raise problem(
                f"{where}: key", "is blank", "give the key as it was exported, or source, system and criterion"
            )
        given = fields.get("score")
        score = None if given is None else score_field(fields, where, str(fields.get("item", "")))
        return GivenVerdict(where, _text(fields, where), key, score=score)
    absent = [name for name in ("source", "system", "criterion") if name not in fields]
    if len(absent) == 3:
        raise problem(where, "names no call", "give `key` and `text`, or `source`, `system`, `criterion` and `score`")
    source, system, criterion = (text_field(fields, name, where) for name in ("source", "system", "criterion"))
    score = score_field(fields, where, criterion)
    return GivenVerdict(
        where,
        _reply(fields, score, where),
        source=normal(source),
        system=normal(system),
        criterion=criterion,
        repeat=_repeat(fields, where),
        score=score,
    )


def _text(fields: Mapping[str, object], where: str) -> str:
    """The reply of a row by key: its text, or what its score makes of it."""
    text = text_field(fields, "text", where) if "score" not in fields or "text" in fields else ""
    if fields.get("score") is None:
        return text.strip()
    if text.strip():
        raise problem(where, "gives both `text` and `score`", "keep one of them")
    return _reply(fields, score_field(fields, where, str(fields.get("item", ""))), where)


def _reply(fields: Mapping[str, object], score: Grade | NotApplicable, where: str) -> str:
    """A score and its evidence as a judge would have written them."""
    given = [name for name in _EVIDENCE if name in fields]
    if len(given) > 1:
        raise problem(where, f"gives both `{given[0]}` and `{given[1]}`", "keep one of them")
    candidate = _cited(fields, "candidate", where)
    source = _cited(fields, given[0] if given else _EVIDENCE[0], where)
    if score == NA:
        lacks = text_field(fields, "lacks", where).strip() if fields.get("lacks") is not None else ""
        return Inapplicable(candidate=candidate, source=source, score=NA, lacks=lacks or _LACKS).model_dump_json()
    return Graded.model_validate({"candidate": candidate, "source": source, "score": str(score)}).model_dump_json()


def _cited(fields: Mapping[str, object], name: str, where: str) -> str:
    """Segment numbers as a reply gives them, from "3 5" or [3, 5]; "none" where there are none."""
    value = fields.get(name)
    place = f"{where}: {name}"
    fix = f'give up to {_MOST_CITED} segment numbers, as "3 5" or [3, 5], or leave it out'
    if value is None or value in ("", "none", []):
        return "none"
    written = value.split() if isinstance(value, str) else value
    if not isinstance(written, list):
        raise problem(place, f"is {kind_of(value)}", fix)
    numbers: list[int] = []
    for each in written:
        number = int(each) if isinstance(each, str) and each.isascii() and each.isdigit() else each
        if type(number) is not int or not 0 < number < _LARGEST:
            raise problem(place, f"{show(each)} is no segment number", fix)
        numbers.append(number)
    if len(numbers) > _MOST_CITED:
        raise problem(place, f"cites {len(numbers)} segments", fix)
    return " ".join(map(str, numbers))


def _repeat(fields: Mapping[str, object], where: str) -> int:
    value = fields.get("repeat", 1)
    if type(value) is not int or value < 1:
        raise problem(f"{where}: repeat", f"is {kind_of(value)}", "expected 1 for the first verdict, 2 for the second")
    return value
