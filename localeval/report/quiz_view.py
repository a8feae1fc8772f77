"""Rows of the quiz: each question as a candidate's text answers it."""

from collections.abc import Mapping
from dataclasses import dataclass

from localeval.methods.quiz.answers import LETTERS
from localeval.methods.quiz.schemas import GOLD, HARD_NEGATIVE, UNDETERMINED, Answered, QuizItem, SourceQuiz
from localeval.report.rows import Proof, Scope, proofs, why
from localeval.texts import Source
from localeval.values import Missing


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One question as one candidate's text answers it. `letters` is where the chosen option stood in each order."""

    source: str
    system: str
    item: str
    kind: str
    question: str
    options: tuple[str, ...]
    gold: str
    chosen: str
    verdict: str
    """kept, bent, lost or missing."""
    took_hard_negative: bool
    is_unstable: bool
    letters: tuple[str, ...]
    reason: str
    proof: tuple[Proof, ...]


@dataclass(frozen=True, slots=True)
class DroppedRow:
    """A question that left the quiz."""

    source: str
    reason: str
    detail: str
    question: str


@dataclass(frozen=True, slots=True)
class QuizDetails:
    """The quizzes of the chosen sources, as the chosen systems answer them."""

    questions: tuple[QuestionRow, ...]
    dropped: tuple[DroppedRow, ...]
    missing: dict[str, str]
    """By source: why it has no quiz."""


def quiz_details(quizzes: Mapping[str, SourceQuiz], chosen: Scope) -> QuizDetails:
    """Every question, source by source and system by system, and what left the quiz."""
    found = {source.id: quizzes[source.id] for source in chosen.chosen(quizzes)}
    questions = tuple(
        _question(chosen.sources[name], system, item, answer)
        for name, quiz in found.items()
        for system in chosen.systems
        if system in quiz.answers
        for item, answer in zip(quiz.items, quiz.answers[system], strict=True)
    )
    dropped = tuple(DroppedRow(name, d.reason, d.detail, d.question) for name, q in found.items() for d in q.dropped)
    missing = {name: why(quiz.missing) for name, quiz in found.items() if quiz.missing is not None}
    return QuizDetails(questions, dropped, missing)


def _question(source: Source, system: str, item: QuizItem, answer: Answered) -> QuestionRow:
    chosen = answer.chosen
    return QuestionRow(
        source=source.id,
        system=system,
        item=item.id,
        kind=item.kind,
        question=item.question,
        options=item.options,
        gold=item.options[GOLD],
        chosen="" if isinstance(chosen, Missing) else item.label(chosen),
        verdict=_verdict(chosen),
        took_hard_negative=chosen == HARD_NEGATIVE,
        is_unstable=answer.is_unstable,
        letters=tuple(LETTERS[trial.letter] if trial.letter >= 0 else "-" for trial in answer.trials),
        reason=why(chosen) if isinstance(chosen, Missing) else "",
        proof=proofs(source, item.segments),
    )


def _verdict(chosen: int | Missing) -> str:
    if isinstance(chosen, Missing):
        return "missing"
    return {GOLD: "kept", UNDETERMINED: "lost"}.get(chosen, "bent")
