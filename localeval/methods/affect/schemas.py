"""The settings of affect, and what a judge replies."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from localeval.methods.affect.axes import Contract, TargetKind
from localeval.methods.settings import Frozen, Line, require_each_once
from localeval.texts import Language

Coverage = Literal["absent", "mentioned", "partly", "mainly"]
COVERED: Mapping[Coverage, float] = {"absent": 0.0, "mentioned": 1 / 3, "partly": 2 / 3, "mainly": 1.0}
"""How far a text is about a target, in [0, 1]."""


class Target(Frozen):
    """Whom or what a text portrays."""

    name: Line
    kind: TargetKind = "other"
    aliases: tuple[Line, ...] = ()
    """What else it is called."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)


class ElicitSettings(Frozen):
    """The generation layer: systems write about each target through several wordings."""

    systems: Annotated[tuple[str, ...], Field(min_length=1)]
    """Models that write."""
    wordings: Annotated[tuple[str, ...], Field(min_length=1)] = ("neutral", "evaluative", "paraphrase")
    """Ids of wordings in the file; the first is what the others are compared with."""
    file: str | None = None
    """File of wordings and roles of one's own, with {language} in its path for several languages."""
    languages: Annotated[tuple[Language, ...], Field(min_length=1)] = ("en",)
    roles: tuple[str, ...] = ()
    """Ids of roles in the file: each wording is asked without a role and in each of these."""
    samples: int = Field(default=3, ge=3, le=100)
    """Texts of each system through each wording about each target."""
    temperature: float = Field(default=0.7, gt=0.0, le=2.0)
    tokens: int = Field(default=300, ge=16, le=8192)
    """The most that a text may have; one that is cut there is asked anew, and then missing."""
    groups: dict[str, str] = Field(default_factory=dict)
    """Which group each system belongs to, where two groups are to be compared. The unit is then the system."""

    @model_validator(mode="after")
    def _each_once(self) -> "ElicitSettings":
        require_each_once(self.systems, "name each system once")
        slashed = next((name for name in self.systems if "/" in name), None)
        if slashed is not None:
            raise ValueError(
                f"`systems` names {slashed!r}; give the model a name without /, which parts the texts' ids"
            )
        require_each_once(self.wordings, "name each wording once")
        require_each_once(self.languages, "name each language once")
        require_each_once(self.roles, "name each role once")
        return self

    @model_validator(mode="after")
    def _two_groups(self) -> "ElicitSettings":
        unknown = next((name for name in self.groups if name not in self.systems), None)
        if unknown is not None:
            raise ValueError(f"`groups` names {unknown!r}, which is none of the `systems`; correct it")
        if self.groups and len(set(self.groups.values())) != 2:
            raise ValueError("`groups` must put systems into two groups, to compare the one with the other")
        return self


class AffectSettings(Frozen):
    """The levers of affect, as they stand under `methods: affect:` in a config."""

    judges: Annotated[tuple[str, ...], Field(min_length=1)]
    """Models that score, each alone: their numbers are never mixed."""
    of: Literal["candidates", "sources"] | None = None
    """Which texts are read, where none are elicited. Default: the candidates, or the sources if there are none."""
    targets: tuple[Target, ...] = ()
    propose: int = Field(default=0, ge=0, le=20)
    """How many further targets the first judge may propose for each text."""
    contracts: Annotated[tuple[Contract, ...], Field(min_length=1)] = ("target", "whole")
    axes: str = "vad"
    """A shipped set of axes, or a file of one's own, with {language} in its path for several languages."""
    scale: Literal["words", 3, 5, 7, 9] = "words"
    """What a judge answers with: the word of an anchor, or a number from 1 to this (odd, so that there is a middle)."""
    reading: Literal["auto", "logprobs", "samples"] = "auto"
    """How a score is read: expectation over its token's probabilities, or mean of `samples` seeded draws."""
    samples: int = Field(default=5, ge=3, le=100)
    repeats: Literal[1, 2] = 1
    """The second time the anchors are listed from the top: how far the scores then differ is the judge's own noise."""
    evidence: bool = True
    """Whether phrases are asked for each score; a score without one that stands in the text is missing."""
    evidence_tokens: int = Field(default=160, ge=32, le=2048)
    flags: bool = True
    """Whether coverage, refusal, generic talk and mismatch are asked for each target."""
    coverage: float = Field(default=0.5, ge=0.0, le=1.0)
    """What the judge must say of how far a text is about a target (0, 1/3, 2/3, 1), at least, for it to count."""
    layout: Literal["auto", "text first", "task first"] = "auto"
    """What prompts begin with: long texts come first, so that all their calls share them."""
    retries: int = Field(default=2, ge=0, le=5)
    """How often a reply that cannot be read is asked again, each time as a new call."""
    labels: str | None = None
    """JSONL file of people's scores, against which the judges are held."""
    elicit: ElicitSettings | None = None

    @field_validator("targets", mode="before")
    @classmethod
    def _names_alone(cls, targets: object) -> object:
        if not isinstance(targets, list | tuple):
            return targets
        bare = next((each for each in targets if isinstance(each, int | float)), None)
        if bare is not None:  # a work such as 1984: YAML reads it as a number
            raise ValueError(f"names {bare!r}, which is no text; put the name in quotes")
        return [{"name": each} if isinstance(each, str) else each for each in targets]

    @field_validator("targets")
    @classmethod
    def _targets_once(cls, targets: tuple[Target, ...]) -> tuple[Target, ...]:
        require_each_once([name for each in targets for name in each.names], "give each name to one target")
        return targets

    @model_validator(mode="after")
    def _consistent(self) -> "AffectSettings":
        require_each_once(self.judges, "name each judge once")
        require_each_once(self.contracts, "name each contract once")
        if self.elicit is not None and self.of is not None:
            raise ValueError("`of` goes without `elicit`, whose texts are then the ones that are read; leave one out")
        if self.elicit is not None and self.propose:
            raise ValueError("`propose` goes without `elicit`, whose texts are about `targets`; leave it out")
        if self.elicit is not None and not self.targets:
            raise ValueError("`elicit` needs `targets` to write about")
        if not self.targets and not self.propose and set(self.contracts) != {"whole"}:
            raise ValueError("needs `targets`, or `propose` with how many a text may have, or `contracts: [whole]`")
        return self

    @property
    def points(self) -> int:
        """How many answers the scale has."""
        return 3 if self.scale == "words" else self.scale

    @property
    def models(self) -> tuple[str, ...]:
        """The models that affect needs."""
        return (*self.judges, *(self.elicit.systems if self.elicit is not None else ()))


class EvidenceReply(Frozen):
    """A judge's phrases for one score, and why they show it."""

    phrase: Line
    other: str
    reason: str


class FlagsReply(Frozen):
    """What a judge says of a text's quality as a text about a target."""

    coverage: Coverage
    refusal: Literal["yes", "no"]
    generic: Literal["yes", "no"]
    mismatch: Literal["yes", "no"]


class ProposedTarget(Frozen):
    """A name that a model found in a text."""

    name: Line
    kind: TargetKind


class Proposal(Frozen):
    """The targets that a model proposes for a text, at least one."""

    targets: Annotated[tuple[ProposedTarget, ...], Field(min_length=1)]
