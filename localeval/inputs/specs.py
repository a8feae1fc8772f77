"""What a config says about where sources and candidates are."""

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from localeval.inputs.patterns import PLACEHOLDER
from localeval.texts import Language

_PLACEHOLDERS = frozenset({"source", "system"})


class _Spec(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str = Field(min_length=1)

    @field_validator("path")
    @classmethod
    def _no_nul(cls, path: str) -> str:
        if "\0" in path:
            raise ValueError("a path cannot hold a NUL character")
        return path


class SourceSpec(_Spec):
    """One entry of `sources`. `path` is a file, a folder or a glob, relative to the config file."""

    category: str | None = None
    language: Language | None = None
    """None: told from the text."""
    id: str | None = Field(default=None, min_length=1)
    """For a single file; without it the file's name without suffix is the id."""


class CandidateSpec(_Spec):
    """One entry of `candidates`.

    `path` holds {source} and {system} where the source id and the system name stand, or names JSONL files with rows
    of source, system and text; what the path does not say, `source` and `system` do.
    """

    source: str | None = Field(default=None, min_length=1)
    system: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _check_placeholders(self) -> Self:
        for name in PLACEHOLDER.findall(self.path):
            if name not in _PLACEHOLDERS:
                raise ValueError(f"path holds {{{name}}}; only {{source}} and {{system}} can stand there")
            if getattr(self, name) is not None:
                raise ValueError(f"`{name}` is given twice: as {{{name}}} in the path and as a field; keep one")
        return self


class ChooseSettings(BaseModel):
    """`choose` in a config: how many of the sources a run takes, and which of them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sources: int = Field(ge=1)
    """How many. As many as there are, or more: all of them."""
    rotation: int = Field(default=0, ge=0)
    """Which share of the pool: 0, 1, 2 ... take other sources until each was taken once, then begin again."""
    shares: Literal["equal", "proportional"] = "equal"
    """How many each category gets: the same, or as many as its size asks, one at least where that can be."""
