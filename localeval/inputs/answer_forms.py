"""Whether a text has the form that a call asked for: for answers that no grammar made.

A verdict is read by its method alone. This says beforehand, with the place, what could not be read.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence

from localeval.inputs.decoding import is_blank
from localeval.inputs.fields import kind_of
from localeval.inputs.wording import show
from localeval.values import Choice, JsonObject, Output

_LONGEST = 100

Schema = Mapping[str, object]


def fault_of(output: Output, text: str) -> str:
    """Why `text` is no answer to a call for `output`, in one line; "" where it is one.

    Knows what the schemas of localeval's methods use: types, enum, const, fields, items, lengths, bounds, patterns,
    references and alternatives. A keyword that it does not know excludes nothing.
    """
    if isinstance(output, Choice):
        options = ", ".join(output.options)
        return "" if text in output.options else _short(f"{show(text)} is not one of {options}")
    if isinstance(output, JsonObject):
        return _short(_json_fault(output.schema, text))
    return "is blank" if is_blank(text) else ""


def _json_fault(schema: str, text: str) -> str:
    whole = json.loads(schema)
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        return f"is not JSON ({error.msg}, column {error.colno})"
    except (ValueError, RecursionError) as error:
        return f"cannot be read as JSON ({str(error).split(';')[0]})"
    return next(_Faults(whole.get("$defs", {})).of(value, whole, ""), "")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


class _Faults:
    """The faults of a value under a schema, each with the place where it lies."""

    def __init__(self, definitions: Mapping[str, Schema]) -> None:
        self._definitions = definitions

    def of(self, value: object, schema: Schema, place: str) -> Iterator[str]:
        """Every fault, outermost first."""
        reference = schema.get("$ref")
        if isinstance(reference, str):
            yield from self.of(value, self._definitions[reference.rpartition("/")[2]], place)
            return
        alternatives = schema.get("anyOf") or schema.get("oneOf")
        if isinstance(alternatives, list):
            yield from self._nearest(value, alternatives, place)
        if fault := _plain_fault(value, schema):
            yield f"{place or 'it'} {fault}"
        elif isinstance(value, dict):
            yield from self._in_object(value, schema, place)
        elif isinstance(value, list):
            yield from self._in_list(value, schema, place)

    def _nearest(self, value: object, alternatives: Sequence[Schema], place: str) -> Iterator[str]:
        """Nothing where one alternative holds; else what is wrong with the one that comes nearest."""
        found = [list(self.of(value, each, place)) for each in alternatives]
        yield from min(found, key=len)

    def _in_object(self, value: Mapping[str, object], schema: Schema, place: str) -> Iterator[str]:
        fields, required = schema.get("properties", {}), schema.get("required", [])
        assert isinstance(fields, dict)
        assert isinstance(required, list)
        for name in required:
            if name not in value:
                yield f"{_inner(place, name)} is missing"
        for name, inner in value.items():
            if name in fields:
                yield from self.of(inner, fields[name], _inner(place, name))
            elif schema.get("additionalProperties") is False:
                yield f"{_inner(place, name)} is not a field"

    def _in_list(self, value: Sequence[object], schema: Schema, place: str) -> Iterator[str]:
        first, rest = schema.get("prefixItems", []), schema.get("items")
        assert isinstance(first, list)
        for number, inner in enumerate(value):
            expected = first[number] if number < len(first) else rest
            if isinstance(expected, dict):
                yield from self.of(inner, expected, _inner(place, str(number)))


def _plain_fault(value: object, schema: Schema) -> str:
    """What is wrong with a value itself, whatever it holds."""
    if "const" in schema and not _same(value, schema["const"]):
        return f"is {show(value)}, expected {show(schema['const'])}"
    options = schema.get("enum")
    if isinstance(options, list) and not any(_same(value, option) for option in options):
        return f"is {show(value)}, expected one of {', '.join(map(str, options))}"
    kinds = schema.get("type")
    if kinds is not None and not any(_is_a(value, kind) for kind in (kinds if isinstance(kinds, list) else [kinds])):
        return f"is {kind_of(value)}, expected {kinds}"
    if isinstance(value, str):
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and not re.search(pattern, value):
            return f"is {show(value)}, which does not match {pattern}"
        return _size_fault(len(value), schema, "minLength", "maxLength", "characters")
    if isinstance(value, list):
        return _size_fault(len(value), schema, "minItems", "maxItems", "entries")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _size_fault(value, schema, "minimum", "maximum", "")
    return ""


def _size_fault(size: float, schema: Schema, least: str, most: str, unit: str) -> str:
    low, high = schema.get(least, -math.inf), schema.get(most, math.inf)
    assert isinstance(low, int | float)
    assert isinstance(high, int | float)
    if low <= size <= high:
        return ""
    bound = f"{low} or more" if size < low else f"{high} or less"
    return f"has {size} {unit}, expected {bound}" if unit else f"is {size}, expected {bound}"


def _same(value: object, expected: object) -> bool:
    """Equal, with true apart from 1."""
    return value == expected and isinstance(value, bool) == isinstance(expected, bool)


def _is_a(value: object, kind: object) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    match kind:
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
        case "integer":
            return is_number and float(str(value)).is_integer()
        case "number":
            return is_number
    return True


def _inner(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _short(told: str) -> str:
    """One printable line."""
    line = "".join(c if c.isprintable() else " " for c in told)
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…"
