"""Targets: the profile of each, beside the mood of the same texts, and whether the two differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from localeval.methods.affect.axes import Contract
from localeval.methods.affect.compare import Column, Gap, gap_to_json, mean_score, means, paired_gap
from localeval.methods.affect.tables import Mask, Numbers, Sheet, Tally, splits
from localeval.stats.estimate import Score, score_to_json
from localeval.stats.intervals import Floats
from localeval.stats.permutation import LEVEL, holm

Json = dict[str, Any]

FEWEST_TEXTS = 3
"""Texts from which on a target is asked whether `target` and `whole` differ: our bar, below it nothing can be told."""

_TOO_FEW = f"it takes {FEWEST_TEXTS} texts with both scores, not all of one source or of one system and wording"
_OF_TARGETS: tuple[Contract, ...] = ("target", "favourability")


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Scores of targets [rows, axes] beside the mood of the same texts, over the axes that both contracts have.

    `is_asked` and `is_both` [rows, axes]. `text` [rows] numbers the texts. Clusters [rows]: `within` of texts about one
    target (their source, or the system and wording that made them), `across` of all texts.
    """

    axes: tuple[str, ...]
    target: Floats
    target_spreads: Floats
    whole: Floats
    whole_spreads: Floats
    is_asked: Mask
    is_both: Mask
    text: Numbers
    within: Numbers
    across: Numbers
    step: float

    def mood(self, axis: int, rows: Numbers) -> Score:
        """The mean mood of the texts in which the target has a score."""
        return mean_score(self._columns(axis, rows, self.within)[1])

    def gap(self, axis: int, rows: Numbers) -> Gap:
        """Target minus whole over texts about one target, paired by text."""
        return paired_gap(*self._columns(axis, rows, self.within), self.step)

    def overall(self, axis: int) -> Gap:
        """Target minus whole over all texts."""
        return paired_gap(*self._columns(axis, np.arange(len(self.across)), self.across), self.step)

    def _columns(self, axis: int, rows: Numbers, clusters: Numbers) -> tuple[Column, Column]:
        there = rows[self.is_both[rows, axis]]
        missing = int(self.is_asked[rows, axis].sum()) - len(there)
        texts = self.text[there]
        first = Column(self.target[there, axis], self.target_spreads[there, axis], clusters[there], texts, missing)
        return first, Column(self.whole[there, axis], self.whole_spreads[there, axis], clusters[there], texts, missing)


def beside(tally: Tally, sheet: Sheet) -> Beside | None:
    """The scores of one judge's targets beside the moods; None where the two contracts are not both asked."""
    if not {"target", "whole"} <= set(sheet.blocks):
        return None
    target, whole = sheet.blocks["target"], sheet.blocks["whole"]
    axes = tuple(axis for axis in target.axes if axis in whole.axes)
    one, other = ([block.axes.index(axis) for axis in axes] for block in (target, whole))
    row = np.zeros(len(tally.texts.ids), np.intp)
    row[whole.text] = np.arange(len(whole.text))
    mood = row[target.text]
    return Beside(
        axes=axes,
        target=target.values[:, one],
        target_spreads=target.spreads[:, one],
        whole=whole.values[mood][:, other],
        whole_spreads=whole.spreads[mood][:, other],
        is_asked=target.is_asked[:, one],
        is_both=target.is_there[:, one] & whole.is_there[mood][:, other],
        text=target.text,
        within=_clusters(tally)[target.text],
        across=tally.texts.group[target.text],
        step=tally.step,
    )


def target_scores(tally: Tally, sheet: Sheet) -> tuple[Json, Json]:
    """(each target of one judge's portraits, the answers of `whole_and_target`); empty where none is asked about.

    The answers, for each axis of both contracts: do `target` and `whole` differ, and for which targets? Each target
    with at least three texts is tested, and the mean over all texts besides, since many targets may differ from the
    moods though none of them has texts enough; Holm's method holds all of them to one level together. Where there is a
    single target the two are one test.
    """
    asked = [contract for contract in _OF_TARGETS if contract in sheet.blocks]
    if not asked:
        return {}, {}
    pairs, first = beside(tally, sheet), sheet.blocks[asked[0]]
    clusters = _clusters(tally)[first.text]
    # the blocks of targets have the same rows
    parts = zip(tally.targets, splits(first.target, len(tally.targets)), strict=True)
    rows = {target.name: each for target, each in parts if len(each)}
    gaps = _gaps(pairs, rows)
    found = {
        target.name: {
            "kind": target.kind,
            "texts": int(first.is_named[rows[target.name]].sum()),
            "profile": {contract: means(sheet.blocks[contract], rows[target.name], clusters) for contract in asked},
            "whole": _moods(pairs, rows[target.name]),
            "difference": {axis: gap_to_json(each[target.name]) for axis, each in gaps.items()},
        }
        for target in tally.targets
        if target.name in rows
    }
    overall = {axis: pairs.overall(a) for a, axis in enumerate(pairs.axes)} if pairs else {}
    return found, {axis: _answer(gaps[axis], each) for axis, each in overall.items()}


def _gaps(pairs: Beside | None, rows: Mapping[str, Numbers]) -> dict[str, dict[str, Gap]]:
    """Target minus whole by axis and target."""
    if pairs is None:
        return {}
    return {axis: {name: pairs.gap(a, each) for name, each in rows.items()} for a, axis in enumerate(pairs.axes)}


def _moods(pairs: Beside | None, rows: Numbers) -> Json:
    return {axis: score_to_json(pairs.mood(a, rows)) for a, axis in enumerate(pairs.axes)} if pairs else {}


def _answer(gaps: Mapping[str, Gap], overall: Gap) -> Json:
    """Of one axis: whether any of the targets differs, or all of them together."""
    names, p_values = _testable(gaps)
    if overall.p_value is not None and overall.score.n >= FEWEST_TEXTS and len(gaps) > 1:
        p_values = [*p_values, overall.p_value]
    adjusted = holm(p_values)
    answer = "differ" if min(adjusted, default=1.0) < LEVEL else "no difference shown"
    return {
        "answer": answer if p_values else "cannot tell",
        "targets": [name for name, p in zip(names, adjusted, strict=False) if p < LEVEL],
        "overall": gap_to_json(overall),
        "reason": "" if p_values else _TOO_FEW,
    }


def _testable(gaps: Mapping[str, Gap]) -> tuple[Sequence[str], list[float]]:
    """The targets with texts enough, and the p-value of each."""
    enough = {name: gap.p_value for name, gap in gaps.items() if gap.score.n >= FEWEST_TEXTS}
    known = {name: p for name, p in enough.items() if p is not None}
    return list(known), list(known.values())


def _clusters(tally: Tally) -> Numbers:
    """What texts about one target are clustered by [texts]."""
    return tally.texts.cell if tally.texts.is_elicited else tally.texts.group
