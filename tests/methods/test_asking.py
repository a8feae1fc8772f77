"""`localeval.methods.asking`: what cannot be read is asked again as a new call, so often and no more."""

from collections.abc import Sequence
from functools import partial

import pytest

from localeval.keys import call_key
from localeval.methods.asking import RETRY_TEMPERATURE, ask
from localeval.outputs import read_choice
from localeval.values import Call, Choice, Message, Missing, Reply, Sampling
from tests.methods.quiz.helpers import play

AB = Choice(("A", "B"))


def call(text: str, temperature: float = 0.0) -> Call:
    return Call("m", (Message("user", (text,)),), AB, Sampling(1, temperature=temperature, seed=11), "stage", text)


def asked(
    replies: dict[str, Sequence[Reply]], retries: int, temperature: float = 0.0
) -> tuple[list[str | Missing], list[Sequence[Call]]]:
    """Verdicts and rounds where each text gets its replies one after the other."""
    waiting = {text: iter(each) for text, each in replies.items()}
    calls = [call(text, temperature) for text in replies]
    readers = [partial(read_choice, choice=AB) for _ in calls]
    return play(ask(calls, readers, lambda verdict: verdict, retries), lambda call: next(waiting[call.subject]))


BAD, GOOD = Reply("", "?"), Reply("", "B")


def test_verdicts_come_in_order_and_only_the_unreadable_is_asked_again() -> None:
    """Rule 5: one further call for the one that could not be read; its verdict takes the place of the first."""
    verdicts, rounds = asked({"x": [GOOD], "y": [BAD, Reply("", "A")], "z": [GOOD]}, retries=3)
    assert verdicts == ["B", "A", "B"]
    assert [[call.subject for call in each] for each in rounds] == [["x", "y", "z"], ["y"]]


def test_a_repetition_is_a_new_and_visible_call() -> None:
    """Rule 5: own seed, own key, some freedom; the prompt, the output type and who asks are the same."""
    _, rounds = asked({"x": [BAD, BAD, BAD]}, retries=2)
    calls = [call for each in rounds for call in each]
    assert len({call_key(call, "id") for call in calls}) == len({call.sampling.seed for call in calls}) == 3
    assert [call.sampling.temperature for call in calls] == [0.0, RETRY_TEMPERATURE, RETRY_TEMPERATURE]
    assert len({(call.messages, call.output, call.stage, call.subject) for call in calls}) == 1
    assert asked({"x": [BAD, BAD, BAD]}, retries=2)[1] == rounds, "the same run asks the same calls"


def test_a_warmer_call_keeps_its_temperature() -> None:
    """The repetition is never colder than the call."""
    _, rounds = asked({"x": [BAD, GOOD]}, retries=1, temperature=0.9)
    assert rounds[1][0].sampling.temperature == 0.9


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_after_so_many_retries_it_is_missing(retries: int) -> None:
    """Rule 5: the reason of the last reply stands, and no score takes its place."""
    verdicts, rounds = asked({"x": [BAD] * 9}, retries)
    assert len(rounds) == retries + 1
    assert verdicts == [Missing("invalid", "'?' is not one of A, B")]


def test_too_long_is_not_asked_again() -> None:
    """Rule 1: no repetition makes a prompt fit; it is missing at once, with both numbers."""
    long = Missing("too long", "9 of 8", needed=9, limit=8)
    verdicts, rounds = asked({"x": [Reply("", missing=long)], "y": [GOOD]}, retries=3)
    assert verdicts == [long, "B"]
    assert len(rounds) == 1


def test_what_a_file_of_verdicts_lacks_is_not_asked_again() -> None:
    """Verdicts made elsewhere are there or not: a second asking finds the same file."""
    absent = Missing("absent", "no verdict in people.jsonl")
    verdicts, rounds = asked({"x": [Reply("", missing=absent)], "y": [GOOD]}, retries=3)
    assert verdicts == [absent, "B"]
    assert len(rounds) == 1


@pytest.mark.parametrize("reason", ["engine error", "refused", "truncated"])
def test_what_may_change_is_asked_again(reason: str) -> None:
    """A failed engine, a refusal and a cut reply get their second chance."""
    failed = Reply("", missing=Missing(reason))  # type: ignore[arg-type]
    assert asked({"x": [failed, GOOD]}, retries=1)[0] == ["B"]


def test_nothing_to_ask() -> None:
    """No calls, no verdicts, one empty round."""
    assert asked({}, retries=2) == ([], [[]])
