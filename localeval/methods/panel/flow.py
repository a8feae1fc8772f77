"""The panel of one source, one judge at a time: every criterion for every candidate, in one round."""

from collections.abc import Callable, Sequence
from functools import partial

from localeval.flow import Flow
from localeval.methods.asking import ask
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
    calls = PanelCalls(source, candidates, settings, prompts, seed)
    wanted = [
        Wanted(candidate, criterion, repeat)
        for repeat in range(settings.repeats)
        for candidate in candidates
        for criterion in rubric.criteria
    ]
    requests = [calls.judge(model, each) for each in wanted]
    readers: list[Callable[[Reply], Verdict]] = [partial(calls.read, wanted=each) for each in wanted]
    verdicts = yield from ask(requests, readers, lambda verdict: verdict.score, settings.retries)
    sheets: dict[str, dict[str, list[Verdict]]] = {
        candidate.system: {criterion.id: [] for criterion in rubric.criteria} for candidate in candidates
    }
    for each, verdict in zip(wanted, verdicts, strict=True):
        sheets[each.candidate.system][each.criterion.id].append(verdict)
    return {system: {criterion: tuple(given) for criterion, given in sheet.items()} for system, sheet in sheets.items()}
