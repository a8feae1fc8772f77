"""Every interval of `localeval.stats` holds the truth about as often as it says: `benchmarks/coverage` in short."""

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from types import FunctionType, GenericAlias
from typing import get_args, get_type_hints

import numpy as np
import pytest

import localeval.stats
from benchmarks.coverage.measuring import HIGH, LOW, Row, measure
from benchmarks.coverage.rows import ROWS
from localeval.stats.estimate import Undefined
from localeval.stats.intervals import Interval

DRAWS = 100

ELSEWHERE = {
    "score_from_json": "reads an interval that was made before",
    "allowing_for_steps": "only widens an interval that has no width",
    "ratio_intervals": "many of `clustered_ratio` at once",
    "clustered_ratios": "many of `clustered_ratio` at once",
    "ratio_differences": "many of `paired_clustered` at once",
}


def public_functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every function that a module of `localeval.stats` shows."""
    for found in pkgutil.iter_modules(localeval.stats.__path__):
        module = importlib.import_module(f"localeval.stats.{found.name}")
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not name.startswith("_"):
                yield name, value


def holds_an_interval(kind: object) -> bool:
    """Whether a type, one that it is made of or one of its fields has two ends."""
    if get_args(kind):
        return any(holds_an_interval(each) for each in get_args(kind))
    fields = get_type_hints(kind) if is_dataclass(kind) or hasattr(kind, "_fields") else {}
    return {"low", "high"} <= fields.keys() or any(holds_an_interval(each) for each in fields.values())


def test_what_has_two_ends_is_seen() -> None:
    """In itself, in a list and in a field; not where nothing has."""
    assert all(map(holds_an_interval, (Interval, GenericAlias(list, (Interval,)), Interval | Undefined)))
    assert not any(map(holds_an_interval, (float, Undefined, GenericAlias(list, (float,)))))


def test_every_function_with_an_interval_has_a_row() -> None:
    """In the table of the bench, or a reason why it needs none."""
    with_interval = {name for name, each in public_functions() if holds_an_interval(get_type_hints(each)["return"])}
    assert {row.name for row in ROWS} | ELSEWHERE.keys() == with_interval


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.function)
def test_intervals_cover(row: Row) -> None:
    """93 to 97 % of a hundred evaluations at 35 sources, as far as so few tell; above where it is said why."""
    found = measure(row, row.meant, DRAWS)
    spare = 3.3 * np.sqrt(0.05 * 0.95 / (DRAWS * row.share))
    assert found.coverage >= LOW - spare
    assert found.coverage <= HIGH + spare or row.note
    assert found.undefined == 0.0
