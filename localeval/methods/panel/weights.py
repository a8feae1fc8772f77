"""How much each judge's scores count: equally, or by how well it agrees with people's labels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from localeval.errors import ConfigError
from localeval.methods.panel.schemas import NA, Grade, Label, NotApplicable, PanelSettings, SourcePanel
from localeval.methods.panel.tally import settle
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Ratio, clustered_ratio
from localeval.stats.voting import log_odds
from localeval.values import Missing

_AGREEING = Ratio((1.0, 0.0), (1.0, 1.0))


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What labels say of one judge.

    `accuracy` is the share of labels that it met exactly, NA included; `chance` the share that it would meet if its
    scores were dealt to other items at random; `log_odds` the weight between them, before it is cut at 0.
    """

    accuracy: Score
    chance: float
    log_odds: float


@dataclass(frozen=True, slots=True)
class Weights:
    """The weights by judge, 0 or more, which sum to 1, and how they came about; `judges` is empty for equal ones."""

    kind: Literal["equal", "labels"]
    by_judge: Mapping[str, float]
    judges: Mapping[str, Calibrated]
    n_labels: int = 0


def equal_weights(judges: Sequence[str]) -> Weights:
    """Every judge the same."""
    return Weights("equal", {judge: 1 / len(judges) for judge in judges}, {})


def calibrate(labels: Sequence[Label], panels: Mapping[str, SourcePanel], settings: PanelSettings) -> Weights:
    """Weights in proportion to the log-odds of agreeing with the labels, less those of agreeing by chance.

    A judge at or below chance gets 0: in a mean of scores, unlike in a vote, a negative weight has no meaning. Chance
    is Cohen's (1960): a judge that always gives the most common score meets many labels and yet tells nothing.
    Raises ConfigError where no judge is above chance.
    """
    judges = {judge: _calibrate(judge, labels, panels) for judge in settings.judges}
    kept = {judge: max(0.0, found.log_odds) for judge, found in judges.items()}
    total = sum(kept.values())
    if total <= 0:
        raise ConfigError(
            f"methods.panel.labels: by the {len(labels)} labels in {settings.labels}, no judge agrees with people more "
            f"than by chance ({', '.join(settings.judges)}); give more labels of differing scores, or leave `labels` "
            "out for equal weights, and run again: every reply is kept"
        )
    return Weights("labels", {judge: weight / total for judge, weight in kept.items()}, judges, len(labels))


def _calibrate(judge: str, labels: Sequence[Label], panels: Mapping[str, SourcePanel]) -> Calibrated:
    found = [(label, score) for label in labels if (score := given_score(panels, label, judge)) is not None]
    n, missing = len(found), len(labels) - len(found)
    if not n:
        return Calibrated(Undefined("no labelled verdict of this judge can be read", 0, missing), 0.0, 0.0)
    places = {source: number for number, source in enumerate(dict.fromkeys(label.source for label, _ in found))}
    counts = np.zeros((len(places), 2))
    for label, score in found:
        counts[places[label.source], 0 if score == label.score else 1] += 1
    by_people, by_judge = Counter(label.score for label, _ in found), Counter(score for _, score in found)
    chance = min(1.0, sum(by_people[score] * by_judge[score] for score in by_people) / n**2)
    right = float(counts[:, 0].sum())
    return Calibrated(clustered_ratio(counts, _AGREEING, missing), chance, log_odds(right, n, chance))


def given_score(panels: Mapping[str, SourcePanel], label: Label, judge: str) -> Grade | NotApplicable | None:
    """What a judge gave where a person gave `label`, repeats settled and rounded to a grade; None if missing."""
    panel = panels.get(label.source)
    sheet = panel.sheets.get(label.system, {}).get(judge, {}) if panel is not None else {}
    reading = settle(sheet.get(label.criterion, ()))
    if isinstance(reading, Missing):
        return None
    return NA if reading == NA else nearest_grade(float(reading))


def nearest_grade(grade: float) -> Grade:
    """The grade that is nearest, the higher of two."""
    return 0 if grade < 0.5 else 1 if grade < 1.5 else 2
