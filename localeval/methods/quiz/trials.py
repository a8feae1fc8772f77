"""Putting questions to a model: one trial is one question about one text in one order of its options."""

from collections.abc import Callable, Generator, Sequence
from functools import partial

from localeval.methods.asking import ask
from localeval.methods.quiz.answers import read_trial
from localeval.methods.quiz.calls import QuizCalls, Wanted
from localeval.methods.quiz.schemas import Trial
from localeval.values import Call, Reply


def put(
    calls: QuizCalls, model: str, wanted: Sequence[Wanted], retries: int
) -> Generator[Sequence[Call], Sequence[Reply], list[Trial]]:
    """One trial for each wanted, in order, in one round; what cannot be read is asked again as a new call."""
    requests = [calls.answer(model, each) for each in wanted]
    readers: list[Callable[[Reply], Trial]] = [partial(read_trial, order=calls.order(each)) for each in wanted]
    return (yield from ask(requests, readers, lambda trial: trial.chosen, retries))
