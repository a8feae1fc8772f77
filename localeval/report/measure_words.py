"""The measures of a decision as headings and cells, in the unit of rules: pure."""

from collections.abc import Mapping
from typing import Any

from localeval.decision.measures import KINDS, MeasureName
from localeval.decision.rules import interval_text
from localeval.decision.words import plain

_HEADINGS: Mapping[MeasureName, str] = {
    "consensus": "consensus, points of 100",
    "disagreement": "disagreement, points of 100",
    "fabrications": "confirmed fabrications a text",
    "fabrication_rate": "confirmed fabrications in 100 claims",
    "disputed": "disputed claims a text",
    "cap_f1": "CapF1, %",
    "cap_p": "CapP, %",
    "cap_r": "CapR, %",
    "seconds": "seconds a text, median",
    "missing": "missing texts",
    "tokens": "tokens a text",
}


def measure_heading(measure: MeasureName, currency: str) -> str:
    """What the numbers of a measure are, with their unit."""
    return f"writing 1,000 texts, {currency or 'money'}" if measure == "cost_per_1000" else _HEADINGS[measure]


def measure_text(measure: MeasureName, told: Mapping[str, Any]) -> str:
    """A value of decision.json with its interval, or that it is not known and why."""
    if told["value"] is None:
        return f"not known: {told['reason']}"
    number = plain(measure, told["value"])
    if told.get("low") is None or told.get("high") is None:
        return number
    scale = KINDS[measure].scale
    return f"{number} [{interval_text(told['low'] * scale, told['high'] * scale)}]"
