"""What is asked of the judge: flows over a random order of sentences, opened as long as there is time."""

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from localeval.cli.progress import Progress
from localeval.driver import drive
from localeval.flow import EngineInfo, Engines, Flow, Store
from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.readings import Layout, TextAffect
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.prompts import Prompts
from localeval.public_sets.emobank import Mood
from localeval.public_sets.newsmtsc import Sentence
from localeval.public_sets.reading_affect import AffectReader, read_mood, read_targets, targets_of
from localeval.values import Call, Reply

JUDGE = "judge"
OPEN_CALLS = 32
"""Calls that may wait before a further sentence is opened: few, since all of them are still asked once time is up."""
TARGET_STAGE = "affect/target"
_ENOUGH = 16
"""Replies after which the time that one takes is known."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Cost:
    """Tokens of calls, as the engine counted them when it first answered."""

    calls: int = 0
    prompt: int = 0
    cached: int = 0
    output: int = 0

    @property
    def computed(self) -> int:
        """Prompt tokens that the prefix cache did not hold."""
        return self.prompt - self.cached

    def plus(self, other: "Cost") -> "Cost":
        """The sum."""
        return Cost(
            self.calls + other.calls,
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.output + other.output,
        )


@dataclass(frozen=True)
class SentenceRead:
    """What the judge says of a sentence of NewsMTSC, read from probabilities, and from draws where those were wanted.

    The costs are those of the scores of targets. Whichever was asked first paid for the prompt, the other found it in
    the cache.
    """

    sentence: Sentence
    affect: TextAffect
    cost: Cost
    draws: TextAffect | None = None
    draws_cost: Cost = Cost()
    draws_first: bool = False


@dataclass(frozen=True)
class Asked:
    """What came back before the time was up, a random sample of what was drawn."""

    sentences: list[SentenceRead] = field(default_factory=list)
    moods: list[tuple[Mood, TextAffect]] = field(default_factory=list)


@dataclass(frozen=True)
class Plan:
    """What is read, and how. `draws` is how many targets are read from draws too."""

    sentences: Sequence[Sentence]
    moods: Sequence[Mood]
    draws: int
    axes: AxisSet
    prompts: Prompts
    seed: int = 1
    layout: Layout = "task first"
    evidence: bool = False
    scale: str | int = "words"
    samples: int = 5
    repeats: int = 1

    @property
    def reader(self) -> AffectReader:
        """Who is asked, and with what."""
        return AffectReader(JUDGE, self.axes, self.prompts, self.seed, self.layout)

    def settings(self, targets: Sequence[Target]) -> AffectSettings:
        """Of the readings from probabilities; without targets of the whole text alone."""
        return AffectSettings.model_validate(
            {
                "judges": (JUDGE,),
                "targets": tuple(targets),
                "contracts": ("target", "whole") if targets else ("whole",),
                "reading": "logprobs",
                "evidence": self.evidence and bool(targets),
                "flags": False,
                "scale": self.scale,
                "samples": self.samples,
                "repeats": self.repeats,
            }
        )


class Clock(Progress):
    """Shows progress, and knows whether what waits will be answered before the time is up."""

    def __init__(self, limit_s: float) -> None:
        super().__init__()
        self._end = time.monotonic() + limit_s
        self._began = time.monotonic()

    def loaded(self, model: str, info: EngineInfo) -> None:
        """The time that a reply takes counts from here."""
        super().loaded(model, info)
        self._began = time.monotonic()

    @property
    def has_time(self) -> bool:
        """Whether a further sentence may be opened."""
        now = time.monotonic()
        pace = (now - self._began) / self.sent if self.sent >= _ENOUGH else 0.0
        return now + pace * sum(account.waiting for account in self.accounts.values()) < self._end


def ask(plan: Plan, store: Store, engines: Engines, clock: Clock) -> Asked:
    """Everything that could be read in the time, in one load of the model; what the store holds costs none."""
    asked = Asked()
    for _, result in drive(_in_time(plan, clock), store, engines, clock, OPEN_CALLS):
        if isinstance(result, SentenceRead):
            asked.sentences.append(result)
        else:
            asked.moods.append(result)
    return asked


def _in_time(plan: Plan, clock: Clock) -> Iterator[tuple[str, Flow[SentenceRead | tuple[Mood, TextAffect]]]]:
    """The flows in random order, so that those that fit into the time are a random sample of each data set."""
    tasks: list[Sentence | Mood] = [*plan.sentences, *plan.moods]
    random.Random(plan.seed).shuffle(tasks)
    drawn = _targets_to_draw(tasks, plan.draws)
    for task in tasks:
        if not clock.has_time:
            return
        if isinstance(task, Mood):
            yield task.id, _read_mood(task, plan)
        else:
            yield task.id, _read_sentence(task, plan, drawn.get(task.id))


def _targets_to_draw(tasks: Iterable[Sentence | Mood], draws: int) -> dict[str, bool]:
    """The sentences whose targets are read from draws too, as many as hold `draws` targets; every other draws first."""
    chosen: dict[str, bool] = {}
    for task in tasks:
        if draws <= 0:
            break
        if isinstance(task, Sentence):
            chosen[task.id] = len(chosen) % 2 == 0
            draws -= len(task.mentions)
    return chosen


def _read_sentence(sentence: Sentence, plan: Plan, draws_first: bool | None) -> Flow[SentenceRead]:
    """Valence of the whole sentence and of each target. `draws_first` is None where nothing is drawn."""
    settings = plan.settings(targets_of(sentence))
    drawing = settings.model_copy(update={"reading": "samples", "contracts": ("target",), "evidence": False})

    def read(how: AffectSettings) -> Flow[tuple[TextAffect, Cost]]:
        return metered(read_targets(sentence, plan.reader, how), TARGET_STAGE)

    drawn: tuple[TextAffect | None, Cost] = (None, Cost())
    if draws_first is True:
        drawn = yield from read(drawing)
    affect, cost = yield from read(settings)
    if draws_first is False:
        drawn = yield from read(drawing)
    return SentenceRead(sentence, affect, cost, *drawn, draws_first=draws_first is True)


def _read_mood(mood: Mood, plan: Plan) -> Flow[tuple[Mood, TextAffect]]:
    """Valence, arousal and dominance of a sentence of EmoBank."""
    affect = yield from read_mood(mood, plan.reader, plan.settings(()))
    return mood, affect


def metered(flow: Flow[Result], stage: str) -> Flow[tuple[Result, Cost]]:
    """The flow's result, and what its calls of a stage cost, whether they were answered now or in an earlier run."""
    cost = Cost()
    try:
        calls: Sequence[Call] = next(flow)
        while True:
            replies: Sequence[Reply] = yield calls
            for call, reply in zip(calls, replies, strict=True):
                if call.stage == stage:
                    cost = cost.plus(Cost(1, reply.prompt_tokens, reply.cached_tokens, reply.output_tokens))
            calls = flow.send(replies)
    except StopIteration as stop:
        return stop.value, cost
