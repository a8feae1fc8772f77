"""Reviews come back: a quiz and its sheets in, the quiz that the reviewers accept out."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from localeval.inputs.quiz_files import read_quiz, write_items
from localeval.inputs.review_sheet import read_sheets
from localeval.inputs.wording import problem
from localeval.methods.quiz.review import ReviewSummary, accepted, summarise
from localeval.methods.quiz.schemas import QuizItem, quiz_hash


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A reviewed quiz: what the reviews come to, the items that stay and those that left, and the hash of the first."""

    summary: ReviewSummary
    items: tuple[QuizItem, ...]
    rejected: tuple[QuizItem, ...]
    quiz_hash: str


def import_reviews(quiz: Path, sheets: Sequence[Path], out: Path) -> Reviewed:
    """Adds the reviews in `sheets` to the items of the file `quiz`, and writes those that stay to `out`.

    Items that nobody reviewed stay. Raises InputError, and writes nothing, where a file cannot be used or no item
    stays.
    """
    items = read_sheets(sheets, read_quiz(quiz))
    kept = tuple(item for item in items if accepted(item))
    if not kept:
        what = f"the reviewers reject all {len(items)} questions"
        raise problem(out.as_posix(), f"is not written, for {what}", "write and review another quiz")
    write_items(out, kept)
    rejected = tuple(item for item in items if not accepted(item))
    return Reviewed(summarise(items), kept, rejected, quiz_hash(kept))
