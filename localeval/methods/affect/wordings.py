"""Wordings: how a system is asked to write about a target, in one language."""

import re
from typing import Annotated

from pydantic import Field, field_validator, model_validator

from localeval.keys import canonical, digest
from localeval.methods.settings import Frozen, Line, Slug, require_each_once
from localeval.texts import Language

PLACE = "{target}"
"""Where the target's name goes in a wording."""
NO_ROLE = ""
_BRACES = re.compile(r"\{[^{}]*\}|[{}]")
_SHOWN = 20


def _require_no_braces(text: str, but: str = "") -> None:
    """Raises ValueError for what looks as if it were filled in, and would be sent as it is."""
    other = next((found for found in _BRACES.findall(text) if found != but), None)
    if other is not None:
        shown = other if len(other) <= _SHOWN else f"{other[:_SHOWN]}…"
        raise ValueError(f"may hold {f'no braces but {but}' if but else 'no braces'}: {shown} would be sent as it is")


class Wording(Frozen):
    """One way to ask for a text about a target."""

    id: Slug
    prompt: Line
    """The whole request, with {target} where the target's name goes."""

    @field_validator("prompt")
    @classmethod
    def _names_the_target(cls, prompt: str) -> str:
        if PLACE not in prompt:
            raise ValueError(f"must hold {PLACE}, where the target's name goes")
        _require_no_braces(prompt, PLACE)
        return prompt


class Role(Frozen):
    """Who the system is told to be."""

    id: Slug
    system: Line
    """The system message, sent as it is."""

    @field_validator("system")
    @classmethod
    def _is_filled_in_nowhere(cls, system: str) -> str:
        _require_no_braces(system)
        return system


class WordingSet(Frozen):
    """The wordings and roles of one language."""

    language: Language
    wordings: Annotated[tuple[Wording, ...], Field(min_length=1)]
    roles: tuple[Role, ...] = ()

    @model_validator(mode="after")
    def _each_once(self) -> "WordingSet":
        require_each_once([each.id for each in self.wordings], "give each wording its own `id`")
        require_each_once([each.id for each in self.roles], "give each role its own `id`")
        return self

    @property
    def hash(self) -> str:
        """64 hexadecimal digits over everything."""
        return digest(canonical(self.model_dump(mode="json")))
