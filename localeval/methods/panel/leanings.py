"""What a judge leans to: marks high or low, its own family, a place in the line-up, length."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from localeval.methods.panel.schemas import NA, SourcePanel
from localeval.methods.panel.tally import TOP, Mask, Table
from localeval.stats.correlation import spearman_within
from localeval.stats.estimate import Score, Undefined
from localeval.stats.intervals import Floats
from localeval.stats.means import adjusted_slope, clustered_effect, clustered_mean
from localeval.values import Missing


@dataclass(frozen=True, slots=True, eq=False)
class Offsets:
    """How far each judge's score lies above the cell's mean, all judges alike [sources, systems, judges].

    Read only where `is_there`: the judge and at least one other have a complete sheet.
    """

    values: Floats
    is_there: Mask


def offsets_of(table: Table) -> Offsets:
    """Each judge against the mean of all judges of the cell, itself among them."""
    there = table.is_complete
    n = there.sum(-1, keepdims=True)
    mean = (table.scores * there).sum(-1, keepdims=True) / np.maximum(n, 1)
    return Offsets(table.scores - mean, there & (n >= 2))


def severity(offsets: Offsets, judge: int) -> Score:
    """Mean offset of a judge over its cells, in [-1, 1]: above 0 it marks higher than the panel, below 0 harder."""
    here = offsets.is_there[:, :, judge]
    if not here.any():
        return Undefined("no cell with another judge")
    return clustered_mean(offsets.values[here, judge], np.argwhere(here)[:, 0].tolist())


def own_family(table: Table, judge: int, judge_families: Sequence[str], system_families: Mapping[str, str]) -> Score:
    """How much higher a judge scores texts of its own family than the other judges do, in [-1, 1]; 0 is fair.

    For each other judge of another family: the mean difference of the two on texts of the judge's family, less the
    mean difference on texts of a third family, so that neither how hard the two mark nor what the other likes enters.
    The value is the mean over these judges. Systems and judges of unknown family do not enter.
    """
    own = judge_families[judge]
    families = np.array([system_families.get(system, "") for system in table.systems])
    if not own or own not in families:
        return Undefined("no system is known to be of this judge's family")
    others = [j for j, family in enumerate(judge_families) if family and family != own]
    if not others:
        return Undefined("no judge is known to be of another family")
    influence = np.zeros(table.is_cell.shape)
    used = np.zeros(table.is_cell.shape, bool)
    values = []
    for other in others:
        both = table.is_complete[:, :, judge] & table.is_complete[:, :, other]
        mine = both & (families == own)
        third = both & (families != own) & (families != "") & (families != judge_families[other])
        if not (mine.any() and third.any()):
            continue
        gap = table.scores[:, :, judge] - table.scores[:, :, other]
        values.append(float(gap[mine].mean() - gap[third].mean()))
        influence += mine * (gap - gap[mine].mean()) / mine.sum() - third * (gap - gap[third].mean()) / third.sum()
        used |= mine | third
    if not values:
        return Undefined("no text of a third family was judged by this judge and one of another family")
    sources = np.argwhere(used)[:, 0].tolist()
    return clustered_effect(float(np.mean(values)), influence[used] / len(values), sources)


@dataclass(frozen=True, slots=True, eq=False)
class Placings:
    """A judge's single grades in line-ups, over 2, with where the candidate stood; one row a verdict [verdicts].

    `lead` is 0.5 in the first half of the line-up, -0.5 in the second, 0 in the middle. `item` numbers system and
    criterion together.
    """

    grades: Floats
    place: Floats
    lead: Floats
    source: list[int]
    system: list[int]
    item: list[int]


def placings(panels: Mapping[str, SourcePanel], table: Table) -> list[Placings]:
    """The placings of every judge, in the order of the table's."""
    return [_placings(panels, table, judge) for judge in table.judges]


def _placings(panels: Mapping[str, SourcePanel], table: Table, judge: str) -> Placings:
    rows: list[tuple[float, int, float, int, int, int]] = []
    systems = {name: number for number, name in enumerate(table.systems)}
    criteria = {name: number for number, name in enumerate(table.criteria)}
    for s, panel in enumerate(panels.values()):
        for system, by_judge in panel.sheets.items():
            m = systems[system]
            for criterion, repeats in by_judge.get(judge, {}).items():
                item = m * len(criteria) + criteria[criterion]
                for verdict in repeats:
                    score, position = verdict.score, verdict.position
                    if position < 0 or isinstance(score, Missing) or score == NA:
                        continue
                    behind = 2 * position - (verdict.line_up - 1)
                    rows.append((score / TOP, position, 0.5 * ((behind < 0) - (behind > 0)), s, m, item))
    table_of = np.array(rows, float).reshape(-1, 6)
    source, system_of, item_of = (table_of[:, column].astype(int).tolist() for column in (3, 4, 5))
    return Placings(table_of[:, 0], table_of[:, 1], table_of[:, 2], source, system_of, item_of)


def position_effect(placed: Placings) -> dict[str, Score]:
    """What a place in the line-up does to a judge's grades over 2.

    "first_half": mean of the first half less that of the second, systems, criteria and sources alike, in [-1, 1].
    "place": Spearman with the place within sources, of each text's mean grade less that of its system and criteria;
    below 0 where early places do better.
    """
    if not len(placed.grades):
        without = Undefined("no line-up")
        return {"first_half": without, "place": without}
    first_half = adjusted_slope(placed.grades, placed.lead, [placed.item, placed.source], placed.source)
    means = np.bincount(placed.item, placed.grades) / np.maximum(np.bincount(placed.item), 1)
    rest = placed.grades - means[placed.item]
    keys = np.stack([placed.source, placed.system, placed.place.astype(int)], axis=1)
    texts, group = np.unique(keys, axis=0, return_inverse=True)
    level = np.bincount(group.ravel(), rest) / np.bincount(group.ravel())
    place = spearman_within(np.round(level, 9), texts[:, 2].astype(float), texts[:, 0].tolist())
    return {"first_half": first_half, "place": place}


def length_effect(
    table: Table, offsets: Offsets, judge: int, lengths: Mapping[tuple[str, str], int]
) -> dict[str, Score]:
    """Spearman with the length of the candidate, within sources.

    "score": of the judge's scores, which may follow length because longer texts are better. "offset": of its offset
    from the panel, which tells whether it follows length more than the other judges do.
    """
    has_length = [(source, system) in lengths for source in table.sources for system in table.systems]
    known = np.array(has_length, bool).reshape(table.is_cell.shape)
    columns = {
        "score": (table.scores, table.is_complete[:, :, judge]),
        "offset": (offsets.values, offsets.is_there[:, :, judge]),
    }
    found: dict[str, Score] = {}
    for name, (values, is_there) in columns.items():
        at = np.argwhere(is_there & known)
        long = np.array([lengths[table.sources[s], table.systems[m]] for s, m in at.tolist()], float)
        found[name] = spearman_within(np.round(values[at[:, 0], at[:, 1], judge], 9), long, at[:, 0].tolist())
    return found
