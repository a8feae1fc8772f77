"""Means and differences over texts, clustered by what the texts are about; and two judges over the same items."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from localeval.methods.affect.tables import Block, Mask, Numbers, Tally, item_keys
from localeval.stats.correlation import pearson
from localeval.stats.estimate import Estimate, Score, Undefined, score_to_json
from localeval.stats.intervals import Floats, Interval
from localeval.stats.means import DIFFERENCES, clustered_mean, paired_mean
from localeval.stats.paired import Difference

Json = dict[str, Any]

SHARES = Interval(0.0, 1.0)
_NORMAL = 1.96
_NOTHING = "no text has a value"


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """Values [items] with the judge's own spread of each, the cluster that each belongs to, and the text.

    An item is a text or a target in one, of which a text may have several. `missing` counts the items that should have
    had a value.
    """

    values: Floats
    spreads: Floats
    clusters: Numbers
    texts: Numbers
    missing: int = 0


class Gap(NamedTuple):
    """A difference, and how surprising it would be for equal means; None where nothing can tell."""

    score: Score
    p_value: float | None


def column(block: Block, axis: int, rows: Numbers, clusters: Numbers) -> Column:
    """The values of one axis in the chosen rows of a block; `clusters` [rows of the block]."""
    there = rows[block.is_there[rows, axis]]
    missing = int(block.is_asked[rows, axis].sum()) - len(there)
    return Column(block.values[there, axis], block.spreads[there, axis], clusters[there], block.text[there], missing)


def mean_score(given: Column, bounds: Interval = SHARES) -> Score:
    """The mean over items with its interval, t over clusters.

    Several texts of one cluster count as independent, and the interval speaks of further texts in it alone. A single
    text has what the judge's own spread allows for, value -+ 1.96 spreads, and no mean over texts of one cluster has
    less: equal texts have equal scores, and that is no certainty.
    """
    n = len(given.values)
    if n == 0:
        return Undefined(_NOTHING, 0, given.missing, 0)
    if len(np.unique(given.clusters)) > 1:
        return clustered_mean(given.values, _listed(given.clusters), bounds, given.missing)
    value, half = float(given.values.mean()), _half_of_spreads(given)
    low, high = max(bounds.low, value - half), min(bounds.high, value + half)
    found = clustered_mean(given.values, _listed(given.texts), bounds)
    if isinstance(found, Estimate):
        low, high = min(low, found.low), max(high, found.high)
    return Estimate(value, min(low, value), max(high, value), n, given.missing, 1)


def _half_of_spreads(given: Column) -> float:
    """1.96 standard deviations of the mean by the judge's own spreads, those of one text going the same way."""
    _, place = np.unique(given.texts, return_inverse=True)
    return _NORMAL * float(np.sqrt((np.bincount(place, weights=given.spreads) ** 2).sum())) / len(given.values)


def paired_gap(first: Column, second: Column, step: float = 0.0) -> Gap:
    """The mean of `first` minus `second` over the same texts, with the paired t test over clusters.

    Each cluster counts the same. `step` is the smallest step that the difference of one text can make (0: none). Texts
    of one cluster tell nothing of others, so they have an interval (as of `mean_score`) but no p-value. `clusters`,
    `texts` and `missing` are those of `first`.
    """
    gaps = replace(first, values=first.values - second.values, spreads=np.hypot(first.spreads, second.spreads))
    labels, place, size = np.unique(gaps.clusters, return_inverse=True, return_counts=True)
    if len(labels) < 2:
        return Gap(mean_score(gaps, DIFFERENCES), None)
    one, other = (np.bincount(place, weights=each.values) / size for each in (first, second))
    found = paired_mean(one, other, step / float(size.mean()))
    assert isinstance(found, Difference)
    estimate = replace(found.estimate, n=len(gaps.values), missing=gaps.missing)
    return Gap(estimate, found.p_value)


def gap_to_json(gap: Gap | Difference | Undefined) -> Json:
    """A difference as a JSON object: its score, and `p_value`."""
    if isinstance(gap, Undefined):
        return score_to_json(gap) | {"p_value": None}
    score = gap.score if isinstance(gap, Gap) else gap.estimate
    return score_to_json(score) | {"p_value": gap.p_value}


def means(block: Block, rows: Numbers, clusters: Numbers) -> Json:
    """The mean of every axis over the chosen rows."""
    return {axis: score_to_json(mean_score(column(block, a, rows, clusters))) for a, axis in enumerate(block.axes)}


def likeness(values: Floats, is_given: Mask, clusters: Numbers) -> Json:
    """How far two columns [items, 2] rise and fall together (Pearson's `r`) and lie apart (`mae`).

    `n` counts the items that both have, `missing` of `r` the others. The two tell different things: a judge may follow
    people and yet lie above them, and MAE alone is low for one that always says the middle.
    """
    both = is_given.all(1)
    mae = float(np.abs(values[both, 0] - values[both, 1]).mean()) if both.any() else None
    r = pearson(values[both, 0], values[both, 1], _listed(clusters[both]), int((~both).sum()))
    return {"r": score_to_json(r), "mae": mae, "n": int(both.sum())}


def agreement(tally: Tally) -> list[Json]:
    """Every two judges over the same items, contract by contract and axis by axis."""
    rows: list[Json] = []
    for first, second in combinations(tally.sheets, 2):
        for contract, axes in tally.ids.items():
            blocks = [tally.sheets[judge].blocks[contract] for judge in (first, second)]
            keys = [item_keys(block.text, block.target, len(tally.targets)) for block in blocks]
            items = np.union1d(*keys)
            places = [np.searchsorted(items, each) for each in keys]
            groups = tally.texts.group[items // (len(tally.targets) + 1)]
            for a, axis in enumerate(axes):
                values, is_given = np.zeros((len(items), 2)), np.zeros((len(items), 2), bool)
                asked = np.zeros(len(items), bool)
                for judge, (block, place) in enumerate(zip(blocks, places, strict=True)):
                    values[place, judge], is_given[place, judge] = block.values[:, a], block.is_there[:, a]
                    asked[place] |= block.is_asked[:, a]
                head: Json = {"first": first, "second": second, "contract": contract, "axis": axis}
                rows.append(head | likeness(values[asked], is_given[asked], groups[asked]))
    return rows


def _listed(clusters: Numbers) -> Sequence[int]:
    return [int(each) for each in clusters]
