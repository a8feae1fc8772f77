"""How far one column of ratings agrees with another: every coefficient over all texts, and within each system."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from localeval.comparing.pairs import Classed, Numeric, Pair
from localeval.comparing.ratings import Mask
from localeval.inputs.label_items import Scale
from localeval.stats.agreement import gwet_ac1, interval_alpha, krippendorff_alpha
from localeval.stats.confusion import (
    SHARES,
    accuracy,
    accuracy_value,
    kappa,
    kappa_value,
    mean_recall,
    mean_recall_value,
    recalls,
)
from localeval.stats.correlation import pearson, spearman
from localeval.stats.estimate import Estimate, Score, Undefined, score_to_json
from localeval.stats.intervals import Floats, Interval
from localeval.stats.jackknife import SIGNED, allowing_for_steps, mean_of_groups, over_sources, step_of
from localeval.stats.means import clustered_mean
from localeval.stats.raters import mean_gap, standardised
from localeval.stats.two_raters import (
    ac1_of_table,
    alpha_of_table,
    interval_alpha_of_two,
    kendall_of_two,
    pearson_of_two,
    spearman_of_two,
)

Json = dict[str, Any]
Measure = Literal[
    "accuracy",
    "balanced_accuracy",
    "kappa",
    "ac1",
    "alpha_nominal",
    "alpha_ordinal",
    "alpha_interval",
    "alpha_z",
    "spearman",
    "kendall",
    "pearson",
    "bias",
    "mae",
]

NOMINAL: tuple[Measure, ...] = ("accuracy", "balanced_accuracy", "kappa", "ac1", "alpha_nominal")
NUMERIC: tuple[Measure, ...] = ("alpha_ordinal", "alpha_interval", "alpha_z", "spearman", "kendall", "pearson")
DISTANCES: tuple[Measure, ...] = ("bias", "mae")
MEASURES: Mapping[Scale, tuple[Measure, ...]] = {
    "grade": (*NOMINAL, *NUMERIC, *DISTANCES),
    "share": (*NUMERIC, *DISTANCES),
    "count": (*NUMERIC, *DISTANCES),
    "score": (*NUMERIC, *DISTANCES),
    "verdict": (*NOMINAL, "bias"),
    "fate": (*NOMINAL, "bias"),
    "class": NOMINAL,
}
"""What is said of each scale. Of verdicts and fates `bias` is the difference of the shares called unfaithful, or
kept."""

MOST_VALUES = 20
"""Distinct values up to which an ordinal alpha is taken: beyond, the scale is no list of grades."""

LOW, MUCH = 2 / 3, 0.2
"""Agreement within systems must be below the first, and that over all texts above it by the second, for a warning.

Krippendorff's (2004) bar for tentative conclusions, and a distance of our own."""

HEADLINES: tuple[Measure, ...] = ("alpha_interval", "alpha_nominal", "pearson")
"""The coefficients that the warning looks at."""


def beside(pair: Pair) -> Json:
    """Every measure of a pair as JSON: over all texts (`all`), and its mean over systems (`within`).

    `pooled_above_within` names the coefficients that are low within systems and much higher over all texts: there
    agreement mostly says that systems differ, which is easy to see.
    """
    names = MEASURES[pair.table.scale]
    numbers, classes = pair.numbers(pair.everywhere), pair.classes(pair.everywhere)
    overall = {
        name: replace(
            _OF_NUMBERS[name](numbers) if name in _OF_NUMBERS else _OF_CLASSES[name](classes), missing=pair.missing
        )
        for name in names
    }
    within = {name: _within(pair, name) for name in names if name not in DISTANCES}
    return {
        "n": int(pair.both.sum()),
        "missing": pair.missing,
        "tied": pair.other.n_tied,
        "all": {name: score_to_json(score) for name, score in overall.items()},
        "within": {name: score_to_json(score) for name, score in within.items()},
        "pooled_above_within": [name for name in HEADLINES if _is_above(overall.get(name), within.get(name))],
        "confusion": _confusion(pair, classes) if pair.table.classes else None,
    }


def _within(pair: Pair, measure: Measure) -> Score:
    """The mean over systems of a measure."""
    if len(np.unique(pair.table.system[pair.both])) < 2:
        return Undefined("one system alone", int(pair.both.sum()))

    def value(rows: Mask) -> float:
        if measure in _VALUE_OF_NUMBERS:
            return _VALUE_OF_NUMBERS[measure](*pair.columns(rows))
        return _VALUE_OF_CLASSES[measure](pair.counted(rows))

    bounds: Interval = SHARES if measure in ("accuracy", "balanced_accuracy") else SIGNED
    systems = [int(each) for each in pair.table.system[pair.both]]
    places = np.flatnonzero(pair.both)

    def of_both(chosen: Mask) -> float:
        rows = np.zeros(len(pair.table.source), bool)
        rows[places[chosen]] = True
        return value(rows)

    return mean_of_groups(of_both, systems, pair.sources(pair.both), bounds)


