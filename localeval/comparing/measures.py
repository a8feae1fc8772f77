"""How far one column of ratings agrees with another: every coefficient over all texts, and within each system."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from localeval.comparing.ratings import NO_CLASS, Column, Mask, Ratings
from localeval.inputs.label_items import Scale
from localeval.stats.agreement import gwet_ac1, interval_alpha, krippendorff_alpha
from localeval.stats.confusion import SHARES, accuracy, kappa, mean_recall, recalls
from localeval.stats.correlation import pearson, ranks, spearman
from localeval.stats.estimate import Estimate, Score, Undefined, score_to_json
from localeval.stats.intervals import Floats, Interval
from localeval.stats.jackknife import SIGNED, mean_of_groups
from localeval.stats.means import clustered_mean
from localeval.stats.paired import joint_counts
from localeval.stats.raters import ANYWHERE, standardised

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
    "pearson",
    "bias",
    "mae",
]

NOMINAL: tuple[Measure, ...] = ("accuracy", "balanced_accuracy", "kappa", "ac1", "alpha_nominal")
NUMERIC: tuple[Measure, ...] = ("alpha_ordinal", "alpha_interval", "alpha_z", "spearman", "pearson")
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

MUCH = 0.2
"""By so much agreement over all texts must lie above that within systems for a warning."""

HEADLINES: tuple[Measure, ...] = ("alpha_interval", "alpha_nominal", "pearson")
"""The coefficients that the warning looks at."""


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """Two columns of one table: a judge, and whoever it is compared with."""

    table: Ratings
    judge: Column
    other: Column

    @property
    def missing(self) -> int:
        """Rows that the other rated and the judge did not."""
        return int((self.other.is_rated & ~self.judge.is_rated).sum())

    @property
    def both(self) -> Mask:
        """Rows that both rated."""
        return np.asarray(self.judge.is_rated & self.other.is_rated)

    def score(self, measure: Measure, rows: Mask, is_quick: bool = False) -> Score:
        """A measure over the rows that both rated; `is_quick` where its value alone is wanted."""
        return _OF[measure](self, rows, is_quick)

    def sources(self, rows: Mask) -> list[int]:
        """The number of each row's source."""
        return [int(each) for each in self.table.source[rows]]

    def numbers(self, rows: Mask) -> tuple[Floats, Floats, list[int]]:
        """Both columns and the sources, where both gave numbers."""
        here = rows & self.judge.is_number & self.other.is_number
        return self.judge.numbers[here], self.other.numbers[here], self.sources(here)

    def joint(self, rows: Mask) -> Floats:
        """Counts [sources, classes of the other, classes of the judge]."""
        here = self._classed(rows)
        other, judge = self.other.chosen[here].tolist(), self.judge.chosen[here].tolist()
        return joint_counts(other, judge, self.sources(here), len(self.table.sources), len(self.table.classes))

    def counts(self, rows: Mask) -> tuple[Floats, list[int]]:
        """Counts [rows, classes] of the two, and the sources."""
        here = self._classed(rows)
        one = np.eye(len(self.table.classes))
        return one[self.judge.chosen[here]] + one[self.other.chosen[here]], self.sources(here)

    def _classed(self, rows: Mask) -> Mask:
        return np.asarray(rows & (self.judge.chosen != NO_CLASS) & (self.other.chosen != NO_CLASS))


def beside(pair: Pair) -> Json:
    """Every measure of a pair as JSON: over all texts (`all`), and its mean over systems (`within`).

    `pooled_above_within` names the coefficients that are much higher over all texts: there agreement measures mostly
    that systems differ, which is easy to see.
    """
    table = pair.table
    everywhere = np.ones(len(table.source), bool)
    names = MEASURES[table.scale]
    overall = {name: replace(pair.score(name, everywhere), missing=pair.missing) for name in names}
    within = {name: _within(pair, name) for name in names if name not in DISTANCES}
    return {
        "n": int(pair.both.sum()),
        "missing": pair.missing,
        "tied": pair.other.n_tied,
        "all": {name: score_to_json(score) for name, score in overall.items()},
        "within": {name: score_to_json(score) for name, score in within.items()},
        "pooled_above_within": [name for name in HEADLINES if _is_above(overall.get(name), within.get(name))],
        "confusion": _confusion(pair, everywhere),
    }


