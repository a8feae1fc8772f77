"""Two systems under one panel: compared over the sources on which both have a consensus."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from localeval.methods.panel.tally import TOP, Cells
from localeval.stats.estimate import Undefined, score_to_json
from localeval.stats.means import paired_mean
from localeval.stats.paired import Difference, rank_groups


def compare_systems(
    systems: Sequence[str], cells: Cells, n_repeats: int = 1
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """(pairs, ranks): the difference of consensus (first minus second) with a paired t test, and ranks by consensus.

    A system without a consensus on any source has no rank. What cannot be compared is not told apart.
    """
    found = {
        (first, second): _difference(cells, systems.index(first), systems.index(second), n_repeats)
        for first, second in combinations(sorted(systems), 2)
    }

    def p_value(first: str, second: str) -> float:
        pair = found[min(first, second), max(first, second)]
        return 1.0 if isinstance(pair, Undefined) else pair.p_value

    values = mean_scores(systems, cells)
    return [_row(first, second, pair) for (first, second), pair in found.items()], rank_groups(values, p_value)


def mean_scores(systems: Sequence[str], cells: Cells) -> Mapping[str, float]:
    """The consensus of each system that has one: the mean over its cells."""
    return {
        system: float(cells.score[cells.is_there[:, m], m].mean())
        for m, system in enumerate(systems)
        if cells.is_there[:, m].any()
    }


def _difference(cells: Cells, first: int, second: int, n_repeats: int) -> Difference | Undefined:
    both = cells.is_there[:, first] & cells.is_there[:, second]
    either = cells.is_there[:, first] | cells.is_there[:, second]
    # one grade by one judge on one criterion moves a cell by so much
    grades = (cells.n_scored * cells.n_judges)[both][:, [first, second]] * n_repeats * TOP
    step = float((1 / grades).mean()) if both.any() else 0.0
    missing = int((either & ~both).sum())
    return paired_mean(cells.score[both, first], cells.score[both, second], step, missing)


def _row(first: str, second: str, pair: Difference | Undefined) -> dict[str, Any]:
    row: dict[str, Any] = {"first": first, "second": second}
    if isinstance(pair, Undefined):
        row["consensus"] = score_to_json(pair)
    else:
        row["consensus"] = score_to_json(pair.estimate) | {"p_value": pair.p_value}
    return row
