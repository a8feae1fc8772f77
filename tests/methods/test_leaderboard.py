"""`localeval.methods.leaderboard`: systems over all methods, best first, ties as ties."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as limits
from hypothesis import strategies as st

from localeval.errors import ConfigError
from localeval.methods.audit.score import score_audit
from localeval.methods.leaderboard import Measure, default_rank_by, leaderboard
from localeval.methods.panel.schemas import PanelSettings
from localeval.methods.panel.score import score_panel
from localeval.methods.quiz.schemas import GOLD, UNDETERMINED, Answered, QuizSettings, SourceQuiz, Trial
from localeval.methods.quiz.score import score_quiz
from tests.methods.audit.findings import by_source, settings
from tests.methods.panel.made_panels import draw_panels
from tests.quiz_items import item

SAME, APART = 0.9, 0.0001
Values = Mapping[str, float | None]


def score(value: float | None) -> dict[str, Any]:
    counts = {"n": 10, "missing": 0, "sources": 2}
    if value is None:
        return {"value": None, "reason": "nothing to divide by", **counts}
    return {"value": value, "low": value, "high": value, **counts, "note": ""}


def part(measure: str, pair: str, values: Values, apart: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """A method's part of scores.json with one measure; the pairs in `apart` are told apart, all others not."""
    names = sorted(values)
    return {
        "missing": 0,
        "systems": {name: {"rank": None, measure: score(value)} for name, value in values.items()},
        "pairs": [
            {
                "first": first,
                "second": second,
                pair: score(0.0) | {"p_value": APART if {first, second} in [set(each) for each in apart] else SAME},
            }
            for place, first in enumerate(names)
            for second in names[place + 1 :]
        ],
    }


def panel(values: Values, *apart: tuple[str, str]) -> dict[str, Any]:
    return part("consensus", "consensus", values, apart)


def audit(values: Values, *apart: tuple[str, str]) -> dict[str, Any]:
    return part("per_candidate", "fabrications", values, apart)


def quiz(values: Values, *apart: tuple[str, str]) -> dict[str, Any]:
    return part("cap_f1", "cap_f1", values, apart)


def ranks(rank_by: Sequence[Measure] | None = None, **methods: dict[str, Any]) -> dict[str, int | None]:
    """Ranks in the order of the table."""
    found = leaderboard(methods, default_rank_by(methods) if rank_by is None else rank_by)
    return {name: system["rank"] for name, system in found["systems"].items()}


def test_the_default_order_is_fabrications_then_consensus_then_quiz() -> None:
    """As far as the run has the methods."""
    a, p, q = audit({}), panel({}), quiz({})
    assert default_rank_by({"quiz": q, "panel": p, "audit": a}) == ("fabrications", "consensus", "cap_f1")
    assert default_rank_by({"quiz": q, "panel": p}) == ("consensus", "cap_f1")
    assert default_rank_by({"quiz": q}) == ("cap_f1",)
    assert default_rank_by({}) == ()
    assert leaderboard({}, ()) == {"rank_by": [], "systems": {}}


def test_fewest_fabrications_lead() -> None:
    """Lower is better there, and a high consensus does not make up for what is made up."""
    table = {
        "audit": audit({"a": 3.0, "b": 0.5}, ("a", "b")),
        "panel": panel({"a": 99.0, "b": 20.0}, ("a", "b")),
    }
    assert list(ranks(**table).items()) == [("b", 1), ("a", 2)]
    assert list(ranks(("consensus", "fabrications"), **table).items()) == [("a", 1), ("b", 2)]


def test_what_the_first_measure_does_not_tell_apart_goes_by_the_next() -> None:
    """a and b tie in fabrications and b has the better consensus; c has more fabrications, whatever its consensus."""
    found = ranks(
        audit=audit({"a": 0.0, "b": 0.5, "c": 4.0}, ("a", "c"), ("b", "c")),
        panel=panel({"a": 60.0, "b": 80.0, "c": 100.0}, ("a", "b"), ("a", "c"), ("b", "c")),
    )
    assert list(found.items()) == [("b", 1), ("a", 2), ("c", 3)]


