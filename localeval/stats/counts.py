"""The mean of counted events over sources: faults a text, for example."""

import numpy as np
from scipy import stats

from localeval.stats.estimate import Estimate, Score, Undefined
from localeval.stats.intervals import FOR_RATIOS, Floats, design_effect


def mean_count(events: Floats, trials: Floats, missing: int = 0, confidence: float = 0.95) -> Score:
    """Mean number of events a source, each source counting the same, with its interval; never below 0.

    `events` and `trials` [sources]: of so many trials (claims) so many were an event (a fabrication). `n` and
    `missing` count sources. The interval is the exact one of a Poisson mean (Garwood 1936) with the number of events
    divided by their design effect over sources, as in `localeval.stats.intervals`, and widened by a t quantile. A t
    interval of the counts would do for many events only: with 2 to 30 sources and 6 to 30 trials each it covers 13 to
    95 % where 95 % is claimed, and has no width where no source has an event; this one covers 92 % or more.
    Undefined without any source.
    """
    sources = len(events)
    if not sources:
        return Undefined("nothing to divide by", 0, missing, 0)
    total, value = float(events.sum()), float(events.mean())
    with np.errstate(divide="ignore", invalid="ignore"):
        between = ((events - value) ** 2).sum()
        drawn, freedom = design_effect(events.sum(), between, trials, FOR_RATIOS)
    quantile = float(stats.t.ppf((1 + confidence) / 2, freedom) / stats.norm.ppf((1 + confidence) / 2))
    effect = float(drawn if trials.any() else 1.0) * quantile**2
    tail = (1 - confidence) / 2
    low = float(stats.chi2.ppf(tail, 2 * total / effect)) / 2 * effect / sources if total else 0.0
    high = float(stats.chi2.ppf(1 - tail, 2 * total / effect + 2)) / 2 * effect / sources
    return Estimate(value, low, high, sources, missing, sources)
