"""The quiz as a method: one flow a source."""

from collections.abc import Iterator, Sequence

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
    items: dict[str, list[QuizItem]] = {}
    for item in given:
        items.setdefault(item.source, []).append(item)
    for source in material.sources:
        candidates = material.by_source.get(source.id, ())
        unrelated = unrelated_text(material.prompts, source.language)
        own = items.get(source.id, ())
        yield source.id, quiz(source, candidates, unrelated, settings, material.prompts, material.seed, own)


def unrelated_text(prompts: Prompts, language: Language) -> str:
    """A text that has nothing to do with any source, as long as a usual summary.

    It ships with the package: another source of the same series could share its people and facts. It is the same
    whoever wrote about the source, so that a system that comes later changes nothing that was asked before.
    """
    return prompts.render("quiz/unrelated", language).strip()
