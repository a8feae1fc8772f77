"""A run's judges as one beside people as one: what is needed to correct a mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from localeval.comparing.draws import Text
from localeval.comparing.given import Given
from localeval.comparing.ratings import NO_CLASS, Column, Mask, Ratings, pooled
from localeval.stats.correction import JudgedItems
from localeval.stats.intervals import Floats
from localeval.stats.voting import log_odds


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A group of items as it is corrected: what the judges together say of each row, and what people say.

    `values` and `truth` [rows] are read where `is_judged` and `is_labelled`; `weights` are the judges' by name.
    `is_doubtful` [rows]: it stands for itself alone, as what was picked for doubt does.
    """

    table: Ratings
    weights: Mapping[str, float]
    values: Floats
    is_judged: Mask
    truth: Floats
    is_labelled: Mask
    is_doubtful: Mask

    def items(self, rows: Mask) -> JudgedItems | str:
        """The judged rows among `rows`, or why no mean of them can be corrected."""
        chosen = np.flatnonzero(rows & self.is_judged)
        labelled = np.flatnonzero(self.is_labelled[chosen])
        chances = np.ones(len(chosen))
        for kind, said in ((self.is_doubtful, "picked for doubt"), (~self.is_doubtful, "drawn at random")):
            here = kind[chosen]
            n, known = int(here.sum()), int((here & self.is_labelled[chosen]).sum())
            if n and not known and len(labelled):
                return f"of {n} texts, none that was {said} has a label"
            chances[here] = known / n if known else 1.0
        sources = self.table.source[chosen].tolist()
        return JudgedItems(
            self.values[chosen], sources, labelled.tolist(), self.truth[chosen[labelled]], chances[labelled]
        )


def judged_of(table: Ratings, given: Given, picked: frozenset[Text]) -> Judged | None:
    """The group with the judges as one and people as one; None where one of the two gave nothing."""
    names = list(table.raters)
    judges = [names.index(each) for each in given.judges if table.is_rated[:, names.index(each)].any()]
    people = [names.index(each) for each in given.people if table.is_rated[:, names.index(each)].any()]
    if not judges or not people:
        return None
    truth = pooled(table, people)
    weights = judge_weights(table, judges, truth)
    each = table.is_number[:, judges] * np.array(weights)
    total = each.sum(1)
    values = (each * table.numbers[:, judges]).sum(1) / np.where(total > 0, total, 1.0)
    texts = [(table.sources[s], table.systems[m]) for s, m in zip(table.source, table.system, strict=True)]
    return Judged(
        table=table,
        weights={names[j]: weight for j, weight in zip(judges, weights, strict=True)},
        values=values,
        is_judged=np.asarray(total > 0),
        truth=truth.numbers,
        is_labelled=truth.is_number,
        is_doubtful=np.array([text in picked for text in texts], bool),
    )


def judge_weights(table: Ratings, judges: Sequence[int], truth: Column) -> list[float]:
    """How much each judge counts, summing to 1: in proportion to the log-odds of meeting people's class beyond chance.

    As the panel's own weights by labels (`localeval.methods.panel.weights`). Equal for one judge, for a scale without
    classes, and where no judge is above chance.
    """
    found = [max(0.0, _log_odds(table, judge, truth)) for judge in judges]
    total = sum(found)
    return [each / total for each in found] if len(judges) > 1 and total > 0 else [1 / len(judges)] * len(judges)


def _log_odds(table: Ratings, judge: int, truth: Column) -> float:
    own = table.chosen[:, judge]
    both = (own != NO_CLASS) & (truth.chosen != NO_CLASS)
    n = int(both.sum())
    if not n:
        return 0.0
    classes = range(len(table.classes))
    by_chance = sum(float((own[both] == c).mean() * (truth.chosen[both] == c).mean()) for c in classes)
    return log_odds(float((own[both] == truth.chosen[both]).sum()), n, min(1.0, by_chance))
