"""`localeval.decision.leaving`: one source less, as if all were made anew, and without making it anew."""

from collections.abc import ItemsView, Iterator, Mapping, ValuesView
from dataclasses import replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from localeval.decision.leaving import LeftOut, left_out_p_values
from localeval.decision.measures import sources_of
from localeval.decision.recommend import decide, read_contest
from localeval.decision.schemas import SelectSettings
from localeval.methods.leaderboard import Measure
from localeval.stats.means import paired_mean
from tests.decision.from_scratch import p_values_without, recommended_without, systems_without, without_source
from tests.decision.made_scores import made_audit, made_panel, made_scores

Json = dict[str, Any]
SOURCES = [f"s{number}" for number in range(5)]
MEASURES: tuple[Measure, ...] = ("consensus", "fabrications", "cap_f1", "cap_p", "cap_r")


class Cell(NamedTuple):
    """What every method found in one text."""

    consensus: float
    is_known: bool
    disagreement: float | None
    criteria: int
    claims: int
    fabrications: int
    unjudged: int
    kept: int
    bent: int
    lost: int


CELLS = st.builds(
    Cell,
    st.floats(0, 1) | st.sampled_from([0.1, 0.7]),
    st.booleans(),
    st.none() | st.floats(0, 1),
    st.integers(1, 6),
    *[st.integers(0, 3)] * 6,
)
TABLES = st.dictionaries(
    st.sampled_from("abc"),
    st.lists(st.none() | CELLS, min_size=len(SOURCES), max_size=len(SOURCES)),
    min_size=2,
)
STEADY = Cell(0.1, True, 0.2, 3, 3, 0, 0, 3, 1, 0)


def scored(table: Mapping[str, list[Cell | None]]) -> Json:
    """scores.json of all three methods, with the values that the cells give."""
    cells = {
        name: {source: cell for source, cell in zip(SOURCES, row, strict=True) if cell is not None}
        for name, row in table.items()
    }
    methods: Json = {
        method: {"systems": {name: {"by_source": {s: make(c) for s, c in row.items()}} for name, row in cells.items()}}
        for method, make in (("panel", _panel), ("audit", _audit), ("quiz", _quiz))
    }
    board = {name: {"rank": None} for name in table}
    scores = {"leaderboard": {"rank_by": ["fabrications", "consensus", "cap_f1"], "systems": board}, "methods": methods}
    return scores | {"methods": without_source(methods, None)}


def _panel(cell: Cell) -> Json:
    value = cell.consensus if cell.is_known else None
    judges = {"j": value, "k": None if cell.claims else value}
    return {"consensus": {"value": value, "n": cell.criteria}, "disagreement": cell.disagreement, "judges": judges}


def _audit(cell: Cell) -> Json:
    found = {"claims": cell.claims, "fabrications": min(cell.claims, cell.fabrications), "missing": cell.unjudged}
    return found | {"disputed": cell.bent, "unreadable": cell.claims == 0}


def _quiz(cell: Cell) -> Json:
    counts = {"kept": cell.kept, "bent": cell.bent, "lost": cell.lost}
    return {"counts": counts | {"n": sum(counts.values())}}


@limits(max_examples=60, deadline=None)
@given(TABLES, st.lists(st.sampled_from(["consensus >= 50", "missing <= 0", "cap_f1 >= 40"]), max_size=2))
@example({"a": [STEADY] * 5, "b": [STEADY._replace(consensus=0.3), None, STEADY, STEADY, STEADY]}, [])
def test_a_source_less_is_as_if_it_had_never_been(table: Mapping[str, list[Cell | None]], rules: list[str]) -> None:
    """Every value to the last digit, every p-value, and who is recommended, as of cells without it."""
    scores = scored(table)
    contest = read_contest(scores, None, SelectSettings(require=tuple(rules)))
    left_out = LeftOut(scores, contest.systems)
    for source in (None, "unheard of", *SOURCES):
        found, anew = left_out.systems(source), systems_without(scores, source)
        assert list(found) == list(anew)
        for name, system in found.items():
            mine, theirs = ({m: v.value for m, v in each.measures.items()} for each in (system, anew[name]))
            assert mine == theirs, (source, name)
        made, tested = left_out.p_values(source), p_values_without(scores, source)
        for measure in MEASURES:
            for first, second in combinations([*table, "nobody"], 2):
                expected = tested(measure, first, second)
                assert made(measure, second, first) == pytest.approx(expected, rel=1e-9), (source, measure)
    told = decide(scores, None, SelectSettings(require=tuple(rules)))
    steady = replace(contest, favourite=told["recommended"] or "")
    changes = [s for s in sources_of(scores) if recommended_without(steady, scores, s) != told["recommended"]]
    said = [line for line in told["would_change"] if "source" in line]
    if said:
        named = [source for source in SOURCES if any(source in line for line in said)]
        assert named == changes
    elif told["recommended"] is not None and len(sources_of(scores)) > 2 and len(contest.able) > 1:
        assert recommended_without(steady, scores, None) != told["recommended"]


@limits(deadline=None)
@given(st.lists(st.floats(-1, 1), min_size=2, max_size=12), st.sampled_from([0.001, 0.05, 1.0]))
def test_the_test_without_each_source_is_the_paired_test_of_the_others(gaps: list[float], step: float) -> None:
    """Where one gap has all of the spread, too: what is left has the step."""
    each = np.array(gaps)
    found = left_out_p_values(each, np.full(len(gaps), step), np.zeros(len(gaps)))
    assert len(found) == len(gaps) + 1
    for place in range(len(gaps) + 1):
        rest = np.delete(each, place) if place < len(gaps) else each
        test = paired_mean(rest, np.zeros(len(rest)), step)
        assert found[place] == pytest.approx(getattr(test, "p_value", 1.0), rel=1e-7)


class Counted(dict[str, Any]):
    """A dict that notes in `reads` how many of its entries are looked at."""

    def __init__(self, entries: Mapping[str, Any], reads: list[int]) -> None:
        super().__init__(entries)
        self.reads = reads

    def __getitem__(self, key: str) -> Any:
        self.reads[0] += 1
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self.reads[0] += 1
        return super().get(key, default)

    def __contains__(self, key: object) -> bool:
        self.reads[0] += 1
        return super().__contains__(key)

    def __iter__(self) -> Iterator[str]:
        self.reads[0] += len(self)
        return super().__iter__()

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        self.reads[0] += len(self)
        return super().items()

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        self.reads[0] += len(self)
        return super().values()


def reads_of(n_sources: int) -> int:
    """How many entries of cells, and cells of tables, a decision about so many sources looks at."""
    numbers = range(n_sources)
    scores = made_scores(
        made_panel({"a": [80 + n % 3 for n in numbers], "b": [50 + n % 5 for n in numbers]}),
        made_audit({"a": [n % 2 for n in numbers], "b": [n % 3 for n in numbers]}),
    )
    reads = [0]
    for method in ("panel", "audit"):
        for body in scores["methods"][method]["systems"].values():
            body["by_source"] = Counted({s: Counted(c, reads) for s, c in body["by_source"].items()}, reads)
    found = decide(scores, None, SelectSettings(best="consensus"))
    assert f"Whichever of the {n_sources} sources is left out, it would still be a." in found["would_change"]
    return reads[0]


def test_a_decision_reads_each_cell_a_fixed_number_of_times() -> None:
    """Twice the sources are twice the reads, though each source is left out in turn."""
    few, many = reads_of(40), reads_of(80)
    assert few > 40
    assert many <= 2.01 * few
