"""Wordings: how a system is asked to write about a target, in one language."""

from typing import Annotated

from pydantic import Field, field_validator, model_validator

from localeval.keys import canonical, digest
from localeval.methods.affect.axes import PLACE, require_no_braces
from localeval.methods.settings import Frozen, Line, Slug, require_each_once
from localeval.texts import Language


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
        require_no_braces(prompt, PLACE)
        return prompt


class Role(Frozen):
    """Who the system is told to be."""

    id: Slug
    system: Line
    """The system message, sent as it is."""

    @field_validator("system")
    @classmethod
    def _is_filled_in_nowhere(cls, system: str) -> str:
        require_no_braces(system)
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
