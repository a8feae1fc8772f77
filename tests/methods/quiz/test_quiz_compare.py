"""`localeval.methods.quiz.compare`: two systems on the same questions, and ranks that show ties as ties."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from localeval.methods.quiz.compare import compare_systems, outcome
from localeval.methods.quiz.schemas import GOLD, HARD_NEGATIVE, UNDETERMINED, Answered
from localeval.values import Missing

R, W, U = GOLD, HARD_NEGATIVE, UNDETERMINED
M = Missing("refused")


def answers(by_source: Mapping[str, Sequence[int | Missing]]) -> dict[str, list[Answered]]:
    return {
        source: [Answered(str(place), chosen, False, ()) for place, chosen in enumerate(given)]
        for source, given in by_source.items()
    }


def compared(
    systems: Mapping[str, Mapping[str, Sequence[int | Missing]]],
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    return compare_systems({name: answers(by_source) for name, by_source in systems.items()})


def test_outcomes() -> None:
    """Right, wrong whichever wrong option, not determined, and nothing without a verdict."""
    assert [outcome(Answered("i", chosen, False, ())) for chosen in (R, W, 2, 4, U, M)] == [0, 1, 1, 1, 2, None]


def test_a_pair_is_compared_on_what_both_answered() -> None:
    """Rule 7: questions without a verdict for either, and sources that only one has, are in no difference."""
    ((pair,), _) = compared({"x": {"a": (R, R, W, M, R), "b": (R,)}, "y": {"a": (R, U, W, R, M), "c": (W,)}})
    assert (pair["first"], pair["second"]) == ("x", "y")
    assert pair["cap_r"]["value"] == pytest.approx(2 / 3 - 1 / 3)
    assert pair["cap_p"]["value"] == pytest.approx(2 / 3 - 1 / 2)
    assert pair["cap_f1"]["value"] == pytest.approx(2 / 3 - 2 / 5)
    assert {(pair[name]["n"], pair[name]["missing"], pair[name]["sources"]) for name in ("cap_r", "cap_p")} == {
        (3, 2, 1)
    }
    assert pair["cap_r"]["low"] <= pair["cap_r"]["value"] <= pair["cap_r"]["high"]
    assert 0 < pair["cap_r"]["p_value"] <= 1


def test_who_is_right_more_often_is_told_exactly() -> None:
    """McNemar counts the questions that only one got right: 6 to 0 gives 2 * 0.5 ** 6."""
    ((pair,), _) = compared({"x": {"a": (R,) * 8}, "y": {"a": (R, R, W, W, W, U, U, U)}})
    assert pair["right"] == {"only_first": 6, "only_second": 0, "p_value": pytest.approx(2 * 0.5**6)}
    ((pair,), _) = compared({"x": {"a": (R, W)}, "y": {"a": (W, R)}})
    assert pair["right"] == {"only_first": 1, "only_second": 1, "p_value": 1.0}


def test_without_common_questions_nothing_is_compared() -> None:
    """Rule 7: different sources, or no verdict for one of them: no difference, and the same rank."""
    for other in ({"b": (W, W)}, {"a": (M, M)}):
        ((pair,), ranks) = compared({"x": {"a": (R, R)}, "y": other})
        assert pair["cap_f1"]["value"] is None
        assert pair["cap_f1"]["reason"] == "nothing to divide by"
        assert pair["right"]["p_value"] == 1.0
        assert ranks["x"] == 1
        assert ranks.get("y") == (1 if "b" in other else None)


def test_precision_may_be_undefined_where_the_others_are_not() -> None:
    """A system that answered nothing has no CapP to compare, and a CapR of 0."""
    ((pair,), _) = compared({"x": {"a": (R, R, W)}, "y": {"a": (U, U, U)}})
    assert pair["cap_p"]["value"] is None
    assert pair["cap_r"]["value"] == pytest.approx(2 / 3)


def test_ties_are_shown_as_ties() -> None:
    """Rule 7: equal systems, and one that is a little worse, share a rank; one that is far worse does not."""
    many = {
        "same": dict.fromkeys("abcdef", (R, R, R, U)),
        "twin": dict.fromkeys("abcdef", (R, R, R, U)),
        "near": dict.fromkeys("abcde", (R, R, R, U)) | {"f": (R, R, U, U)},
        "far": dict.fromkeys("abcdef", (W, W, U, U)),
    }
    pairs, ranks = compared(many)
    assert ranks == {"same": 1, "twin": 1, "near": 1, "far": 4}
    assert len(pairs) == 6
    tie = next(pair for pair in pairs if {pair["first"], pair["second"]} == {"same", "twin"})
    assert tie["cap_f1"]["value"] == 0.0
    assert tie["cap_f1"]["p_value"] == 1.0
    assert tie["cap_f1"]["low"] < 0 < tie["cap_f1"]["high"], "equal answers are no proof of being equal"


def test_the_interval_and_the_p_value_agree() -> None:
    """An interval that leaves out 0 goes with p below 0.05, whatever the order of the two names."""
    far = {"x": dict.fromkeys("abcdef", (R, R, R)), "y": dict.fromkeys("abcdef", (W, U, U))}
    ((pair,), ranks) = compared(far)
    assert pair["cap_f1"]["low"] > 0
    assert pair["cap_f1"]["p_value"] < 0.05
    assert ranks == {"x": 1, "y": 2}
    ((swapped,), ranks) = compared({"x": far["y"], "y": far["x"]})
    assert swapped["cap_f1"]["value"] == -pair["cap_f1"]["value"]
    assert swapped["cap_f1"]["p_value"] == pytest.approx(pair["cap_f1"]["p_value"])
    assert ranks == {"y": 1, "x": 2}


def test_one_system_or_none() -> None:
    """Nothing to compare; the only one with a verdict is the first."""
    assert compared({"x": {"a": (R,)}}) == ([], {"x": 1})
    assert compared({"x": {"a": (M,)}}) == ([], {})
    assert compared({}) == ([], {})
