"""Rows of affect: each text as each judge reads it, with its flags and the evidence for each score."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from localeval.methods.affect.axes import Contract, TargetKind
from localeval.methods.affect.readings import (
    AffectStudy,
    AffectText,
    Evidence,
    Flags,
    Item,
    Portrait,
    Reading,
    TextAffect,
)
from localeval.methods.affect.schemas import AffectSettings
from localeval.report.rows import why
from localeval.values import Missing


@dataclass(frozen=True, slots=True)
class AxisRow:
    """One axis under one contract.

    `value` is in [0, 1], None where it is missing; `missing` then says why. `spread` is the mean standard deviation of
    the judge's distribution over the readings that there are. `repeats` has each reading's value, None where it is
    missing; `draws` the points that each drew, from 1, empty where it was read from probabilities. `evidence` has the
    phrases that stand in the text and those that do not; None where none was asked for.
    """

    contract: Contract
    axis: str
    label: str
    value: float | None
    spread: float | None
    repeats: tuple[float | None, ...]
    draws: tuple[tuple[int, ...], ...]
    evidence: Evidence | None
    missing: str


@dataclass(frozen=True, slots=True)
class PortraitRow:
    """One target in one text.

    `flags` is None where the judge's could not be read, or the target is not named. `missing` says why nothing of the
    portrait counts, "" where it does: what its axes hold is then in no score.
    """

    target: str
    kind: TargetKind
    flags: Flags | None
    axes: tuple[AxisRow, ...]
    missing: str


@dataclass(frozen=True, slots=True)
class JudgeRow:
    """One text as one judge reads it. `missing` says why no targets could be proposed, "" where they were or need not
    be."""

    judge: str
    whole: tuple[AxisRow, ...]
    portraits: tuple[PortraitRow, ...]
    missing: str


@dataclass(frozen=True, slots=True)
class TextRow:
    """One text, as every judge reads it.

    `group` is the source, or the target of an elicited text; `wording` is "" and `sample` 0 for a text that was not
    elicited. `text` is whole, "" where the system gave none; `missing` then says why.
    """

    id: str
    group: str
    system: str
    wording: str
    sample: int
    text: str
    judges: tuple[JudgeRow, ...]
    missing: str

    @property
    def is_elicited(self) -> bool:
        """Whether a system was asked to write it about a target."""
        return bool(self.wording)


@dataclass(frozen=True, slots=True)
class AffectDetails:
    """The chosen texts, in the order in which they were read."""

    texts: tuple[TextRow, ...]


def affect_details(
    study: AffectStudy, settings: AffectSettings, system: str | None = None, source: str | None = None
) -> AffectDetails:
    """Every chosen text (None: all). `source` is its group: a source's id, or the target of an elicited text."""
    by_text: dict[str, list[TextAffect]] = {}
    for each in study.read:
        if system in (None, each.text.system) and source in (None, each.text.group):
            by_text.setdefault(each.text.id, []).append(each)
    return AffectDetails(tuple(_text(read, study, settings) for read in by_text.values()))


def _text(read: list[TextAffect], study: AffectStudy, settings: AffectSettings) -> TextRow:
    text = read[0].text
    is_missing = isinstance(text.text, Missing)
    return TextRow(
        id=text.id,
        group=text.group,
        system=text.system,
        wording=text.wording,
        sample=text.sample,
        text="" if isinstance(text.text, Missing) else text.text,
        judges=() if is_missing else tuple(_judge(each, _labels(study, text), settings.coverage) for each in read),
        missing=why(text.text) if isinstance(text.text, Missing) else "",
    )


def _labels(study: AffectStudy, text: AffectText) -> dict[str, str]:
    return {axis.id: axis.label for axis in study.axes[text.language].axes}


def _judge(read: TextAffect, labels: Mapping[str, str], bar: float) -> JudgeRow:
    return JudgeRow(
        judge=read.judge,
        whole=_axes(read.whole, labels),
        portraits=tuple(_portrait(each, labels, bar) for each in read.portraits),
        missing=why(read.proposed) if read.proposed is not None else "",
    )


def _portrait(portrait: Portrait, labels: Mapping[str, str], bar: float) -> PortraitRow:
    fault = portrait.fault(bar)
    return PortraitRow(
        target=portrait.target.name,
        kind=portrait.target.kind,
        flags=None if isinstance(portrait.flags, Missing) else portrait.flags,
        axes=_axes(portrait.items, labels),
        missing=why(fault) if fault is not None else "",
    )


def _axes(items: Iterable[Item], labels: Mapping[str, str]) -> tuple[AxisRow, ...]:
    return tuple(_axis(item, labels[item.axis]) for item in items)


def _axis(item: Item, label: str) -> AxisRow:
    value = item.value
    spreads = [reading.spread for reading in item.readings if not isinstance(reading.value, Missing)]
    return AxisRow(
        contract=item.contract,
        axis=item.axis,
        label=label,
        value=None if isinstance(value, Missing) else value,
        spread=sum(spreads) / len(spreads) if spreads else None,
        repeats=tuple(_number(reading) for reading in item.readings),
        draws=tuple(reading.draws for reading in item.readings),
        evidence=item.evidence,
        missing=why(value) if isinstance(value, Missing) else "",
    )


def _number(reading: Reading) -> float | None:
    return None if isinstance(reading.value, Missing) else reading.value
