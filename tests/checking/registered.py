"""Checks as `localeval judges check` writes them, put into a cache of the test's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from localeval.checking.gate import weigh
from localeval.checking.keys import Judge, judges_of
from localeval.checking.registry import register
from localeval.planting.settings import Bars
from localeval.reading import read_evaluation
from localeval.stats.estimate import Estimate, score_to_json

GOOD = (0.9, 0.05, 0.925)
"""Detection, false alarm, balanced accuracy of a judge that passes the default bars."""
POOR = (0.12, 0.3, 0.41)
"""Of one that does not."""


def estimate(value: float) -> Estimate:
    """A share with an interval of a tenth to either side."""
    return Estimate(value, max(0.0, value - 0.1), min(1.0, value + 0.1), 60, sources=5)


def judged(
    judge: Judge, shares: tuple[float, float, float], missing: float = 0.02, languages: tuple[str, ...] = ("en",)
) -> dict[str, Any]:
    """One judge's part of check.json."""
    detection, false_alarm, balanced = map(estimate, shares)
    bars = Bars()
    reasons = weigh(bars, detection, false_alarm, balanced, missing)
    return {
        "model": judge.model,
        "method": judge.method,
        "key": judge.key,
        "passed": not reasons,
        "reasons": reasons,
        "bars": bars.model_dump(),
        "detection": score_to_json(detection),
        "false_alarm": score_to_json(false_alarm),
        "balanced": score_to_json(balanced),
        "missing": missing,
        "by_language": {
            language: {"detection": score_to_json(detection), "false_alarm": score_to_json(false_alarm)}
            for language in languages
        },
    }


def check_of(
    judges: Mapping[Judge, tuple[float, float, float]], languages: tuple[str, ...] = ("en",)
) -> dict[str, Any]:
    """A check.json with what a registry reads of it."""
    return {
        "schema": "localeval.check/1",
        "name": "test",
        "seed": 1,
        "made": "2026-11-30",
        "models": {judge.model: judge.identity for judge in judges},
        "test": {
            "hash": "abc",
            "sources": [{"id": name, "language": name, "characters": 10, "segments": 2} for name in languages],
            "planted": 60,
            "controls": 24,
        },
        "judges": [judged(judge, shares, languages=languages) for judge, shares in judges.items()],
    }


def register_judges(
    config: Path, shares: Mapping[str, tuple[float, float, float]], languages: tuple[str, ...] = ("en",)
) -> tuple[Judge, ...]:
    """Registers the judges of a config's methods with what a check is to have found; returns those judges."""
    found = {judge: shares[judge.method] for judge in judges_of(*read_evaluation(config)) if judge.method in shares}
    register(check_of(found, languages))
    return tuple(found)
