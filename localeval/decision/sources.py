"""What single sources say: the values of a system source by source, and a run's numbers without one source."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from localeval.decision.measures import Json, is_known_audit
from localeval.methods.leaderboard import Measure, method_of
from localeval.stats.estimate import Undefined
from localeval.stats.intervals import Floats
from localeval.stats.means import paired_mean

PValues = Callable[[Measure, str, str], float]
"""How surprising the difference of two systems in a measure would be for equal ones; 1 where that is not known."""

Cells = Mapping[str, Mapping[str, Any]]
"""A method's part of one system, by source."""

_Make = Callable[[Iterable[Mapping[str, Any]]], float | None]
"""A score from the cells of a system."""

_SHARES = {"cap_f1": (2, 2, 1), "cap_p": (1, 1, 0), "cap_r": (1, 1, 1)}
"""How kept, bent and lost questions stand beneath the line; above it are kept ones, as often as the first says."""


def by_source(methods: Mapping[str, Any], measure: Measure, system: str) -> dict[str, float]:
    """The system's value about each source where there is one: shares in [0, 1], fabrications as counts."""
    cells: Cells = methods[method_of(measure)]["systems"].get(system, {"by_source": {}})["by_source"]
    read: Callable[[Mapping[str, Any]], float | None]
    if measure == "fabrications":
        read = _fabrications
    elif measure == "consensus":
        read = _consensus
    else:
        read = lambda cell: _share(measure, [cell["counts"]])  # noqa: E731
    return {source: value for source, cell in cells.items() if (value := read(cell)) is not None}


def gaps(methods: Mapping[str, Any], measure: Measure, first: str, second: str) -> Floats:
    """First minus second on every source where both have a value [sources]."""
    mine, theirs = by_source(methods, measure, first), by_source(methods, measure, second)
    return np.array([mine[source] - theirs[source] for source in mine if source in theirs])


def without_source(methods: Mapping[str, Any], source: str | None) -> Json:
    """The numbers of panel, audit and quiz without one source (None: of all), in the shape of scores.json.

    Made of the values by source alone: what a decision reads, without intervals and pairs (`source_p_values`).
    """
    return {
        method: _part(
            measures, methods[method], {n: _cells(body, source) for n, body in methods[method]["systems"].items()}
        )
        for method, measures in _PARTS.items()
        if method in methods
    } | {name: methods[name] for name in methods if name not in _PARTS}


def _cells(body: Mapping[str, Any], source: str | None) -> Cells:
    return {name: cell for name, cell in body["by_source"].items() if name != source}


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _consensus(cell: Mapping[str, Any]) -> float | None:
    value = cell["consensus"]["value"]
    return None if value is None else float(value)


def _fabrications(cell: Mapping[str, Any]) -> float | None:
    return float(cell["fabrications"]) if is_known_audit(cell) else None


def _share(measure: str, counts: Iterable[Mapping[str, Any]]) -> float | None:
    """A pooled ratio of the quiz."""
    table = list(counts)
    kept, bent, lost = (sum(int(each[name]) for each in table) for name in ("kept", "bent", "lost"))
    weights = _SHARES[measure]
    below = weights[0] * kept + weights[1] * bent + weights[2] * lost
    return weights[0] * kept / below if below else None


def _rate(cells: Iterable[Mapping[str, Any]]) -> float | None:
    table = list(cells)
    claims = sum(int(cell["claims"]) for cell in table)
    return sum(int(cell["fabrications"]) for cell in table) / claims if claims else None


_PARTS: Mapping[str, Mapping[str, _Make]] = {
    "panel": {
        "consensus": lambda cells: _mean(_consensus(cell) for cell in cells),
        "disagreement": lambda cells: _mean(cell["disagreement"] for cell in cells),
    },
    "audit": {
        "per_candidate": lambda cells: _mean(_fabrications(cell) for cell in cells),
        "fabrication_rate": _rate,
    },
    "quiz": {
        "cap_f1": lambda cells: _share("cap_f1", (cell["counts"] for cell in cells)),
        "cap_p": lambda cells: _share("cap_p", (cell["counts"] for cell in cells)),
        "cap_r": lambda cells: _share("cap_r", (cell["counts"] for cell in cells)),
    },
}


def _part(measures: Mapping[str, _Make], part: Mapping[str, Any], cells: Mapping[str, Cells]) -> Json:
    """A method's part of scores.json from the cells of its systems, without pairs."""
    systems = {
        name: {"by_source": mine} | {field: {"value": make(mine.values())} for field, make in measures.items()}
        for name, mine in cells.items()
    }
    return {**part, "systems": systems, "pairs": []}


def source_p_values(methods: Mapping[str, Any]) -> PValues:
    """P-values of the paired t test over the sources that two systems share; 1 where it cannot be made."""

    def p_value(measure: Measure, first: str, second: str) -> float:
        mine, theirs = by_source(methods, measure, first), by_source(methods, measure, second)
        common = [source for source in mine if source in theirs]
        table = np.array([[mine[source], theirs[source]] for source in common]).reshape(-1, 2)
        most = max(1.0, float(table.max(initial=0.0)))  # the test is made for shares
        step = max(_step(methods, measure, name, common) for name in (first, second)) / most
        found = paired_mean(table[:, 0] / most, table[:, 1] / most, step)
        return 1.0 if isinstance(found, Undefined) else found.p_value

    return p_value


def _step(methods: Mapping[str, Any], measure: Measure, system: str, sources: Sequence[str]) -> float:
    """The smallest step of a text's value: one fabrication, one question, one grade by one judge on one criterion."""
    if measure == "fabrications" or not sources:
        return 1.0
    cells = [methods[method_of(measure)]["systems"][system]["by_source"][source] for source in sources]
    if measure == "consensus":
        judges = (sum(value is not None for value in cell["judges"].values()) for cell in cells)
        units = [2 * cell["consensus"]["n"] * n for cell, n in zip(cells, judges, strict=True)]
    else:
        units = [int(cell["counts"]["n"]) for cell in cells]
    return float(np.mean([1 / max(n, 1) for n in units]))
