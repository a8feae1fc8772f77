"""The raters themselves: how high each marks, how far they agree with one another, what errors have in common."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from localeval.comparing.measures import MOST_VALUES
from localeval.comparing.ratings import NO_CLASS, Column, Mask, Ratings
from localeval.stats.agreement import gwet_ac1, interval_alpha, krippendorff_alpha, raw_agreement
from localeval.stats.correlation import effective_raters, mean_correlation, mean_spearman
from localeval.stats.estimate import Estimate, Score, Undefined, score_to_json
from localeval.stats.intervals import Floats
from localeval.stats.jackknife import mean_of_groups
from localeval.stats.raters import severity, standardised

Json = dict[str, Any]


def severities(table: Ratings, raters: Sequence[int], people: Sequence[int]) -> Json:
    """For each rater how many items it rated, its mean, and how much higher than the people it marks (`severity`, above
    0: milder), a person compared with the other people."""
    found: Json = {}
    sources = [int(each) for each in table.source]
    for rater in raters:
        given = table.numbers[table.is_number[:, rater], rater]
        found[table.raters[rater]] = {
            "n": int(table.is_rated[:, rater].sum()),
            "mean": float(given.mean()) if len(given) else None,
            "severity": score_to_json(severity(table.numbers, table.is_number, rater, people, sources)),
        }
    return found


def agreement(table: Ratings, raters: Sequence[int]) -> Json | None:
    """How far several raters agree, over all texts and as the mean within systems; None for fewer than two.

    `alpha_z` is alpha after each rater's values are standardised: where it lies well above `alpha_interval`, raters
    differ in how high they mark rather than in what they see.
    """
    if len(raters) < 2:
        return None
    everywhere = np.ones(len(table.source), bool)
    systems, sources = ([int(each) for each in column] for column in (table.system, table.source))
    found: Json = {"raters": [table.raters[each] for each in raters], "all": {}, "within": {}}
    for name in _names(table):

        def score(rows: Mask, name: str = name) -> Score:
            return _score(name, table, rows, raters)

        found["all"][name] = score_to_json(score(everywhere))
        if len(table.systems) > 1 and name not in ("spearman", "pearson"):
            found["within"][name] = score_to_json(mean_of_groups(_valued(score), systems, sources))
    return found


def _valued(score: Callable[[Mask], Score]) -> Callable[[Mask], float]:
    """The value of a score alone, NaN where it has none."""

    def value(rows: Mask) -> float:
        found = score(rows)
        return found.value if isinstance(found, Estimate) else np.nan

    return value


def effective(table: Ratings, judges: Sequence[int], other: Column) -> Json:
    """How many independent judges two or more are worth, by the correlation of their errors.

    An error is a judge's number less the other's, or whether its class is another where there are no numbers.
    """
    if table.is_number.any():
        errors = table.numbers[:, judges] - other.numbers[:, None]
        given = table.is_number[:, judges] & other.is_number[:, None]
    else:
        errors = (table.chosen[:, judges] != other.chosen[:, None]).astype(float)
        given = (table.chosen[:, judges] != NO_CLASS) & (other.chosen[:, None] != NO_CLASS)
    sources = [int(each) for each in table.source]
    found = effective_raters(len(judges), mean_correlation(errors, given, sources))
    return {"judges": len(judges), "effective": score_to_json(found)}


def _names(table: Ratings) -> tuple[str, ...]:
    nominal = ("raw", "ac1", "alpha_nominal") if table.classes else ()
    is_counted = table.scale in ("grade", "share", "count", "score")
    return (*nominal, *(("alpha_ordinal", "alpha_interval", "alpha_z", "spearman", "pearson") if is_counted else ()))


def _score(name: str, table: Ratings, rows: Mask, raters: Sequence[int]) -> Score:
    """One coefficient of the raters over the rows."""
    sources = [int(each) for each in table.source[rows]]
    values, given = table.numbers[rows][:, raters], table.is_number[rows][:, raters]
    if name in ("raw", "ac1", "alpha_nominal"):
        chosen = table.chosen[rows][:, raters]
        counts = np.stack([(chosen == each).sum(1) for each in range(len(table.classes))], axis=1).astype(float)
        if name == "alpha_nominal":
            return krippendorff_alpha(counts, "nominal", sources=sources)
        return gwet_ac1(counts, sources) if name == "ac1" else raw_agreement(counts, sources)
    if name == "alpha_ordinal":
        return _ordinal(values, given, sources)
    if name == "spearman":
        return mean_spearman(values, given, sources)
    if name == "pearson":
        return mean_correlation(values, given, sources)
    return interval_alpha(standardised(values, given) if name == "alpha_z" else values, given, sources)


def _ordinal(values: Floats, given: Mask, sources: Sequence[int]) -> Score:
    known = np.unique(values[given])
    if len(known) > MOST_VALUES:
        return Undefined(f"more than {MOST_VALUES} values, so no grades", len(values))
    counts = np.stack([((values == each) & given).sum(1) for each in known], axis=1).astype(float)
    return krippendorff_alpha(counts, "ordinal", sources=sources)
