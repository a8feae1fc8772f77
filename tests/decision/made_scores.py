"""Scores of runs made by hand: values source by source, tested in pairs as the methods test them."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from localeval.methods.leaderboard import Measure, default_rank_by, leaderboard
from localeval.stats.estimate import Undefined, score_to_json
from localeval.stats.means import paired_mean

Json = dict[str, Any]
Values = Mapping[str, Sequence[float | None]]
"""By system, a value a source; None where there is no text about it."""


def _names(n: int) -> list[str]:
    return [f"s{number}" for number in range(n)]


def _score(values: Sequence[float | None], scale: float = 1.0) -> Json:
    """Mean with the t interval, as `score_to_json` writes it."""
    known = np.array([value for value in values if value is not None], float) / scale
    if not len(known):
        return {"value": None, "reason": "no verdict", "n": 0, "missing": len(values), "sources": 0}
    half = 2 * float(known.std(ddof=1)) / len(known) ** 0.5 if len(known) > 1 else 0.1
    mean = float(known.mean())
    low, high = max(0.0, mean - half), mean + half
    return {"value": mean, "low": low, "high": high, "n": len(known), "missing": 0, "sources": len(known), "note": ""}


def _pairs(measure: str, values: Values, scale: float) -> list[Json]:
    rows = []
    for first, second in combinations(sorted(values), 2):
        both = zip(values[first], values[second], strict=True)
        table = np.array([(a, b) for a, b in both if a is not None and b is not None], float).reshape(-1, 2) / 100
        found = paired_mean(table[:, 0], table[:, 1], 0.001)
        if isinstance(found, Undefined):
            rows.append({"first": first, "second": second, measure: score_to_json(found)})
            continue
        row = score_to_json(found.estimate) | {"p_value": found.p_value}
        moved = {each: float(row[each] or 0.0) * 100 / scale for each in ("value", "low", "high")}
        rows.append({"first": first, "second": second, measure: row | moved})
    return rows


def made_panel(
    consensus: Values, disagreement: Values | None = None, families: Mapping[str, str] | None = None
) -> Json:
    """A panel's part; consensus and disagreement in points of 100."""
    apart = disagreement or {name: [4.0] * len(values) for name, values in consensus.items()}
    return {
        "missing": 0,
        "settings": {"judges": ["j", "k"], "families": dict(families or {})},
        "judges": {"j": {"family": "qwen"}, "k": {"family": ""}},
        "systems": {
            name: {
                "rank": None,
                "consensus": _score(values, 100.0),
                "disagreement": _score(apart[name], 100.0),
                "missing_cells": [],
                "by_source": {
                    source: {
                        "consensus": {"value": value / 100, "n": 6},
                        "disagreement": (away or 0.0) / 100,
                        "judges": {"j": value / 100, "k": value / 100},
                    }
                    for source, value, away in zip(_names(len(values)), values, apart[name], strict=True)
                    if value is not None
                },
            }
            for name, values in consensus.items()
        },
        "pairs": _pairs("consensus", consensus, 100.0),
    }


def made_audit(fabrications: Values) -> Json:
    """An audit's part: confirmed fabrications of each text, of ten claims each."""
    found: Json = {"missing": 0, "settings": {}, "systems": {}, "pairs": _pairs("fabrications", fabrications, 1.0)}
    for name, values in fabrications.items():
        cells = {
            source: {"claims": 10, "fabrications": int(n), "disputed": 0, "missing": 0, "unreadable": False}
            for source, n in zip(_names(len(values)), values, strict=True)
            if n is not None
        }
        total = sum(cell["fabrications"] for cell in cells.values())
        found["systems"][name] = {
            "rank": None,
            "claims": 10 * len(cells),
            "fabrications": total,
            "disputed": 0,
            "missing": 0,
            "per_candidate": _score(values),
            "fabrication_rate": _score([None if n is None else n / 10 for n in values]),
            "by_source": cells,
        }
    return found


def made_scores(
    panel: Json | None = None,
    audit: Json | None = None,
    generate: Mapping[str, Json] | None = None,
    incumbent: str = "",
    rank_by: Sequence[Measure] | None = None,
) -> Json:
    """scores.json as far as a decision reads it, the leaderboard made by the real one."""
    methods: Json = {name: part for name, part in (("panel", panel), ("audit", audit)) if part is not None}
    board = leaderboard(methods, rank_by or default_rank_by(methods))
    if generate is not None:
        methods["generate"] = {"missing": 0, "systems": dict(generate)}
    for name, row in board["systems"].items():
        row["incumbent"] = name == incumbent
        row["generic"] = bool((generate or {}).get(name, {}).get("generic"))
    return {"schema": "localeval.scores/1", "name": "made", "leaderboard": board, "methods": methods}


def wrote(model: str = "m", missing: Sequence[str] = (), generic: bool = False, incumbent: bool = False) -> Json:
    """A system's part of methods.generate."""
    return {
        "model": model,
        "incumbent": incumbent,
        "generic": generic,
        "missing": len(missing),
        "missing_texts": [{"source": each, "reason": "truncated", "detail": ""} for each in missing],
        "output_tokens": 200.0,
    }


def made_ledger(money: Mapping[str, float | None], seconds: Mapping[str, float] | None = None) -> Json:
    """ledger.json as far as a decision reads it: money for 1,000 texts, median seconds of a text."""
    return {
        "schema": "localeval.ledger/1",
        "currency": "EUR",
        "models": [{"model": "m", "kind": "local", "roles": ["judge"]}],
        "systems": {
            name: {
                "money_per_1000": each,
                "seconds": {"median": seconds[name], "p95": seconds[name], "n": 4} if seconds else None,
            }
            for name, each in money.items()
        },
    }
