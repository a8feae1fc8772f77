"""A run's numbers with one source left out: from totals that are made once, one cell taken away."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from localeval.decision.contest import PValues
from localeval.decision.measures import MeasureName, System, Value, absent_texts
from localeval.decision.sources import NOTHING, READERS, Cell, Part, cells_of, smallest_step
from localeval.methods.leaderboard import Measure, method_of
from localeval.stats.intervals import Floats


class _Total(NamedTuple):
    """A measure of one system over all of its cells, and what it was summed from."""

    whole: Part
    cells: Mapping[str, Cell]
    read: Callable[[Cell], Part]

    def without(self, source: str | None) -> Value:
        """As if there were no cell about the source."""
        cell = self.cells.get(source) if source is not None else None
        part = self.read(cell) if cell is not None else NOTHING
        value = Part(self.whole.top - part.top, self.whole.bottom - part.bottom).value
        return Value(value, reason="no verdict" if value is None else "")


class _Column(NamedTuple):
    """By source, a system's value in a measure, NaN where there is none, and the smallest step that it can make."""

    values: Floats
    steps: Floats


class LeftOut:
    """The systems of a run, and the tests between them, without any one source.

    Made of the cells by source alone, so without the methods' own intervals and pairs. Each cell is read a fixed number
    of times for a measure, however many sources are left out in turn. `systems` are those with all sources.
    """

    def __init__(self, scores: Mapping[str, Any], systems: Mapping[str, System]) -> None:
        self._methods: Mapping[str, Any] = scores["methods"]
        self._all = systems
        self._absent = {name: Counter(sources) for name, sources in absent_texts(scores).items()}
        self._totals = {name: _totals(self._methods, name) for name in systems}
        seen = dict.fromkeys(
            source for totals in self._totals.values() for total in totals.values() for source in total.cells
        )
        self._places = {source: place for place, source in enumerate(seen)}
        self._columns: dict[tuple[Measure, str], _Column] = {}
        self._tested: dict[tuple[Measure, str, str], Floats] = {}

    def systems(self, source: str | None) -> dict[str, System]:
        """All systems by name, with their values without a source; None: with all."""
        return {name: replace(system, measures=self._measures(name, source)) for name, system in self._all.items()}

    def _measures(self, name: str, source: str | None) -> Mapping[MeasureName, Value]:
        absent = self._absent[name]
        return {
            **self._all[name].measures,
            **{measure: total.without(source) for measure, total in self._totals[name].items()},
            "missing": Value(float(absent.total() - (absent[source] if source is not None else 0))),
        }

    def p_values(self, source: str | None) -> PValues:
        """P-values of the paired t test over the sources that two systems share, without one; 1 where it has none."""
        place = self._places.get(source, -1) if source is not None else -1

        def p_value(measure: Measure, first: str, second: str) -> float:
            pair = (measure, min(first, second), max(first, second))
            if pair not in self._tested:
                self._tested[pair] = self._test(*pair)
            return float(self._tested[pair][place])

        return p_value

    def _test(self, measure: Measure, first: str, second: str) -> Floats:
        """P-values of two systems by the place of the source that is left out; the last one is that with all."""
        mine, theirs = self._column(measure, first), self._column(measure, second)
        shared = np.flatnonzero(~np.isnan(mine.values) & ~np.isnan(theirs.values))
        found = left_out_p_values((mine.values - theirs.values)[shared], mine.steps[shared], theirs.steps[shared])
        told = np.full(len(self._places) + 1, found[-1])
        told[shared] = found[:-1]
        return told

    def _column(self, measure: Measure, name: str) -> _Column:
        if (measure, name) not in self._columns:
            self._columns[measure, name] = self._read_column(measure, name)
        return self._columns[measure, name]

    def _read_column(self, measure: Measure, name: str) -> _Column:
        method = method_of(measure)
        column = _Column(np.full(len(self._places), np.nan), np.ones(len(self._places)))
        for source, cell in cells_of(self._methods, method, name).items():
            value = READERS[method][measure](cell).value
            if value is not None:
                column.values[self._places[source]] = value
                column.steps[self._places[source]] = smallest_step(measure, cell)
        return column


def _totals(methods: Mapping[str, Any], name: str) -> dict[MeasureName, _Total]:
    """The measures of one system, of each method that has something of it."""
    found = {}
    for method, readers in READERS.items():
        if name not in methods.get(method, {}).get("systems", {}):
            continue
        cells = cells_of(methods, method, name)
        for measure, read in readers.items():
            parts = [read(cell) for cell in cells.values()]
            whole = Part(sum(part.top for part in parts), sum(part.bottom for part in parts))
            found[measure] = _Total(whole, cells, read)
    return found


def left_out_p_values(gaps: Floats, first_steps: Floats, second_steps: Floats) -> Floats:
    """P-values [n + 1] of the paired t test of gaps [n] without each of them in turn, the last one with all.

    Each is that of `localeval.stats.means.paired_mean` for what is left, whose `step` is the greater of the two
    systems' mean steps (above 0) over it; 1 where fewer than two are left. Means and squares are taken from those of
    all: leaving x out moves a mean by (x - mean) / (n - 1) and the sum of squares by n / (n - 1) (x - mean)^2. What
    rounding leaves of a spread in which one gap had nearly all is far below the step.
    """
    n = len(gaps)
    if n < 2:
        return np.ones(n + 1)
    left = np.append(np.full(n, n - 1.0), n)
    freedom = np.maximum(left - 1, 1)
    away = np.append(gaps - gaps.mean(), 0.0)
    squares = np.maximum((away**2).sum() - away**2 * n / (n - 1), 0.0)
    step = np.maximum(_left_out_means(first_steps), _left_out_means(second_steps))
    error = np.maximum(np.sqrt(squares / freedom), step / 2) / np.sqrt(left)
    p_values = 2 * stats.t.sf(np.abs(_left_out_means(gaps)) / error, freedom)
    return np.where(left < 2, 1.0, p_values)


def _left_out_means(values: Floats) -> Floats:
    """Means [n + 1] of values [n >= 2] without each of them, the last one with all."""
    return np.append((values.sum() - values) / (len(values) - 1), values.mean())
