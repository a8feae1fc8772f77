"""`localeval.methods.quiz.filters`: what a program can say of a written question."""

import pytest

from localeval.methods.quiz.filters import faulty_options, read_question, split_duplicates, split_repeats
from localeval.methods.quiz.schemas import Dropped, QuizItem
from localeval.values import Reply
from tests.methods.quiz.helpers import source, written
from tests.quiz_items import item


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


def question(number: int, answer: str, asked: str, segments: tuple[int, ...]) -> QuizItem:
    options = (answer, "one wrong", "another wrong", "third wrong", "last wrong")
    return item(number, question=asked, options=options, segments=segments)


TWINS = (
    question(1, "12 euros", "How much does the ferry cost for a child?", (3,)),
    question(2, "12 euros", "For a child, how much does the ferry cost?", (9,)),
)


def test_near_duplicates_have_one_answer_and_one_question_or_proof() -> None:
    """Any two of three: alike questions, alike answers, a common proof. Another number makes another question."""
    kept, dropped = split_duplicates(TWINS, {}, 85.0)
    assert [each.number for each in kept] == [1]
    assert dropped == [Dropped("near-duplicate", f"of: {TWINS[0].question}", TWINS[1].question)]
    same_proof = question(2, "12 Euros.", "What is the fare that Ann names?", (2, 3))
    assert len(split_duplicates([TWINS[0], same_proof], {}, 85.0)[0]) == 1
    other_proof = question(2, "12 euros", "What is the fare that Ann names?", (9,))
    assert len(split_duplicates([TWINS[0], other_proof], {}, 85.0)[0]) == 2
    other_number = question(2, "13 euros", "How much does the ferry cost for a child?", (9,))
    assert len(split_duplicates([TWINS[0], other_number], {}, 85.0)[0]) == 2
    disputed = question(2, "as much as a bicycle", "How much does the ferry cost for a child?", (3,))
    assert len(split_duplicates([TWINS[0], disputed], {}, 85.0)[0]) == 1


def test_of_near_duplicates_the_one_that_is_guessed_least_stays() -> None:
    """Blind hits decide, then the number; what is kept comes back in order."""
    third = question(3, "blue", "Which colour has the new lamp?", (5,))
    kept, dropped = split_duplicates([third, *TWINS], {TWINS[0].id: 2, TWINS[1].id: 1, third.id: 2}, 85.0)
    assert [each.number for each in kept] == [2, 3]
    assert [drop.question for drop in dropped] == [TWINS[0].question]


def test_similarity_is_a_lever() -> None:
    """At 100 only the same words are near-duplicates, at 0 every two with the same numbers and a common proof are."""
    near = question(2, "12 euros", "How much does the ferry cost for a small child?", (9,))
    apart = question(2, "12 euros", "How much does the boat cost for a pupil?", (9,))
    assert len(split_duplicates([TWINS[0], apart], {}, 100.0)[0]) == 2
    assert len(split_duplicates([TWINS[0], near], {}, 85.0)[0]) == 1
    unlike = question(2, "12 crowns", "Who paid?", (3,))
    assert len(split_duplicates([TWINS[0], unlike], {}, 0.0)[0]) == 1
    assert len(split_duplicates([TWINS[0], unlike], {}, 85.0)[0]) == 2


def test_repeats_to_the_letter_leave_at_once() -> None:
    """Within a round and across rounds: `seen` remembers."""
    seen: set[str] = set()
    new, dropped = split_repeats([TWINS[0], TWINS[0], TWINS[1]], seen)
    assert (new, [drop.reason for drop in dropped]) == ([TWINS[0], TWINS[1]], ["near-duplicate"])
    new, dropped = split_repeats([TWINS[1]], seen)
    assert (new, len(dropped)) == ([], 1)


def test_cited_segments_are_read_once_each() -> None:
    """In the order of the writer; white space around question and options is not part of them."""
    found = read(segments="3 1 3", question=" What? ", answer=" birch ")
    assert isinstance(found, QuizItem)
    assert (found.segments, found.question, found.options[0]) == ((3, 1), "What?", "birch")


@pytest.mark.parametrize("segments", ["", "0", "1,2", "1 2 3 4 5", "01", "1 ", "[1]", "1-3"])
def test_segments_in_another_form_are_unreadable(segments: str) -> None:
    """Rule 5: one to four numbers with a space between, or no question at all."""
    found = read(segments=segments)
    assert isinstance(found, Dropped)
    assert found.reason == "unreadable"
    assert found.detail.startswith("invalid: segments: ")
