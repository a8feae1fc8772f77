"""Does `target` know how a sentence speaks of each of its targets, and `whole` not? On NewsMTSC."""

from collections.abc import Sequence

import numpy as np

from benchmarks.affect.showing import expect, line, shown, shown_difference
from localeval.public_sets.newsmtsc import LABELS
from localeval.public_sets.signs import CUTS, Signs, confusion, fitted_signs, macro_f1, macro_f1_difference, signs
from localeval.public_sets.targets import Known, Order, TargetRow, known, order, separation
from localeval.stats.correlation import mean_correlation, spearman
from localeval.stats.estimate import Undefined
from localeval.values import Missing

"""Does `target` know how a sentence speaks of each of its targets, and `whole` not? On NewsMTSC."""


YARDSTICK = (
    "published, macro-F1 of a classifier trained on sentences of the same kind, on all of the test sets (Hamborg and "
    "Donnay 2021): .831 as news are, .825 on sentences with several targets"
)


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
