"""`localeval.methods.quiz.answers`: orders of options, and what several orders say together."""

from collections import Counter

import pytest

from localeval.methods.quiz.answers import arrangement, choice_of, combine, read_trial
from localeval.methods.quiz.schemas import GOLD, UNDETERMINED, QuizItem, Trial
from localeval.values import Missing, Reply


def item(number: int = 1) -> QuizItem:
    return QuizItem(
        source="s",
        number=number,
        kind="entity",
        language="en",
        question=f"Q{number}?",
        options=tuple("vwxyz"),
        segments=(1,),
    )


@pytest.mark.parametrize(("undetermined", "n_moving"), [("last", 5), ("shuffled", 6), ("none", 5)])
def test_the_right_answer_stands_at_every_letter_equally_often(undetermined: str, n_moving: int) -> None:
    """Over a quiz of 30 items and two orders each letter holds the right answer about equally often."""
    letters = Counter(
        arrangement(item(number), "answer", trial, 1, undetermined).index(GOLD)
        for number in range(1, 31)
        for trial in range(2)
    )
    assert len(letters) == n_moving
    assert set(letters.values()) == {60 // n_moving}


def test_each_order_puts_every_option_elsewhere() -> None:
    """Up to as many orders as there are letters, no option that moves stands at the same one twice."""
    for undetermined, n in (("shuffled", 6), ("last", 5), ("none", 5)):
        orders = [arrangement(item(), "answer", trial, 1, undetermined) for trial in range(n)]
        for option in range(n):
            assert sorted(order.index(option) for order in orders) == list(range(n))


def test_orders_are_permutations_and_repeat_with_the_seed() -> None:
    """Every option stands once; "last" closes the list; the same seed gives the same order."""
    order = arrangement(item(), "answer", 0, 1, "last")
    assert sorted(order) == list(range(6))
    assert order[-1] == UNDETERMINED
    assert order == arrangement(item(), "answer", 0, 1, "last")
    assert any(order != arrangement(item(), "answer", 0, seed, "last") for seed in range(2, 6))


def test_a_letter_is_read_back_to_the_item_s_option() -> None:
    """Letter and probabilities come back by the item's own list, whatever the order was."""
    order = (3, 0, 5, 1, 2, 4)
    trial = read_trial(Reply("k", "B", logprobs=((("B", -0.1), ("C", -2.4)),)), order)
    assert (trial.chosen, trial.letter, trial.gold_letter) == (GOLD, 1, 1)
    assert trial.probabilities[GOLD] > trial.probabilities[UNDETERMINED] > trial.probabilities[3] == 0.0
    assert sum(trial.probabilities) == pytest.approx(1.0)


def test_a_letter_outside_the_choice_is_missing() -> None:
    """Anything but one of the letters is a broken protocol, not a wrong answer."""
    trial = read_trial(Reply("k", "G"), tuple(range(6)))
    assert isinstance(trial.chosen, Missing)
    assert trial.chosen.reason == "invalid"
    assert choice_of(6).options == tuple("ABCDEF")


def test_probabilities_decide_between_orders() -> None:
    """When two orders disagree the higher mean probability wins, and the item is called unstable."""
    answered = combine(item(), (Trial(0, 0, 0, (0.6, 0.4)), Trial(1, 0, 1, (0.1, 0.9))))
    assert (answered.chosen, answered.is_unstable) == (1, True)


def test_a_tie_without_probabilities_has_no_answer() -> None:
    """Two orders, two answers, no probabilities: missing, not a coin toss."""
    answered = combine(item(), (Trial(0, 0, 0), Trial(1, 0, 1)))
    assert isinstance(answered.chosen, Missing)
    assert (answered.chosen.reason, answered.is_unstable) == ("unstable", True)
    assert combine(item(), (Trial(0, 0, 0), Trial(1, 0, 1), Trial(1, 1, 2))).chosen == 1


def test_trials_without_a_verdict_are_left_out() -> None:
    """One readable order is enough for an answer; with none the reason stands."""
    lost = Trial(Missing("engine error"), -1, 0)
    assert combine(item(), (lost, Trial(2, 0, 0))).chosen == 2
    assert combine(item(), (lost, lost)).chosen == Missing("engine error")
