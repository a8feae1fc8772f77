"""`localeval.methods.quiz.filters`: what a program can say of a written question."""

import pytest

from localeval.methods.quiz.filters import faulty_options, read_question
from localeval.methods.quiz.schemas import Dropped, QuizItem
from localeval.values import Reply
from tests.methods.quiz.helpers import source, written


def read(**changes: object) -> QuizItem | Dropped:
    """What is made of a writer's reply about plot 1."""
    return read_question(Reply("k", text=written(1, **changes)), source(), "entity", 1)


@pytest.mark.parametrize(
    ("options", "faulty"),
    [
        (("birch", "elm", "fern"), ()),
        (("Birch", "elm", " birch."), (2,)),
        (("５ euros", "5 euros", "-5 euros"), (1,)),
        (("elm", "", "!", "ELM"), (1, 2, 3)),
        (("12,5", "12.5"), ()),
    ],
)
def test_options_that_say_nothing_or_the_same(options: tuple[str, ...], faulty: tuple[int, ...]) -> None:
    """Case, width, white space and full stops make no difference; signs that change an amount do."""
    assert faulty_options(options) == faulty


@pytest.mark.parametrize("question", [" ", "\n", "?!"])
def test_a_question_without_a_word_is_dropped(question: str) -> None:
    """A model that writes none costs a question, not the run."""
    assert read(question=question) == Dropped("unreadable", "question: says nothing", question)


def test_options_are_checked_as_they_are_read() -> None:
    """A repeated option and a segment beyond the source leave with the reason."""
    assert isinstance(read(), QuizItem)
    same = read(answer="Elm", wrong=["elm", "fern", "iris"])
    assert isinstance(same, Dropped)
    assert same.reason == "options not distinct"
    assert read(segments="2 11") == Dropped("no such segment", "11 of 10", read().question)
