"""The Pareto front: the systems that none is better than in one thing without being worse in another."""

from collections.abc import Mapping, Sequence

from localeval.decision.measures import KINDS, Json, MeasureName, System

_QUALITY: tuple[MeasureName, ...] = ("consensus", "cap_f1", "cap_p", "cap_r")
_BESIDES: tuple[MeasureName, ...] = ("fabrications", "cost_per_1000", "seconds")

Point = Sequence[float | None]


def pareto(points: Mapping[str, Point]) -> dict[str, tuple[str, ...]]:
    """By name, who dominates it, in the order of `points`; those whom nobody does are the front.

    A point holds one number an axis, more is better, None where it is not known. A dominates B where it is at least as
    good on every axis, a number that is not known being worse than any, and better on one that both know. So what is
    not known neither protects nor wins: B falls to A whatever B's unknown cost may be, and A's unknown cost lets A
    dominate nobody whose cost is known. That is a strict order: who is dominated, is so by somebody on the front.
    """
    return {
        name: tuple(other for other, theirs in points.items() if other != name and _dominates(theirs, mine))
        for name, mine in points.items()
    }


def _dominates(first: Point, second: Point) -> bool:
    is_better = False
    for mine, theirs in zip(first, second, strict=True):
        if theirs is None:
            continue
        if mine is None or mine < theirs:
            return False
        is_better = is_better or mine > theirs
    return is_better


def axes_of(systems: Mapping[str, System], best: MeasureName | None) -> tuple[MeasureName, ...]:
    """What systems are weighed by: quality, fabrications, cost and seconds, as far as any system has them.

    Quality is `best`, or where that is fabrications the first of consensus, CapF1, CapP and CapR that is known; without
    any of these there is nothing to weigh.
    """
    wanted = (best,) if best in _QUALITY else _QUALITY
    quality = next((name for name in wanted if name and _is_known(systems, name)), None)
    if quality is None:
        return ()
    return (quality, *(name for name in _BESIDES if _is_known(systems, name)))


def _is_known(systems: Mapping[str, System], measure: MeasureName) -> bool:
    return any(system.measures[measure].value is not None for system in systems.values())


def front(systems: Mapping[str, System], best: MeasureName | None) -> tuple[Json, dict[str, tuple[str, ...]]]:
    """(the part `front` of decision.json, who dominates whom) by value, without regard to the intervals.

    A system without a number on the first axis is not weighed: it is neither on the front nor dominated. `unknown` says
    who lacks which of the others.
    """
    axes = axes_of(systems, best)
    points = {
        name: [_oriented(system, axis) for axis in axes]
        for name, system in systems.items()
        if axes and system.measures[axes[0]].value is not None
    }
    dominated = pareto(points)
    return {
        "axes": [{"measure": axis, "better": KINDS[axis].better} for axis in axes],
        "systems": [name for name, by in dominated.items() if not by],
        "unknown": {
            axis: lacking
            for axis in axes
            if (lacking := [name for name, system in systems.items() if system.measures[axis].value is None])
        },
    }, dominated


def _oriented(system: System, axis: MeasureName) -> float | None:
    """The value, more is better."""
    value = system.measures[axis].value
    if value is None:
        return None
    return value if KINDS[axis].better == "high" else -value
