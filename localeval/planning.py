"""`localeval plan`: the calls and tokens of a run that is only rehearsed, stage by stage and load by load."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from localeval.engines.counting import count_tokens
from localeval.engines.prefixes import PrefixCache
from localeval.engines.scripted import count_words
from localeval.engines.secrets import hidden_names
from localeval.engines.wire import PromptTokens
from localeval.evaluation import run_path
from localeval.measuring import Evaluation
from localeval.models import Model
from localeval.models.options import LOCAL
from localeval.reading import read_evaluation
from localeval.rehearsing import Answers, Rehearsed, rehearse_run
from localeval.store.folder import RunReader
from localeval.values import Call


@dataclass(frozen=True)
class StagePlan:
    """The calls of one model at one stage: how many the store answers, how many would be sent, and their tokens.

    `unique_tokens` counts each shared prefix once: what must be computed if the prefix cache holds everything while
    the model is loaded. `computed_tokens` is what must be computed if it holds no more than one full context, the
    least that an engine keeps: how well the order of the calls serves. `output_tokens` is the most that the replies
    may have.
    """

    model: str
    stage: str
    stored: int
    calls: int
    prompt_tokens: int
    unique_tokens: int
    computed_tokens: int
    output_tokens: int

    @property
    def shared_share(self) -> float:
        """Share of the prompt tokens that stand in an earlier call too, 0 where there is none."""
        return 1 - self.unique_tokens / self.prompt_tokens if self.prompt_tokens else 0.0


@dataclass(frozen=True)
class LoadPlan:
    """One load of a model, and the stages that it serves before another takes its place."""

    model: str
    stages: tuple[StagePlan, ...]


@dataclass(frozen=True)
class TooLong:
    """A call that would not fit: what it is about, what it needs and what the model holds, in tokens."""

    model: str
    stage: str
    subject: str
    needed: int
    limit: int


@dataclass(frozen=True)
class Plan:
    """What a run would ask if nothing went wrong: no question is filtered out and no reply is asked again.

    `loads` stand in the order in which they would happen; `stages` are their sums, with what the store answers.
    """

    stages: tuple[StagePlan, ...]
    too_long: tuple[TooLong, ...]
    loads: tuple[LoadPlan, ...]


def plan(path: Path, out: Path | None = None) -> Plan:
    """The plan of a config file; what its run folder holds already counts as stored. Writes nothing.

    Prompt tokens are exact by each model's tokenizer, except that questions still to be written are specimens of
    usual length. Tokens of models that are scripted or elsewhere are words and signs. Raises what reading the config
    raises.
    """
    evaluation, models = read_evaluation(path)
    folder = run_path(evaluation, out)
    if not folder.exists():
        return plan_of(evaluation, models, None)
    with RunReader.open(folder) as reader:
        return plan_of(evaluation, models, reader.store)


def plan_of(evaluation: Evaluation, models: Mapping[str, Model], store: Answers | None) -> Plan:
    """`plan` of an evaluation that is read already, beyond what `store` answers."""
    return planned(rehearse_run(evaluation, models, store), models)


def planned(rehearsed: Rehearsed, models: Mapping[str, Model]) -> Plan:
    """The plan of what was rehearsed."""
    counts = _counts(models, rehearsed)
    loads: list[LoadPlan] = []
    too_long: list[TooLong] = []
    for load in rehearsed.loads:
        model, counted = models[load.model], counts[load.model]
        fitting = {key: call for key, call in load.calls.items() if _fits(model, call, counted[key])}
        too_long += [_too_long(model, call, counted[key]) for key, call in load.calls.items() if key not in fitting]
        loads.append(LoadPlan(load.model, _stages(model, fitting, counted)))
    return Plan(_sums(loads, rehearsed.stored_at), tuple(too_long), tuple(loads))


def added(stages: Sequence[StagePlan], model: str, stage: str, stored: int = 0) -> StagePlan:
    """The sums of some stages as one."""
    return StagePlan(
        model=model,
        stage=stage,
        stored=stored,
        calls=sum(each.calls for each in stages),
        prompt_tokens=sum(each.prompt_tokens for each in stages),
        unique_tokens=sum(each.unique_tokens for each in stages),
        computed_tokens=sum(each.computed_tokens for each in stages),
        output_tokens=sum(each.output_tokens for each in stages),
    )


def _counts(models: Mapping[str, Model], rehearsed: Rehearsed) -> dict[str, Mapping[str, PromptTokens]]:
    """Tokens of every call by model and key: one tokenizer is started a model, however often it is loaded."""
    calls: dict[str, dict[str, Call]] = {}
    for load in rehearsed.loads:
        calls.setdefault(load.model, {}).update(load.calls)
    hidden = hidden_names(models.values())
    return {name: _count(models[name], asked, hidden) for name, asked in calls.items()}


def _count(model: Model, calls: Mapping[str, Call], hidden: Collection[str]) -> Mapping[str, PromptTokens]:
    if model.engine in LOCAL and calls:
        return count_tokens(model, calls, hidden)
    return {key: count_words(call) for key, call in calls.items()}


def _stages(model: Model, calls: Mapping[str, Call], counts: Mapping[str, PromptTokens]) -> tuple[StagePlan, ...]:
    """The calls of one load in the order in which they would be sent, stage by stage. Its prefix cache begins empty."""
    longest = max((counts[key].prompt for key in calls), default=0)
    caches = PrefixCache(), PrefixCache(max(model.context, longest))
    by_stage: dict[str, list[tuple[int, ...]]] = {}
    for key, call in calls.items():
        computed = (cache.compute(counts[key]) for cache in caches)
        by_stage.setdefault(call.stage, []).append((counts[key].prompt, *computed, call.sampling.max_tokens))
    return tuple(
        StagePlan(model.name, stage, 0, len(rows), *(sum(column) for column in zip(*rows, strict=True)))
        for stage, rows in by_stage.items()
    )


def _sums(loads: Sequence[LoadPlan], stored_at: Mapping[tuple[str, str], int]) -> tuple[StagePlan, ...]:
    """Each model's stages over all its loads, then those that the store answers whole."""
    found: dict[tuple[str, str], list[StagePlan]] = {}
    for name in dict.fromkeys(load.model for load in loads):
        for load in (load for load in loads if load.model == name):
            for stage in load.stages:
                found.setdefault((name, stage.stage), []).append(stage)
    done = sorted(set(stored_at) - set(found))
    return tuple(added(found.get(key, []), *key, stored_at.get(key, 0)) for key in [*found, *done])


def _fits(model: Model, call: Call, count: PromptTokens) -> bool:
    return not 0 < model.context < count.prompt + call.sampling.max_tokens


def _too_long(model: Model, call: Call, count: PromptTokens) -> TooLong:
    needed = count.prompt + call.sampling.max_tokens
    return TooLong(model.name, call.stage, call.subject, needed, model.context)
