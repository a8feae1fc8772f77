"""Quiz items and reviews for tests, about the plots of `tests.methods.quiz.helpers.source`."""

from localeval.methods.quiz.schemas import QuizItem, Review
from tests.methods.quiz.helpers import FACTS


def item(number: int = 1, **changes: object) -> QuizItem:
    """The question about plot `number`, proved by one segment."""
    others = [fact for i, fact in enumerate(FACTS) if i != number]
    fields = {
        "source": "s",
        "number": number,
        "kind": "entity",
        "language": "en",
        "question": f"What grows on plot {number}?",
        "options": (FACTS[number], *others[:4]),
        "segments": (number + 1,),
    }
    return QuizItem.model_validate(fields | changes)


def review(reviewer: str, *, grounded: bool = True, one: bool = True, negative: bool = True) -> Review:
    """A review, yes to all unless told."""
    return Review(reviewer=reviewer, grounded=grounded, one_right_answer=one, hard_negative=negative)


def reviewed(number: int, *verdicts: bool, **changes: object) -> QuizItem:
    """The question about plot `number`, accepted or rejected by so many people."""
    reviews = tuple(review(f"person {i}", grounded=verdict) for i, verdict in enumerate(verdicts))
    return item(number, reviews=reviews, **changes)
