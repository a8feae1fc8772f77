"""A quiz as JSONL: one item a row, under the names of `QuizItem`, and its `id`."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from localeval.inputs.decoding import is_blank, read_text
from localeval.inputs.fields import as_object, kind_of, parse_json
from localeval.inputs.names import normal
from localeval.inputs.wording import meant, name_of, problem, show
from localeval.inputs.writing import write_file
from localeval.methods.quiz.filters import faulty_options
from localeval.methods.quiz.schemas import N_WRITTEN, QuizItem, Review, SourceQuiz
from localeval.texts import Source


def read_items(path: Path, sources: Sequence[Source]) -> tuple[QuizItem, ...]:
    """The items of a quiz file in its order, each about one of `sources`; never empty.

    Raises InputError with file, line and field as `read_quiz` does, and where an item is about no known source or
    cites a segment that its source does not have.
    """
    known = {source.id: source for source in sources}
    items = _read(path)
    for where, item in items:
        if item.source not in known:
            fix = f"{meant(item.source, known)}correct it, or add the source to `sources`"
            raise problem(f"{where}: source", f"there is no source {show(item.source)}", fix)
        n_segments = len(known[item.source].segments)
        beyond = [number for number in item.segments if number > n_segments]
        if beyond:
            what = f"there is no segment {beyond[0]} in source {show(item.source)}"
            raise problem(f"{where}: segments", what, f"expected numbers from 1 to {n_segments}")
    return tuple(item for _, item in items)


def read_quiz(path: Path) -> tuple[QuizItem, ...]:
    """The items of a quiz file in its order, without a look at their sources; never empty.

    Raises InputError with file, line and field where a row is not JSON, lacks a field or has an unknown one, its `id`
    is not that of its text, its options are not distinct, one person reviewed it twice, or another row has the same
    question, or the same number for the same source.
    """
    return tuple(item for _, item in _read(path))


def write_items(path: Path, items: Sequence[QuizItem]) -> None:
    """Writes a quiz file in one step: the same items give the same bytes. Raises InputError where it cannot."""
    write_file(path, dump_items(items))


def dump_items(items: Sequence[QuizItem]) -> str:
    """The content of a quiz file."""
    rows = (json.dumps({"id": item.id, **item.model_dump(mode="json")}, ensure_ascii=False) for item in items)
    # a control character that a model wrote would make the file look binary
    return "".join("".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in row) + "\n" for row in rows)


def items_of(quizzes: Mapping[str, SourceQuiz], source_ids: Sequence[str] = ()) -> tuple[QuizItem, ...]:
    """The items of a run's quizzes, by source id, of these sources or of all, in the order of the run.

    Raises InputError where a source has no such id, or no item is there.
    """
    for unknown in (identity for identity in source_ids if identity not in quizzes):
        fix = f"{meant(unknown, quizzes)}`localeval show RUN` names the sources"
        raise problem("--source", f"the run has no source {show(unknown)}", fix)
    chosen = source_ids or quizzes
    items = tuple(item for identity, quiz in quizzes.items() if identity in chosen for item in quiz.items)
    if not items:
        reasons = "; ".join(f"{identity}: {why}" for identity, why in without_items(quizzes, source_ids).items())
        why = reasons or "it ran no quiz"
        raise problem("quiz export", f"the run has no question ({why})", "name a run with a quiz, or other sources")
    return items


def without_items(quizzes: Mapping[str, SourceQuiz], source_ids: Sequence[str] = ()) -> dict[str, str]:
    """Why there is no item, by source id, for those of these sources (or of all) that have none."""
    chosen = source_ids or quizzes
    return {
        identity: f"{quiz.missing.reason}: {quiz.missing.detail}" if quiz.missing else "every question was dropped"
        for identity, quiz in quizzes.items()
        if identity in chosen and not quiz.items
    }


def _read(path: Path) -> list[tuple[str, QuizItem]]:
    """Each item with its place for errors."""
    items: list[tuple[str, QuizItem]] = []
    by_id: dict[str, str] = {}
    by_number: dict[tuple[str, int], str] = {}
    for where, row in _rows(path):
        item = _item(row, where)
        if item.id in by_id:
            raise problem(f"{where}: id", f"{show(item.id)} is the question of {by_id[item.id]}", "remove one of them")
        key = (item.source, item.number)
        if key in by_number:
            what = f"{item.number} is also the number of {by_number[key]} for source {show(item.source)}"
            raise problem(f"{where}: number", what, "give each question of a source its own number")
        by_id[item.id] = by_number[key] = where
        items.append((where, item))
    return items  # never empty: a file without a visible character is refused as it is read


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, object]]]:
    # split at \n alone: other line separators may stand inside JSON strings
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.strip():
            where = f"{name_of(path)} line {number}"
            yield where, as_object(parse_json(line, where), where)


def _item(row: Mapping[str, object], where: str) -> QuizItem:
    fields = {name: value for name, value in row.items() if name != "id"}
    if isinstance(fields.get("source"), str):
        fields["source"] = normal(str(fields["source"]))
    for name, value in fields.items():
        if any("\ud800" <= c <= "\udfff" for c in json.dumps(value, ensure_ascii=False)):
            raise problem(f"{where}: {name}", "holds half a character (an unpaired surrogate)", "remove it")
    try:
        # as JSON, since only there strict takes a list for a tuple; lax would take "3" and true for numbers
        item = QuizItem.model_validate_json(json.dumps(fields), strict=True)
    except ValidationError as error:
        raise _fault(error, where) from None
    _check_words(item, where)
    if "id" in row and row["id"] != item.id:
        given = show(row["id"]) if isinstance(row["id"], str) else kind_of(row["id"])
        what = f"is {given}, but source, question and options make {show(item.id)}: they were edited"
        raise problem(f"{where}: id", what, "remove `id` to accept the edit, or undo it")
    return item


def _check_words(item: QuizItem, where: str) -> None:
    """Raises InputError for what the types of an item allow and a quiz does not."""
    if is_blank(item.question):
        raise problem(f"{where}: question", f"is {show(item.question)}", "write the question")
    for place in faulty_options(item.options):
        what = f"{show(item.options[place])} says nothing, or the same as an option before it"
        raise problem(f"{where}: options.{place}", what, "write five options that differ in their words")
    below = [number for number in item.segments if number < 1]
    if below:
        raise problem(f"{where}: segments", f"there is no segment {below[0]}", "segments count from 1")
    for place, review in enumerate(item.reviews):
        person = f"{where}: reviews.{place}.reviewer"
        if is_blank(review.reviewer):
            raise problem(person, f"is {show(review.reviewer)}", "write who reviewed")
        if has_reviewed(review.reviewer, item.reviews[:place]):
            raise problem(person, f"{show(review.reviewer)} reviewed the question before", "remove one of the reviews")


def has_reviewed(reviewer: str, reviews: Sequence[Review]) -> bool:
    """Whether one of the reviews is this person's, whatever the case of the name."""
    return normal(reviewer).casefold() in {normal(review.reviewer).casefold() for review in reviews}


