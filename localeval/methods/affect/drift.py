"""Drift: how far the wording of the task moves the scores of the same targets, and how far the judge's own noise does.

The unit is the target: several texts about one are no independent witnesses of what a wording does.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from localeval.methods.affect.compare import Column, gap_to_json, paired_gap
from localeval.methods.affect.tables import Block, Mask, Numbers, Sheet, Tally
from localeval.stats.correlation import spearman
from localeval.stats.estimate import Undefined, score_to_json
from localeval.stats.intervals import Floats
from localeval.stats.shifts import RepeatNoise, least_detectable, mean_shift, moved_share, profile_shift, repeat_noise

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Mean scores [targets, systems, wordings, axes] over samples and repeats, read only where `is_there`.

    `n` are the readings that each is the mean of.
    """

    means: Floats
    n: Numbers

    @property
    def is_there(self) -> Mask:
        """Where there is any reading."""
        return self.n > 0


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One axis of the targets [targets] under two wordings, read only where `is_there`: where there are both.

    `first` and `second` are means, `weights` the variance of their difference if that of one reading is 1, `readings`
    how many of either wording entered, on average.
    """

    first: Floats
    second: Floats
    weights: Floats
    readings: Floats
    is_there: Mask


def repeats(tally: Tally, sheet: Sheet) -> Json:
    """The judge's own noise, from the two readings of each score; empty without repeats.

    `sd` is that of one reading; `order_shift` is what listing the anchors from the top does, first less second.
    """
    return {
        contract: {axis: _repeat(tally, block, a) for a, axis in enumerate(block.axes)}
        for contract, block in sheet.blocks.items()
        if block.readings.shape[-1] == 2
    }


def _repeat(tally: Tally, block: Block, axis: int) -> Json:
    there = block.is_there[:, axis]
    first, second = block.readings[there, axis].T
    text = block.text[there]
    groups, none = tally.texts.group[text], np.zeros(len(first))
    missing = int(block.is_asked[:, axis].sum() - there.sum())
    one, other = (Column(values, none, groups, text, missing) for values in (first, second))
    # each reading has one of its own: a mean over two has half the step
    shift = paired_gap(one, other, 2 * tally.step)
    noise = repeat_noise(first, second, missing)
    return {
        "sd": noise.sd if isinstance(noise, RepeatNoise) else None,
        "order_shift": gap_to_json(shift),
        "n": len(first),
    }


def readings_by_cell(tally: Tally, block: Block) -> Floats:
    """Readings [targets, systems, wordings, samples, repeats, axes], NaN where one is missing.

    Targets are the groups of the texts. A portrait of another target than the one that a text was asked about does
    not enter.
    """
    texts = tally.texts
    samples, sample = np.unique(texts.sample, return_inverse=True)
    n_repeats = block.readings.shape[-1]
    shape = (len(texts.groups), len(texts.systems), len(texts.wordings), len(samples), n_repeats, len(block.axes))
    found = np.full(shape, np.nan)
    asked = (block.target == tally.own[block.text]) | (block.target < 0)
    rows, text = np.flatnonzero(asked), block.text[asked]
    values = np.where(block.is_there[rows, :, None], block.readings[rows], np.nan)
    place = (texts.group[text], texts.system[text], texts.wording[text], sample[text])
    found[place] = np.swapaxes(values, 1, 2)
    return found


def cells_of(readings: Floats) -> Cells:
    """The mean of each cell, every sample that there is counting the same."""
    is_read = np.isfinite(readings)
    n = is_read.sum((3, 4))
    return Cells(np.where(is_read, readings, 0.0).sum((3, 4)) / np.maximum(n, 1), n)


def wording_drift(tally: Tally, contract: str, block: Block, cells: Cells) -> list[Json]:
    """Every two wordings under one contract: the second less the first, the unit being the target.

    A target's score under a wording is the mean over the systems that have a text about it under both wordings, so
    that wordings are compared over the same cells.
    """
    noises = [_noise(block, a) for a in range(len(block.axes))]
    rows: list[Json] = []
    for one, other in combinations(range(len(tally.texts.wordings)), 2):
        pairs = [_pair(cells, a, one, other) for a in range(len(block.axes))]
        rows.append(
            {
                "first": tally.texts.wordings[one],
                "second": tally.texts.wordings[other],
                "contract": contract,
                "axes": {
                    axis: _shift(pair, noise, tally.step * block.readings.shape[-1])
                    for axis, pair, noise in zip(block.axes, pairs, noises, strict=True)
                },
                "profile": _profile(tally, pairs),
            }
        )
    return rows


def _noise(block: Block, axis: int) -> float | None:
    """The standard deviation of one reading, None where nothing was read twice."""
    if block.readings.shape[-1] < 2:
        return None
    first, second = block.readings[block.is_there[:, axis], axis].T
    noise = repeat_noise(first, second)
    return noise.sd if isinstance(noise, RepeatNoise) else None


def _pair(cells: Cells, axis: int, one: int, other: int) -> Pair:
    """Every system that has texts under both wordings counts the same in a target's means."""
    both = cells.is_there[:, :, one, axis] & cells.is_there[:, :, other, axis]
    n_systems = both.sum(1)
    systems = np.maximum(n_systems, 1)
    first, second = ((cells.means[:, :, each, axis] * both).sum(1) / systems for each in (one, other))
    n = cells.n[:, :, [one, other], axis] * both[..., None]
    weights = (both[..., None] / np.maximum(n, 1)).sum((1, 2)) / systems**2
    return Pair(first, second, weights, n.sum((1, 2)) / 2, n_systems > 0)


def _shift(pair: Pair, noise: float | None, step: float) -> Json:
    """One axis over the targets that have both; `step` is the smallest step of one reading."""
    there = pair.is_there
    first, second, missing = pair.first[there], pair.second[there], int((~there).sum())
    step_of_means = step / float(pair.readings[there].mean()) if there.any() else 0.0
    return {
        "shift": gap_to_json(mean_shift(first, second, step_of_means, missing)),
        "rank_correlation": score_to_json(spearman(first, second)),
        "mae": float(np.abs(second - first).mean()) if len(first) else None,
        "moved": _moved(second - first, pair.weights[there], missing, noise),
    }


def _moved(shifts: Floats, weights: Floats, missing: int, noise: float | None) -> Json:
    """Who moved by more than the noise of a difference of two means of so many readings; `threshold` is the mean one.

    Each target has a threshold of its own: one with fewer readings is held against more noise.
    """
    if noise is None:
        return {"share": None, "threshold": None}
    thresholds = least_detectable(noise) * np.sqrt(weights / 2)
    share = score_to_json(moved_share(shifts, thresholds, missing))
    return {"share": share, "threshold": float(thresholds.mean()) if len(thresholds) else None}


def _profile(tally: Tally, pairs: Sequence[Pair]) -> Json:
    """All axes of the contract together, over the targets that have every one."""
    there = np.logical_and.reduce([pair.is_there for pair in pairs])
    first = np.stack([pair.first[there] for pair in pairs], axis=1)
    second = np.stack([pair.second[there] for pair in pairs], axis=1)
    found = profile_shift(first, second)
    if isinstance(found, Undefined):
        return {"distance": None, "p_value": None, "n": found.n, "targets": {}, "reason": found.reason}
    names = [name for name, is_there in zip(tally.texts.groups, there, strict=True) if is_there]
    return {
        "distance": found.distance,
        "low": found.interval.low if found.interval else None,
        "high": found.interval.high if found.interval else None,
        "p_value": found.p_value,
        "n": len(names),
        "targets": dict(zip(names, found.targets, strict=True)),
        "reason": found.reason,
    }
