"""A number with its uncertainty, or the reason why there is none."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Note = Literal["", "one source", "few sources"]

FEW_SOURCES = 5
"""From fewer sources than this, how much sources differ is assumed more than it is measured."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, its interval, and what it rests on.

    `n` counts the units that entered it (questions, claims, criteria), `sources` the sources that they belong to,
    `missing` the units without a verdict, which did not enter. `low <= value <= high`, all finite.
    """

    value: float
    low: float
    high: float
    n: int
    missing: int = 0
    sources: int = 1

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low <= self.value <= self.high):
            raise ValueError(f"no estimate: value {self.value}, interval [{self.low}, {self.high}]")

    @property
    def note(self) -> Note:
        """How far the interval reaches.

        "one source": it speaks of further questions on this source, not of other sources. "few sources": it allows for
        other sources by an assumed spread between them (see `localeval.stats.intervals`).
        """
        if self.sources == 1:
            return "one source"
        return "few sources" if self.sources < FEW_SOURCES else ""


@dataclass(frozen=True, slots=True)
class Undefined:
    """Why there is no number: the formula divides by nothing, for example CapP where nothing was answered."""

    reason: str
    n: int = 0
    missing: int = 0
    sources: int = 0


Score = Estimate | Undefined


def score_to_json(score: Score) -> dict[str, float | int | str | None]:
    """A score as a JSON object: always `value`, `n`, `missing`, `sources`; then `low`, `high`, `note`, or `reason`."""
    counts: dict[str, float | int | str | None] = {"n": score.n, "missing": score.missing, "sources": score.sources}
    if isinstance(score, Undefined):
        return {"value": None, "reason": score.reason, **counts}
    return {"value": score.value, "low": score.low, "high": score.high, **counts, "note": score.note}


def score_from_json(body: Mapping[str, float | int | str | None]) -> Score:
    """The score that `score_to_json` wrote; raises KeyError or ValueError on another object."""
    n, missing, sources = (int(body[name] or 0) for name in ("n", "missing", "sources"))
    if body["value"] is None:
        return Undefined(str(body["reason"]), n, missing, sources)
    value, low, high = (float(body[name] or 0.0) for name in ("value", "low", "high"))
    return Estimate(value, low, high, n, missing, sources)
