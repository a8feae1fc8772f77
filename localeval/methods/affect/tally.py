"""From readings to arrays: what counts, and why the rest does not."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from localeval.methods.affect.axes import Contract
from localeval.methods.affect.readings import AffectStudy, AffectText, Item, Portrait, TextAffect
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.affect.tables import (
    FLAGS,
    NO_TARGET,
    Block,
    Numbers,
    Sheet,
    Tally,
    Texts,
)
from localeval.values import Missing

_NOT_ASKED = Missing("invalid", "not asked")


def value_of(text: AffectText, portrait: Portrait | None, item: Item | None, bar: float) -> float | Missing:
    """The value of an item in [0, 1], or why it does not count: the one place that decides it.

    A system gave no text; the flags of the portrait, of which the mood has none (`portrait` None); a reading or the
    evidence is missing; or it was not asked (`item` None). `bar` is the least coverage.
    """
    if isinstance(text.text, Missing):
        return text.text
    fault = portrait.fault(bar) if portrait is not None else None
    if fault is not None:
        return fault
    return _NOT_ASKED if item is None else item.value


def tally(study: AffectStudy, settings: AffectSettings) -> Tally:
    """Everything that was read as arrays; judges in the order of the settings, targets as given and then as found."""
    by_id = {each.text.id: each.text for each in study.read}
    texts = _texts(list(by_id.values()), study, settings)
    by_judge: dict[str, list[TextAffect]] = {judge: [] for judge in settings.judges}
    for each in study.read:
        by_judge[each.judge].append(each)
    found = {portrait.target.name: portrait.target for each in study.read for portrait in each.portraits}
    targets = found | {target.name: target for target in settings.targets}
    order = dict.fromkeys([*(target.name for target in settings.targets), *found])
    number = {name: n for n, name in enumerate(order)}
    filling = _Filling(study, settings, {name: n for n, name in enumerate(texts.ids)}, number)
    return Tally(
        texts=texts,
        targets=tuple(targets[name] for name in order),
        ids=axis_ids(study, settings),
        sheets={judge: filling.sheet(read) for judge, read in by_judge.items()},
        own=np.array(
            [number.get(each.group, NO_TARGET) if each.wording else NO_TARGET for each in by_id.values()], int
        ),
        step=_step(study, settings),
    )


def axis_ids(study: AffectStudy, settings: AffectSettings) -> dict[Contract, tuple[str, ...]]:
    """The ids of the axes under each contract that is asked, over all languages of the study."""
    return {
        contract: tuple(dict.fromkeys(axis.id for axes in study.axes.values() for axis in axes.of(contract)))
        for contract in settings.contracts
    }


def read_from(read: Iterable[TextAffect]) -> dict[str, int]:
    """How many readings came from probabilities ("logprobs") and how many from draws ("samples")."""
    counts = Counter(
        "logprobs" if reading.shares else "samples"
        for each in read
        for items in (each.whole, *(portrait.items for portrait in each.portraits))
        for item in items
        for reading in item.readings
        if not isinstance(reading.value, Missing)
    )
    return {kind: counts[kind] for kind in ("logprobs", "samples")}


def _texts(texts: Sequence[AffectText], study: AffectStudy, settings: AffectSettings) -> Texts:
    known = settings.elicit.systems if settings.elicit is not None else sorted({each.system for each in texts})
    groups, group = _numbered([each.group for each in texts])
    systems, system = _numbered([each.system for each in texts], known)
    wordings, wording = _numbered([each.wording for each in texts], study.wordings)
    return Texts(
        ids=tuple(each.id for each in texts),
        groups=groups,
        systems=systems,
        wordings=wordings,
        group=group,
        system=system,
        wording=wording,
        sample=np.array([each.sample for each in texts], np.intp),
        is_given=np.array([not isinstance(each.text, Missing) for each in texts], bool),
    )


def _numbered(names: Sequence[str], known: Iterable[str] = ()) -> tuple[tuple[str, ...], Numbers]:
    """(the names, each once, those that are known first; the number of each [names])."""
    unique = tuple(dict.fromkeys([*known, *names]))
    number = {name: n for n, name in enumerate(unique)}
    return unique, np.array([number[name] for name in names], np.intp)


_Row = tuple[TextAffect, Portrait | None]


@dataclass(frozen=True)
class _Filling:
    """Makes one judge's arrays; `texts` and `targets` are the numbers of their names."""

    study: AffectStudy
    settings: AffectSettings
    texts: Mapping[str, int]
    targets: Mapping[str, int]

    def sheet(self, read: Sequence[TextAffect]) -> Sheet:
        """All that one judge read."""
        moods: list[_Row] = [(each, None) for each in read]
        portraits: list[_Row] = [(each, portrait) for each in read for portrait in _portraits(each, self.settings)]
        blocks = {
            contract: self.block(contract, axes, moods if contract == "whole" else portraits)
            for contract, axes in axis_ids(self.study, self.settings).items()
        }
        return Sheet(blocks, _flags(portraits, self.settings.coverage))

    def block(self, contract: Contract, axes: tuple[str, ...], rows: Sequence[_Row]) -> Block:
        """One contract."""
        shape = (len(rows), len(axes))
        block = Block(
            axes=axes,
            text=np.array([self.texts[each.text.id] for each, _ in rows], np.intp),
            target=np.array([self.targets[p.target.name] if p is not None else NO_TARGET for _, p in rows], np.intp),
            values=np.zeros(shape),
            spreads=np.zeros(shape),
            readings=np.zeros((*shape, self.settings.repeats)),
            is_there=np.zeros(shape, bool),
            is_asked=np.zeros(shape, bool),
            is_named=np.array([p is None or (_is_given(each) and not is_unnamed(p)) for each, p in rows], bool),
            reasons=Counter(),
        )
        asked = {language: {axis.id for axis in each.of(contract)} for language, each in self.study.axes.items()}
        for row, (each, portrait) in enumerate(rows):
            given = each.whole if portrait is None else portrait.items
            items = {item.axis: item for item in given if item.contract == contract}
            for a, axis in enumerate(axes):
                if axis in asked[each.text.language]:
                    item = items.get(axis)
                    _enter(block, (row, a), item, value_of(each.text, portrait, item, self.settings.coverage))
        return block