def _is_above(overall: Score | None, within: Score | None) -> bool:
    return (
        isinstance(overall, Estimate)
        and isinstance(within, Estimate)
        and within.value < LOW
        and overall.value - within.value >= MUCH
        and overall.low > within.value
    )


def _confusion(pair: Pair, given: Classed) -> Json:
    """Rows are the other's classes, columns the judge's; `recall` is the share of each row on the diagonal."""
    classes = pair.table.classes
    return {
        "classes": list(classes),
        "counts": [[int(n) for n in row] for row in pair.counted(pair.everywhere)],
        "recall": {name: score_to_json(score) for name, score in zip(classes, recalls(given.joint), strict=True)},
    }


def _alpha_ordinal(given: Numeric) -> Score:
    values, place = np.unique(given.both, return_inverse=True)
    if len(values) > MOST_VALUES:
        return Undefined(f"more than {MOST_VALUES} values, so no grades", len(given.judge))
    counts = np.eye(len(values))[place.reshape(-1, 2)].sum(1)
    return krippendorff_alpha(counts, "ordinal", sources=given.sources)


def _value_of_ordinal(judge: Floats, other: Floats) -> float:
    values, place = np.unique(np.stack([other, judge]), return_inverse=True)
    if len(values) > MOST_VALUES:
        return np.nan
    rows, columns = place.reshape(2, -1)
    n = len(values)
    table = np.bincount(rows * n + columns, minlength=n * n).reshape(n, n).astype(float)
    return alpha_of_table(table, "ordinal")


def _alpha_interval(given: Numeric) -> Score:
    return interval_alpha(given.both, np.ones(given.both.shape, bool), given.sources)


def _alpha_z(given: Numeric) -> Score:
    is_given = np.ones(given.both.shape, bool)
    return interval_alpha(standardised(given.both, is_given), is_given, given.sources)


def _value_of_z(judge: Floats, other: Floats) -> float:
    rescaled = standardised(np.stack([judge, other], axis=1), np.ones((len(judge), 2), bool))
    return interval_alpha_of_two(rescaled[:, 0], rescaled[:, 1])


def _mae(given: Numeric) -> Score:
    bounds = Interval(0.0, np.inf)
    found = clustered_mean(np.abs(given.judge - given.other), given.sources, bounds)
    return allowing_for_steps(found, given.step or step_of(given.both), bounds)


_OF_CLASSES: Mapping[Measure, Callable[[Classed], Score]] = {
    "accuracy": lambda given: accuracy(given.joint),
    "balanced_accuracy": lambda given: mean_recall(given.joint),
    "kappa": lambda given: kappa(given.joint),
    "ac1": lambda given: gwet_ac1(given.counts, given.sources),
    "alpha_nominal": lambda given: krippendorff_alpha(given.counts, "nominal", sources=given.sources),
}
_OF_NUMBERS: Mapping[Measure, Callable[[Numeric], Score]] = {
    "alpha_ordinal": _alpha_ordinal,
    "alpha_interval": _alpha_interval,
    "alpha_z": _alpha_z,
    "spearman": lambda given: spearman(given.judge, given.other, given.sources),
    "kendall": lambda given: over_sources(kendall_of_two, given.judge, given.other, given.sources),
    "pearson": lambda given: pearson(given.judge, given.other, given.sources),
    "bias": lambda given: mean_gap(given.judge, given.other, given.sources, step=given.step),
    "mae": _mae,
}
_VALUE_OF_CLASSES: Mapping[Measure, Callable[[Floats], float]] = {
    "accuracy": accuracy_value,
    "balanced_accuracy": mean_recall_value,
    "kappa": kappa_value,
    "ac1": ac1_of_table,
    "alpha_nominal": lambda table: alpha_of_table(table, "nominal"),
}
_VALUE_OF_NUMBERS: Mapping[Measure, Callable[[Floats, Floats], float]] = {
    "alpha_ordinal": _value_of_ordinal,
    "alpha_interval": interval_alpha_of_two,
    "alpha_z": _value_of_z,
    "spearman": spearman_of_two,
    "kendall": kendall_of_two,
    "pearson": pearson_of_two,
}
