"""The quiz's answerer on the texts of a check: does it read off what stands there, and say so where nothing does?

Questions are made by rule from the planted errors (`localeval.checking.cloze`). Of a planted text the planted words
must be chosen, of the trusted text and its rewordings the true ones, of a text without the sentence "cannot be
determined".
The answerer sees the text alone, so places in the source mean nothing here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from localeval.checking.asking.rulings import Ruling, ruling
from localeval.checking.cloze import Cloze, cloze_of
from localeval.checking.texts import WHOLE, CheckTest, CheckText
from localeval.flow import Flow
from localeval.measuring import Evaluation
from localeval.methods.quiz.answers import combine
from localeval.methods.quiz.calls import QuizCalls, Wanted
from localeval.methods.quiz.schemas import GOLD, HARD_NEGATIVE, UNDETERMINED, Answered, QuizSettings
from localeval.methods.quiz.trials import put
from localeval.prompts import Prompts, candidate_block
from localeval.values import Missing

Name = tuple[str, str]
"""Text id and item id."""


@dataclass(frozen=True, slots=True)
class _Question:
    """One question to one text, and the option that is right of it."""

    text: CheckText
    cloze: Cloze
    right: int

    @property
    def name(self) -> Name:
        """What its flow is called."""
        return self.text.id, self.cloze.item.id


def clozes_of(evaluation: Evaluation, test: CheckTest) -> tuple[Cloze, ...]:
    """The questions that the planted texts give, each once."""
    found: dict[str, Cloze] = {}
    for text in test.texts:
        if text.edit is not None and text.view == WHOLE:
            cloze = cloze_of(text.trusted, text.edit, len(found) + 1, evaluation.material.prompts)
            if cloze is not None:
                found.setdefault(cloze.item.question + "\n" + cloze.item.options[1], cloze)
    return tuple(found.values())


def quiz_flows(evaluation: Evaluation, test: CheckTest) -> Iterator[tuple[Name, Flow[Answered]]]:
    """((text id, item id), its flow)."""
    settings, material = _settings(evaluation), evaluation.material
    for question in _questions(evaluation, test):
        calls = QuizCalls(question.text.trusted.source, settings, material.prompts, material.seed)
        yield question.name, _answered(calls, question, settings)


def quiz_rulings(evaluation: Evaluation, test: CheckTest, found: Mapping[Name, Answered]) -> Iterator[Ruling]:
    """What the answerer made of each question: flagged where it did not choose the true words.

    A planted error counts as found only where its very words were chosen, a dropped sentence where nothing was.
    """
    model = _settings(evaluation).answerer
    for question in _questions(evaluation, test):
        chosen = found[question.name].chosen
        if isinstance(chosen, Missing):
            flagged: bool | Missing = chosen
        else:
            flagged = chosen == question.right if question.right != GOLD else chosen != GOLD
        yield ruling("quiz", model, question.text, flagged, place=(len(question.text.candidate.text), None))


def _settings(evaluation: Evaluation) -> QuizSettings:
    settings = evaluation.config.methods.quiz
    assert settings is not None
    return settings


def _questions(evaluation: Evaluation, test: CheckTest) -> Iterator[_Question]:
    clozes = clozes_of(evaluation, test)
    has_way_out = _settings(evaluation).undetermined != "none"
    for text in test.texts:
        if text.view != WHOLE:
            continue
        for cloze in clozes:
            if cloze.trusted is not text.trusted:
                continue
            right = _right_option(text, cloze, evaluation.material.prompts)
            if right is not None and (has_way_out or right != UNDETERMINED):
                yield _Question(text, cloze, right)


def _right_option(text: CheckText, cloze: Cloze, prompts: Prompts) -> int | None:
    """What the text says to a question about the trusted text; None where the question is not put to it."""
    edit, asked = text.edit, cloze.edit
    if edit is None:
        # another wording may say the same otherwise: asked only where the words of the gap still stand there
        return GOLD if text.role == "untouched" or asked.before in text.candidate.text else None
    if edit == asked:
        return HARD_NEGATIVE
    if edit.kind == "dropped sentence" and edit.start <= asked.start and asked.end <= edit.end:
        return UNDETERMINED if asked.before not in text.candidate.text else None
    return None


def _answered(calls: QuizCalls, question: _Question, settings: QuizSettings) -> Flow[Answered]:
    """The answer over all orders of the options."""
    item, block = question.cloze.item, candidate_block(question.text.candidate.text)
    subject = f"{question.text.origin}/{question.text.id}"
    wanted = [Wanted(item, "answer", block, trial, subject) for trial in range(settings.permutations)]
    trials = yield from put(calls, settings.answerer, wanted, settings.retries)
    return combine(item, tuple(trials))
