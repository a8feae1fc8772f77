"""Axes: what is read of a text under each contract, with written anchors at 0, 0.5 and 1."""

import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Literal, get_args

from pydantic import Field, ValidationInfo, field_validator, model_validator

from localeval.keys import canonical, digest
from localeval.methods.settings import Frozen, Line, Slug
from localeval.texts import Language

Contract = Literal["target", "whole", "favourability"]
"""What is asked: how the text portrays a named target, the mood of the text, or one scalar. Never averaged together."""
CONTRACTS: tuple[Contract, ...] = get_args(Contract)

TargetKind = Literal["person", "organisation", "country", "group", "event", "work", "other"]
KINDS: tuple[TargetKind, ...] = get_args(TargetKind)

ANCHORS = (0.0, 0.5, 1.0)
PLACE = "{target}"
"""Where the target's name goes in a question or a wording."""
_BRACES = re.compile(r"\{[^{}]*\}|[{}]")
_SHOWN = 20


def require_no_braces(text: str, but: str = "") -> None:
    """Raises ValueError for what looks as if it were filled in, and would be sent as it is."""
    other = next((found for found in _BRACES.findall(text) if found != but), None)
    if other is not None:
        shown = other if len(other) <= _SHOWN else f"{other[:_SHOWN]}…"
        raise ValueError(f"may hold {f'no braces but {but}' if but else 'no braces'}: {shown} would be sent as it is")


class Meaning(Frozen):
    """What an axis means under one contract."""

    question: Line
    """What is asked, in a few words, with {target} where the target's name goes."""
    anchors: dict[float, Line]
    """What is to be seen in a text at 0, at 0.5 and at 1."""
    words: tuple[Line, Line, Line] | None = None
    """One word for each anchor, from 0 to 1: the answers on the scale of words. Default: low, middle, high."""

    @field_validator("words")
    @classmethod
    def _are_apart(cls, words: tuple[str, str, str] | None) -> tuple[str, str, str] | None:
        for word in words or ():
            if " " in word:
                raise ValueError(f"has {word!r}; give one word for each anchor")
        # what a score's first token tells of the word must not depend on how a model cuts words into tokens
        if words is not None and len({word[0] for word in words}) < len(words):
            raise ValueError("must begin with three different letters, so that the first token tells them apart")
        return words

    def asked_of(self, name: str) -> str:
        """The question about a target (or of the whole text), without its question mark: the answers follow."""
        return self.question.replace(PLACE, name).rstrip("?？ ")

    @field_validator("question")
    @classmethod
    def _names_the_target_alone(cls, question: str) -> str:
        require_no_braces(question, PLACE)
        return question

    @field_validator("anchors", mode="before")
    @classmethod
    def _are_numbers(cls, anchors: object, info: ValidationInfo) -> object:
        if not isinstance(anchors, Mapping):
            return anchors
        known = {str(each) for each in ANCHORS} | {"0", "1"}
        for place in anchors:
            if isinstance(place, bool) or str(place) not in known or (isinstance(place, str) and info.mode != "json"):
                raise ValueError(f"has {place!r:.40}; describe 0, 0.5 and 1, without quotes")
        return anchors

    @field_validator("anchors")
    @classmethod
    def _are_complete(cls, anchors: dict[float, str]) -> dict[float, str]:
        absent = [f"{place:g}" for place in ANCHORS if place not in anchors]
        if absent:
            raise ValueError(f"lacks {' and '.join(absent)}; describe 0, 0.5 and 1")
        return {place: anchors[place] for place in ANCHORS}  # equal axes are equal in any order


class Axis(Frozen):
    """One axis in [0, 1], with its meaning under each contract that it belongs to."""

    id: Slug
    """The same in every language."""
    label: Line
    """What prompts and pages call it."""
    target: Meaning | None = None
    whole: Meaning | None = None
    favourability: Meaning | None = None
    kinds: dict[TargetKind, Line] = Field(default_factory=dict)
    """What holds besides for a target of a kind: where the dominance of an event lies, for example."""

    @field_validator("whole")
    @classmethod
    def _names_nobody(cls, whole: Meaning | None) -> Meaning | None:
        if whole is not None and PLACE in whole.question:
            raise ValueError(f"asks of {PLACE}; the contract `whole` knows no target")
        return whole

    @model_validator(mode="after")
    def _means_something(self) -> "Axis":
        if not any(self.meaning(contract) for contract in CONTRACTS):
            raise ValueError("has no anchors; add `target` or `whole` with `question` and `anchors`")
        return self

    def meaning(self, contract: Contract) -> Meaning | None:
        """What the axis means under a contract, None where it does not belong to it."""
        return {"target": self.target, "whole": self.whole, "favourability": self.favourability}[contract]


class AxisSet(Frozen):
    """The axes of a study, in one language."""

    name: Line
    language: Language
    axes: Annotated[tuple[Axis, ...], Field(min_length=1)]

    @field_validator("axes")
    @classmethod
    def _each_once(cls, axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
        ids = [axis.id for axis in axes]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"has {twice!r} twice; give each axis its own `id`")
        return axes

    @property
    def hash(self) -> str:
        """64 hexadecimal digits over everything: results carry it, so that only like is compared with like."""
        return digest(canonical(self.model_dump(mode="json")))

    def of(self, contract: Contract) -> tuple[Axis, ...]:
        """The axes that belong to a contract, in the order of the file."""
        return tuple(axis for axis in self.axes if axis.meaning(contract) is not None)

    def ids(self, contracts: Iterable[Contract]) -> dict[Contract, tuple[str, ...]]:
        """The ids of the axes by contract."""
        return {contract: tuple(axis.id for axis in self.of(contract)) for contract in contracts}
