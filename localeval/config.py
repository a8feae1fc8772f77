"""The config file: YAML, parsed once into frozen values; unknown keys are refused by name, with their line."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from rapidfuzz import process
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import Node

from localeval.errors import ConfigError
from localeval.inputs import CandidateSpec, SourceSpec
from localeval.methods.quiz.schemas import QuizSettings

ModelEntry = str | dict[str, Any]
"""A card's name, a folder, or a table of a card and engine options: see `localeval.models.resolve`."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Methods(_Frozen):
    """What is measured. One field a method."""

    quiz: QuizSettings | None = None


class Config(_Frozen):
    """One evaluation, as the user wrote it."""

    name: str
    seed: int = Field(default=1, ge=0, lt=2**31, strict=True)
    sources: tuple[SourceSpec, ...] = Field(min_length=1)
    candidates: tuple[CandidateSpec, ...] = Field(min_length=1)
    models: dict[str, ModelEntry] = Field(min_length=1)
    methods: Methods
    prompts: str | None = None
    """Folder of prompt files that take the place of the package's files of the same name."""

    @field_validator("name")
    @classmethod
    def _names_a_folder(cls, name: str) -> str:
        if not re.fullmatch(r"\w[\w.-]*", name):
            raise ValueError("must be letters, digits and . _ - (it names the folder of the run)")
        return name

    @field_validator("methods")
    @classmethod
    def _some_method(cls, methods: Methods) -> Methods:
        if methods.quiz is None:
            raise ValueError("names no method; add one of: quiz")
        return methods

    @property
    def models_used(self) -> tuple[str, ...]:
        """The models that the methods ask, each once."""
        return self.methods.quiz.models if self.methods.quiz else ()


def load_config(path: Path) -> Config:
    """The config in a file. Raises ConfigError with `file:line: field: what is wrong; fix`."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror}); give the path of a YAML config") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text (byte {error.start}); save it as UTF-8") from error
    return parse_config(text, str(path))


def parse_config(text: str, name: str) -> Config:
    """The config in a text; `name` stands for the file in messages. Raises ConfigError."""
    tree = _tree(text, name)
    try:
        config = Config.model_validate(_plain(tree))
    except ValidationError as error:
        raise ConfigError(_explain(name, tree, error)) from error
    except RecursionError as error:
        raise ConfigError(f"{name}: a part of the config holds itself; remove the alias") from error
    for model in config.models_used:
        if model not in config.models:
            line = line_of(tree, ("methods",))
            raise ConfigError(
                f"{name}:{line}: methods: no model {model!r} under `models`; known: {', '.join(config.models)}"
            )
    return config


def line_of(tree: CommentedMap | CommentedSeq, location: Sequence[str | int]) -> int:
    """Line, from 1, of the deepest part of `location` that the file has."""
    return _follow(tree, location)[0]


def _follow(tree: CommentedMap | CommentedSeq, location: Sequence[str | int]) -> tuple[int, list[str]]:
    """(line, steps): how far the file has `location`; what it has not, such as pydantic's name of a union's member, is
    left out."""
    line = 1
    steps = []
    node: Any = tree
    for step in location:
        if isinstance(node, CommentedMap) and step in node:
            if step in (node.lc.data or {}):  # a key that came by a merge (<<) has no line here
                line = node.lc.key(step)[0] + 1
        elif isinstance(node, CommentedSeq) and isinstance(step, int) and step < len(node):
            line = node.lc.item(step)[0] + 1
        else:
            continue
        steps.append(str(step))
        node = node[step]
    return line, steps


class _Constructor(RoundTripConstructor):  # type: ignore[misc, unused-ignore]
    """Gives the line of a value that cannot be made, such as the date 2020-99-01: ruamel lets any error pass."""

    def construct_object(self, node: Node, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep)
        except (ValueError, KeyError, TypeError, AttributeError, AssertionError) as error:
            problem = f"a value cannot be read ({error}); put it in quotes if it is text"
            raise ConstructorError(None, None, problem, node.start_mark) from error


def _tree(text: str, name: str) -> CommentedMap:
    """The config as YAML, with its lines; raises ConfigError where it is none."""
    yaml = YAML(typ="rt")
    yaml.Constructor = _Constructor
    try:
        tree = yaml.load(text)
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 1
        problem = " ".join(str(error.problem or error.context or "not YAML").split())
        raise ConfigError(f"{name}:{line}: {problem}") from error
    except YAMLError as error:
        raise ConfigError(f"{name}: not YAML: {' '.join(str(error).split())}") from error
    except RecursionError as error:
        raise ConfigError(f"{name}: not a config: nested too deeply") from error
    if not isinstance(tree, CommentedMap):
        raise ConfigError(f"{name}:1: a config is a mapping with name, sources, candidates, models and methods")
    return tree


_WANTED = {
    "tuple_type": "a list",
    "dict_type": "a mapping (name: value)",
    "model_type": "a mapping (name: value)",
    "string_type": "text (in quotes)",
    "too_short": "a list with at least one entry",
}


def _explain(name: str, tree: CommentedMap, error: ValidationError) -> str:
    """The first mistake; for a value that may be one of several things, why it is not the one it comes closest to."""
    errors = error.errors(include_url=False)
    steps = _follow(tree, errors[0]["loc"])[1]
    same = [each for each in errors if _follow(tree, each["loc"])[1][: len(steps)] == steps]
    first = max(same, key=lambda each: len(_follow(tree, each["loc"])[1]))
    location, value = first["loc"], first["input"]
    line, steps = _follow(tree, location)
    if first["type"] == "missing":
        return f"{name}:{line}: {'.'.join([*steps, str(location[-1])])}: is required"
    place = f"{name}:{line}: {'.'.join(steps) or location[-1]}"
    if first["type"] == "extra_forbidden":
        known = sorted(_fields_at(Config, location[:-1]))
        close = process.extractOne(str(location[-1]), known, score_cutoff=60)
        return f"{place}: unknown key; " + (f"did you mean {close[0]!r}?" if close else f"known: {', '.join(known)}")
    message = first["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    if first["type"] in _WANTED:
        there = [_WANTED[each["type"]] for each in same if each["type"] in _WANTED]
        message = f"must be {' or '.join(dict.fromkeys(there))}"
    shown = f", not {value!r}" if isinstance(value, str | int | float | bool) or value is None else ""
    return f"{place}: {message}{shown}"


def _fields_at(model: type[BaseModel], location: Sequence[str | int]) -> set[str]:
    """Names of the fields of the model that a location leads to."""
    for step in location:
        field = model.model_fields.get(str(step))
        if field is not None:
            inner = _model_in(field.annotation)
            if inner is not None:
                model = inner
    return set(model.model_fields)


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
