"""Shifts and shares of what a judge said, with intervals over sources, as they stand in check.json."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from localeval.checking.probes.context import Found, Json, Place
from localeval.checking.probes.reading import Read
from localeval.stats.estimate import Score, Undefined, score_to_json
from localeval.stats.intervals import Ratio, clustered_ratio
from localeval.stats.means import DIFFERENCES, clustered_mean

POINTS = "points of 100"
SHARE = Ratio((1.0, 0.0), (1.0, 1.0))

_TAIL = 0.05


@dataclass(frozen=True, slots=True)
class Drawn:
    """A value about a source; None where it is missing."""

    source: str
    value: float | None


def shift(drawn: Sequence[Drawn], step: float = 0.5) -> Score:
    """Mean of differences in [-1, 1], clustered by source; of a single source it speaks of further texts on that.

    Where all are the same the spread says nothing: a difference of one `step` may then still turn up in as many texts
    as would be missed with 5 % (1 - 0.05^(1/n)), and the interval reaches so far. Undefined for fewer than two values.
    """
    known = [each for each in drawn if each.value is not None]
    values = np.array([each.value for each in known], float)
    missing = len(drawn) - len(known)
    names = sorted({each.source for each in known})
    if len(known) < 2:
        return Undefined("it takes two texts with both scores", len(known), missing, len(names))
    is_single = len(names) == 1
    clusters = list(range(len(known))) if is_single else [names.index(each.source) for each in known]
    found = clustered_mean(values, clusters, missing=missing)
    if isinstance(found, Undefined):
        return found
    if np.ptp(values) < 1e-12:
        half = step * (1 - _TAIL ** (1 / len(values)))
        low, high = max(DIFFERENCES.low, found.value - half), min(DIFFERENCES.high, found.value + half)
        found = replace(found, low=low, high=high)
    return replace(found, sources=len(names))


def share(drawn: Sequence[Drawn]) -> Score:
    """Share of those that are 1 among values of 0 and 1, clustered by source."""
    names = sorted({each.source for each in drawn})
    counts = np.zeros((len(names), 2))
    for each in drawn:
        if each.value is not None:
            counts[names.index(each.source), 0 if each.value else 1] += 1
    return clustered_ratio(counts, SHARE, sum(each.value is None for each in drawn))


def read_at(found: Found, place: Place) -> Read | None:
    """What a judge said at a place; None where it is missing."""
    read = found[place]
    return read if isinstance(read, Read) else None


def gaps(found: Found, places: Sequence[tuple[str, Place]], base: str, scale: float = 1.0) -> list[Drawn]:
    """How much higher each place's value is than that of the same text in the case `base`; each with its source."""
    drawn = []
    for source, place in places:
        one, other = read_at(found, place), read_at(found, place._replace(case=base))
        drawn.append(Drawn(source, (one.value - other.value) / scale if one and other else None))
    return drawn


def told(what: str, found: Score, rows: Sequence[tuple[str, Score]] = (), note: str = "") -> Json:
    """A probe's result as JSON, every value in points of 100: of the whole scale, or of a share.

    Where there is no shift, the note says why unless it says more.
    """
    if isinstance(found, Undefined):
        note = note or found.reason
    return {
        "what": what,
        "shift": score_to_json(_in_points(found)),
        "unit": POINTS,
        "rows": [{"case": case, "value": score_to_json(_in_points(value))} for case, value in rows],
        "note": note,
    }


def _in_points(found: Score) -> Score:
    if isinstance(found, Undefined):
        return found
    return replace(found, value=100 * found.value, low=100 * found.low, high=100 * found.high)


def not_measured(what: str, why: str) -> Json:
    """A probe that could not be measured, and why."""
    return told(what, Undefined(why), note=why)
