"""Votes of several judges: weighed by what is known of them, and how often they are all of one mind."""

import numpy as np
from numpy.typing import NDArray

from localeval.stats.intervals import Floats


def log_odds(right: float, n: float, chance: float = 0.5, smoothing: float = 1.0) -> float:
    """The weight of a judge's vote: log-odds of being right, less the log-odds of being right by chance.

    `right` of `n` labelled items were judged rightly, and `chance` is the share that would be without any knowledge.
    0 for a judge at chance, negative below it: such a vote counts for the other side. `smoothing` adds so many right
    and wrong items to both. With two alternatives of equal chance and independent judges the sum of these weights is
    the best of all votes (Nitzan and Paroush 1982). Raises ValueError unless 0 <= right <= n and chance is in [0, 1].
    """
    if not (0.0 <= right <= n and 0.0 <= chance <= 1.0 and smoothing > 0.0):
        raise ValueError(f"{right} right of {n}, chance {chance}, smoothing {smoothing}")
    lucky = chance * n
    found = np.log((right + smoothing) / (n - right + smoothing))
    by_chance = np.log((lucky + smoothing) / (n - lucky + smoothing))
    return float(found - by_chance)


def weighted_vote(votes: Floats, weights: Floats) -> Floats:
    """For each item 1 where the weighted votes are for it, 0 where they are against, 0.5 where they are even.

    `votes` [items, voters] are 1 for, -1 against, 0 for a vote that was not given; `weights` [voters] may be negative.
    """
    balance = votes @ weights
    even = np.abs(balance) <= 1e-9 * np.abs(weights).sum()
    return np.where(even, 0.5, (balance > 0).astype(float))


def is_unanimous(votes: Floats) -> NDArray[np.bool_]:
    """Which items [items] got votes of one kind only; a vote that was not given is no other kind."""
    given = np.abs(votes).sum(1)
    return np.asarray((given > 0) & (np.abs(votes.sum(1)) == given))