def _fault(error: ValidationError, where: str) -> Exception:
    """The first of pydantic's complaints in one line; an unknown field first, since a misspelt one is missing too."""
    faults = error.errors(include_url=False)
    fault = next((each for each in faults if each["type"] == "extra_forbidden"), faults[0])
    field = ".".join(str(step) for step in fault["loc"])
    place, given, context = f"{where}: {field}", fault["input"], fault.get("ctx", {})
    match fault["type"]:
        case "extra_forbidden":
            fields = Review.model_fields if len(fault["loc"]) > 1 else {"id": None, **QuizItem.model_fields}
            return problem(place, "is not a field of a quiz item", f"{meant(str(fault['loc'][-1]), fields)}remove it")
        case "missing":
            return problem(place, "is missing", f'add `"{fault["loc"][-1]}": …`')
        case "json_invalid":  # nested deeper than pydantic reads
            return problem(where, f"cannot be read ({context.get('error')})", "check that it is the right file")
        case "too_short" | "too_long":
            wanted = f"{N_WRITTEN}" if field == "options" else "1 or more"
            return problem(place, f"has {context.get('actual_length')} entries", f"expected {wanted}")
    expected = fault["msg"].replace("Input should be", "expected").replace("a valid ", "a ")
    shown = kind_of(given) if isinstance(given, dict | list | bool | None) else show(given)
    return problem(place, f"is {shown}", expected[:1].lower() + expected[1:])
