"""The quiz of one source, top to bottom: write or take questions, put them to every text."""

from collections.abc import Generator, Mapping, Sequence
from itertools import islice

from localeval.flow import Flow
from localeval.methods.quiz.answers import combine
from localeval.methods.quiz.calls import Purpose, QuizCalls, Wanted
from localeval.methods.quiz.schemas import Answered, QuizItem, QuizSettings, SourceQuiz
from localeval.methods.quiz.trials import put
from localeval.methods.quiz.writing import Written, write_quiz
from localeval.prompts import Prompts, candidate_block
from localeval.texts import Candidate, Source
from localeval.values import Call, Missing, Reply

TextName = tuple[Purpose, str]
"""("answer", a system) or ("control", "empty" | "unrelated" | "source")."""


def quiz(
    source: Source,
    candidates: Sequence[Candidate],
    unrelated: str,
    settings: QuizSettings,
    prompts: Prompts,
    seed: int,
    given: Sequence[QuizItem] = (),
) -> Flow[SourceQuiz]:
    """The quiz of a source, and what each candidate's text and each control answers of it.

    Without a writer in the settings the `given` items are the quiz. `unrelated` is the text of that control. After
    CapQuiz (arXiv 2609.09973, construction and scoring), except that one local model filters, by 3 of 4 blind trials
    where the paper has two models and 2 of 3: by that rule one model would drop a tenth of the good items by luck.
    """
    calls = QuizCalls(source, settings, prompts, seed)
    written = Written(list(given), []) if settings.writer is None else (yield from write_quiz(source, calls, settings))
    texts: dict[TextName, str] = {("answer", each.system): candidate_block(each.text) for each in candidates}
    if settings.controls:
        texts["control", "empty"] = candidate_block("")
        texts["control", "unrelated"] = candidate_block(unrelated)
        texts["control", "source"] = calls.source_text
    answers = yield from _answer(calls, settings, written.items, texts)
    return SourceQuiz(
        source=source.id,
        items=tuple(written.items),
        dropped=tuple(written.dropped),
        answers={name: answered for (purpose, name), answered in answers.items() if purpose == "answer"},
        controls={name: answered for (purpose, name), answered in answers.items() if purpose == "control"},
        asked_for=settings.questions if settings.writer else len(given),
        missing=written.missing or _emptied(written, settings),
    )


def _emptied(written: Written, settings: QuizSettings) -> Missing | None:
    """A quiz without a question measures nothing: that is missing, not a quiz of length 0."""
    if written.items:
        return None
    if not settings.writer:
        return Missing("invalid", "the quiz file has none")
    reasons = [drop.reason for drop in written.dropped]
    usual = max(written.dropped, key=lambda drop: reasons.count(drop.reason))
    return Missing("invalid", f"no question survived the filters; most often: {usual.reason} ({usual.detail})")


def _answer(
    calls: QuizCalls, settings: QuizSettings, items: Sequence[QuizItem], texts: Mapping[TextName, str]
) -> Generator[Sequence[Call], Sequence[Reply], dict[TextName, tuple[Answered, ...]]]:
    """Every item put to every text in every order of the options, in one round."""
    wanted = [
        Wanted(item, purpose, text, trial, f"{item.source}/{name}")
        for (purpose, name), text in texts.items()
        for item in items
        for trial in range(settings.permutations)
    ]
    trials = iter((yield from put(calls, settings.answerer, wanted, settings.retries)))
    return {
        name: tuple(combine(item, tuple(islice(trials, settings.permutations))) for item in items) for name in texts
    }
