"""YAML files: parsed once into frozen values; what is wrong is told with file, line, field and fix."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import AliasChoices, BaseModel, ValidationError
from pydantic.fields import FieldInfo
from rapidfuzz import process
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node

from localeval.errors import LocalevalError

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Kind:
    """What sort of file is read: its name ("config"), the keys that it has, and the error for what is wrong in it."""

    noun: str
    holds: str
    error: type[LocalevalError]


@dataclass(frozen=True, slots=True)
class Document:
    """A YAML mapping with its lines; `name` stands for the file in messages."""

    name: str
    kind: Kind
    tree: CommentedMap

    def read_as(self, model: type[Model], absent: Mapping[str, object] | None = None) -> Model:
        """The document as `model`; `absent` holds values of keys that the file need not have.

        Raises the kind's error with `file:line: field: what is wrong; fix`.
        """
        try:
            return model.model_validate({**(absent or {}), **_plain(self.tree)})
        except ValidationError as error:
            raise self.kind.error(_explain(self.name, self.tree, error, model)) from error
        except RecursionError as error:
            what = f"a part of the {self.kind.noun} holds itself; remove the alias"
            raise self.kind.error(f"{self.name}: {what}") from error

    def line_of(self, location: Sequence[str | int]) -> int:
        """Line, from 1, of the deepest part of `location` that the file has."""
        return _follow(self.tree, location)[0]

    def fault(self, location: Sequence[str | int], what: str) -> LocalevalError:
        """The error `file:line: what`, for a mistake that no model sees."""
        return self.kind.error(f"{self.name}:{self.line_of(location)}: {what}")


def read_document(path: Path, kind: Kind) -> Document:
    """The YAML mapping in a file, with or without a byte order mark. Raises the kind's error."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise kind.error(f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        why = error.strerror if isinstance(error, OSError) else error
        raise kind.error(f"{path}: cannot be read ({why}); give the path of a YAML {kind.noun}") from error
    return parse_document(text, str(path), kind)


