"""Does `target` know how a sentence speaks of each of its targets, and `whole` not? What is measured on NewsMTSC."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from localeval.methods.affect.readings import TextAffect
from localeval.public_sets.newsmtsc import ALL_MIXED, ALL_OTHERS, Sentence
from localeval.public_sets.shares import (
    UNIT,
    bootstrapped,
    paired_difference,
    places,
    pooled_share,
    reading_of,
    value_fields,
    value_of,
)
from localeval.public_sets.signs import Signs
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats
from localeval.stats.means import clustered_mean
from localeval.stats.paired import Difference
from localeval.values import Missing

PRONOUNS = frozenset({"he", "him", "his", "himself", "she", "her", "herself", "they", "them", "their", "i", "me", "’m"})
"""What NewsMTSC has among its mentions and no user would give as a target: the text may have two of whom it is said."""
STEP = 0.5
"""Between a pair in the wrong order, a tie and one in the right order."""


@dataclass(frozen=True)
class TargetRow:
    """A target: its label, what `target` says of it and what `whole` says of its sentence, both in [0, 1]."""

    sentence: str
    is_mixed: bool
    name: str
    label: int
    value: float | Missing
    spread: float
    whole: float | Missing
    shares: tuple[float, ...] = ()
    """Probabilities of the points, lowest first."""

    def as_json(self) -> dict[str, Any]:
        """For the file of rows."""
        return {
            "set": "newsmtsc",
            "sentence": self.sentence,
            "mixed": self.is_mixed,
            "target": self.name,
            "label": self.label,
            "spread": self.spread,
            "shares": [round(share, 4) for share in self.shares],
            **value_fields({"value": self.value, "whole": self.whole}),
        }


@dataclass(frozen=True)
class Known:
    """The targets with both values, as columns [targets]; `missing` counts the others."""

    value: Floats
    whole: Floats
    label: Signs
    is_mixed: NDArray[np.bool_]
    is_named: NDArray[np.bool_]
    sentence: list[int]
    missing: int

    @property
    def as_all(self) -> Floats:
        """Weights with which mixed sentences and others count as they do in the whole data set."""
        n_mixed, n_others = (
            len({s for s, m in zip(self.sentence, self.is_mixed, strict=True) if m == k}) for k in (True, False)
        )
        mixed, others = ALL_MIXED / max(n_mixed, 1), ALL_OTHERS / max(n_others, 1)
        return np.where(self.is_mixed, mixed, others)


def rows_of(reads: Iterable[tuple[Sentence, TextAffect]]) -> list[TargetRow]:
    """One row a target."""
    rows = []
    for sentence, affect in reads:
        whole = value_of(affect.whole, "valence")
        for mention, portrait in zip(sentence.mentions, affect.portraits, strict=True):
            valence = reading_of(portrait.items, "valence")
            rows.append(
                TargetRow(
                    sentence.id,
                    sentence.is_mixed,
                    mention.name,
                    mention.label,
                    value_of(portrait.items, "valence"),
                    valence.spread,
                    whole,
                    valence.shares,
                )
            )
    return rows


def known(rows: Sequence[TargetRow]) -> Known:
    """The rows that have both values."""
    kept = [row for row in rows if not isinstance(row.value, Missing) and not isinstance(row.whole, Missing)]
    return Known(
        np.array([row.value for row in kept], float),
        np.array([row.whole for row in kept], float),
        np.array([row.label for row in kept], np.int64),
        np.array([row.is_mixed for row in kept], bool),
        np.array([row.name.casefold() not in PRONOUNS for row in kept], bool),
        places([row.sentence for row in kept]),
        len(rows) - len(kept),
    )


@dataclass(frozen=True)
class Order:
    """Pairs of differently labelled targets of one sentence: how often each contract orders them rightly, ties half."""

    target: Score
    whole: Score
    difference: Difference | Undefined


Kind = Literal["all", "polar", "named"]
"""All pairs; those of a positive and a negative target; those of two targets with names, of which none is a pronoun."""


def order(found: Known, kind: Kind = "all") -> Order:
    """Over the pairs of a kind."""
    pairs = [
        (one, other)
        for one, other in combinations(range(len(found.label)), 2)
        if found.sentence[one] == found.sentence[other]
        and abs(found.label[one] - found.label[other]) >= (2 if kind == "polar" else 1)
        and (kind != "named" or (found.is_named[one] and found.is_named[other]))
    ]
    sources = [found.sentence[one] for one, _ in pairs]
    target, whole = (_rightly(column, found.label, pairs) for column in (found.value, found.whole))
    return Order(
        pooled_share(target, sources),
        # its ties are no accident: no further sentence would change them
        clustered_mean(whole, sources, UNIT),
        paired_difference(target - whole, sources, STEP),
    )


def _rightly(values: Floats, labels: Signs, pairs: Sequence[tuple[int, int]]) -> Floats:
    """1 for a pair in the right order, 0 in the wrong one, 0.5 for a tie."""
    gaps = [(values[one] - values[other]) * np.sign(labels[one] - labels[other]) for one, other in pairs]
    return np.array([0.5 if abs(gap) < 1e-12 else float(gap > 0) for gap in gaps])


def separation(values: Floats, labels: Signs, sources: Sequence[int]) -> Score:
    """Area under the curve: how often a positive target has a higher value than a negative one of any sentence."""
    k = max(sources, default=-1) + 1
    good, bad = labels > 0, labels < 0
    wins, pairs = np.zeros((k, k)), np.zeros((k, k))
    above = np.sign(values[good][:, None] - values[bad][None, :]) / 2 + 0.5
    at = np.ix_(np.asarray(sources, int)[good], np.asarray(sources, int)[bad])
    np.add.at(wins, at, above)
    np.add.at(pairs, at, 1.0)

    def area(drawn: Floats) -> Floats:
        n = ((drawn @ pairs) * drawn).sum(-1)
        return np.asarray(np.where(n > 0, ((drawn @ wins) * drawn).sum(-1) / np.where(n > 0, n, 1.0), 0.5))

    if not good.any() or not bad.any():
        return Undefined("no positive or no negative target", int(good.sum() + bad.sum()))
    return bootstrapped(area, k, int(good.sum() + bad.sum()), 0)
