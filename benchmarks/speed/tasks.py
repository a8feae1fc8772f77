"""A part's work in plain texts, for contestants that write their own prompts."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.speed.contest import Asked, Judged, Settings, Task
from benchmarks.speed.material import Work
from localeval.engines.options import vllm_options
from localeval.measuring import Evaluation
from localeval.methods.quiz.calls import QuizCalls, Wanted
from localeval.methods.quiz.schemas import GOLD, N_WRITTEN
from localeval.models import Model
from localeval.reading import read_evaluation


def task_of(work: Work, settings: Settings) -> Task:
    """The calls of a part as texts. Parts c and d have none: no peer can do them."""
    evaluation, _ = read_evaluation(work.config)
    panel = evaluation.config.methods.panel
    return Task(
        part=work.part,
        settings=settings,
        asked=tuple(_asked(evaluation)) if work.part == "a" else (),
        judged=tuple(_judged(evaluation, work.config.parent)) if work.part == "b" else (),
        verdict_tokens=panel.verdict_tokens if panel is not None else 0,
    )


def settings_of(model: Model, engine: Mapping[str, str]) -> Settings:
    """The engine's settings, as far as other users of vLLM can set them too.

    `engine` is what localeval's own engine said of itself, so that nothing is assumed twice.
    """
    cache_gib = vllm_options(model).cache_gib
    assert cache_gib is not None  # the bench's configs say it
    return Settings(
        folder=Path(model.folder),
        dtype=engine["dtype"],
        context=model.context,
        cache_gib=cache_gib,
        block_size=int(engine["block_size"]),
        max_in_flight=int(engine["max_in_flight"]),
        max_batched_tokens=int(engine["max_batched_tokens"]),
    )


def _asked(evaluation: Evaluation) -> Iterator[Asked]:
    """Every question to every candidate in every order of the options, as the quiz puts them."""
    material, settings = evaluation.material, evaluation.config.methods.quiz
    assert settings is not None
    for source in material.sources:
        calls = QuizCalls(source, settings, material.prompts, material.seed)
        cannot = material.prompts.render("quiz/undetermined", source.language)
        for candidate in material.by_source[source.id]:
            for item in (each for each in evaluation.items if each.source == source.id):
                for trial in range(settings.permutations):
                    order = calls.order(Wanted(item, "answer", candidate.text, trial, candidate.system))
                    options = tuple(item.options[place] if place < N_WRITTEN else cannot for place in order)
                    yield Asked(source.id, candidate.system, candidate.text, item.question, options, order.index(GOLD))


def _judged(evaluation: Evaluation, folder: Path) -> Iterator[Judged]:
    """Every criterion for every candidate, with the text of its source as it stands in its file."""
    material = evaluation.material
    for source in material.sources:
        text = (folder / "sources" / f"{source.id}.txt").read_text(encoding="utf-8")
        for candidate in material.by_source[source.id]:
            for each in evaluation.rubrics[source.id].criteria:
                levels = (each.levels[0], each.levels[1], each.levels[2])
                yield Judged(
                    source.id, candidate.system, text, candidate.text, each.id, each.statement, levels, each.allows_na
                )
