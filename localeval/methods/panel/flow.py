"""The panel of one source, one judge at a time: every criterion for every candidate, in one round."""

from collections.abc import Callable, Sequence
from functools import partial

from localeval.flow import Flow
from localeval.methods.asking import ask
from localeval.methods.panel.batch import BatchCalls
from localeval.methods.panel.calls import PanelCalls, Wanted
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import PanelSettings, Sheet, Verdict
from localeval.prompts import Prompts
from localeval.texts import Candidate, Source
from localeval.values import Reply


def judge(
    source: Source,
    candidates: Sequence[Candidate],
    model: str,
    rubric: Rubric,
    settings: PanelSettings,
    prompts: Prompts,
    seed: int,
) -> Flow[dict[str, Sheet]]:
    """One judge's sheet for each candidate of a source, by system.

    A flow a judge, so that what one judge must be asked again does not wait for the others.
    """
    if settings.has_batches(model):
        batches = BatchCalls(source, candidates, rubric, settings, prompts, seed)
        given = yield from _in_batches(batches, model, rubric, settings.retries)
    else:
        calls = PanelCalls(source, candidates, settings, prompts, seed)
        wanted = [
            Wanted(candidate, criterion, repeat)
            for repeat in range(settings.repeats)
            for candidate in candidates
            for criterion in rubric.criteria
        ]
        given = yield from _one_by_one(calls, model, wanted, settings.retries)
    sheets: dict[str, dict[str, list[Verdict]]] = {
        candidate.system: {criterion.id: [] for criterion in rubric.criteria} for candidate in candidates
    }
    for (system, criterion_id), verdict in given:
        sheets[system][criterion_id].append(verdict)
    return {system: {criterion: tuple(found) for criterion, found in sheet.items()} for system, sheet in sheets.items()}


_Given = list[tuple[tuple[str, str], Verdict]]
"""Verdicts by system and criterion, those of an earlier repeat first."""


def _one_by_one(calls: PanelCalls, model: str, wanted: Sequence[Wanted], retries: int) -> Flow[_Given]:
    """Every verdict in a call of its own."""
    requests = [calls.judge(model, each) for each in wanted]
    readers: list[Callable[[Reply], Verdict]] = [partial(calls.read, wanted=each) for each in wanted]
    verdicts = yield from ask(requests, readers, lambda verdict: verdict.score, retries)
    places = [(each.candidate.system, each.criterion.id) for each in wanted]
    return list(zip(places, verdicts, strict=True))


def _in_batches(calls: BatchCalls, model: str, rubric: Rubric, retries: int) -> Flow[_Given]:
    """All verdicts of a line-up in one call; a reply that is missing is missing for each of them."""
    batches = calls.batches()
    requests = [calls.judge(model, each) for each in batches]
    readers: list[Callable[[Reply], tuple[Verdict, ...]]] = [partial(calls.read, batch=each) for each in batches]
    replies = yield from ask(requests, readers, lambda verdicts: verdicts[0].score, retries)
    places = [
        (candidate.system, criterion.id)
        for batch in batches
        for candidate in batch.candidates
        for criterion in rubric.criteria
    ]
    return list(zip(places, (verdict for verdicts in replies for verdict in verdicts), strict=True))
