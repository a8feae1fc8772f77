"""`localeval.methods.quiz.score`: the numbers of scores.json against sums made by hand."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.methods.quiz.flow import quiz
from localeval.methods.quiz.schemas import GOLD, HARD_NEGATIVE, UNDETERMINED, Answered, Dropped, SourceQuiz, Trial
from localeval.methods.quiz.score import score_quiz
from localeval.methods.quiz.tally import CAP_F1, CAP_P, CAP_R, Tally, counts, tally
from localeval.stats.estimate import Estimate
from localeval.stats.intervals import Ratio, clustered_ratio
from localeval.texts import Candidate
from localeval.values import Call, Missing, Reply
from tests.methods.quiz.helpers import FACTS, play, prompts, reply, settings, source
from tests.quiz_items import item

R, HN, W, U = GOLD, HARD_NEGATIVE, 2, UNDETERMINED
M = Missing("invalid", "'?' is not one of A, B")
KINDS = ("entity", "attribute", "theme", "causality", "entity")


def answered(chosen: int | Missing, unstable: bool = False, item_id: str = "") -> Answered:
    return Answered(item_id, chosen, unstable, (Trial(chosen, 0, 0),))


def quiz_of(
    name: str,
    answers: Mapping[str, Sequence[int | Missing]],
    controls: Mapping[str, Sequence[int | Missing]] | None = None,
    **fields: Any,
) -> SourceQuiz:
    """A quiz about so many plots as there are answers, of the kinds above, and what came of it."""
    n = max((len(given) for given in answers.values()), default=0)
    items = tuple(item(number, source=name, kind=kind) for number, kind in enumerate(KINDS[:n], 1))

    def given_by(table: Mapping[str, Sequence[int | Missing]]) -> dict[str, tuple[Answered, ...]]:
        return {
            who: tuple(answered(chosen, item_id=each.id) for each, chosen in zip(items, given, strict=True))
            for who, given in table.items()
        }

    return SourceQuiz(name, items, answers=given_by(answers), controls=given_by(controls or {}), asked_for=n, **fields)


def scored(*quizzes: SourceQuiz, **options: object) -> dict[str, Any]:
    return score_quiz({quiz.source: quiz for quiz in quizzes}, settings(**options))


TWO = (quiz_of("a", {"x": (R, R, R, HN, U)}), quiz_of("b", {"x": (R, W, U, M)}))


def test_the_headline_numbers_by_hand() -> None:
    """Over two sources 4 right, 2 wrong, 2 not determined, 1 missing: pooled over questions."""
    found = scored(*TWO)["systems"]["x"]
    values = {name: found[name]["value"] for name in ("cap_p", "cap_r", "cap_f1", "answered", "bent", "lost")}
    assert values == pytest.approx(
        {"cap_p": 4 / 6, "cap_r": 4 / 8, "cap_f1": 4 / 7, "answered": 6 / 8, "bent": 2 / 8, "lost": 2 / 8}
    )
    assert found["counts"] == {
        "n": 8, "kept": 4, "bent": 2, "lost": 2, "missing": 1, "unstable": 0, "hard_negative": 1,
    }  # fmt: skip
    assert found["hard_negative_share"]["value"] == 1 / 2


def test_the_mean_of_sources_is_another_number() -> None:
    """Each source counts the same: (3/4 + 1/2) / 2 and (3/5 + 1/3) / 2, beside the pooled ones."""
    mean = scored(*TWO)["systems"]["x"]["mean_of_sources"]
    assert mean["cap_p"]["value"] == pytest.approx(0.625)
    assert mean["cap_r"]["value"] == pytest.approx(7 / 15)
    assert scored(TWO[0])["systems"]["x"]["mean_of_sources"]["cap_p"]["value"] is None, "one source has no spread"


def test_a_source_where_nothing_was_answered_has_no_precision_in_the_mean() -> None:
    """It is counted as missing there and is neither 0 nor 1."""
    quizzes = (quiz_of("a", {"x": (R, W)}), quiz_of("b", {"x": (R, R)}), quiz_of("c", {"x": (U, U)}))
    mean = scored(*quizzes)["systems"]["x"]["mean_of_sources"]["cap_p"]
    assert (mean["value"], mean["n"], mean["missing"]) == (0.75, 2, 1)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=4))
def test_f1_is_the_harmonic_mean_of_the_pooled_precision_and_recall(rows: list[tuple[int, int, int]]) -> None:
    """The identity of the paper's tables, for any counts over any sources."""
    table = counts([Tally(right=right, wrong=wrong, undetermined=lost) for right, wrong, lost in rows])
    p, r, f1 = (clustered_ratio(table, ratio) for ratio in (CAP_P, CAP_R, CAP_F1))
    if isinstance(p, Estimate) and isinstance(r, Estimate) and isinstance(f1, Estimate) and p.value + r.value > 0:
        assert f1.value == pytest.approx(2 * p.value * r.value / (p.value + r.value))
    else:
        assert table[:, 0].sum() == 0


