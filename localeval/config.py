"""The config file: YAML, parsed once into frozen values; unknown keys are refused by name, with their line."""

import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from localeval.errors import ConfigError
from localeval.inputs import CandidateSpec, SourceSpec
from localeval.methods.quiz.schemas import QuizSettings
from localeval.yaml_files import Document, Kind, parse_document, read_document

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


_KIND = Kind("config", "name, sources, candidates, models and methods", ConfigError)


def load_config(path: Path) -> Config:
    """The config in a file. Raises ConfigError with `file:line: field: what is wrong; fix`."""
    return _config(read_document(path, _KIND))


def parse_config(text: str, name: str) -> Config:
    """The config in a text; `name` stands for the file in messages. Raises ConfigError."""
    return _config(parse_document(text, name, _KIND))


def _config(document: Document) -> Config:
    config = document.read_as(Config)
    for model in config.models_used:
        if model not in config.models:
            known = ", ".join(config.models)
            raise document.fault(("methods",), f"methods: no model {model!r} under `models`; known: {known}")
    return config
