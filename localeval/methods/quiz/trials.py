"""Putting questions to a model: one trial is one question about one text in one order of its options."""

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import NamedTuple

from localeval.methods.asking import ask
from localeval.methods.quiz.answers import read_trial
from localeval.methods.quiz.calls import Purpose, QuizCalls
from localeval.methods.quiz.schemas import QuizItem, Trial
from localeval.values import Call, Reply


class Wanted(NamedTuple):
    """A trial to be made; `text` is a fenced block, empty for a blind trial."""

    item: QuizItem
    purpose: Purpose
    text: str
    trial: int


def put(
    calls: QuizCalls, model: str, wanted: Sequence[Wanted], retries: int
) -> Generator[Sequence[Call], Sequence[Reply], list[Trial]]:
    """One trial for each wanted, in order, in one round; what cannot be read is asked again as a new call."""
    requests = [calls.answer(model, each.item, each.text, each.purpose, each.trial) for each in wanted]
    readers: list[Callable[[Reply], Trial]] = [
        partial(read_trial, order=calls.order(each.item, each.purpose, each.trial)) for each in wanted
    ]
    return (yield from ask(requests, readers, lambda trial: trial.chosen, retries))
