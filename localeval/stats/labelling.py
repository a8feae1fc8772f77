"""Which texts people should label next, so that few labels tell much and a correction by them stays right."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from localeval.stats.intervals import Floats

Why = Literal["doubt", "random"]
"""doubt: judges lie far apart, or the one judge is least certain. random: drawn, so that it stands for the others."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A text to label: its place, why, and with what probability it was to be picked, in (0, 1].

    What is picked for doubt has probability 1: it stands for itself alone. Of a system's other texts every one had the
    same chance.
    """

    index: int
    why: Why
    chance: float


def choose_labels(
    doubt: Floats,
    systems: Sequence[int],
    sources: Sequence[int],
    budget: int,
    rng: np.random.Generator,
    random_share: float = 0.5,
) -> tuple[Pick, ...]:
    """So many texts to label, in a random order; all of them where the budget reaches that far.

    `doubt` [texts] is how far the judges lie apart, on any scale; `systems` and `sources` [texts] number each text's;
    no two texts share both. First the texts of most doubt, no system or source having more than its even share while
    others have any; then, of the rest, a random sample in proportion to the systems' sizes, that spreads over sources.
    So `ppi_mean` is right with `chances` (Horvitz and Thompson 1952), or with the share of each system's rest that was
    labelled in the end. Raises ValueError for a budget below 1, a share outside (0, 1], or two texts of a system about
    one source.
    """
    n = len(doubt)
    places = list(zip(systems, sources, strict=True))
    if budget < 1 or not 0 < random_share <= 1 or len(set(places)) < n:
        raise ValueError(f"budget {budget}, random share {random_share}, {n} texts at {len(set(places))} places")
    if budget >= n:
        return tuple(Pick(int(each), "random", 1.0) for each in rng.permutation(n))
    # rounded up: without a random text nothing can be corrected
    n_random = max(1, int(np.ceil(budget * random_share - 1e-9)))
    doubtful = _most_doubtful(doubt, places, budget - n_random, rng)
    rest = sorted(set(range(n)) - set(doubtful))
    drawn = _drawn(rest, places, budget - len(doubtful), rng)
    picks = [*(Pick(each, "doubt", 1.0) for each in doubtful), *drawn]
    return tuple(picks[each] for each in rng.permutation(len(picks)))


def _most_doubtful(doubt: Floats, places: Sequence[tuple[int, int]], n: int, rng: np.random.Generator) -> list[int]:
    """Up to `n` texts of most doubt, ties by chance, under even shares that grow where these leave too few."""
    tie = rng.permutation(len(doubt))
    order = sorted(np.flatnonzero(doubt > 0).tolist(), key=lambda each: (-doubt[each], tie[each]))
    most = [_even(n, places, axis) for axis in (0, 1)]
    counts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    kept: dict[int, None] = {}
    while len(kept) < min(n, len(order)):
        for each in order:
            is_room = all(counts[axis][places[each][axis]] < most[axis] for axis in (0, 1))
            if each not in kept and is_room and len(kept) < n:
                kept[each] = None
                for axis in (0, 1):
                    counts[axis][places[each][axis]] += 1
        most = [each + 1 for each in most]
    return list(kept)


def _even(n: int, places: Sequence[tuple[int, int]], axis: int) -> int:
    """The share of each system (axis 0) or source (axis 1) in `n` texts, rounded up."""
    return -(-n // len({place[axis] for place in places}))


def _drawn(rest: Sequence[int], places: Sequence[tuple[int, int]], n: int, rng: np.random.Generator) -> list[Pick]:
    """A random sample of `n`: in each system a stretch of one shuffled order of sources, each where the last ended."""
    by_system: dict[int, list[int]] = {}
    for each in rest:
        by_system.setdefault(places[each][0], []).append(each)
    rank = {source: k for k, source in enumerate(rng.permutation(sorted({source for _, source in places})).tolist())}
    sizes = {system: len(found) for system, found in by_system.items()}
    found: list[Pick] = []
    start = 0
    for system, number in _in_proportion(sizes, n, rng).items():
        order = sorted(by_system[system], key=lambda each: rank[places[each][1]])
        chosen = [order[(start + step) % len(order)] for step in range(number)]
        found += [Pick(each, "random", number / len(order)) for each in chosen]
        start += number
    return found


def _in_proportion(sizes: Mapping[int, int], n: int, rng: np.random.Generator) -> dict[int, int]:
    """`n` dealt out in proportion to sizes (largest remainders, ties by chance), nowhere more than there are."""
    total = sum(sizes.values())
    shares = {name: n * size / total for name, size in sizes.items()}
    dealt = {name: int(share) for name, share in shares.items()}
    tie = dict(zip(sizes, rng.permutation(len(sizes)).tolist(), strict=True))
    order = sorted(sizes, key=lambda name: (dealt[name] - shares[name], tie[name]))
    for name in order[: n - sum(dealt.values())]:
        dealt[name] += 1
    return dealt