@pytest.mark.parametrize(
    ("f1", "p", "r"),
    [(83.08, 86.31, 80.09), (71.97, 78.13, 66.71), (63.16, 73.61, 55.30), (45.69, 67.57, 34.51), (39.86, 63.0, 29.16)],
)
def test_published_rows_are_met(f1: float, p: float, r: float) -> None:
    """CapQuiz's own F1 comes out of its P and R, up to the two decimals that are printed."""
    n = 23_632
    right, answered_n = r / 100 * n, r / p * n
    table = np.array([[right, answered_n - right, n - answered_n]])

    def value(ratio: Ratio) -> float:
        return 100 * float(table[0] @ ratio.numerator) / float(table[0] @ ratio.denominator)

    assert value(CAP_P) == pytest.approx(p)
    assert value(CAP_R) == pytest.approx(r)
    assert value(CAP_F1) == pytest.approx(f1, abs=0.01)


def test_precision_is_undefined_where_nothing_was_answered() -> None:
    """Neither 0 nor 1: null with its reason; coverage is 0 and F1 is 0."""
    found = scored(quiz_of("a", {"x": (U, U, U)}))["systems"]["x"]
    assert (found["cap_p"]["value"], found["cap_p"]["reason"]) == (None, "nothing to divide by")
    assert (found["cap_r"]["value"], found["cap_f1"]["value"]) == (0.0, 0.0)
    assert found["hard_negative_share"]["value"] is None


@given(st.lists(st.sampled_from([R, HN, W, U]), min_size=1, max_size=4), st.integers(0, 3))
def test_a_missing_answer_is_in_no_denominator(verdicts: list[int], n_missing: int) -> None:
    """Rule 5: without a verdict nothing is guessed: all numbers stay what they are, and the missing are counted."""
    full = tally(answered(chosen) for chosen in verdicts)
    holed = tally(answered(chosen) for chosen in [*verdicts, *[M] * n_missing])
    assert (holed.n, holed.missing) == (full.n, n_missing)
    for ratio in (CAP_P, CAP_R, CAP_F1):
        one, other = (clustered_ratio(counts([each]), ratio) for each in (full, holed))
        assert one == other


def test_missing_answers_are_told_beside_every_number() -> None:
    """Rule 5: each score carries how many are missing, and the run's sum decides its exit code."""
    scores = scored(*TWO)
    found = scores["systems"]["x"]
    assert {name: found[name]["missing"] for name in ("cap_p", "cap_r", "cap_f1")} == dict.fromkeys(
        ("cap_p", "cap_r", "cap_f1"), 1
    )
    assert found["by_source"]["a"]["cap_r"]["missing"] == 0
    assert found["by_source"]["b"]["cap_r"]["missing"] == 1
    assert scores["missing"] == 1


