"""From labels to arrays: who gave which value to which item of which text."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from localeval.inputs.judge_labels import JudgeLabel
from localeval.inputs.label_items import CLASSES, Scale, form_of
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.methods.panel.schemas import NA
from localeval.stats.intervals import Floats

Mask = NDArray[np.bool_]
Numbers = NDArray[np.intp]

NO_CLASS = -1
_COUNTED = {"unfaithful": 1.0, "faithful": 0.0, "kept": 1.0, "bent": 0.0, "lost": 0.0}
"""What words count as, where a mean of them is a share: of texts called unfaithful, of questions kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """All labels of one group of items; a row for each item of each text, a column for each rater.

    `source` and `system` [rows] number the names. `numbers` [rows, raters] are read where `is_number`; `chosen` [rows,
    raters] number the `classes`, NO_CLASS where there is none.
    """

    group: str
    scale: Scale
    classes: tuple[str, ...]
    raters: tuple[str, ...]
    sources: tuple[str, ...]
    systems: tuple[str, ...]
    source: Numbers
    system: Numbers
    numbers: Floats
    is_number: Mask
    chosen: Numbers

    @property
    def is_rated(self) -> Mask:
        """Where a rater gave anything [rows, raters]."""
        return np.asarray(self.is_number | (self.chosen != NO_CLASS))


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One rater, or several as one [rows]; as the columns of `Ratings`. `n_tied` rows had no majority."""

    numbers: Floats
    is_number: Mask
    chosen: Numbers
    n_tied: int = 0

    @property
    def is_rated(self) -> Mask:
        """Where there is anything [rows]."""
        return np.asarray(self.is_number | (self.chosen != NO_CLASS))


def ratings_of(labels: Iterable[JudgeLabel], raters: Sequence[str]) -> dict[str, Ratings]:
    """The labels of these raters by group of items, groups in the order of their first label; others' are left out."""
    by_group: dict[str, list[JudgeLabel]] = {}
    named = frozenset(raters)
    for label in labels:
        if label.rater not in named:
            continue
        form = form_of(label.item)
        assert form is not None, label.item
        by_group.setdefault(form.group, []).append(label)
    return {group: _table(group, found, raters) for group, found in by_group.items()}


def only(table: Ratings, rows: Mask) -> Ratings:
    """The rows of a table where the mask is True."""
    return Ratings(
        table.group,
        table.scale,
        table.classes,
        table.raters,
        table.sources,
        table.systems,
        table.source[rows],
        table.system[rows],
        table.numbers[rows],
        table.is_number[rows],
        table.chosen[rows],
    )


def pooled(table: Ratings, raters: Sequence[int]) -> Column:
    """Several raters as one: the mean of the numbers that they gave, and the class that most of them gave.

    Where two classes are given most often, none is.
    """
    given = table.is_number[:, raters]
    numbers = (table.numbers[:, raters] * given).sum(1) / np.maximum(given.sum(1), 1)
    if not table.classes:
        return Column(numbers, np.asarray(given.any(1)), np.full(len(numbers), NO_CLASS))
    votes = np.stack([(table.chosen[:, raters] == each).sum(1) for each in range(len(table.classes))], axis=1)
    most = votes.max(1)
    is_tied = (most > 0) & ((votes == most[:, None]).sum(1) > 1)
    chosen = np.where((most > 0) & ~is_tied, votes.argmax(1), NO_CLASS)
    return Column(numbers, np.asarray(given.any(1)), np.asarray(chosen, np.intp), int(is_tied.sum()))


def _table(group: str, labels: Sequence[JudgeLabel], raters: Sequence[str]) -> Ratings:
    form = form_of(labels[0].item)
    assert form is not None
    matters = {matter: row for row, matter in enumerate(dict.fromkeys((x.source, x.system, x.item) for x in labels))}
    place = {rater: column for column, rater in enumerate(raters)}
    classes = _classes(group, form.scale, labels)
    shape = (len(matters), len(raters))
    numbers, is_number = np.zeros(shape), np.zeros(shape, bool)
    chosen = np.full(shape, NO_CLASS)
    for label in labels:
        at = matters[label.source, label.system, label.item], place[label.rater]
        number = _number(label.value, form.scale)
        numbers[at], is_number[at] = number or 0.0, number is not None
        chosen[at] = classes.index(_word(label.value)) if classes else NO_CLASS
    sources = tuple(dict.fromkeys(source for source, _, _ in matters))
    systems = tuple(sorted({system for _, system, _ in matters}))
    return Ratings(
        group=group,
        scale=form.scale,
        classes=classes,
        raters=tuple(raters),
        sources=sources,
        systems=systems,
        source=_numbered([source for source, _, _ in matters], sources),
        system=_numbered([system for _, system, _ in matters], systems),
        numbers=numbers,
        is_number=is_number,
        chosen=chosen,
    )


def _numbered(names: Sequence[str], known: Sequence[str]) -> Numbers:
    number: Mapping[str, int] = {name: n for n, name in enumerate(known)}
    return np.array([number[name] for name in names], np.intp)


def _classes(group: str, scale: Scale, labels: Sequence[JudgeLabel]) -> tuple[str, ...]:
    """The classes that could have been given; NA is none of faithfulness."""
    if scale == "class":
        return tuple(sorted({_word(label.value) for label in labels}))
    found = CLASSES.get(scale, ())
    return tuple(each for each in found if each != NA) if group == f"panel/{FAITHFULNESS}" else found


def _word(value: float | str) -> str:
    """A value as a class; a grade between two, from repeats, is the nearer, of equally near ones the higher."""
    return value if isinstance(value, str) else str(int(np.floor(value + 0.5)))


def _number(value: float | str, scale: Scale) -> float | None:
    if isinstance(value, float):
        return value
    return _COUNTED.get(value) if scale in ("verdict", "fate") else None
