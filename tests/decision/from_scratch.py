"""Who would be recommended without one source, the long way: every number made anew from all cells that are left."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import fsum
from typing import Any

import numpy as np

from localeval.decision.contest import Contest, PValues, winner
from localeval.decision.measures import System, Value, absent_texts, is_known_audit, read_systems
from localeval.decision.sources import by_source
from localeval.methods.leaderboard import Measure, method_of
from localeval.stats.estimate import Undefined
from localeval.stats.means import paired_mean

Json = dict[str, Any]
Cells = Sequence[Mapping[str, Any]]

_SHARES = {"cap_f1": (2, 2, 1), "cap_p": (1, 1, 0), "cap_r": (1, 1, 1)}


def without_source(methods: Mapping[str, Any], source: str | None) -> Json:
    """The numbers of panel, audit and quiz without one source (None: of all), in the shape of scores.json."""
    found = dict(methods)
    for method, measures in _PARTS.items():
        if method in methods:
            systems = {name: _body(body, measures, source) for name, body in methods[method]["systems"].items()}
            found[method] = {**methods[method], "systems": systems, "pairs": []}
    return found


def _body(body: Mapping[str, Any], measures: Mapping[str, Callable[[Cells], float | None]], source: str | None) -> Json:
    cells = {name: cell for name, cell in body["by_source"].items() if name != source}
    return {"by_source": cells} | {field: {"value": make(list(cells.values()))} for field, make in measures.items()}


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _share(measure: str, cells: Cells) -> float | None:
    kept, bent, lost = (sum(cell["counts"][name] for cell in cells) for name in ("kept", "bent", "lost"))
    weights = _SHARES[measure]
    below = weights[0] * kept + weights[1] * bent + weights[2] * lost
    return weights[0] * kept / below if below else None


def _rate(cells: Cells) -> float | None:
    claims = sum(cell["claims"] for cell in cells)
    return sum(cell["fabrications"] for cell in cells) / claims if claims else None


_PARTS: Mapping[str, Mapping[str, Callable[[Cells], float | None]]] = {
    "panel": {
        "consensus": lambda cells: _mean(cell["consensus"]["value"] for cell in cells),
        "disagreement": lambda cells: _mean(cell["disagreement"] for cell in cells),
    },
    "audit": {
        "per_candidate": lambda cells: _mean(cell["fabrications"] if is_known_audit(cell) else None for cell in cells),
        "fabrication_rate": _rate,
    },
    "quiz": {
        "cap_f1": lambda cells: _share("cap_f1", cells),
        "cap_p": lambda cells: _share("cap_p", cells),
        "cap_r": lambda cells: _share("cap_r", cells),
    },
}


def systems_without(scores: Mapping[str, Any], source: str | None) -> dict[str, System]:
    """Every system read from scores that were made anew."""
    absent = absent_texts(scores)
    read = read_systems({**scores, "methods": without_source(scores["methods"], source)}, None)
    return {
        name: replace(
            system,
            measures={**system.measures, "missing": Value(float(sum(each != source for each in absent[name])))},
        )
        for name, system in read.items()
    }


def p_values_without(scores: Mapping[str, Any], source: str | None) -> PValues:
    """`paired_mean` over the sources that are left; 1 where it is undefined."""
    methods = without_source(scores["methods"], source)

    def p_value(measure: Measure, first: str, second: str) -> float:
        mine, theirs = by_source(methods, measure, first), by_source(methods, measure, second)
        common = [each for each in mine if each in theirs]
        table = np.array([[mine[each], theirs[each]] for each in common]).reshape(-1, 2)
        most = max(1.0, float(table.max(initial=0.0)))
        step = max(_step(methods, measure, name, common) for name in (first, second)) / most
        found = paired_mean(table[:, 0] / most, table[:, 1] / most, step)
        return 1.0 if isinstance(found, Undefined) else found.p_value

    return p_value


def _step(methods: Mapping[str, Any], measure: Measure, system: str, sources: Sequence[str]) -> float:
    if measure == "fabrications" or not sources:
        return 1.0
    cells = [methods[method_of(measure)]["systems"][system]["by_source"][source] for source in sources]
    if measure == "consensus":
        judges = [sum(value is not None for value in cell["judges"].values()) for cell in cells]
        units = [2 * cell["consensus"]["n"] * n for cell, n in zip(cells, judges, strict=True)]
    else:
        units = [cell["counts"]["n"] for cell in cells]
    return float(np.mean([1 / max(n, 1) for n in units]))


def recommended_without(contest: Contest, scores: Mapping[str, Any], source: str | None) -> str | None:
    """Who wins then, None where nobody may."""
    found = winner(replace(contest, systems=systems_without(scores, source), p_values=p_values_without(scores, source)))
    return found.name if found is not None else None