def test_a_source_without_a_quiz_misses_all_that_was_asked_for() -> None:
    """Rule 1: too long is told with both numbers, and each question that the source should have had is missing."""
    long = SourceQuiz("c", (), asked_for=12, missing=Missing("too long", "9 of 8", needed=9, limit=8))
    scores = scored(*TWO, long)
    assert scores["missing"] == 1 + 12
    about = scores["quiz"]["sources"]["c"]
    assert about["missing"] == {"reason": "too long", "detail": "9 of 8", "needed": 9, "limit": 8}
    assert (scores["quiz"]["items"], scores["quiz"]["asked_for"]) == (9, 9 + 12)
    assert scores["systems"]["x"]["counts"]["n"] == 8


def test_groups_and_kinds_add_up() -> None:
    """Every question is in one kind and one group, in the order of the taxonomy, and nothing is lost on the way."""
    found = scored(*TWO)["systems"]["x"]
    assert list(found["by_group"]) == ["descriptive", "inferential"]
    assert list(found["by_kind"]) == ["entity", "attribute", "causality", "theme"]
    for table in (found["by_group"], found["by_kind"]):
        for name in found["counts"]:
            if name != "unstable":
                assert sum(part["counts"][name] for part in table.values()) == found["counts"][name], name
    assert found["by_kind"]["attribute"]["cap_r"]["value"] == 1 / 2
    assert found["by_group"]["inferential"]["counts"] == {
        "n": 3, "kept": 1, "bent": 1, "lost": 1, "missing": 1, "unstable": 0, "hard_negative": 1,
    }  # fmt: skip
    assert found["by_group"]["inferential"]["cap_r"]["sources"] == 2
    assert found["by_group"]["inferential"]["cap_p"]["sources"] == 1, "in the other one nothing was answered"


def test_the_ceiling_leaves_out_what_the_answerer_cannot_read_from_the_source() -> None:
    """CapR over the three questions that the source itself answers: two of them kept."""
    control = {"source": (R, R, U, R, W)}
    found = scored(quiz_of("a", {"x": (R, U, R, R, R)}, control))["systems"]["x"]
    assert (found["cap_r"]["value"], found["cap_r"]["n"]) == (0.8, 5)
    assert found["cap_r_of_ceiling"]["value"] == pytest.approx(2 / 3)
    assert found["cap_r_of_ceiling"]["n"] == 3
    none = scored(quiz_of("a", {"x": (R, R)}))["systems"]["x"]["cap_r_of_ceiling"]
    assert (none["value"], none["reason"]) == (None, "the source was not put as a control")
    nothing = scored(quiz_of("a", {"x": (R, R)}, {"source": (U, U)}))["systems"]["x"]["cap_r_of_ceiling"]
    assert nothing["value"] is None


def test_controls_are_scored_like_candidates() -> None:
    """Coverage, answered share and counts of each control; none where they were switched off."""
    controls = {"empty": (U, U), "unrelated": (U, W), "source": (R, R)}
    found = scored(quiz_of("a", {"x": (R, R)}, controls))["controls"]
    assert {name: each["cap_r"]["value"] for name, each in found.items()} == {
        "empty": 0.0,
        "unrelated": 0.0,
        "source": 1.0,
    }
    assert found["unrelated"]["answered"]["value"] == 0.5
    assert found["unrelated"]["counts"]["bent"] == 1
    assert scored(quiz_of("a", {"x": (R, R)}), controls=False)["controls"] == {}


def read_as(letter_of: Any) -> dict[str, Any]:
    """The scores of a quiz of nine questions whose answerer chooses the letter that is said of a call."""
    items = tuple(item(number, question=f"On plot {number}, what grows?") for number in range(1, 10))
    texts = [Candidate("s", "x", source().text)]
    given_quiz = settings(writer=None, items="q.jsonl", controls=False)
    result, _ = play(quiz(source(), texts, "", given_quiz, prompts(), 7, items), letter_of)
    return score_quiz({"s": result}, given_quiz)


