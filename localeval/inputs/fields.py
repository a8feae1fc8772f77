"""Fields of JSON files: parsed once, and each with an error that names it."""

import json
import math
from collections.abc import Iterator, Mapping

from localeval.inputs.decoding import is_blank
from localeval.inputs.wording import problem, show

_KINDS = {dict: "an object", list: "a list", str: "a string", bool: "true or false", type(None): "null"}


def parse_json(text: str, place: str) -> object:
    """`text` as JSON; raises InputError with the line and column where it stops being JSON."""
    try:
        value: object = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"{place} column {error.colno}" if "\n" not in text.strip() else f"{place} line {error.lineno}"
        raise problem(where, f"is not JSON ({error.msg})", "correct the JSON there") from None
    except RecursionError:
        raise problem(place, "is nested too deep to be read as JSON", "check that it is the right file") from None
    except ValueError as error:  # an integer of thousands of digits
        raise problem(place, f"cannot be read ({str(error).split(';')[0]})", "correct the number") from None
    return value


def rows_of(text: str, place: str) -> Iterator[tuple[str, Mapping[str, object]]]:
    """The objects of a JSONL text, each with "`place` line N"; blank lines are skipped. Raises InputError."""
    # split at \n alone: other line separators may stand inside JSON strings
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            where = f"{place} line {number}"
            yield where, as_object(parse_json(line, where), where)


def kind_of(value: object) -> str:
    """What a JSON value is, in words, with the value where that is short."""
    kind = _KINDS.get(type(value), "a number")
    return kind if isinstance(value, dict | list | None) else f"{kind} ({show(value)})"


def as_object(value: object, place: str) -> Mapping[str, object]:
    """`value` as an object with named fields, or InputError."""
    if not isinstance(value, dict):
        raise problem(place, f"is {kind_of(value)}", "expected an object in braces")
    return value


def text_field(row: Mapping[str, object], name: str, place: str, sep: str = ": ") -> str:
    """The string in field `name`; raises InputError when it is absent, no string, or not text that can be stored."""
    where = f"{place}{sep}{name}"
    if name not in row:
        raise problem(where, "is missing", f'add `"{name}": "…"`')
    value = row[name]
    if not isinstance(value, str):
        raise problem(where, f"is {kind_of(value)}", "expected a string")
    for character, what in (
        ("\0", "a NUL character"),
        *((c, "half a character") for c in value if "\ud800" <= c <= "\udfff"),
    ):
        if character in value:
            raise problem(where, f"holds {what} ({ascii(character)[1:-1]})", "remove it")
    return value


def optional_text(row: Mapping[str, object], name: str, place: str, sep: str = ": ") -> str | None:
    """Like `text_field`, but None where the field is absent, null or blank."""
    if row.get(name) is None:
        return None
    value = text_field(row, name, place, sep).strip()
    return None if is_blank(value) else value


def seconds_field(row: Mapping[str, object], name: str, place: str, sep: str = ": ") -> float:
    """The time in field `name`, in seconds, finite and not negative; raises InputError otherwise."""
    where = f"{place}{sep}{name}"
    if name not in row:
        raise problem(where, "is missing", f'add `"{name}": SECONDS`')
    value = row[name]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise problem(where, f"is {kind_of(value)}", "expected seconds as a number")
    try:
        seconds = float(value)
    except OverflowError:
        seconds = math.inf
    if not math.isfinite(seconds) or seconds < 0:
        raise problem(where, f"is {show(value)}", "expected seconds, 0 or more")
    return seconds
