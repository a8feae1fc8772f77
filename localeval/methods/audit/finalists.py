"""Which systems are audited, and on which sources, where auditing all of them would cost too much."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass

from localeval.errors import ConfigError
from localeval.methods.audit.schemas import AuditSettings


@dataclass(frozen=True, slots=True)
class Finalists:
    """What is audited. `systems` are best first, the incumbent last unless it is among them; `sources` hardest first.

    `why` says in one line each how every one of them came in: first the systems, then the sources.
    """

    systems: tuple[str, ...]
    sources: tuple[str, ...]
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a source stands among all: its places by disagreement, length and score, 1 for the hardest."""

    source: str
    disagreement: int
    length: int
    score: int

    @property
    def total(self) -> int:
        return self.disagreement + self.length + self.score


def choose(
    consensus: Mapping[str, float | None],
    disagreement: Mapping[str, float | None],
    length: Mapping[str, int],
    score: Mapping[str, float | None],
    settings: AuditSettings,
) -> Finalists:
    """The best systems by `consensus` and the incumbent, on the hardest sources.

    `consensus` is by system, with None for one that the panel has no number for: it can only be the incumbent. The
    others are by source; `length` names every source, in order, and a source without a `disagreement` or `score`
    comes after all that have one there. A source's places by largest disagreement, greatest length and lowest score
    are added up (equal values share a place); the smallest sums are the hardest, and those that tie stand in the order
    of the sources. Raises ConfigError where the incumbent is no system.
    """
    if settings.incumbent is not None and settings.incumbent not in consensus:
        raise ConfigError(
            f"methods.audit.incumbent: {settings.incumbent!r} is no system of this run; "
            f"name one of {', '.join(sorted(consensus))} or leave it out"
        )
    known = {system: value for system, value in consensus.items() if value is not None}
    best = sorted(known, key=lambda system: (-known[system], system))[: settings.finalists]
    added = [settings.incumbent] if settings.incumbent is not None and settings.incumbent not in best else []
    places = _places(disagreement, length, score)[: settings.hardest]
    why = [
        *(
            f"system {system}: consensus {known[system] * 100:.1f} of 100, place {place}"
            for place, system in enumerate(best, 1)
        ),
        *(f"system {system}: the incumbent" for system in added),
        *(
            f"source {each.source}: place {each.disagreement} by disagreement, {each.length} by length, "
            f"{each.score} by low score, sum {each.total}"
            for each in places
        ),
    ]
    return Finalists((*best, *added), tuple(each.source for each in places), tuple(why))


def _places(
    disagreement: Mapping[str, float | None], length: Mapping[str, int], score: Mapping[str, float | None]
) -> list[_Place]:
    """Every source, hardest first."""
    sources = list(length)
    by_disagreement = _ranks({s: d for s in sources if (d := disagreement.get(s)) is not None})
    by_length = _ranks(length)
    by_score = _ranks({s: -value for s in sources if (value := score.get(s)) is not None})
    places = [
        _Place(s, by_disagreement.get(s, len(by_disagreement) + 1), by_length[s], by_score.get(s, len(by_score) + 1))
        for s in sources
    ]
    return sorted(places, key=lambda each: each.total)


def _ranks(values: Mapping[str, float]) -> dict[str, int]:
    """Places from 1, the largest first; equal values share the place of the first of them."""
    ascending = sorted(values.values())
    return {name: 1 + len(ascending) - bisect_right(ascending, value) for name, value in values.items()}