def test_what_no_measure_tells_apart_shares_a_rank() -> None:
    """a, b share 1 throughout and stand by their values; c, worse in the last measure, is third and not second."""
    found = ranks(
        audit=audit({"a": 1.0, "b": 0.5, "c": 0.0}),
        panel=panel({"a": 70.0, "b": 71.0, "c": 72.0}),
        quiz=quiz({"a": 0.8, "b": 0.8, "c": 0.2}, ("a", "c"), ("b", "c")),
    )
    assert list(found.items()) == [("b", 1), ("a", 1), ("c", 3)]


def test_systems_that_were_not_audited_come_after_those_that_were() -> None:
    """x and y are no finalists, x's audit came to nothing: they go by consensus among themselves, after the worst."""
    found = ranks(
        audit=audit({"a": 9.0, "b": 0.0, "w": None}, ("a", "b")),
        panel=panel({"a": 10.0, "b": 60.0, "w": 50.0, "x": 90.0, "y": 95.0}, ("w", "y"), ("x", "w"), ("y", "w")),
    )
    assert list(found.items()) == [("b", 1), ("a", 2), ("y", 3), ("x", 3), ("w", 5)]


def test_a_system_that_nothing_is_known_of_has_no_rank() -> None:
    """It stands last. Known by a later measure alone, it has a rank behind those known by an earlier one."""
    found = ranks(panel=panel({"a": 50.0, "b": None, "c": None}), quiz=quiz({"a": 0.1, "b": 0.9, "c": None}))
    assert list(found.items()) == [("a", 1), ("b", 2), ("c", None)]


def test_a_pair_without_a_test_is_not_told_apart() -> None:
    """No source in common: the pair has a reason in place of a p-value."""
    methods = {"panel": panel({"a": 90.0, "b": 10.0})}
    methods["panel"]["pairs"][0]["consensus"] = score(None)
    assert ranks(**methods) == {"a": 1, "b": 1}
    methods["panel"]["pairs"].clear()
    assert ranks(**methods) == {"a": 1, "b": 1}


def test_each_comparison_must_reach_its_share_of_the_level() -> None:
    """p = .03 tells two systems apart, but not three (.05 / 2), as in `rank_groups`."""
    two, three = panel({"a": 9.0, "b": 1.0}), panel({"a": 9.0, "b": 1.0, "c": 0.5})
    for methods in (two, three):
        for pair in methods["pairs"]:
            pair["consensus"]["p_value"] = 0.03
    assert ranks(panel=two) == {"a": 1, "b": 2}
    assert ranks(panel=three) == {"a": 1, "b": 1, "c": 1}


def test_a_measure_without_its_method_is_refused_in_one_line() -> None:
    """The line names the measure and what it needs."""
    with pytest.raises(ConfigError) as caught:
        leaderboard({"quiz": quiz({"a": 1.0})}, ("consensus", "cap_f1"))
    assert str(caught.value) == "rank_by: 'consensus' needs `panel` under `methods`; add it there or leave it out"


def test_every_column_is_there_and_what_a_system_lacks_is_null() -> None:
    """The numbers are the methods' own, with interval, n and missing; not audited is not 0 fabrications."""
    audited = score_audit(by_source({"s": {"a": ["ok", "absent", "cut"]}}), settings("j"))
    judged = panel({"a": 70.0, "b": 60.0})
    judged["systems"]["a"]["disagreement"] = score(12.0)
    found = leaderboard({"audit": audited, "panel": judged}, ("fabrications",))["systems"]
    assert found["a"] == {
        "rank": 1,
        "consensus": score(70.0),
        "disagreement": score(12.0),
        "cap_p": None,
        "cap_r": None,
        "cap_f1": None,
        "fabrications": 1,
        "fabrications_per_candidate": audited["systems"]["a"]["per_candidate"],
        "fabrication_rate": audited["systems"]["a"]["fabrication_rate"],
        "disputed": 0,
    }
    assert (found["a"]["fabrication_rate"]["n"], found["a"]["fabrication_rate"]["missing"]) == (2, 1)
    assert (found["b"]["rank"], found["b"]["fabrications"], found["b"]["fabrication_rate"]) == (None, None, None)


