"""Drift: how far the wording of the task moves the scores of the same targets, and how far the judge's own noise does.

The unit is the target: several texts about one are no independent witnesses of what a wording does.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from localeval.methods.affect.compare import Column, gap_to_json, paired_gap
from localeval.methods.affect.tables import Block, Mask, Sheet, Tally
from localeval.stats.correlation import spearman
from localeval.stats.estimate import Undefined, score_to_json
from localeval.stats.intervals import Floats
from localeval.stats.means import paired_mean
from localeval.stats.shifts import RepeatNoise, least_detectable, moved_share, profile_shift, repeat_noise

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Mean scores [targets, systems, wordings, axes] over samples and repeats, read only where `is_there`."""

    means: Floats
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
    groups = tally.texts.group[block.text[there]]
    none = np.zeros(len(first))
    missing = int(block.is_asked[:, axis].sum() - there.sum())
    # each reading has one of its own: a mean over two has half the step
    shift = paired_gap(Column(first, none, groups, missing), Column(second, none, groups, missing), 2 * tally.step)
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
    return Cells(np.where(is_read, readings, 0.0).sum((3, 4)) / np.maximum(n, 1), n > 0)


def wording_drift(tally: Tally, contract: str, block: Block, cells: Cells) -> list[Json]:
    """Every two wordings under one contract: the second less the first, the unit being the target.

    A target's score under a wording is the mean over the systems that have a text about it under both wordings, so
    that wordings are compared over the same cells.
    """
    noises = [_noise(block, a) for a in range(len(block.axes))]
    rows: list[Json] = []
    for one, other in combinations(range(len(tally.texts.wordings)), 2):
        shifts = [_target_means(cells, a, one, other) for a in range(len(block.axes))]
        rows.append(
            {
                "first": tally.texts.wordings[one],
                "second": tally.texts.wordings[other],
                "contract": contract,
                "axes": {
                    axis: _shift(first[there], second[there], int((~there).sum()), noise)
                    for axis, (first, second, there), noise in zip(block.axes, shifts, noises, strict=True)
                },
                "profile": _profile(tally, shifts),
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


def _target_means(cells: Cells, axis: int, one: int, other: int) -> tuple[Floats, Floats, Mask]:
    """(means under one wording, under the other, whether there are both), all [targets]."""
    both = cells.is_there[:, :, one, axis] & cells.is_there[:, :, other, axis]
    n = both.sum(1)
    first, second = ((cells.means[:, :, wording, axis] * both).sum(1) / np.maximum(n, 1) for wording in (one, other))
    return first, second, n > 0


def _shift(first: Floats, second: Floats, missing: int, noise: float | None) -> Json:
    """One axis over the targets that have both."""
    threshold = None if noise is None else least_detectable(noise)
    moved = None if threshold is None else score_to_json(moved_share(second - first, threshold, missing))
    return {
        "shift": gap_to_json(paired_mean(second, first, missing=missing)),
        "rank_correlation": score_to_json(spearman(first, second)),
        "mae": float(np.abs(second - first).mean()) if len(first) else None,
        "moved": {"share": moved, "threshold": threshold},
    }


def _profile(tally: Tally, shifts: list[tuple[Floats, Floats, Mask]]) -> Json:
    """All axes of the contract together, over the targets that have every one."""
    there = np.logical_and.reduce([each[2] for each in shifts])
    first, second = (np.stack([each[k][there] for each in shifts], axis=1) for k in (0, 1))
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
