"""What is read: texts, scores with their evidence, portraits of targets, and the study that they make."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from localeval.methods.affect.axes import AxisSet, Contract
from localeval.methods.affect.schemas import Target
from localeval.methods.affect.wordings import WordingSet
from localeval.texts import Language, Segment
from localeval.values import Missing

Layout = Literal["text first", "task first"]
"""What prompts begin with."""


@dataclass(frozen=True, slots=True)
class AffectText:
    """A text that is read.

    `id` is unique in a run. `group` is what texts are clustered by: the source's id, or the target's name for an
    elicited text. `system` is "" for a source, `wording` "" and `sample` 0 where nothing was elicited. `text` is
    Missing where a system gave none.
    """

    id: str
    group: str
    text: str | Missing
    language: Language
    system: str = ""
    wording: str = ""
    sample: int = 0
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """One reading of one score.

    `value` is in [0, 1]; `spread` is the standard deviation of the judge's distribution over the scale (or of the
    draws), in the same unit. `shares` are the probabilities of the points, lowest first, empty where there are none;
    `draws` are the points drawn, from 1, empty where the score was read from probabilities.
    """

    value: float | Missing
    spread: float = 0.0
    shares: tuple[float, ...] = ()
    draws: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """The phrases that a judge gave for a score: those that stand in the text, and those that do not.

    `missing` says why the evidence does not hold, None where it does.
    """

    phrases: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    reason: str = ""
    missing: Missing | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One axis under one contract: a reading for each repeat, and the evidence, None where none is asked."""

    contract: Contract
    axis: str
    readings: tuple[Reading, ...]
    evidence: Evidence | None = None

    @property
    def value(self) -> float | Missing:
        """Mean of the readings in [0, 1], or why there is none: a reading or the evidence is missing."""
        values: list[float] = []
        for reading in self.readings:
            if isinstance(reading.value, Missing):
                return reading.value
            values.append(reading.value)
        if self.evidence is not None and self.evidence.missing is not None:
            return self.evidence.missing
        return sum(values) / len(values)


@dataclass(frozen=True, slots=True)
class Flags:
    """What holds of a text as a text about a target; `coverage` is in [0, 1]."""

    coverage: float
    refusal: bool = False
    generic: bool = False
    mismatch: bool = False


@dataclass(frozen=True, slots=True)
class Portrait:
    """One target in one text, as one judge reads it.

    `flags` is Missing where the judge's could not be read, or where the target is not named in the text: then nothing
    is asked and `items` is empty. It is None where no flags are asked for.
    """

    target: Target
    flags: Flags | Missing | None
    items: tuple[Item, ...] = ()

    def fault(self, bar: float) -> Missing | None:
        """Why no item of the portrait counts: refused, another of that name, or covered less than `bar`."""
        if self.flags is None or isinstance(self.flags, Missing):
            return self.flags
        if self.flags.refusal:
            return Missing("refused", "the text declines to speak of the target")
        if self.flags.mismatch:
            return Missing("mismatch", "the text speaks of another of that name")
        if self.flags.coverage < bar:
            return Missing("not covered", f"coverage {self.flags.coverage:.2g} is below {bar:g}")
        return None


@dataclass(frozen=True, slots=True)
class TextAffect:
    """One text as one judge reads it: its mood (`whole`), and a portrait of each target.

    `proposed` is Missing where targets were to be proposed and the proposal could not be read.
    """

    text: AffectText
    judge: str
    whole: tuple[Item, ...] = ()
    portraits: tuple[Portrait, ...] = ()
    proposed: Missing | None = None


@dataclass(frozen=True, slots=True)
class AffectStudy:
    """Everything that was read, text by text and judge by judge."""

    axes: Mapping[Language, AxisSet]
    read: tuple[TextAffect, ...] = ()
    layout: Layout = "task first"
    wordings: tuple[str, ...] = ()
    """Names of the conditions under which texts were elicited, the first is what the others are compared with."""


@dataclass(frozen=True, slots=True)
class AffectLabel:
    """A person's score of one axis of one text, in [0, 1]; `target` is "" for the contract `whole`."""

    text: str
    contract: Contract
    axis: str
    value: float
    target: str = ""
    rater: str = ""


@dataclass(frozen=True)
class AffectMaterial:
    """What affect reads besides sources and candidates."""

    axes: Mapping[Language, AxisSet] = field(default_factory=dict)
    wordings: Mapping[Language, WordingSet] = field(default_factory=dict)
    labels: tuple[AffectLabel, ...] = ()
