"""How judges choose between two outputs: how often rightly, and what they lean to. Marks as of `llmbar.marks`."""

from collections.abc import Sequence

import numpy as np

from localeval.public_sets.llmbar import Pair, Winner
from localeval.public_sets.shares import UNIT, pooled_share
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats, Ratio, clustered_ratio
from localeval.stats.means import clustered_mean
from localeval.stats.voting import log_odds, weighted_vote

_HITS = Ratio((1, 0), (1, 1))
LABELLED, SPLITS = 60, 200

Votes = Sequence[tuple[Winner, Winner]]
"""Of one judge: (given order, swapped order) a pair."""


def right(marks: Floats) -> Score:
    """Share of the votes [pairs, 2 orders] of one judge that are right, with an interval over pairs."""
    counts = np.stack([(marks > 0).sum(1), (marks < 0).sum(1)], axis=1).astype(float)
    return clustered_ratio(counts, _HITS, missing=int((marks == 0).sum()))


def same_after_swap(votes: Votes) -> Score:
    """Share of the pairs with two votes in which both are for the same output."""
    both = [(first, second) for first, second in votes if first and second]
    return _share([first == second for first, second in both], len(votes) - len(both))


def picks_first(votes: Votes) -> Score:
    """Share of the votes that are for the output that was shown first; without any leaning about a half."""
    given = [
        [(1, 0) if vote == shown else (0, 1) for vote, shown in zip(pair, (1, 2), strict=True) if vote]
        for pair in votes
    ]
    return _pooled(given, sum(vote == 0 for pair in votes for vote in pair))


def picks_longer(pairs: Sequence[Pair], votes: Votes) -> Score:
    """Share of the votes that are for the output with more characters, of pairs whose outputs differ in that."""
    given = [
        [(1, 0) if vote == pair.longer else (0, 1) for vote in each if vote]
        for pair, each in zip(pairs, votes, strict=True)
        if pair.longer
    ]
    missing = sum(vote == 0 for pair, each in zip(pairs, votes, strict=True) for vote in each if pair.longer)
    return _pooled(given, missing)


def longer_is_right(pairs: Sequence[Pair]) -> Score:
    """Share of the pairs whose right output is the longer one."""
    return _share([pair.longer == pair.gold for pair in pairs if pair.longer], 0)


def panel(marks: Floats) -> Score:
    """Share of pairs [pairs, judges, 2 orders] that equal votes get right; an even vote is half right."""
    flat = _flat(marks)
    return pooled_share(weighted_vote(flat, np.ones(flat.shape[1])), list(range(len(flat))))


def weighed_panel(marks: Floats, seed: int, labelled: int = LABELLED, splits: int = SPLITS) -> Score:
    """The same with votes weighed by log-odds learnt from `labelled` random pairs, on the other pairs.

    Mean over `splits` drawings; the interval is over pairs, each with its mean over the drawings that left it out.
    Undefined where no pair is left beside the labelled ones.
    """
    if len(marks) <= labelled:
        return Undefined(f"needs more than {labelled} pairs", len(marks), 0, len(marks))
    rng = np.random.default_rng(seed)
    total, times = np.zeros(len(marks)), np.zeros(len(marks))
    for _ in range(splits):
        order = rng.permutation(len(marks))
        rest = order[labelled:]
        weights = np.repeat(learnt(marks[order[:labelled]]), marks.shape[2])
        total[rest] += weighted_vote(_flat(marks[rest]), weights)
        times[rest] += 1
    known = times > 0
    return clustered_mean(total[known] / times[known], list(range(int(known.sum()))), UNIT)


def learnt(marks: Floats) -> Floats:
    """Log-odds weights [judges] from labelled pairs."""
    return np.array([log_odds(float((each > 0).sum()), float((each != 0).sum())) for each in np.moveaxis(marks, 1, 0)])


def _flat(marks: Floats) -> Floats:
    """[pairs, votes] from [pairs, judges, orders]."""
    pairs, judges, orders = marks.shape
    return marks.reshape(pairs, judges * orders)


def _share(hits: Sequence[bool], missing: int) -> Score:
    return clustered_ratio(np.array([(hit, not hit) for hit in hits], float).reshape(-1, 2), _HITS, missing)


def _pooled(given: Sequence[Sequence[tuple[int, int]]], missing: int) -> Score:
    counts = np.array([np.sum(each, axis=0) if len(each) else (0, 0) for each in given], float).reshape(-1, 2)
    return clustered_ratio(counts, _HITS, missing)
