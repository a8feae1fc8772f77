"""What readings of many targets vary with: the target, the system, the wording, the text at hand, or the judge.

Systems and wordings count as drawn from more of their kind, so the intervals speak of other systems and other wordings
too. That is why they are wide with two or three of them, however many targets were read (docs/statistics.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats

CROSSED = ("target", "system", "wording")
"""The factors that all meet each other, in the order of the axes; samples lie in their cells, repeats in samples."""

_DRAWS = 5000
_SEED = 0

_BELOW = {"target": 0.8, "sample": 0.8, "repeat": 0.8}
"""How much of an interval's chance of error lies below it: elsewhere half. Chosen by simulation (docs/statistics.md).

The few levels of system and wording leave the whole open far upwards, and these shares then far downwards: middle
intervals of theirs were nearly always too low where they failed.
"""

Stratum = frozenset[str]
"""A line of the analysis of variance: the factors that it crosses, or a nested one alone."""

_SAMPLE, _REPEAT = frozenset({"sample"}), frozenset({"repeat"})


@dataclass(frozen=True, slots=True)
class Component:
    """One part of the variance of a single reading, in squared units of the readings, and its share of the whole."""

    variance: float
    share: Score


@dataclass(frozen=True, slots=True)
class VarianceSplit:
    """The variance of a single reading by where it comes from.

    `components` holds those of target, system, wording, interactions, sample and repeat that the design can tell
    apart. `design` counts the targets, systems and wordings that entered, and the most samples a cell and repeats a
    sample. `wording_minus_system` is the first share less the second, in [-1, 1]. `dropped` counts targets left out.
    """

    components: Mapping[str, Component]
    wording_minus_system: Score
    design: Mapping[str, int]
    dropped: int


@dataclass(frozen=True, slots=True)
class _Table:
    """Sums of squares and degrees of freedom of every stratum, on the scale of cell means for crossed factors.

    `error` says how much of a nested stratum's mean square a cell mean carries, `repeats` how much of the repeats'
    mean square the samples' one carries.
    """

    squares: dict[Stratum, float]
    freedom: dict[Stratum, int]
    levels: dict[str, int]
    error: dict[Stratum, float]
    repeats: float


def variance_split(values: Floats, confidence: float = 0.95) -> VarianceSplit | Undefined:
    """Random-effects split of readings [targets, systems, wordings, samples, repeats], NaN where one is missing.

    Estimators are those of the analysis of variance, cut at 0; "interactions" are all of the three crossed factors
    together. A factor with one level has no component. What a design cannot tell apart falls to the component above:
    without repeats, "sample" holds the judge's noise; with one sample a cell, "interactions" hold the samples' spread
    (with one system and one wording, "target" does); with one of each, both.

    Intervals are generalized ones (Weerahandi 1993): of the shares in draws of each mean square as its sum of squares
    by a chi-square. They hold for normal effects. Cell means count the same however many readings a cell has, which is
    exact only where none is missing; systems and wordings without any reading leave, and then every target that lacks
    a whole cell. In a share `n` counts readings, `missing` the places without one, `sources` targets.
    Undefined below two such targets, where readings do not vary, and with one reading a target.
    """
    kept, dropped = _whole_targets(values)
    is_read = np.isfinite(kept)
    counts = (int(is_read.sum()), int((~np.isfinite(values)).sum()), len(kept))
    if len(kept) < 2:
        return Undefined("fewer than two targets have a reading in every cell", *counts)
    # squares of very large or very small readings would leave the range of floats
    scale = float(np.abs(kept[is_read]).max()) or 1.0
    scaled = kept / scale
    scaled -= scaled[is_read].mean()
    if np.ptp(scaled[is_read]) <= 1e-12:
        return Undefined("the readings do not vary", *counts)
    if counts[0] == len(kept):
        return Undefined("one reading a target: nothing to split", *counts)
    table = _table(scaled)
    components, difference = _shares(table, scale, counts, confidence)
    return VarianceSplit(components, difference, _design(is_read), dropped)


def _whole_targets(values: Floats) -> tuple[Floats, int]:
    """The readings of targets that have one in every cell of systems and wordings with any, and how many have not."""
    is_read: NDArray[np.bool_] = np.isfinite(values)
    cells = is_read.sum((3, 4)) > 0
    systems, wordings = cells.any((0, 2)), cells.any((0, 1))
    whole = cells[:, systems][:, :, wordings].all((1, 2)) & bool(systems.any())
    return values[whole][:, systems][:, :, wordings], int((~whole).sum())


def _design(is_read: NDArray[np.bool_]) -> dict[str, int]:
    repeats = is_read.sum(-1)
    targets, systems, wordings = is_read.shape[:3]
    samples = int((repeats > 0).sum(-1).max())
    return {
        "targets": targets,
        "systems": systems,
        "wordings": wordings,
        "samples": samples,
        "repeats": int(repeats.max()),
    }


def _table(values: Floats) -> _Table:
    """The analysis of variance of readings of which every cell has one; missing ones by unweighted means."""
    readings = np.isfinite(values)
    n = readings.sum(-1)
    is_sample = n > 0
    samples = is_sample.sum(-1)
    sample_means = np.where(readings, values, 0.0).sum(-1) / np.maximum(n, 1)
    cells = sample_means.sum(-1) / samples
    within = np.where(readings, values - sample_means[..., None], 0.0)
    among = np.where(is_sample, sample_means - cells[..., None], 0.0)
    squares = {_REPEAT: float((within**2).sum()), _SAMPLE: float((among**2).sum())}
    freedom = {_REPEAT: int((n - is_sample).sum()), _SAMPLE: int((samples - 1).sum())}
    # a mean of n readings carries 1 / n of the variance of one: harmonic means of the numbers of readings
    noise = np.where(is_sample, 1 / np.maximum(n, 1), 0.0).sum(-1)
    repeats = float(((samples - 1) / samples * noise).sum() / max(freedom[_SAMPLE], 1))
    of_sample = float((1 / samples).mean()) if freedom[_SAMPLE] else 0.0
    error = {_SAMPLE: of_sample, _REPEAT: float((noise / samples**2).mean()) - of_sample * repeats}
    levels = {name: size for name, size in zip(CROSSED, cells.shape, strict=True) if size > 1}
    for stratum in _crossings(levels):
        squares[stratum] = _sum_of_squares(cells, stratum)
        freedom[stratum] = prod(levels[name] - 1 for name in stratum)
    return _Table(squares, freedom, levels, error, repeats)


def _crossings(levels: Mapping[str, int]) -> list[Stratum]:
    return [frozenset(names) for size in range(1, len(levels) + 1) for names in combinations(levels, size)]


def _sum_of_squares(cells: Floats, stratum: Stratum) -> float:
    """Of the effect of one crossing over all cells [targets, systems, wordings]."""
    effect = cells
    for axis, name in enumerate(CROSSED):
        mean = effect.mean(axis, keepdims=True)
        effect = effect - mean if name in stratum else np.broadcast_to(mean, cells.shape)
    return float((effect**2).sum())


def _shares(
    table: _Table, scale: float, counts: tuple[int, int, int], confidence: float
) -> tuple[dict[str, Component], Score]:
    """The components with their shares, and the share of wording less that of system."""
    rng = np.random.default_rng(_SEED)
    found, drawn = {}, {}
    for stratum, freedom in table.freedom.items():
        squares = table.squares[stratum]
        found[stratum] = np.asarray(squares / max(freedom, 1))
        drawn[stratum] = squares / rng.chisquare(freedom, _DRAWS) if freedom else np.zeros(_DRAWS)
    variances = _variances(table, found)
    values, draws = _of_whole(variances), _of_whole(_variances(table, drawn))
    components = {
        name: Component(
            float(variances[name]) * scale * scale,
            _estimate(values[name], _interval(draws[name], confidence, name), (0.0, 1.0), counts),
        )
        for name in variances
    }
    for name in ("system", "wording"):
        if name not in values:
            return components, Undefined(f"it takes two {name}s", *counts)
    first, second = (each["wording"] - each["system"] for each in (values, draws))
    return components, _estimate(first, _interval(second, confidence, ""), (-1.0, 1.0), counts)


def _interval(draws: Floats, confidence: float, component: str) -> Floats:
    low = _BELOW.get(component, 0.5) * (1 - confidence)
    return np.asarray(np.quantile(draws, (low, low + confidence)), np.float64)


def _variances(table: _Table, squares: Mapping[Stratum, Floats]) -> dict[str, Floats]:
    """Variances by component from mean squares, each [] or [draws], cut at 0.

    The mean square of a crossing is expected to be the noise of a cell mean and, for every crossing that contains it,
    that one's variance times the number of cells that share a level of it; this is solved from the top.
    """
    error = sum(weight * squares[stratum] for stratum, weight in table.error.items())
    single: dict[str, Floats] = {}
    together = np.zeros_like(squares[_SAMPLE])
    crossings = _crossings(table.levels)
    for stratum in crossings:
        above = sum((-1.0) ** len(other - stratum) * squares[other] for other in crossings if other >= stratum)
        shared = prod(size for name, size in table.levels.items() if name not in stratum)
        variance = np.asarray((above - error if len(stratum) == len(table.levels) else above) / shared)
        if len(stratum) == 1:
            single[next(iter(stratum))] = variance
        else:
            together = together + variance
    if len(table.levels) > 1:
        single["interactions"] = together
    if table.freedom[_SAMPLE]:
        single["sample"] = squares[_SAMPLE] - table.repeats * (squares[_REPEAT] if table.freedom[_REPEAT] else 0.0)
    if table.freedom[_REPEAT]:
        single["repeat"] = squares[_REPEAT]
    return {name: np.maximum(variance, 0.0) for name, variance in single.items()}


def _of_whole(variances: Mapping[str, Floats]) -> dict[str, Floats]:
    whole = np.maximum(sum(variances.values()), np.finfo(float).tiny)
    return {name: np.asarray(variance / whole) for name, variance in variances.items()}


def _estimate(value: Floats, ends: Floats, bounds: tuple[float, float], counts: tuple[int, int, int]) -> Estimate:
    """The value with its interval [2] from draws, which may lie beside the value: that is drawn into it."""
    held, low, high = (float(np.clip(each, *bounds)) for each in (value, *ends))
    n, missing, targets = counts
    return Estimate(held, min(held, low), max(held, high), n, missing, targets)
