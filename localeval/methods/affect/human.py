"""People's scores: how far a judge follows them, and what that allows to be said of an axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from localeval.methods.affect.axes import Contract
from localeval.methods.affect.compare import likeness
from localeval.methods.affect.readings import AffectLabel
from localeval.methods.affect.tables import NO_TARGET, Block, Mask, Numbers, Tally, item_keys
from localeval.stats.agreement import interval_alpha
from localeval.stats.estimate import Estimate, Score, score_from_json, score_to_json
from localeval.stats.intervals import Floats

Json = dict[str, Any]
Status = Literal["calibrated", "directional", "not calibrated"]

FEWEST_MATTERS = 30
"""What people must have scored, at least, for an axis to be calibrated. This and the two below are bars of our own."""
LEAST_R = 0.5
"""What the lower end of the interval of r between a judge and people's means must reach."""
LEAST_ALPHA = 0.4
"""What people's own agreement must reach where several scored the same.

Krippendorff's .667 for tentative conclusions would leave out what people can do: readers of EmoBank reach .34, .25 and
.22, people asked about a target .53, .28 and .21 for valence, arousal and dominance.
"""

SIGNED = frozenset({"valence", "favourability"})
"""Axes with a good and a bad end. On all others, a user's own included, a judge's scores tell a direction at most."""

CEILINGS: tuple[Json, ...] = tuple(
    {
        "source": "EmoBank readers (Buechel and Hahn 2017)",
        "axis": axis,
        "alpha": alpha,
        "reliability": reliability,
        "r_max": r_max,
        "writer_reader_r": r,
    }
    for axis, alpha, reliability, r_max, r in (
        ("valence", 0.34, 0.73, 0.85, 0.66),
        ("arousal", 0.25, 0.61, 0.78, 0.26),
        ("dominance", 0.22, 0.60, 0.77, 0.24),
    )
)
"""How far people agree with people: readers' alpha, the reliability of the mean of five of them, the most that any r
with that mean can be (its square root), and the r of readers with writers."""


@dataclass(frozen=True, slots=True, eq=False)
class Matters:
    """What people scored on one axis of one contract.

    `keys` [matters] as `item_keys` makes them, -1 for what the study does not have; `ratings` [matters, raters] where
    `is_given`; `clusters` [matters] are the groups of the texts.
    """

    keys: Numbers
    ratings: Floats
    is_given: Mask
    clusters: Numbers

    @property
    def means(self) -> Floats:
        """People's mean of each matter."""
        return np.asarray((self.ratings * self.is_given).sum(1) / self.is_given.sum(1))

    @property
    def alpha(self) -> Score | None:
        """People's agreement; None where no two scored the same."""
        if self.ratings.shape[1] < 2:
            return None
        return interval_alpha(self.ratings, self.is_given, [int(each) for each in self.clusters])


def against_people(tally: Tally, labels: Sequence[AffectLabel]) -> Json:
    """Each judge beside people's means, by contract and axis; empty without labels."""
    matters = _matters(tally, labels)
    found: Json = {}
    for judge, sheet in tally.sheets.items():
        for (contract, axis), people in matters.items():
            block = sheet.blocks.get(contract)
            if block is not None and axis in block.axes:
                body = _beside(people, block, block.axes.index(axis), len(tally.targets))
                found.setdefault(judge, {}).setdefault(contract, {})[axis] = body
    return found


def statuses(tally: Tally, human: Json) -> Json:
    """What each judge's scores of each axis are fit for."""
    return {
        judge: {
            contract: {axis: status(axis, human.get(judge, {}).get(contract, {}).get(axis)) for axis in axes}
            for contract, axes in tally.ids.items()
        }
        for judge in tally.sheets
    }


def status(axis: str, beside: Mapping[str, Any] | None) -> Status:
    """What a judge's scores of an axis are fit for, by how it stands beside people (None: there are no labels).

    "calibrated" by our bars: scores may be read as numbers. Else "directional": at most, which of two is higher; for
    valence and favourability "not calibrated", since judges are known to follow people there, though not this one here.
    """
    if beside is not None and beside["n"] >= FEWEST_MATTERS and _reaches(beside["r"], LEAST_R, by_interval=True):
        alpha = beside["alpha"]
        if alpha is None or _reaches(alpha, LEAST_ALPHA, by_interval=False):
            return "calibrated"
    return "not calibrated" if axis in SIGNED else "directional"


def _reaches(body: Mapping[str, Any], bar: float, by_interval: bool) -> bool:
    score = score_from_json(body)
    return isinstance(score, Estimate) and (score.low if by_interval else score.value) >= bar


def _beside(people: Matters, block: Block, axis: int, n_targets: int) -> Json:
    """One judge on one axis."""
    places = {int(key): row for row, key in enumerate(item_keys(block.text, block.target, n_targets))}
    rows = [places.get(int(key), -1) for key in people.keys]
    is_read = [row >= 0 and bool(block.is_there[row, axis]) for row in rows]
    score = [float(block.values[row, axis]) if there else 0.0 for row, there in zip(rows, is_read, strict=True)]
    is_given = np.stack([np.ones(len(rows), bool), np.array(is_read, bool)], axis=1)
    found = likeness(np.stack([people.means, np.array(score)], axis=1), is_given, people.clusters)
    alpha = people.alpha
    return {
        "r": found["r"],
        "mae": found["mae"],
        "alpha": None if alpha is None else score_to_json(alpha),
        "n": found["n"],
        "raters": people.ratings.shape[1],
    }


def _matters(tally: Tally, labels: Sequence[AffectLabel]) -> dict[tuple[Contract, str], Matters]:
    """The labels by contract and axis, those of one matter in one row."""
    meant = {name: target.name for target in tally.targets for name in target.names}
    by_axis: dict[tuple[Contract, str], dict[tuple[str, str], list[float]]] = {}
    for each in labels:
        matters = by_axis.setdefault((each.contract, each.axis), {})
        matters.setdefault((each.text, meant.get(each.target, each.target)), []).append(each.value)
    return {name: _rows(tally, matters) for name, matters in by_axis.items()}


def _rows(tally: Tally, matters: Mapping[tuple[str, str], Sequence[float]]) -> Matters:
    texts = {name: number for number, name in enumerate(tally.texts.ids)}
    targets = {target.name: number for number, target in enumerate(tally.targets)}
    targets[""] = NO_TARGET
    most = max(len(given) for given in matters.values())
    ratings, is_given = np.zeros((len(matters), most)), np.zeros((len(matters), most), bool)
    keys, clusters = np.full(len(matters), -1, np.intp), np.zeros(len(matters), np.intp)
    for row, ((text, target), given) in enumerate(matters.items()):
        ratings[row, : len(given)], is_given[row, : len(given)] = given, True
        # a text that the study does not have is a cluster of its own
        clusters[row] = tally.texts.group[texts[text]] if text in texts else len(tally.texts.groups) + row
        if text in texts and target in targets:
            one, other = np.array([texts[text]]), np.array([targets[target]])
            keys[row] = item_keys(one, other, len(tally.targets))[0]
    return Matters(keys, ratings, is_given, clusters)
