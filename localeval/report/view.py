"""Rows to show, out of scores and results: pure, no formatting for a device."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from localeval.errors import InputError
from localeval.evaluation import Evaluation, Results
from localeval.methods.quiz.answers import LETTERS
from localeval.methods.quiz.schemas import GOLD, HARD_NEGATIVE, UNDETERMINED, Answered, QuizItem
from localeval.models.cards import suggestion
from localeval.prompts import clock
from localeval.texts import Source
from localeval.values import Missing


@dataclass(frozen=True, slots=True)
class Proof:
    """A source segment that proves an answer."""

    segment: int
    time: str
    speaker: str
    words: str


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
class Details:
    """What `localeval show` prints of one candidate or source."""

    questions: tuple[QuestionRow, ...]
    dropped: tuple[DroppedRow, ...]
    missing: dict[str, str]
    """By source: why it has no quiz."""


def details(evaluation: Evaluation, results: Results, system: str | None, source: str | None) -> Details:
    """Every question of the chosen systems and sources (None: all). Raises InputError for an unknown name."""
    sources = {each.id: each for each in evaluation.material.sources}
    systems = list(dict.fromkeys(each.system for each in evaluation.material.candidates))
    if source is not None and source not in sources:
        raise InputError(f"no source {source!r} in this run{suggestion(source, list(sources))}")
    if system is not None and system not in systems:
        raise InputError(f"no system {system!r} in this run{suggestion(system, systems)}")
    chosen = {name: quiz for name, quiz in results.quiz.items() if source in (None, name)}
    questions = tuple(
        _question(sources[name], each, item, answer)
        for name, quiz in chosen.items()
        for each in systems
        if system in (None, each) and each in quiz.answers
        for item, answer in zip(quiz.items, quiz.answers[each], strict=True)
    )
    dropped = tuple(DroppedRow(name, d.reason, d.detail, d.question) for name, q in chosen.items() for d in q.dropped)
    missing = {name: f"{q.missing.reason}: {q.missing.detail}" for name, q in chosen.items() if q.missing is not None}
    return Details(questions, dropped, missing)


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
        reason=f"{chosen.reason}: {chosen.detail}" if isinstance(chosen, Missing) else "",
        proof=tuple(_proofs(source, item)),
    )


def _verdict(chosen: int | Missing) -> str:
    if isinstance(chosen, Missing):
        return "missing"
    return {GOLD: "kept", UNDETERMINED: "lost"}.get(chosen, "bent")


def _proofs(source: Source, item: QuizItem) -> Iterator[Proof]:
    for number in item.segments:
        segment = source.segments[number - 1]
        time = clock(segment.begin_s) if segment.begin_s is not None else ""
        yield Proof(number, time, segment.speaker or "", source.words_of(segment))


def leaderboard(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a system, best first, as they stand in scores.json."""
    systems = scores["methods"]["quiz"]["systems"]
    return [{"system": name, **system} for name, system in systems.items()]
