"""One corrected mean as JSON: docs/judges.md describes it."""

from typing import Any

from localeval.stats.correction import Corrected
from localeval.stats.estimate import Score, Undefined, score_to_json

Json = dict[str, Any]


def part_to_json(found: Corrected | Undefined, judged: Score, labels: int) -> Json:
    """A correction by labels, or the reason why there is none, beside what the judge says and how many labels there
    are."""
    if isinstance(found, Undefined):
        return part_of(judged, found, found, labels)
    part = part_of(found.judged, found.estimate, found.labels_alone, found.n_labels, found.is_cut)
    return part | {"worth": found.worth, "weight": found.weight}


def part_of(judged: Score, corrected: Score, labels_alone: Score, labels: int, is_cut: bool = False) -> Json:
    """A correction that has neither a weight nor a worth in labels."""
    scores = {"judged": judged, "corrected": corrected, "labels_alone": labels_alone}
    told = {name: score_to_json(score) for name, score in scores.items()}
    return told | {"labels": labels, "worth": None, "weight": None, "is_cut": is_cut}