def test_letter_bias_is_visible() -> None:
    """A reader that always says A has recall 1 at A and 0 elsewhere; one that is always right has 1 everywhere."""

    def always_a(call: Call) -> Reply:
        return reply(call, "A")

    def always_right(call: Call) -> Reply:
        lines = call.messages[-1].text.splitlines()
        number = int(next(line for line in lines if "On plot" in line).split("On plot ")[1].split(",")[0])
        return reply(call, next(line[0] for line in lines if line[1:] == f") {FACTS[number]}"))

    biased, fair = read_as(always_a)["letters"], read_as(always_right)["letters"]
    assert biased["chosen"] == {"A": 1.0}
    assert biased["recall"]["A"] == 1.0
    assert {share for letter, share in biased["recall"].items() if letter != "A"} == {0.0}
    assert biased["recall_sd"] == pytest.approx(np.std([1, 0, 0, 0, 0, 0], ddof=1))
    assert set(fair["recall"].values()) == {1.0}
    assert fair["recall_sd"] == 0.0
    assert biased["gold"] == fair["gold"]
    assert sum(biased["gold"].values()) == pytest.approx(1.0)
    assert biased["trials"] == 9 * 2


def test_letters_without_a_verdict_say_nothing() -> None:
    """No trial was read: no shares and no spread, rather than a division by zero."""
    found = scored(quiz_of("a", {"x": (M, M)}))["letters"]
    assert found == {"trials": 0, "chosen": {}, "gold": {}, "recall": {}, "recall_sd": None}


def test_what_left_the_quiz_is_counted_by_reason() -> None:
    """In all and by source."""
    drops = (Dropped("surplus", ""), Dropped("answered blind", "3 of 4"), Dropped("surplus", ""))
    about = scored(quiz_of("a", {"x": (R,)}, dropped=drops), quiz_of("b", {"x": (R,)}, dropped=drops[:1]))["quiz"]
    assert about["dropped"] == {"answered blind": 1, "surplus": 3}
    assert about["sources"]["b"]["dropped"] == {"surplus": 1}
    assert len({about["hash"], *(each["hash"] for each in about["sources"].values())}) == 3


def test_systems_stand_best_first_and_those_without_a_verdict_last() -> None:
    """By rank, then by CapF1, then by name; no verdict, no rank."""
    answers = {"none": (M,) * 5, "bad": (W, W, W, U, R), "b": (R,) * 5, "a": (R,) * 5, "fair": (R, R, R, R, U)}
    systems = scored(quiz_of("s", answers))["systems"]
    assert list(systems) == ["a", "b", "fair", "bad", "none"]
    assert systems["none"]["rank"] is None
    assert systems["none"]["cap_f1"]["value"] is None


def scores_in(node: object) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        if "value" in node:
            yield node
        for each in node.values():
            yield from scores_in(each)
    elif isinstance(node, list):
        for each in node:
            yield from scores_in(each)


def test_every_number_has_an_interval() -> None:
    """Rule 7: each score holds its value within an interval that is wider than a point unless it says "one source", n,
    missing and sources, or the reason why there is no value."""
    controls = {"empty": (U, U), "unrelated": (U, W), "source": (R, R)}
    quizzes = [quiz_of(name, {"x": (R, W), "y": (U, U), "z": (R, M)}, controls) for name in "abc"]
    scores = list(scores_in(scored(*quizzes)))
    assert len(scores) > 100
    for score in scores:
        assert {"n", "missing", "sources"} <= set(score)
        if score["value"] is None:
            assert score["reason"]
        else:
            assert score["low"] <= score["value"] <= score["high"]
            assert score["low"] < score["high"] or score["sources"] > 1


def test_intervals_are_clustered_by_source() -> None:
    """Rule 7: the same answers say less when they are alike within their sources than when they are mixed."""
    alike = [quiz_of(f"s{i}", {"x": (R,) * 4 if i % 2 else (W,) * 4}) for i in range(8)]
    mixed = [quiz_of(f"s{i}", {"x": (R, W, R, W)}) for i in range(8)]
    wide, narrow = (scored(*each)["systems"]["x"]["cap_r"] for each in (alike, mixed))
    assert wide["value"] == narrow["value"] == 0.5
    assert wide["high"] - wide["low"] > 1.5 * (narrow["high"] - narrow["low"])
