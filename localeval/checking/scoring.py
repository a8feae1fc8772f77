"""From rulings to what is said of a judge: how much of what was planted it finds, how often it blames what is right."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from localeval.checking.asking.rulings import Ruling
from localeval.checking.building import N_POSITIONS
from localeval.checking.texts import SHORTENED, WHOLE
from localeval.planting.settings import CheckedMethod
from localeval.stats.detection import balanced_from
from localeval.stats.estimate import Score, score_to_json
from localeval.stats.intervals import Ratio, clustered_ratio
from localeval.values import Missing

Json = dict[str, object]

_FLAGGED = Ratio((1.0, 0.0), (1.0, 1.0))
_PANES = 4
"""Lengths of source that are told apart on the heat map, at most."""


@dataclass(frozen=True)
class Weighed:
    """What is asked of the bars, and everything else that is said of one judge in one method."""

    detection: Score
    false_alarm: Score
    balanced: Score
    missing: float
    rest: Json


def weighed(rulings: Sequence[Ruling], share: float | None) -> Weighed:
    """What one judge's rulings in one method come to. `share` is how much of a source the shortened view shows.

    Detection and false alarms are shares of texts, pooled over kinds and sources, intervals by source. What is held
    against less than the whole source enters neither.
    """
    counted = [each for each in rulings if each.view == WHOLE and each.weighs]
    detection, false_alarm = flagged(counted, planted), flagged(counted, control)
    gone = [each.is_flagged.reason for each in counted if isinstance(each.is_flagged, Missing)]
    missing = len(gone) / len(counted) if counted else 0.0
    shown = [each for each in rulings if each.view == WHOLE]
    kinds = dict.fromkeys(each.kind for each in shown if each.is_planted)
    controls = dict.fromkeys(each.kind for each in counted if not each.is_planted)
    languages = dict.fromkeys(each.language for each in counted)
    rest: Json = {
        "missing_by_reason": dict(sorted(Counter(gone).items())),
        "by_kind": {kind: _json(_of_kind(shown, kind), planted) for kind in kinds},
        "by_control": {kind: _json(_of_kind(counted, kind), control) for kind in controls},
        "by_language": {
            language: _both([each for each in counted if each.language == language]) for language in languages
        },
        "heat": _heat([each for each in rulings if each.view != SHORTENED and each.weighs]),
        "shortened": _shortened([each for each in rulings if each.view == SHORTENED], share),
    }
    return Weighed(detection, false_alarm, balanced_from(detection, false_alarm), missing, rest)


def planted(ruling: Ruling) -> bool:
    """Whether something was planted in the text."""
    return ruling.is_planted


def control(ruling: Ruling) -> bool:
    """Whether nothing was."""
    return not ruling.is_planted


def flagged(rulings: Iterable[Ruling], wanted: Callable[[Ruling], bool]) -> Score:
    """The share of the wanted texts in which the judge found something, with an interval over sources."""
    chosen = [each for each in rulings if wanted(each)]
    read = [each for each in chosen if not isinstance(each.is_flagged, Missing)]
    place = {origin: number for number, origin in enumerate(dict.fromkeys(each.origin for each in read))}
    counts = np.zeros((len(place), 2))
    for each in read:
        counts[place[each.origin], 0 if each.is_flagged else 1] += 1
    return clustered_ratio(counts, _FLAGGED, len(chosen) - len(read))


def by_method(rulings: Iterable[Ruling]) -> dict[tuple[CheckedMethod, str], list[Ruling]]:
    """The rulings of each method's judges, in the order in which they come."""
    found: dict[tuple[CheckedMethod, str], list[Ruling]] = {}
    for each in rulings:
        found.setdefault((each.method, each.model), []).append(each)
    return found


def share_of(accused: int, sentences: int, by_source: Sequence[tuple[int, int]]) -> Json | None:
    """Of sentences that were left as they were, the share that was accused; None where there were none."""
    if not sentences:
        return None
    counts = np.array([(guilty, of - guilty) for guilty, of in by_source], float)
    return dict(score_to_json(clustered_ratio(counts, _FLAGGED)))


def _of_kind(rulings: Iterable[Ruling], kind: str) -> list[Ruling]:
    return [each for each in rulings if each.kind == kind]


def _json(rulings: Iterable[Ruling], wanted: Callable[[Ruling], bool]) -> Json:
    return dict(score_to_json(flagged(rulings, wanted)))


def _both(rulings: Sequence[Ruling]) -> Json:
    return {"detection": _json(rulings, planted), "false_alarm": _json(rulings, control)}


def _heat(rulings: Sequence[Ruling]) -> list[Json]:
    """Detection by length of source and place in it; false alarms have no place, and stand by length.

    Sources of about the same length share a row: the lengths are parted into at most four groups of equal number.
    """
    placed = [each for each in rulings if each.position is not None]
    if not any(each.is_planted for each in placed):
        return []
    rows: list[Json] = []
    for low, high in _lengths(placed):
        here = [each for each in rulings if low <= each.characters <= high]
        found = [each for each in here if each.position is not None]
        for part in range(N_POSITIONS):
            span = [part / N_POSITIONS, (part + 1) / N_POSITIONS]
            detection = _json([each for each in found if _part(each) == part], planted)
            row: Json = {"characters": [low, high], "position": span, "detection": detection}
            rows.append(row | {"false_alarm": _json(here, control)})
    return rows


def _lengths(rulings: Sequence[Ruling]) -> list[tuple[int, int]]:
    """Shortest and longest of each group of sources."""
    lengths = sorted({each.characters for each in rulings})
    groups = np.array_split(np.array(lengths), min(_PANES, len(lengths)))
    return [(int(group[0]), int(group[-1])) for group in groups]


def _part(ruling: Ruling) -> int:
    """The part of the source in which the error's matter stands, from 0."""
    assert ruling.position is not None
    return min(N_POSITIONS - 1, int(ruling.position * N_POSITIONS))


def _shortened(rulings: Sequence[Ruling], share: float | None) -> Json | None:
    """Detection and false alarms against the first part of the sources, for what stands there and for what does not."""
    placed = [each for each in rulings if each.position is not None]
    if share is None or not placed:
        return None
    seen = [each for each in placed if each.position is not None and each.position <= share]
    return {
        "share": share,
        "seen": _both(seen),
        "unseen": _both([each for each in placed if each not in seen]),
    }
