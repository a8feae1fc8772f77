"""The quiz as a method: one flow a source."""

import statistics
from collections.abc import Iterator, Sequence
from itertools import cycle

from localeval.flow import Flow
from localeval.methods.material import Material
from localeval.methods.quiz.flow import quiz
from localeval.methods.quiz.schemas import QuizItem, QuizSettings, SourceQuiz
from localeval.prompts import Prompts
from localeval.texts import Language


def quiz_flows(
    material: Material, settings: QuizSettings, given: Sequence[QuizItem] = ()
) -> Iterator[tuple[str, Flow[SourceQuiz]]]:
    """(source id, its flow), lazily, in order of the sources. `given` holds the items of all sources."""
    for source in material.sources:
        candidates = material.by_source.get(source.id, ())
        length = round(statistics.median(len(candidate.text) for candidate in candidates)) if candidates else 0
        unrelated = unrelated_text(material.prompts, source.language, length)
        items = [item for item in given if item.source == source.id]
        yield source.id, quiz(source, candidates, unrelated, settings, material.prompts, material.seed, items)


def unrelated_text(prompts: Prompts, language: Language, length: int) -> str:
    """A text that has nothing to do with any source, of about `length` characters, in whole sentences.

    It ships with the package: another source of the same series could share its people and facts.
    """
    sentences = (
        prompts.render("quiz/unrelated", language).strip().replace("。", "。\n").replace(". ", ".\n").splitlines()
    )
    glue = "" if language == "zh" else " "
    text = ""
    for sentence in cycle(sentences):
        text = f"{text}{glue}{sentence}" if text else sentence
        if len(text) >= length:
            return text
    return text
