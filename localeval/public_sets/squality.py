"""SQuALITY (Wang et al. 2022): answers to questions about stories, two by models and one by a person, rated 0-100."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import numpy as np

from localeval.public_sets.rows import Fields, read_rows
from localeval.stats.correlation import Mask
from localeval.stats.intervals import Floats

RATINGS = Path("squality", "human_eval.jsonl")
WHOLE = 300
"""Rows of the whole set."""

Aspect = Literal["correctness", "coverage", "overall"]
ASPECTS: tuple[Aspect, ...] = get_args(Aspect)


@dataclass(frozen=True, slots=True)
class Rating:
    """What one person says of one text, 0 to 100."""

    rater: str
    correctness: float
    coverage: float
    overall: float

    def on(self, aspect: Aspect) -> float:
        """The rating of an aspect."""
        return {"correctness": self.correctness, "coverage": self.coverage, "overall": self.overall}[aspect]


@dataclass(frozen=True, slots=True)
class Rated:
    """One text about a story, `system` "human" where a person wrote it. `text` is None where the set leaves it out."""

    story: str
    question: int
    system: str
    text: str | None
    ratings: tuple[Rating, ...]

    @property
    def is_by_model(self) -> bool:
        """Whether no person wrote it."""
        return self.system != "human"


class RatingTable(NamedTuple):
    """Ratings [texts, raters], where they are given, the raters' names and the story of each text by number."""

    values: Floats
    is_given: Mask
    raters: tuple[str, ...]
    stories: list[int]


def read_rated(data: Path) -> tuple[Rated, ...]:
    """The rated texts as they lie in the folder `data`, in file order; raises InputError."""
    return read_rows(data / RATINGS, _rated)


def rating_table(rated: Sequence[Rated], aspect: Aspect) -> RatingTable:
    """The ratings of one aspect, raters in order of their names."""
    raters = tuple(sorted({each.rater for text in rated for each in text.ratings}))
    column = {rater: place for place, rater in enumerate(raters)}
    values, is_given = np.zeros((len(rated), len(raters))), np.zeros((len(rated), len(raters)), bool)
    for place, text in enumerate(rated):
        for each in text.ratings:
            values[place, column[each.rater]] = each.on(aspect)
            is_given[place, column[each.rater]] = True
    stories = {story: number for number, story in enumerate(dict.fromkeys(text.story for text in rated))}
    return RatingTable(values, is_given, raters, [stories[text.story] for text in rated])


def _rated(row: Fields) -> Rated:
    ratings = tuple(_rating(each) for each in row.each("ratings"))
    twice = [each.rater for each in ratings if sum(other.rater == each.rater for other in ratings) > 1]
    if twice:
        raise row.problem("ratings", f"has rater {twice[0]} twice", "keep one of the two")
    return Rated(row.text("passage_id"), row.whole("q"), row.text("system"), row.optional_text("response"), ratings)


def _rating(row: Fields) -> Rating:
    correctness, coverage, overall = (row.number(name, 0, 100) for name in ASPECTS)
    return Rating(row.text("rater"), correctness, coverage, overall)
