"""Two systems audited on the same sources: compared source by source, for each text has claims of its own."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from localeval.methods.audit.tally import CandidateTally, Counts
from localeval.stats.estimate import Estimate, Undefined, score_to_json
from localeval.stats.intervals import Ratio
from localeval.stats.means import paired_mean
from localeval.stats.paired import Difference, paired_clustered, rank_groups

BySource = Mapping[str, CandidateTally]
"""One system's candidates by source id."""

PairsOfCounts = Sequence[tuple[Counts, Counts]]
"""What came of the two candidates of each source."""

_RATE = Ratio((1, 0, 0), (1, 1, 0))
_CONFIRMED, _NOT_CONFIRMED, _ANOTHER_TEXTS = range(3)


def compare_systems(candidates: Mapping[str, BySource]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """(pairs, ranks): every two systems on the sources that both have a text about, and ranks by fabrications a text.

    A pair has the difference (first minus second) of confirmed fabrications a candidate and of their share of the
    claims, each with interval and p-value. A system without a single candidate that is known has no rank.
    """
    pairs = {(a, b): _Pair(candidates[a], candidates[b]) for a, b in combinations(sorted(candidates), 2)}

    def p_value(first: str, second: str) -> float:
        found = pairs[min(first, second), max(first, second)].fabrications
        return 1.0 if isinstance(found, Undefined) else found.p_value  # what cannot be compared is not told apart

    means = {system: mean for system, by_source in candidates.items() if (mean := _mean(by_source)) is not None}
    ranks = rank_groups({system: -mean for system, mean in means.items()}, p_value)
    return [_row(a, b, pair) for (a, b), pair in pairs.items()], ranks


class _Pair:
    """The differences of two systems over the sources that both have a text about."""

    def __init__(self, first: BySource, second: BySource) -> None:
        common = [source for source in first if source in second]
        known = [source for source in common if first[source].is_known and second[source].is_known]
        counts = [(first[source].counts, second[source].counts) for source in known]
        self.fabrications = _count_difference(counts, len(common) - len(known))
        self.fabrication_rate = _rate_difference([(first[source].counts, second[source].counts) for source in common])


def _count_difference(counts: PairsOfCounts, missing: int) -> Difference | Undefined:
    """The difference of the mean numbers a candidate: the paired test over sources, in steps of one fabrication.

    The test is made for shares, so the numbers are put as shares of the claims of the longest candidate.
    """
    most = float(max((each.n for pair in counts for each in pair), default=0) or 1)
    table = np.array([[first.fabrications, second.fabrications] for first, second in counts]).reshape(-1, 2) / most
    found = paired_mean(table[:, 0], table[:, 1], 1 / most, missing)
    if isinstance(found, Undefined):
        return found
    share = found.estimate
    ends = (share.value * most, share.low * most, share.high * most)
    return Difference(Estimate(*ends, share.n, share.missing, share.sources), found.p_value)


def _rate_difference(counts: PairsOfCounts) -> Difference | Undefined:
    """The difference of the pooled shares.

    No claim is common to both texts, so in the joint table every claim of one is outside the other's ratio; what is
    paired is the source, by way of the variance over sources.
    """
    joint = np.zeros((len(counts), 3, 3))
    for table, (first, second) in zip(joint, counts, strict=True):
        table[_CONFIRMED, _ANOTHER_TEXTS] = first.fabrications
        table[_NOT_CONFIRMED, _ANOTHER_TEXTS] = first.n - first.fabrications
        table[_ANOTHER_TEXTS, _CONFIRMED] = second.fabrications
        table[_ANOTHER_TEXTS, _NOT_CONFIRMED] = second.n - second.fabrications
    return paired_clustered(joint, _RATE, sum(first.missing + second.missing for first, second in counts))


def _row(first: str, second: str, pair: _Pair) -> dict[str, Any]:
    row: dict[str, Any] = {"first": first, "second": second}
    for name, found in (("fabrications", pair.fabrications), ("fabrication_rate", pair.fabrication_rate)):
        if isinstance(found, Undefined):
            row[name] = score_to_json(found)
        else:
            row[name] = score_to_json(found.estimate) | {"p_value": found.p_value}
    return row


def _mean(by_source: BySource) -> float | None:
    """Confirmed fabrications a candidate, None where no candidate is known."""
    known = [each.counts.fabrications for each in by_source.values() if each.is_known]
    return sum(known) / len(known) if known else None