def test_no_verdict_at_all_is_not_no_fabrication() -> None:
    """A system of whose claims not one has a verdict has no number; one without a claim has 0."""
    audited = score_audit(by_source({"s": {"cut": ["cut", "cut"], "half": ["ok", "cut"], "mute": []}}), settings("j"))
    systems = leaderboard({"audit": audited}, ["fabrications"])["systems"]
    assert {name: (row["fabrications"], row["disputed"]) for name, row in systems.items()} == {
        "half": (0, 0),
        "mute": (0, 0),
        "cut": (None, None),
    }
    assert systems["cut"]["rank"] is None


def test_an_audit_ranks_alone_as_it_ranks_within() -> None:
    """Eight sources tell clean from dirty, and the leaderboard says so with the audit's own test."""
    table = {str(n): {"clean": ["ok"] * 9, "dirty": ["absent"] * (4 + n % 2) + ["ok"] * 4} for n in range(8)}
    audited = score_audit(by_source(table), settings("j"))
    assert ranks(audit=audited) == {name: each["rank"] for name, each in audited["systems"].items()}
    assert ranks(audit=audited) == {"clean": 1, "dirty": 2}


@pytest.mark.parametrize("seed", range(4))
def test_with_the_panel_alone_the_ranks_are_the_panels(seed: int) -> None:
    """Drawn panels over 2 to 11 sources: the same ranks in the same order."""
    rng = np.random.default_rng(seed)
    better = {"a": 0.0, "b": 0.2, "c": 0.25, "d": 0.8, "e": -0.4}
    panels = draw_panels(rng, int(rng.integers(2, 12)), list(better), ["j", "k"], lambda s, system, *_: better[system])
    lengths = {(source, system): 100 for source in panels for system in better}
    scores = score_panel(panels, PanelSettings(judges=("j", "k")), {}, lengths, dict.fromkeys(panels), ())
    found = ranks(panel=scores)
    assert found == {name: each["rank"] for name, each in scores["systems"].items()}
    assert list(found) == list(scores["systems"])


def quizzed(rows: Sequence[Mapping[str, Sequence[int]]]) -> dict[str, Any]:
    quizzes = {}
    for number, by_system in enumerate(rows):
        n = len(next(iter(by_system.values())))
        items = tuple(item(each, source=str(number)) for each in range(1, n + 1))
        answers = {
            system: tuple(Answered(i.id, c, False, (Trial(c, 0, 0),)) for i, c in zip(items, chosen, strict=True))
            for system, chosen in by_system.items()
        }
        quizzes[str(number)] = SourceQuiz(str(number), items, answers=answers, asked_for=n)
    return score_quiz(quizzes, QuizSettings(writer="m", answerer="m"))


CHOSEN = st.lists(st.sampled_from([GOLD, GOLD, UNDETERMINED, 2]), min_size=6, max_size=6)


@limits(max_examples=10)
@given(st.lists(st.tuples(CHOSEN, CHOSEN, CHOSEN), min_size=1, max_size=3), st.sampled_from([1, 8]))
def test_with_the_quiz_alone_the_ranks_are_the_quizs(
    rows: list[tuple[list[int], list[int], list[int]]], times: int
) -> None:
    """Any answers of four systems, few sources or many: the same ranks in the same order."""
    scores = quizzed([{"x": x, "y": y, "z": z, "w": [GOLD] * 6} for x, y, z in rows] * times)
    found = ranks(quiz=scores)
    assert found == {name: each["rank"] for name, each in scores["systems"].items()}
    assert list(found) == list(scores["systems"])


def test_the_quizs_other_numbers_can_rank_too() -> None:
    """By CapP the one that says little and nothing wrong leads; by CapR the one that says much."""
    scores = quizzed([{"brief": [GOLD] * 2 + [UNDETERMINED] * 5, "long": [GOLD] * 5 + [2] * 2}] * 20)
    assert list(ranks(("cap_p",), quiz=scores).items()) == [("brief", 1), ("long", 2)]
    assert list(ranks(("cap_r",), quiz=scores).items()) == [("long", 1), ("brief", 2)]
