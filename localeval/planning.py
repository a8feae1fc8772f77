"""`localeval plan`: the run's own flows, driven with specimen replies, and the tokens of what they would send."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from localeval.engines.counting import count_tokens
from localeval.engines.prefixes import PrefixCache
from localeval.engines.scripted import count_words
from localeval.engines.wire import PromptTokens
from localeval.evaluation import run_path
from localeval.flow import Engine, EngineInfo, is_final
from localeval.ledger import Ledger
from localeval.measuring import Evaluation, gather
from localeval.methods.rehearsal import rehearse
from localeval.models import Model
from localeval.reading import read_evaluation
from localeval.store.folder import RunReader
from localeval.store.reader import StoreReader
from localeval.texts import Language
from localeval.values import Call, Reply


@dataclass(frozen=True)
class StagePlan:
    """The calls of one model at one stage: how many the store answers, how many would be sent, and their tokens.

    `unique_tokens` counts each shared prefix once: what must be computed if the prefix cache holds everything.
    `computed_tokens` is what must be computed if it holds no more than one full context, the least that an engine
    keeps: how well the order of the calls serves. `output_tokens` is the most that the replies may have.
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
class TooLong:
    """A call that would not fit: what it is about, what it needs and what the model holds, in tokens."""

    model: str
    stage: str
    subject: str
    needed: int
    limit: int


@dataclass(frozen=True)
class Plan:
    """What a run would ask if nothing went wrong: no question is filtered out and no reply is asked again."""

    stages: tuple[StagePlan, ...]
    too_long: tuple[TooLong, ...]
    loads: Mapping[str, int]


def plan(path: Path, out: Path | None = None) -> Plan:
    """The plan of a config file; what its run folder holds already counts as stored. Writes nothing.

    Prompt tokens are exact by each model's tokenizer, except that questions still to be written are specimens of
    usual length. A scripted model's tokens are words and signs. Raises what reading the config raises.
    """
    evaluation, models = read_evaluation(path)
    ledger = _Stages()
    engines = _Rehearsal(models, _language_of(evaluation))
    folder = run_path(evaluation, out)
    if folder.exists():
        with RunReader.open(folder) as reader:
            gather(evaluation, _Overlay(reader.store), engines, ledger)
    else:
        gather(evaluation, _Overlay(None), engines, ledger)
    stages: list[StagePlan] = []
    too_long: list[TooLong] = []
    for name, calls in engines.calls.items():
        counts = _count(models[name], calls)
        fitting = {key: call for key, call in calls.items() if _fits(models[name], call, counts[key])}
        too_long += [_too_long(models[name], call, counts[key]) for key, call in calls.items() if key not in fitting]
        longest = max((counts[key].prompt for key in fitting), default=0)
        caches = PrefixCache(), PrefixCache(max(models[name].context, longest))
        stages += _stages(name, fitting, counts, caches, ledger.stored_at)
    done = sorted(set(ledger.stored_at) - {(stage.model, stage.stage) for stage in stages})
    stages += [StagePlan(model, stage, ledger.stored_at[model, stage], 0, 0, 0, 0, 0) for model, stage in done]
    loads = {name: account.loads for name, account in ledger.accounts.items() if account.loads}
    return Plan(tuple(stages), tuple(too_long), loads)


def _stages(
    model: str,
    calls: Mapping[str, Call],
    counts: Mapping[str, PromptTokens],
    caches: Sequence[PrefixCache],
    stored: Mapping[tuple[str, str], int],
) -> list[StagePlan]:
    """The calls in the order in which they would be sent, stage by stage."""
    by_stage: dict[str, list[tuple[int, ...]]] = {}
    for key, call in calls.items():
        computed = (cache.compute(counts[key]) for cache in caches)
        by_stage.setdefault(call.stage, []).append((counts[key].prompt, *computed, call.sampling.max_tokens))
    return [
        StagePlan(
            model, stage, stored.get((model, stage), 0), len(rows), *(sum(column) for column in zip(*rows, strict=True))
        )
        for stage, rows in by_stage.items()
    ]


def _count(model: Model, calls: Mapping[str, Call]) -> Mapping[str, PromptTokens]:
    if model.engine == "scripted":
        return {key: count_words(call) for key, call in calls.items()}
    return count_tokens(model, calls)


def _fits(model: Model, call: Call, count: PromptTokens) -> bool:
    return not 0 < model.context < count.prompt + call.sampling.max_tokens


def _too_long(model: Model, call: Call, count: PromptTokens) -> TooLong:
    needed = count.prompt + call.sampling.max_tokens
    return TooLong(model.name, call.stage, call.subject, needed, model.context)


def _language_of(evaluation: Evaluation) -> dict[str, Language]:
    return {source.id: source.language for source in evaluation.material.sources}


def _language(languages: Mapping[str, Language], call: Call) -> Language:
    """The language of a call's source; a source id may hold a slash. A call about no source is taken for English."""
    subject = call.subject
    while subject and subject not in languages:
        subject = subject.rpartition("/")[0]
    return languages.get(subject, "en")


class _Stages(Ledger):
    """Counts what the store answers, by model and stage."""

    def __init__(self) -> None:
        super().__init__()
        self.stored_at: Counter[tuple[str, str]] = Counter()

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        before = self.accounts[call.model].stored
        super().answered(call, reply, is_stored)
        if self.accounts[call.model].stored > before:
            self.stored_at[call.model, call.stage] += 1


@dataclass
class _Overlay:
    """Real replies where there are some; specimens are forgotten."""

    reader: StoreReader | None

    def get(self, key: str) -> Reply | None:
        return self.reader.get(key) if self.reader is not None else None

    def append(self, call: Call, reply: Reply) -> None: ...


class _Rehearsal:
    """Engines that note every call and answer with specimens."""

    def __init__(self, models: Mapping[str, Model], languages: Mapping[str, Language]) -> None:
        self._models = models
        self._languages = languages
        self.calls: dict[str, dict[str, Call]] = {}

    def identity(self, model: str) -> str:
        return self._models[model].identity

    def stands(self, model: str, reply: Reply) -> bool:
        return is_final(reply, self._models[model].context)

    def open(self, model: str) -> Engine:
        return _Specimens(self.calls.setdefault(model, {}), self._languages)


@dataclass
class _Specimens:
    """An engine without a model."""

    calls: dict[str, Call]
    languages: Mapping[str, Language]
    info: EngineInfo = field(default_factory=lambda: EngineInfo("rehearsal"))
    capacity: int = 256
    waiting: deque[Reply] = field(default_factory=deque)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def submit(self, calls: Mapping[str, Call]) -> None:
        for key, call in calls.items():
            self.calls[key] = call
            text = rehearse(call, len(self.calls), _language(self.languages, call))
            # real engines give probabilities where they are asked for; without them affect would plan draws
            shares = (((text, 0.0),),) if call.sampling.logprobs else ()
            self.waiting.append(Reply(key, text, logprobs=shares))

    def replies(self) -> Iterator[Reply]:
        while self.waiting:
            yield self.waiting.popleft()
