"""A run without models: its own flows, driven with specimen replies, and every call noted load by load."""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Protocol, Self

from localeval.driver import Observer
from localeval.flow import Engine, EngineInfo, Engines, Store, is_final
from localeval.gathering import gather
from localeval.ledger import Ledger
from localeval.measuring import Evaluation
from localeval.methods.rehearsal import rehearse
from localeval.models import Model
from localeval.texts import Language, Source
from localeval.values import Call, Reply


class Answers(Protocol):
    """What already holds replies by key: the store of a run."""

    def get(self, key: str) -> Reply | None:
        """The stored reply, or None."""
        ...


@dataclass(frozen=True)
class RehearsedLoad:
    """One load of a model, and what it would be asked while it is loaded, in that order, by key."""

    model: str
    calls: dict[str, Call] = field(default_factory=dict)


@dataclass(frozen=True)
class Rehearsed:
    """The loads in their order, and how many calls the store answers, by model and stage."""

    loads: tuple[RehearsedLoad, ...]
    stored_at: Mapping[tuple[str, str], int]


def rehearse_run(evaluation: Evaluation, models: Mapping[str, Model], store: Answers | None) -> Rehearsed:
    """What a run would ask if nothing went wrong, beyond what `store` answers. Nothing is written or loaded."""
    return rehearsed(partial(gather, evaluation), evaluation.material.sources, models, store)


def rehearsed(
    gathering: Callable[[Store, Engines, Observer], object],
    sources: Sequence[Source],
    models: Mapping[str, Model],
    store: Answers | None,
) -> Rehearsed:
    """`rehearse_run` of whatever drives flows about these sources."""
    counted = _Stored()
    engines = _Rehearsal(models, {source.id: source.language for source in sources})
    gathering(_Overlay(store), engines, counted)
    return Rehearsed(tuple(engines.loads), counted.stored_at)


class _Stored(Ledger):
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

    store: Answers | None

    def get(self, key: str) -> Reply | None:
        return self.store.get(key) if self.store is not None else None

    def append(self, call: Call, reply: Reply) -> None: ...


class _Rehearsal:
    """Engines that note every call and answer with specimens."""

    def __init__(self, models: Mapping[str, Model], languages: Mapping[str, Language]) -> None:
        self._models = models
        self._languages = languages
        self._asked: set[str] = set()
        self.loads: list[RehearsedLoad] = []

    def identity(self, model: str) -> str:
        return self._models[model].identity

    def stands(self, model: str, reply: Reply) -> bool:
        return is_final(reply, self._models[model].context)

    def open(self, model: str) -> Engine:
        self.loads.append(RehearsedLoad(model))
        return _Specimens(self.loads[-1].calls, self._asked, self._languages)


@dataclass
class _Specimens:
    """An engine without a model. What was asked in an earlier load would be stored by now, and is not noted again."""

    calls: dict[str, Call]
    asked: set[str]
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
            if key not in self.asked:
                self.asked.add(key)
                self.calls[key] = call
            text = rehearse(call, len(self.asked), _language(self.languages, call))
            # real engines give probabilities where they are asked for; without them affect would plan draws
            shares = (((text, 0.0),),) if call.sampling.logprobs else ()
            self.waiting.append(Reply(key, text, logprobs=shares))

    def replies(self) -> Iterator[Reply]:
        while self.waiting:
            yield self.waiting.popleft()


def _language(languages: Mapping[str, Language], call: Call) -> Language:
    """The language of a call's source; a source id may hold a slash. A call about no source is taken for English."""
    subject = call.subject
    while subject and subject not in languages:
        subject = subject.rpartition("/")[0]
    return languages.get(subject, "en")