class _Constructor(RoundTripConstructor):  # type: ignore[misc, unused-ignore]
    """Gives the line of a value that cannot be made, such as the date 2020-99-01: ruamel lets any error pass."""

    def construct_object(self, node: Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
            problem = f"a value cannot be read ({error}); put it in quotes if it is text"
            raise ConstructorError(None, None, problem, node.start_mark) from error

    def construct_mapping(  # type: ignore[override, unused-ignore]
        self, node: Node, maptyp: Any, deep: bool = False
    ) -> Any:
        try:
            return super().construct_mapping(node, maptyp, deep)
        except TypeError as error:  # a key that is itself a mapping of mappings
            raise ConstructorError(None, None, "a key must be text; put it in quotes", node.start_mark) from error


def parse_document(text: str, name: str, kind: Kind) -> Document:
    """The YAML mapping in a text; raises the kind's error where it is none."""
    yaml = YAML(typ="rt")
    yaml.Constructor = _Constructor
    try:
        tree = yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 1
        raise kind.error(f"{name}:{line}: {_printable(_mended(error, kind), _LONGEST_TOLD)}") from error
    except YAMLError as error:
        raise kind.error(f"{name}: not YAML: {_printable(' '.join(str(error).split()), _LONGEST_TOLD)}") from error
    except RecursionError as error:
        raise kind.error(f"{name}: not a {kind.noun}: nested too deeply") from error
    if not isinstance(tree, CommentedMap):
        raise kind.error(f"{name}:1: a {kind.noun} is a mapping with {kind.holds}")
    return Document(name, kind, tree)


_MENDS = {
    r"found character '\\t'.*": r"\g<0>; use spaces, not tabs",
    r"found character '[^'\\]+' that cannot.*": r"\g<0>; put text that begins with it in quotes",
    r"mapping values are not allowed.*": r"\g<0>; put text that holds a colon and a space in quotes",
    r"found undefined alias.*": r"\g<0>; put text that begins with * in quotes",
    r"(found duplicate key \".*?\") with value.*": r"\1; keep one of the two",
}
"""What the YAML reader says of common slips, and what it becomes. The values of a key that stands twice are left out:
they may be the whole file."""


def _mended(error: MarkedYAMLError, kind: Kind) -> str:
    """What the YAML reader says, in one line, with how to mend it where that is known."""
    problem = " ".join(str(error.problem or error.context or "not YAML").split())
    if problem == "but found another document":
        return f"a second document begins here; a {kind.noun} file holds one"
    for pattern, mended in _MENDS.items():
        if re.fullmatch(pattern, problem, re.DOTALL):
            return re.sub(pattern, mended, problem, count=1)
    return problem


def _follow(tree: CommentedMap | CommentedSeq, location: Sequence[str | int]) -> tuple[int, list[str]]:
    """(line, steps): how far the file has `location`; what it has not, such as pydantic's name of a union's member, is
    left out."""
    line = 1
    steps = []
    node: Any = tree
    for told in location:
        step: str | float = told
        if isinstance(node, CommentedMap) and step not in node:  # pydantic tells a key such as 0.5 as text
            step = next((key for key in node if isinstance(key, float) and str(key) == told), told)
        if isinstance(node, CommentedMap) and step in node:
            if step in (node.lc.data or {}):  # a key that came by a merge (<<) has no line here
                line = node.lc.key(step)[0] + 1
        elif isinstance(node, CommentedSeq) and isinstance(step, int) and step < len(node):
            line = node.lc.item(step)[0] + 1
        else:
            continue
        steps.append(_printable(str(step)))
        node = node[step]
    return line, steps


_LONGEST_SHOWN = 80
_LONGEST_TOLD = 300


def _printable(text: str, most: int = _LONGEST_SHOWN) -> str:
    """What a file holds as a message quotes it: one printable line, and not the whole file."""
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return shown if len(shown) <= most else f"{shown[:most]}…"


_WANTED = {
    "tuple_type": "a list",
    "dict_type": "a mapping (name: value)",
    "model_type": "a mapping (name: value)",
    "string_type": "text (in quotes)",
    "bool_type": "true or false",
    "too_short": "a list with at least one entry",
}


def _explain(name: str, tree: CommentedMap, error: ValidationError, model: type[BaseModel]) -> str:
    """The first mistake; for a value that may be one of several things, why it is not the one it comes closest to."""
    errors = error.errors(include_url=False)
    steps = _follow(tree, errors[0]["loc"])[1]
    same = [each for each in errors if _follow(tree, each["loc"])[1][: len(steps)] == steps]
    first = max(same, key=lambda each: len(_follow(tree, each["loc"])[1]))
    location, value = first["loc"], first["input"]
    line, steps = _follow(tree, location)
    if first["type"] == "missing":
        return f"{name}:{line}: {'.'.join([*steps, str(location[-1])])}: is required"
    place = ": ".join([f"{name}:{line}", *([".".join(steps) or _printable(str(location[-1]))] if location else [])])
    if first["type"] == "extra_forbidden":
        known = sorted(_fields_at(model, location[:-1]))
        close = process.extractOne(str(location[-1]), known, score_cutoff=60)
        return f"{place}: unknown key; " + (f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}")
    message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if first["type"] in _WANTED:
        there = [_WANTED[each["type"]] for each in same if each["type"] in _WANTED]
        message = f"must be {' or '.join(dict.fromkeys(there))}"
    return f"{place}: {message}{_shown(value)}"


def _shown(value: object) -> str:
    """A wrong value as a message quotes it; nothing for a list or a mapping."""
    if not isinstance(value, str | int | float | bool | None):
        return ""
    as_in_yaml: dict[object, str] = {True: "true", False: "false", None: "an empty value"}
    text = as_in_yaml[value] if value is None or isinstance(value, bool) else repr(value)
    return f", not {text if len(text) <= _LONGEST_SHOWN else f'{text[:_LONGEST_SHOWN]}…'}"


def _fields_at(model: type[BaseModel], location: Sequence[str | int]) -> set[str]:
    """Names that a file gives the fields of the model that a location leads to."""
    fields = _by_name(model)
    for step in location:
        field = fields.get(str(step))
        inner = _model_in(field.annotation) if field is not None else None
        if inner is not None:
            fields = _by_name(inner)
    return set(fields)


def _by_name(model: type[BaseModel]) -> dict[str, FieldInfo]:
    return {_name_in_file(name, field): field for name, field in model.model_fields.items()}


def _name_in_file(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    first = alias.choices[0] if isinstance(alias, AliasChoices) else alias
    return first if isinstance(first, str) else name


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = _model_in(inner)
        if found is not None:
            return found
    return None


def _plain(node: Any) -> Any:
    """The tree as plain dicts, lists and scalars."""
    if isinstance(node, Mapping):
        return {key: _plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [_plain(value) for value in node]
    if isinstance(node, bool):
        return bool(node)
    for kind in (int, float, str):  # ruamel keeps notation in subclasses of these
        if isinstance(node, kind):
            return kind(node)
    return node
