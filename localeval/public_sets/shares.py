"""Readings of affect on labelled sentences, and shares and differences of them with intervals over their sources."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from localeval.methods.affect.readings import Item, Reading
from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import Floats, Interval, Ratio, clustered_bootstrap, clustered_ratio
from localeval.stats.paired import Difference
from localeval.values import Missing

RESAMPLES = 1999
UNIT = Interval(0.0, 1.0)


def value_of(items: Sequence[Item], axis: str) -> float | Missing:
    """The value of an axis among the items of a text or a target; missing where it is not among them."""
    return next((each.value for each in items if each.axis == axis), Missing("not covered", "nothing was asked"))


def value_fields(values: Mapping[str, float | Missing]) -> dict[str, Any]:
    """The fields of a row: each value, None where it is missing, and under `missing` why."""
    missing = {name: each.reason for name, each in values.items() if isinstance(each, Missing)}
    return {name: None if name in missing else each for name, each in values.items()} | {"missing": missing}


def reading_of(items: Sequence[Item], axis: str) -> Reading:
    """The reading of an axis: its spread and shares, also where the evidence makes its value missing."""
    absent = Reading(Missing("not covered", "nothing was asked"))
    return next((each.readings[0] for each in items if each.axis == axis), absent)


def bootstrapped(statistic: Callable[[Floats], Floats], sources: int, n: int, missing: int, seed: int = 0) -> Score:
    """A statistic of weights [..., sources] with the interval of `clustered_bootstrap`."""
    if sources < 2:
        return Undefined("an interval needs two sources", n, missing, sources)
    value = float(statistic(np.ones((1, sources)))[0])
    low, high = clustered_bootstrap(statistic, sources, np.random.default_rng(seed), resamples=RESAMPLES)
    return Estimate(value, min(low, value), max(high, value), n, missing, sources)


def paired_difference(gaps: Floats, sources: Sequence[int], step: float = 0.0) -> Difference | Undefined:
    """Mean of gaps [items] in [-1, 1], each counting the same, with the cluster-robust t test over sources.

    `step` is the smallest step that a gap can make: as in `paired_mean`, sources are taken to differ by half of it at
    least, or a few that happen to agree would be certainty.
    """
    labels, place = np.unique(np.asarray(sources, int), return_inverse=True)
    n, k = len(gaps), len(labels)
    if k < 2:
        return Undefined("a paired test needs two sources", n, 0, k)
    value = float(gaps.mean())
    sums = np.bincount(place, weights=gaps - value)
    robust = float(np.sqrt(k / (k - 1) * (sums**2).sum())) / n
    error = max(robust if robust > 1e-12 else 0.0, step / 2 / float(np.sqrt(k)))
    half = float(stats.t.ppf(0.975, k - 1)) * error
    p_value = 2 * float(stats.t.sf(abs(value) / error, k - 1)) if error else float(abs(value) < 1e-12)
    return Difference(Estimate(value, max(-1.0, value - half), min(1.0, value + half), n, 0, k), p_value)


def pooled_share(scores: Floats, sources: Sequence[int]) -> Score:
    """Mean of scores [items] in [0, 1], 0.5 for half a success, with the interval of `clustered_ratio`."""
    counts = np.zeros((max(sources, default=-1) + 1, 2))
    np.add.at(counts[:, 0], np.asarray(sources, int), scores)
    np.add.at(counts[:, 1], np.asarray(sources, int), 1 - scores)
    return clustered_ratio(counts, Ratio((1, 0), (1, 1)))


def places(names: Sequence[str]) -> list[int]:
    """The number of each name, in the order in which they first stand."""
    number = {name: n for n, name in enumerate(dict.fromkeys(names))}
    return [number[name] for name in names]
