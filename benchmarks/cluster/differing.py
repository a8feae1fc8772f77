"""Where two runs' scores differ: in what judges said, or only in how probable the engine found it."""

from collections.abc import Iterator
from typing import Any, NamedTuple

EXPECTED = "expected"
"""Scores from the probabilities of the answers' tokens. An engine's probabilities depend on which calls it computes
together, so these move a little whenever a call is computed beside others."""


class Differing(NamedTuple):
    """Values other than expectations that differ, and by how much expectations do at most."""

    others: int
    expected: float


def differing(first: Any, second: Any) -> Differing:
    """Over two scores.json as they were read."""
    others, most = 0, 0.0
    for path, one, two in _leaves(first, second, ()):
        if EXPECTED in path and isinstance(one, float) and isinstance(two, float):
            most = max(most, abs(one - two))
        else:
            others += 1
    return Differing(others, most)


def _leaves(one: Any, two: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any, Any]]:
    """What differs: its place and both values."""
    if isinstance(one, dict) and isinstance(two, dict):
        for name in sorted(one.keys() | two.keys()):
            yield from _leaves(one.get(name), two.get(name), (*path, name))
    elif isinstance(one, list) and isinstance(two, list) and len(one) == len(two):
        for place, (left, right) in enumerate(zip(one, two, strict=True)):
            yield from _leaves(left, right, (*path, str(place)))
    elif one != two:
        yield path, one, two
