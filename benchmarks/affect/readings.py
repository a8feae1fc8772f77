"""Is a score that is expected over probabilities the one that draws come to, and what does each cost? On NewsMTSC."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.affect.asking import TARGET_STAGE, Cost, SentenceRead
from benchmarks.affect.showing import expect, line, shown, shown_difference
from localeval.public_sets.shares import UNIT, paired_difference, places, pooled_share, reading_of, value_fields
from localeval.stats.correlation import mean_correlation
from localeval.stats.estimate import Undefined
from localeval.stats.means import clustered_mean
from localeval.values import Missing

WITHIN = 2.0
"""Standard errors of the mean of the draws within which the expectation should lie."""
BAR = 0.85
"""Share within: of normal errors .954 would be, but a mean of five points of a scale moves in steps."""


@dataclass(frozen=True)
class ReadingRow:
    """One target read both ways: the expectation with its spread, and the mean of the draws; all in [0, 1]."""

    sentence: str
    target: str
    expected: float | Missing
    spread: float
    mean: float | Missing
    draws: tuple[int, ...]
    """The points that were drawn, from 1."""

    @property
    def n_draws(self) -> int:
        """How many could be read."""
        return len(self.draws)

    @property
    def is_within(self) -> bool | None:
        """Whether the two lie within two standard errors, by the judge's own spread; None where one is missing."""
        if isinstance(self.expected, Missing) or isinstance(self.mean, Missing):
            return None
        error = self.spread / np.sqrt(self.n_draws)
        return bool(abs(self.mean - self.expected) <= WITHIN * error + 1e-9)

    def as_json(self) -> dict[str, Any]:
        """For the file of rows."""
        return {
            "set": "readings",
            "sentence": self.sentence,
            "target": self.target,
            "spread": self.spread,
            "draws": list(self.draws),
            "within": self.is_within,
            **value_fields({"expected": self.expected, "mean": self.mean}),
        }


def rows_of(reads: Sequence[SentenceRead]) -> list[ReadingRow]:
    """One row for each target that was read both ways."""
    rows = []
    for read in reads:
        if read.draws is None:
            continue
        for portrait, drawn in zip(read.affect.portraits, read.draws.portraits, strict=True):
            expected, mean = (reading_of(each.items, "valence") for each in (portrait, drawn))
            rows.append(
                ReadingRow(
                    read.sentence.id,
                    portrait.target.name,
                    expected.value,
                    expected.spread,
                    mean.value,
                    mean.draws,
                )
            )
    return rows


def report(rows: Sequence[ReadingRow], reads: Sequence[SentenceRead]) -> bool:
    """Prints the figures; whether the draws come to the expectation as often as they should."""
    kept = [row for row in rows if row.is_within is not None]
    missing = len(rows) - len(kept)
    n_sentences = len({row.sentence for row in rows})
    k = max((row.n_draws for row in rows), default=0)
    print(
        f"\nReadings: {len(rows)} targets of {n_sentences} sentences, by probabilities and by {k} draws, "
        f"{missing} missing"
    )
    if not kept:
        return False
    sources = places([row.sentence for row in kept])
    table = np.array([(row.expected, row.mean) for row in kept], float)
    gaps = table[:, 1] - table[:, 0]
    line("r", shown(mean_correlation(table, np.ones(table.shape, bool), sources)))
    line("mean absolute difference", shown(clustered_mean(np.abs(gaps), sources, UNIT)))
    line("draws minus probabilities", shown_difference(paired_difference(gaps, sources)))
    due = np.mean([row.spread / np.sqrt(row.n_draws) for row in kept]) * np.sqrt(2 / np.pi)
    line("absolute difference due to drawing alone", f"{due:.3f}")
    within = pooled_share(np.array([float(bool(row.is_within)) for row in kept]), sources)
    line(f"within {WITHIN:g} standard errors", shown(within))
    _report_costs(reads)
    holds = not isinstance(within, Undefined) and within.value >= BAR
    return expect(f"draws lie within {WITHIN:g} standard errors in {BAR:.0%} or more", holds, shown(within))


def _report_costs(reads: Sequence[SentenceRead]) -> None:
    """What a target costs each way, where that way was asked first and so had to compute the prompt."""
    both = [read for read in reads if read.draws is not None]
    print(f"tokens a target (calls of {TARGET_STAGE}), of the sentences where it was asked before the other")
    for name, first in (("by probabilities", False), ("by draws", True)):
        chosen = [read for read in both if read.draws_first is first]
        total = Cost()
        for read in chosen:
            total = total.plus(read.draws_cost if first else read.cost)
        n = sum(len(read.sentence.mentions) for read in chosen)
        line(name, told(total, n) if n else "- (no such sentence)")


def told(cost: Cost, n: int) -> str:
    """Tokens for each of `n` targets."""
    return (
        f"{cost.calls / n:.1f} calls, {cost.prompt / n:.0f} prompt tokens, {cost.computed / n:.0f} of them computed, "
        f"{cost.output / n:.1f} output, n {n}"
    )
