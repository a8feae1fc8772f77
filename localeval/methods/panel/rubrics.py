"""Rubrics: what a good text about a source of some category has, one checkable matter a criterion."""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import (
    AliasChoices,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_core import InitErrorDetails, PydanticCustomError

from localeval.keys import canonical, digest
from localeval.methods.settings import Line, Slug
from localeval.texts import Language

FAITHFULNESS = "faithfulness"
"""The criterion that every rubric has and that always applies."""
LEVELS = (0, 1, 2)


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Criterion(_Frozen):
    """One matter that is scored 0, 1 or 2, or NA where the source lacks it and `allows_na` says so."""

    id: Slug
    """The same in every language."""
    statement: Line
    """One sentence: what holds of a text that scores 2. Where NA is allowed, it names the matter."""
    levels: dict[int, Line]
    """What is to be seen in a text that scores 0, 1 and 2."""
    allows_na: bool = Field(default=False, validation_alias=AliasChoices("na", "allows_na"), strict=True)
    """Whether the score may be NA, since a source may lack the matter. `na` in a file."""

    @field_validator("levels", mode="before")
    @classmethod
    def _are_numbers(cls, levels: object, info: ValidationInfo) -> object:
        if not isinstance(levels, Mapping):
            return levels
        fit: list[object] = [str(level) for level in LEVELS] if info.mode == "json" else list(LEVELS)
        for level in levels:
            if level not in fit or isinstance(level, bool):
                place = level if isinstance(level, str | int) else str(level)
                raise _fault((place,), level, "must be 0, 1 or 2")
        return levels

    @field_validator("levels")
    @classmethod
    def _are_complete(cls, levels: dict[int, str]) -> dict[int, str]:
        absent = [str(level) for level in LEVELS if level not in levels]
        if absent:
            raise ValueError(f"lacks {' and '.join(absent)}; describe 0, 1 and 2")
        return {level: levels[level] for level in LEVELS}  # equal rubrics are equal in any order

    @field_validator("allows_na")
    @classmethod
    def _faithfulness_applies(cls, allows_na: bool, info: ValidationInfo) -> bool:
        if allows_na and info.data.get("id") == FAITHFULNESS:
            raise ValueError("must be false for 'faithfulness', which applies to every text")
        return allows_na


class Rubric(_Frozen):
    """The criteria by which a text about a source of one category is judged; faithfulness is always among them."""

    category: Line
    language: Language
    """That the statements are written in."""
    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1)]

    @field_validator("criteria")
    @classmethod
    def _each_once(cls, criteria: tuple[Criterion, ...]) -> tuple[Criterion, ...]:
        seen: set[str] = set()
        for place, criterion in enumerate(criteria):
            if criterion.id in seen:
                raise _fault((place, "id"), criterion.id, "must be another, since a criterion before has it")
            seen.add(criterion.id)
        if FAITHFULNESS not in seen:
            raise ValueError(f"lacks '{FAITHFULNESS}'; add a criterion with `id: {FAITHFULNESS}`")
        return criteria

    @property
    def criterion_ids(self) -> tuple[str, ...]:
        """The ids in the order of the file."""
        return tuple(criterion.id for criterion in self.criteria)

    @property
    def hash(self) -> str:
        """64 hexadecimal digits over everything: results carry it, so that only like is compared with like."""
        return digest(canonical(self.model_dump(mode="json")))

    def criterion(self, name: str) -> Criterion:
        """The criterion with an id; raises KeyError where there is none."""
        return {criterion.id: criterion for criterion in self.criteria}[name]


def _fault(location: Iterable[str | int], value: object, what: str) -> ValidationError:
    """A mistake deeper than the field whose validator raises it."""
    detail = InitErrorDetails(type=PydanticCustomError("rubric", what), loc=tuple(location), input=value)
    return ValidationError.from_exception_data("rubric", [detail])
