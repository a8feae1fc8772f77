"""Does `target` know how a sentence speaks of each of its targets, and `whole` not? On NewsMTSC."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from benchmarks.affect.asking import SentenceRead
from benchmarks.affect.data import LABELS
from benchmarks.affect.showing import (
    UNIT,
    bootstrapped,
    expect,
    line,
    paired_difference,
    places,
    pooled_share,
    reading_of,
    shown,
    shown_difference,
    value_fields,
    value_of,
)
from benchmarks.affect.signs import CUTS, Signs, confusion, fitted_signs, macro_f1, macro_f1_difference, signs
from localeval.stats.correlation import mean_correlation, spearman
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats
from localeval.stats.means import clustered_mean
from localeval.stats.paired import Difference
from localeval.values import Missing

ALL_MIXED, ALL_OTHERS = 324, 1464
"""Sentences of NewsMTSC's development and test sets whose targets carry different labels, and the others."""
YARDSTICK = (
    "published, macro-F1 of a classifier trained on sentences of the same kind, on all of the test sets (Hamborg and "
    "Donnay 2021): .831 as news are, .825 on sentences with several targets"
)


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


def rows_of(reads: Sequence[SentenceRead]) -> list[TargetRow]:
    """One row a target."""
    rows = []
    for read in reads:
        whole = value_of(read.affect.whole, "valence")
        for mention, portrait in zip(read.sentence.mentions, read.affect.portraits, strict=True):
            valence = reading_of(portrait.items, "valence")
            rows.append(
                TargetRow(
                    read.sentence.id,
                    read.sentence.is_mixed,
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


def report(rows: Sequence[TargetRow], seed: int) -> bool:
    """Prints the figures; whether `target` orders differently labelled targets better than `whole`."""
    found = known(rows)
    n_mixed = len({row.sentence for row in rows if row.is_mixed})
    n_sentences = len({row.sentence for row in rows})
    print(f"\nNewsMTSC: {len(rows)} targets of {n_sentences} sentences, {n_mixed} with differently labelled targets")
    if not len(found.value):
        reasons = {each.reason for row in rows for each in (row.value, row.whole) if isinstance(each, Missing)}
        print(f"no target has both values: {', '.join(sorted(reasons)) or 'nothing was asked'}")
        return False
    _report_signs(found, seed)
    all_pairs = _report_order(found)
    _report_ranks(found)
    print(YARDSTICK)
    better = not isinstance(all_pairs.difference, Undefined) and all_pairs.difference.estimate.value > 0
    return expect("`target` orders them better than `whole`", better, shown_difference(all_pairs.difference))


def _report_signs(found: Known, seed: int) -> None:
    print("macro-F1 of the sign, in the sample; and weighed as all 1,788 sentences are, 324 of them mixed")
    ones = np.ones(len(found.value))
    fixed = f"cuts {CUTS.low} and {CUTS.high}"
    for name, values in (("target", found.value), ("whole", found.whole)):
        _report_f1(f"{name}, {fixed}", signs(values), found)
        fitted, cuts = fitted_signs(values, found.label, found.sentence, ones, seed)
        _report_f1(f"{name}, cuts fitted on the other half", fitted, found)
        line("", f"fitted: {' and '.join(f'{low:.2f}/{high:.2f}' for low, high in cuts)}")
    common = max(LABELS, key=lambda word: int((found.label == LABELS[word]).sum()))
    _report_f1(f"always {common}", np.full(len(ones), LABELS[common]), found)
    target, whole = (
        confusion(found.label, signs(values), found.sentence, ones) for values in (found.value, found.whole)
    )
    line(f"target minus whole, {fixed}", shown(macro_f1_difference(target, whole, len(ones), found.missing)))
    means = {word: found.value[found.label == sign] for word, sign in LABELS.items()}
    told = (f"{word} {values.mean():.2f}" for word, values in means.items() if len(values))
    line("mean value of `target` by label", ", ".join(told))


def _report_f1(name: str, said: Signs, found: Known) -> None:
    """In the sample, and weighed to all sentences."""
    n = len(said)
    here, everywhere = (
        macro_f1(confusion(found.label, said, found.sentence, weights), n, found.missing)
        for weights in (np.ones(n), found.as_all)
    )
    line(name, f"{shown(here)}; {shown(everywhere).split(', n')[0]}")


def _report_order(found: Known) -> Order:
    print("pairs of differently labelled targets of one sentence in the right order, ties half")
    every = order(found)
    polar, named = order(found, "polar"), order(found, "named")
    for name, each in (("all pairs", every), ("a positive and a negative", polar), ("no pronoun", named)):
        line(f"{name}: target", shown(each.target))
        line(f"{name}: whole", shown(each.whole))
        line(f"{name}: target minus whole", shown_difference(each.difference))
    return every


def _report_ranks(found: Known) -> None:
    print("over all targets, whatever their sentence")
    for name, values in (("target", found.value), ("whole", found.whole)):
        line(
            f"{name}: rank correlation with the label",
            shown(spearman(values, found.label.astype(float), found.sentence)),
        )
        line(f"{name}: a positive above a negative", shown(separation(values, found.label, found.sentence)))
    both = np.stack([found.value, found.whole], axis=1)
    line("r of `target` with `whole`", shown(mean_correlation(both, np.ones(both.shape, bool), found.sentence)))
