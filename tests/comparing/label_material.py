"""Labels that tests make by hand, and judges whose faults are known."""

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from localeval.inputs.judge_labels import JudgeLabel

SYSTEMS = ("weak", "middle", "strong")
LEVEL = {"weak": 20.0, "middle": 50.0, "strong": 80.0}


def write_labels(path: Path, labels: Iterable[JudgeLabel]) -> Path:
    """A label file with these labels."""
    rows = (
        {"source": x.source, "system": x.system, "item": x.item, "rater": x.rater, "value": x.value} for x in labels
    )
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def scored(n_sources: int = 20, noise: float = 6.0, seed: int = 1) -> list[JudgeLabel]:
    """Scores 0 to 100 of three systems by two people and three judges.

    "fair" is a person like the others, "lenient" gives the weak 30 more and the strong none, "blind" sees which system
    it is and nothing else.
    """
    rng = np.random.default_rng(seed)
    labels = []
    for n in range(n_sources):
        for system in SYSTEMS:
            truth = LEVEL[system] + rng.normal(scale=10)
            given = {rater: truth + rng.normal(scale=noise) for rater in ("Ann", "Ben", "fair")}
            given["lenient"] = truth + (80.0 - LEVEL[system]) / 2 + rng.normal(scale=noise)
            given["blind"] = LEVEL[system] + rng.normal(scale=10)
            labels += [
                JudgeLabel(f"s{n}", system, "score/overall", rater, float(value)) for rater, value in given.items()
            ]
    return labels


def audited(n_sources: int = 30, seed: int = 2) -> list[JudgeLabel]:
    """Verdicts of three people and two judges on three systems: "sharp" errs as they do, "trusting" finds nothing."""
    rng = np.random.default_rng(seed)
    labels = []
    for n in range(n_sources):
        for system in SYSTEMS:
            is_bad = rng.random() < (100 - LEVEL[system]) / 100
            for rater in ("Ann", "Ben", "Cid", "sharp"):
                says = is_bad if rng.random() < 0.9 else not is_bad
                labels.append(JudgeLabel(f"s{n}", system, "audit", rater, "unfaithful" if says else "faithful"))
            labels.append(JudgeLabel(f"s{n}", system, "audit", "trusting", "faithful"))
    return labels
