"""What people's reviews of a quiz come to: which items stay, and how far the reviewers agree."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from localeval.methods.quiz.schemas import QuizItem, Review
from localeval.stats.agreement import count_ratings, gwet_ac1, krippendorff_alpha, raw_agreement
from localeval.stats.estimate import Score, score_to_json

Question = Literal["grounded", "one_right_answer", "good_hard_negative"]

ANSWERS: dict[Question, Callable[[Review], bool]] = {
    "grounded": lambda review: review.grounded,
    "one_right_answer": lambda review: review.one_right_answer,
    "good_hard_negative": lambda review: review.hard_negative,
}
"""The three yes/no questions about an item, after CapQuiz (arXiv 2609.09973): the cited segments prove the right
answer; no other option is right too; the hard negative is plausible and false."""
OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far reviewers agree on one yes/no question, over the items that two or more of them answered.

    Each score's `missing` counts the items with one review. `n_yes` of `n_ratings` answers were yes: where nearly all
    are, alpha falls although people agree, and AC1 does not.
    """

    raw: Score
    ac1: Score
    alpha: Score
    n_yes: int
    n_ratings: int


@dataclass(frozen=True, slots=True)
class ReviewSummary:
    """Counts of items that reviewers accepted, that they rejected, and that nobody reviewed.

    `agreement` is by question, then "overall": whether the reviewer accepts the item.
    """

    n_accepted: int
    n_rejected: int
    n_unreviewed: int
    reviewers: tuple[str, ...]
    agreement: Mapping[str, Agreement]


def accepted(item: QuizItem) -> bool:
    """Whether an item stays: it leaves when at least half of its reviewers reject it. Without reviews it stays."""
    n_rejecting = sum(not review.is_accepted for review in item.reviews)
    return not item.reviews or 2 * n_rejecting < len(item.reviews)


def summarise(items: Sequence[QuizItem]) -> ReviewSummary:
    """The counts over all items and the agreement over those with reviews; intervals are clustered by source."""
    reviewed = [item for item in items if item.reviews]
    n_accepted = sum(accepted(item) for item in reviewed)
    names = dict.fromkeys(review.reviewer for item in reviewed for review in item.reviews)
    return ReviewSummary(
        n_accepted=n_accepted,
        n_rejected=len(reviewed) - n_accepted,
        n_unreviewed=len(items) - len(reviewed),
        reviewers=tuple(names),
        agreement={
            **{question: _agreement(reviewed, answer) for question, answer in ANSWERS.items()},
            OVERALL: _agreement(reviewed, lambda review: review.is_accepted),
        },
    )


def summary_to_json(summary: ReviewSummary) -> dict[str, object]:
    """A summary as a JSON object; a coefficient that is undefined has `value` null and its `reason`."""
    return {
        "accepted": summary.n_accepted,
        "rejected": summary.n_rejected,
        "unreviewed": summary.n_unreviewed,
        "reviewers": list(summary.reviewers),
        "agreement": {
            question: {
                "raw": score_to_json(found.raw),
                "ac1": score_to_json(found.ac1),
                "alpha": score_to_json(found.alpha),
                "yes": found.n_yes,
                "ratings": found.n_ratings,
            }
            for question, found in summary.agreement.items()
        },
    }


def _agreement(items: Sequence[QuizItem], answer: Callable[[Review], bool]) -> Agreement:
    ratings = [[answer(review) for review in item.reviews] for item in items]
    several = [given for given in ratings if len(given) > 1]
    places = {source: number for number, source in enumerate(dict.fromkeys(item.source for item in items))}
    sources = [places[item.source] for item in items]
    n_sources = len({place for place, given in zip(sources, ratings, strict=True) if len(given) > 1})
    counts = count_ratings(ratings, (True, False))
    clusters = sources if n_sources > 1 else None  # within one source the interval is over its items
    scores = (
        raw_agreement(counts, clusters),
        gwet_ac1(counts, clusters),
        krippendorff_alpha(counts, "nominal", sources=clusters),
    )
    raw, ac1, alpha = (replace(score, sources=n_sources) for score in scores)
    return Agreement(raw, ac1, alpha, sum(map(sum, several)), sum(map(len, several)))
