"""The systems of a run, best first, over all of its methods."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from localeval.errors import ConfigError
from localeval.stats.paired import rank_groups

Json = dict[str, Any]
Measure = Literal["fabrications", "consensus", "cap_f1", "cap_p", "cap_r"]
"""What systems may be ranked by. fabrications: confirmed ones a candidate, fewest first; all others highest first."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a measure stands in scores.json: its method, the score's name in a system's part and in a pair's."""

    method: str
    of_system: str
    of_pair: str
    is_better_low: bool = False


_PLACES: Mapping[Measure, _Place] = {
    "fabrications": _Place("audit", "per_candidate", "fabrications", is_better_low=True),
    "consensus": _Place("panel", "consensus", "consensus"),
    "cap_f1": _Place("quiz", "cap_f1", "cap_f1"),
    "cap_p": _Place("quiz", "cap_p", "cap_p"),
    "cap_r": _Place("quiz", "cap_r", "cap_r"),
}

_DEFAULT: tuple[Measure, ...] = ("fabrications", "consensus", "cap_f1")

_SHOWN: Mapping[str, tuple[str, str]] = {
    "consensus": ("panel", "consensus"),
    "disagreement": ("panel", "disagreement"),
    "cap_p": ("quiz", "cap_p"),
    "cap_r": ("quiz", "cap_r"),
    "cap_f1": ("quiz", "cap_f1"),
    "fabrications": ("audit", "fabrications"),
    "fabrications_per_candidate": ("audit", "per_candidate"),
    "fabrication_rate": ("audit", "fabrication_rate"),
    "disputed": ("audit", "disputed"),
}
"""The columns, and where each stands: method, and name in a system's part."""


def method_of(measure: Measure) -> str:
    """The method that gives a measure."""
    return _PLACES[measure].method


def default_rank_by(methods: Mapping[str, Any]) -> tuple[Measure, ...]:
    """What systems are ranked by where the config names nothing: fewest confirmed fabrications, then the panel's
    consensus, then CapF1, as far as the run has them. `methods` as of `leaderboard`."""
    return tuple(measure for measure in _DEFAULT if _PLACES[measure].method in methods)


def leaderboard(methods: Mapping[str, Any], rank_by: Sequence[Measure]) -> Json:
    """Every system with its numbers, best first: docs/scores.md describes it field by field.

    `methods` is that part of scores.json. The rank goes by the first measure; systems that its paired test does not
    tell apart (`localeval.stats.paired.rank_groups`) go by the second, and so on; those that none tells apart share
    a rank. Within such a group, those without a number come after those with one. A system without any of the numbers
    has no rank. Raises ConfigError for a measure whose method the run has not.
    """
    for measure in rank_by:
        method = _PLACES[measure].method
        if method not in methods:
            raise ConfigError(f"rank_by: {measure!r} needs `{method}` under `methods`; add it there or leave it out")
    standings = [_Standing.read(measure, methods) for measure in rank_by]
    systems = sorted({system for part in methods.values() for system in part.get("systems", {})})
    ranked = [system for system in systems if any(system in standing.values for standing in standings)]
    ranks = _ranks(ranked, standings)

    def order(system: str) -> tuple[int, list[float], str]:
        worst = float("inf")
        return ranks.get(system, len(systems) + 1), [-s.values.get(system, -worst) for s in standings], system

    return {
        "rank_by": list(rank_by),
        "systems": {
            system: {"rank": ranks.get(system)} | _shown(methods, system) for system in sorted(systems, key=order)
        },
    }


@dataclass(frozen=True)
class _Standing:
    """One measure: the value of each system that has one, higher is better, and the p-value of two."""

    values: Mapping[str, float]
    p_value: Callable[[str, str], float]

    @classmethod
    def read(cls, measure: Measure, methods: Mapping[str, Any]) -> "_Standing":
        """The measure as it stands in scores.json."""
        place = _PLACES[measure]
        part = methods[place.method]
        sign = -1.0 if place.is_better_low else 1.0
        found = {system: body[place.of_system]["value"] for system, body in part["systems"].items()}
        tests = {frozenset((pair["first"], pair["second"])): pair[place.of_pair] for pair in part["pairs"]}

        def p_value(first: str, second: str) -> float:
            # what cannot be compared is not told apart
            return float(tests.get(frozenset((first, second)), {}).get("p_value", 1.0))

        return cls({system: sign * value for system, value in found.items() if value is not None}, p_value)


def _ranks(systems: Sequence[str], standings: Sequence[_Standing]) -> dict[str, int]:
    """Ranks from 1 by the first standing, and among those that share one by the next."""
    if not standings:
        return dict.fromkeys(systems, 1)
    first, rest = standings[0], standings[1:]
    found = rank_groups({system: first.values[system] for system in systems if system in first.values}, first.p_value)
    groups: dict[int, list[str]] = {}
    for system in systems:
        groups.setdefault(found.get(system, len(found) + 1), []).append(system)
    return {
        system: start + place - 1 for start, group in groups.items() for system, place in _ranks(group, rest).items()
    }


def _shown(methods: Mapping[str, Any], system: str) -> Json:
    """A system's numbers, None where it has none."""
    shown = {
        name: methods.get(method, {}).get("systems", {}).get(system, {}).get(field)
        for name, (method, field) in _SHOWN.items()
    }
    audited = methods.get("audit", {}).get("systems", {}).get(system, {})
    if audited.get("missing") and not audited.get("claims"):
        # nothing found by nobody is not 0 fabrications
        shown |= {"fabrications": None, "disputed": None}
    return shown
