"""Two systems on one quiz: compared question by question, never across different questions."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from localeval.methods.quiz.schemas import GOLD, UNDETERMINED, Answered
from localeval.methods.quiz.tally import CAP_F1, CAP_P, CAP_R
from localeval.stats.estimate import Undefined, score_to_json
from localeval.stats.intervals import Floats, Ratio
from localeval.stats.paired import joint_counts, mcnemar, paired_clustered, rank_groups
from localeval.values import Missing

BySource = Mapping[str, Sequence[Answered]]
"""One system's answers by source id, in the order of the source's questions."""

Outcomes = Mapping[str, NDArray[np.int_]]
"""What one system made of the questions of each source [questions], as `outcome` has it; -1 without a verdict."""

_OUTCOMES, _MISSING = 3, -1
_PLACES: Mapping[int, int] = {GOLD: 0, UNDETERMINED: 2}
_COMPARED: Mapping[str, Ratio] = {"cap_f1": CAP_F1, "cap_p": CAP_P, "cap_r": CAP_R}


def compare_systems(answers: Mapping[str, BySource]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """(pairs, ranks): every two systems on the questions that both have a verdict for, and ranks by CapF1.

    A pair has the difference (first minus second) of CapF1, CapP and CapR with interval and p-value, and McNemar's
    exact test of who is right more often. A system without a single verdict has no rank.
    """
    outcomes = {system: _outcomes(by_source) for system, by_source in answers.items()}
    pairs = {(a, b): _Pair(outcomes[a], outcomes[b]) for a, b in combinations(sorted(answers), 2)}

    def p_value(first: str, second: str) -> float:
        pair = pairs[min(first, second), max(first, second)]
        found = paired_clustered(pair.joint, CAP_F1)
        return 1.0 if isinstance(found, Undefined) else found.p_value  # what cannot be compared is not told apart

    values = {system: value for system, given in outcomes.items() if (value := _cap_f1(given)) is not None}
    return [_row(a, b, pair) for (a, b), pair in pairs.items()], rank_groups(values, p_value)


def _outcomes(by_source: BySource) -> Outcomes:
    found = {source: [outcome(each) for each in given] for source, given in by_source.items()}
    return {source: np.array([_MISSING if o is None else o for o in given], int) for source, given in found.items()}


def _joined(outcomes: Iterable[NDArray[np.int_]]) -> NDArray[np.int_]:
    """One after the other; empty where there is none."""
    return np.concatenate([*outcomes, np.array([], int)])


class _Pair:
    """The questions of two systems, by what each made of them."""

    def __init__(self, first: Outcomes, second: Outcomes) -> None:
        common = [source for source in first if source in second]
        sizes = [len(first[source]) for source in common]
        of_first, of_second = (_joined(each[source] for source in common) for each in (first, second))
        has_both = (of_first != _MISSING) & (of_second != _MISSING)
        self.missing = int((~has_both).sum())
        place = np.repeat(np.arange(len(common)), sizes)
        of_first, of_second, place = of_first[has_both], of_second[has_both], place[has_both]
        self.joint: Floats = joint_counts(of_first, of_second, place, len(common), _OUTCOMES)

    @property
    def only_first(self) -> int:
        """Questions that only the first got right."""
        return round(float(self.joint[:, 0, 1:].sum()))

    @property
    def only_second(self) -> int:
        """Questions that only the second got right."""
        return round(float(self.joint[:, 1:, 0].sum()))


def outcome(answer: Answered) -> int | None:
    """0 right, 1 wrong, 2 cannot be determined, None without a verdict: the order of `tally.counts`."""
    if isinstance(answer.chosen, Missing):
        return None
    return _PLACES.get(answer.chosen, 1)


def _row(first: str, second: str, pair: _Pair) -> dict[str, Any]:
    row: dict[str, Any] = {"first": first, "second": second}
    for name, ratio in _COMPARED.items():
        found = paired_clustered(pair.joint, ratio, pair.missing)
        if isinstance(found, Undefined):
            row[name] = score_to_json(found)
        else:
            row[name] = score_to_json(found.estimate) | {"p_value": found.p_value}
    row["right"] = {
        "only_first": pair.only_first,
        "only_second": pair.only_second,
        "p_value": mcnemar(pair.only_first, pair.only_second),
    }
    return row


def _cap_f1(given: Outcomes) -> float | None:
    """Pooled CapF1, None without any verdict."""
    every = _joined(given.values())
    counts = np.bincount(every[every != _MISSING], minlength=_OUTCOMES).astype(float)
    if not counts.any():
        return None
    return float(counts @ np.array(CAP_F1.numerator)) / float(counts @ np.array(CAP_F1.denominator))