def _within(pair: Pair, measure: Measure) -> Score:
    if len(np.unique(pair.table.system[pair.both])) < 2:
        return Undefined("one system alone", int(pair.both.sum()))
    bounds: Interval = SHARES if measure in ("accuracy", "balanced_accuracy") else SIGNED
    systems = [int(each) for each in pair.table.system]
    everywhere = pair.sources(np.ones(len(systems), bool))
    return mean_of_groups(lambda rows: pair.score(measure, rows, is_quick=True), systems, everywhere, bounds)


def _is_above(overall: Score | None, within: Score | None) -> bool:
    return isinstance(overall, Estimate) and isinstance(within, Estimate) and overall.value - within.value >= MUCH


def _confusion(pair: Pair, rows: Mask) -> Json | None:
    """Rows are the other's classes, columns the judge's; `recall` is the share of each row on the diagonal."""
    classes = pair.table.classes
    if not classes:
        return None
    joint = pair.joint(rows)
    return {
        "classes": list(classes),
        "counts": [[int(n) for n in row] for row in joint.sum(0)],
        "recall": {name: score_to_json(score) for name, score in zip(classes, recalls(joint), strict=True)},
    }


def _nominal(score: Callable[[Floats], Score]) -> Callable[[Pair, Mask, bool], Score]:
    return lambda pair, rows, _: score(pair.joint(rows))


def _numeric(score: Callable[[Floats, Floats, list[int]], Score]) -> Callable[[Pair, Mask, bool], Score]:
    return lambda pair, rows, _: score(*pair.numbers(rows))


def _ac1(pair: Pair, rows: Mask, _: bool) -> Score:
    return gwet_ac1(*pair.counts(rows))


def _alpha_nominal(pair: Pair, rows: Mask, _: bool) -> Score:
    counts, sources = pair.counts(rows)
    return krippendorff_alpha(counts, "nominal", sources=sources)


def _alpha_ordinal(judge: Floats, other: Floats, sources: list[int]) -> Score:
    both = np.stack([judge, other], axis=1)
    values, place = np.unique(both, return_inverse=True)
    if len(values) > MOST_VALUES:
        return Undefined(f"more than {MOST_VALUES} values, so no grades", len(judge))
    counts = np.eye(len(values))[place.reshape(both.shape)].sum(1)
    return krippendorff_alpha(counts, "ordinal", sources=sources)


def _alpha_interval(judge: Floats, other: Floats, sources: list[int]) -> Score:
    both = np.stack([judge, other], axis=1)
    return interval_alpha(both, np.ones(both.shape, bool), sources)


def _alpha_z(judge: Floats, other: Floats, sources: list[int]) -> Score:
    both = np.stack([judge, other], axis=1)
    given = np.ones(both.shape, bool)
    return interval_alpha(standardised(both, given), given, sources)


def _spearman(pair: Pair, rows: Mask, is_quick: bool) -> Score:
    judge, other, sources = pair.numbers(rows)
    if is_quick:  # the same value; its interval is not wanted, and takes ranks anew for each source
        return pearson(ranks(judge), ranks(other), sources)
    return spearman(judge, other, sources)


def _pearson(pair: Pair, rows: Mask, _: bool) -> Score:
    return pearson(*pair.numbers(rows))


def _bias(judge: Floats, other: Floats, sources: list[int]) -> Score:
    return clustered_mean(judge - other, sources, ANYWHERE)


def _mae(judge: Floats, other: Floats, sources: list[int]) -> Score:
    return clustered_mean(np.abs(judge - other), sources, Interval(0.0, np.inf))


_OF: Mapping[Measure, Callable[[Pair, Mask, bool], Score]] = {
    "accuracy": _nominal(accuracy),
    "balanced_accuracy": _nominal(mean_recall),
    "kappa": _nominal(kappa),
    "ac1": _ac1,
    "alpha_nominal": _alpha_nominal,
    "alpha_ordinal": _numeric(_alpha_ordinal),
    "alpha_interval": _numeric(_alpha_interval),
    "alpha_z": _numeric(_alpha_z),
    "spearman": _spearman,
    "pearson": _pearson,
    "bias": _numeric(_bias),
    "mae": _numeric(_mae),
}
