"""`localeval.methods.quiz.review`: who stays, and how far reviewers agree."""

import json
from collections.abc import Callable
from math import isclose

import pytest

from localeval.methods.quiz.review import accepted, summarise, summary_to_json
from localeval.methods.quiz.schemas import QuizItem
from localeval.stats.estimate import Estimate, Undefined
from tests.quiz_items import item, review, reviewed


@pytest.mark.parametrize(
    ("verdicts", "stays"),
    [((), True), ((True,), True), ((False,), False), ((True, False), False), ((True, True, False), True)],
)
def test_an_item_leaves_when_at_least_half_reject_it(verdicts: tuple[bool, ...], stays: bool) -> None:
    """One of two is half; one of three is less; nobody's rejection keeps it."""
    assert accepted(reviewed(1, *verdicts)) is stays


@pytest.mark.parametrize("no", ["grounded", "one", "negative"])
def test_one_no_rejects(no: str) -> None:
    """A reviewer rejects an item with a no to any of the three questions."""
    assert not accepted(item(1, reviews=(review("ann", **{no: False}),)))


def test_counts() -> None:
    """Accepted, rejected and not reviewed add up to all items; reviewers are named once."""
    summary = summarise([reviewed(1, True, True), reviewed(2, False, True), item(3), reviewed(4, True)])
    assert (summary.n_accepted, summary.n_rejected, summary.n_unreviewed) == (2, 1, 1)
    assert summary.reviewers == ("person 0", "person 1")


def test_agreement_by_hand() -> None:
    """Four items by two people, one split: raw 3/4; AC1 and alpha as the formulas give by hand."""
    items = [reviewed(n, True, True) for n in (1, 2)] + [reviewed(3, True, False), reviewed(4, False, False)]
    found = summarise(items).agreement["overall"]
    assert isinstance(found.raw, Estimate)
    assert isinstance(found.ac1, Estimate)
    assert isinstance(found.alpha, Estimate)
    assert isclose(found.raw.value, 0.75)
    chance = 2 * (5 / 8) * (3 / 8)  # AC1: prevalence of yes 5/8, two categories
    assert isclose(found.ac1.value, (0.75 - chance) / (1 - chance))
    assert isclose(found.alpha.value, 1 - (2 / 8) / (2 * 5 * 3 / (8 * 7)))  # observed over expected disagreement
    assert (found.n_yes, found.n_ratings) == (5, 8)


def test_questions_are_told_apart() -> None:
    """A disagreement on one column shows in that column and overall, not in the others."""
    split = item(1, reviews=(review("a"), review("b", negative=False)))
    summary = summarise([split, reviewed(2, True, True), reviewed(3, True, True)])
    values = {name: found.raw.value for name, found in summary.agreement.items() if isinstance(found.raw, Estimate)}
    assert values["grounded"] == values["one_right_answer"] == 1.0
    assert values["good_hard_negative"] == values["overall"] == pytest.approx(2 / 3)


def test_items_with_one_reviewer_are_missing_from_agreement() -> None:
    """They are counted as missing; the number of answers behind the coefficients leaves them out."""
    found = summarise([reviewed(1, True, True), reviewed(2, True, True), reviewed(3, False)]).agreement["overall"]
    assert (found.raw.n, found.raw.missing, found.n_ratings) == (2, 1, 4)


@pytest.mark.parametrize("items", [[item(1)], [reviewed(1, True), reviewed(2, False)], []])
def test_agreement_without_two_reviewers_is_undefined(items: list[QuizItem]) -> None:
    """Nobody, or one person an item: no number, and the reason."""
    found = summarise(items).agreement["grounded"]
    assert all(isinstance(score, Undefined) and score.reason for score in (found.raw, found.ac1, found.alpha))


def test_alpha_is_undefined_where_all_say_yes() -> None:
    """Without variation alpha divides by nothing, while raw agreement and AC1 are 1."""
    found = summarise([reviewed(n, True, True) for n in (1, 2, 3)]).agreement["grounded"]
    assert isinstance(found.alpha, Undefined)
    assert isinstance(found.raw, Estimate)
    assert isinstance(found.ac1, Estimate)
    assert found.raw.value == found.ac1.value == 1.0


def test_interval_is_clustered_by_source() -> None:
    """Four split items of one source make the interval wider than one split item in each of four sources."""

    def half_width(is_split: Callable[[int, int], bool]) -> float:
        items = [
            reviewed(number, True, not is_split(source, number), source=f"s{source}")
            for source in range(1, 5)
            for number in range(1, 5)
        ]
        raw = summarise(items).agreement["overall"].raw
        assert isinstance(raw, Estimate)
        assert (raw.value, raw.sources) == (0.75, 4)
        return raw.value - raw.low

    assert half_width(lambda source, number: source == 1) > half_width(lambda source, number: source == number) + 0.1


def test_one_source_says_so() -> None:
    """The interval within one source is over its items and is marked."""
    raw = (
        summarise([reviewed(1, True, True), reviewed(2, True, False), reviewed(3, True, True)]).agreement["overall"].raw
    )
    assert isinstance(raw, Estimate)
    assert raw.note == "one source"
    assert raw.low < raw.value


def test_summary_as_json_has_no_nan() -> None:
    """Undefined coefficients are null with a reason."""
    body = json.dumps(summary_to_json(summarise([reviewed(1, True, True), item(2)])), allow_nan=False)
    alpha = json.loads(body)["agreement"]["grounded"]["alpha"]
    assert alpha["value"] is None
    assert alpha["reason"]