def is_unnamed(portrait: Portrait) -> bool:
    """Whether the text does not name the target, so that nothing was asked of it."""
    # a judge's reply that cannot be read has another reason: only a look for names says that nothing is there
    return isinstance(portrait.flags, Missing) and portrait.flags.reason == "not covered"


def _portraits(read: TextAffect, settings: AffectSettings) -> Sequence[Portrait]:
    """The portraits of a text; where there is no text, those that there should have been."""
    missing = read.text.text
    if read.portraits or not isinstance(missing, Missing):
        return read.portraits
    about = [each for each in settings.targets if settings.elicit is None or each.name == read.text.group]
    return [Portrait(target, missing) for target in about]


def _enter(block: Block, at: tuple[int, int], item: Item | None, value: float | Missing) -> None:
    """Puts one value in its place of a block that is being made."""
    block.is_asked[at] = True
    if isinstance(value, Missing):
        block.reasons[value.reason] += 1
        return
    assert item is not None  # what was not asked has no value
    block.is_there[at], block.values[at] = True, value
    block.spreads[at] = math.sqrt(sum(each.spread**2 for each in item.readings) / len(item.readings))
    block.readings[at] = [each.value for each in item.readings if not isinstance(each.value, Missing)]


def _flags(portraits: Sequence[_Row], bar: float) -> Counter[str]:
    """What the judge says of the portraits in texts that there are; one may have several faults."""
    found = Counter(dict.fromkeys(FLAGS, 0))
    for each, portrait in portraits:
        if portrait is None or not _is_given(each):
            continue
        flags = portrait.flags
        found["portraits"] += 1
        if isinstance(flags, Missing):
            found["not_named" if is_unnamed(portrait) else "unreadable"] += 1
        elif flags is not None:
            found["refusal"] += flags.refusal
            found["generic"] += flags.generic
            found["mismatch"] += flags.mismatch
            found["below_bar"] += flags.coverage < bar
    return found


def _is_given(read: TextAffect) -> bool:
    return not isinstance(read.text.text, Missing)


def _step(study: AffectStudy, settings: AffectSettings) -> float:
    if read_from(study.read)["logprobs"]:
        return 0.0
    return 1 / ((settings.points - 1) * settings.samples * settings.repeats)
