"""ELITR-Bench (Thonet et al. 2024): answers to questions about meetings, scored 1 to 10 by experts, a crowd, judges.

The file stays packed, as its owners ask; the transcripts are not in it, so a judge sees question, right answer and
answer.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from localeval.public_sets.rows import Fields, read_rows

ANSWERS = Path("elitr_bench", "scored_responses.jsonl.gz")
EXPERT = "human_gold"
RATERS = {"gpt4": "GPT-4", "prometheus": "Prometheus-13B", "human_silver": "crowd"}
"""Whose scores lie beside the experts': as the file calls them, and as a table does."""
LOWEST, HIGHEST = 1.0, 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of one system to a question about a meeting. `scores` in [1, 10], by rater; experts are human_gold."""

    meeting: str
    question_id: str
    question: str
    gold: str
    answerer: str
    text: str
    scores: Mapping[str, float]

    @property
    def id(self) -> str:
        """Tells the answer from all others."""
        return f"{self.meeting}/{self.question_id}/{self.answerer}"

    @property
    def expert(self) -> float:
        """The experts' score."""
        return self.scores[EXPERT]


def read_answers(data: Path) -> tuple[Answer, ...]:
    """The answers as they lie in the folder `data`, in file order; raises InputError."""
    return read_rows(data / ANSWERS, _answer)


def draw_answers(answers: Sequence[Answer], n: int, seed: int) -> tuple[Answer, ...]:
    """`n` answers, the whole of as many questions as that is, in random order; all for 0."""
    if not n:
        return tuple(answers)
    questions = list(dict.fromkeys((each.meeting, each.question_id) for each in answers))
    random.Random(seed).shuffle(questions)
    place = {question: number for number, question in enumerate(questions)}
    return tuple(sorted(answers, key=lambda each: place[each.meeting, each.question_id])[:n])


def _answer(row: Fields) -> Answer:
    scores = {name: row.number(name, LOWEST, HIGHEST) for name in (EXPERT, *RATERS)}
    meeting, question_id, question = row.text("meeting"), row.text("qid"), row.text("question")
    return Answer(meeting, question_id, question, row.text("gold"), row.text("model"), row.text("response"), scores)
