"""One text, one judge: its mood, and a portrait of each target. Nearly all is asked in one round."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from localeval.evidence.mentions import find_mentions, merge_names
from localeval.flow import Flow
from localeval.methods.affect.axes import AxisSet, Contract
from localeval.methods.affect.calls import AffectCalls, Wanted
from localeval.methods.affect.readings import AffectText, Evidence, Flags, Item, Layout, Portrait, Reading, TextAffect
from localeval.methods.affect.schemas import AffectSettings, ProposedTarget, Target
from localeval.methods.asking import ask
from localeval.prompts import Prompts
from localeval.values import Call, Missing, Reply

_Key = tuple[Contract, str, str, int]
_Answer = Reading | Evidence | Flags | Missing | None
"""What one reply of the first round says; None for a score without probabilities."""


def read_text(
    text: AffectText,
    judge: str,
    targets: Sequence[Target],
    settings: AffectSettings,
    axes: AxisSet,
    prompts: Prompts,
    seed: int,
    layout: Layout,
    must_name: bool = True,
) -> Flow[TextAffect]:
    """What one judge reads in a text. With `must_name` a target that the text does not name is not asked about."""
    if isinstance(text.text, Missing):
        return TextAffect(text, judge, portraits=tuple(Portrait(target, text.text) for target in targets))
    calls = AffectCalls(text, text.text, judge, settings, axes, prompts, seed, layout)
    proposed: tuple[ProposedTarget, ...] | Missing = ()
    if settings.propose:
        # every judge is shown the first one's proposals, so that all speak of the same targets
        proposed = (
            yield from ask(
                [calls.propose(settings.judges[0])], [calls.read_proposal], lambda each: each, settings.retries
            )
        )[0]
    found = targets if isinstance(proposed, Missing) else (*targets, *_new(text, targets, proposed, settings.propose))
    portrayed = [each for each in found if not must_name or _is_named(each, text)]
    round_ = _Round(calls, settings, axes)
    plan = round_.plan(portrayed)
    answers = yield from ask(plan.calls, plan.readers, _retried, settings.retries)
    readings = yield from round_.settle(plan, answers)
    whole, portraits = round_.assemble(plan, answers, readings, portrayed)
    absent = Missing("not covered", "the text does not name the target")
    return TextAffect(
        text,
        judge,
        whole,
        tuple(portraits.get(each.name) or Portrait(each, absent) for each in found),
        proposed if isinstance(proposed, Missing) else None,
    )


@dataclass(frozen=True)
class _Plan:
    """The first round: scores, then evidence, then flags, with a reader for each call."""

    scores: list[Wanted]
    evidence: list[Wanted]
    flags: list[Target]
    calls: list[Call]
    readers: list[Callable[[Reply], _Answer]]


@dataclass(frozen=True)
class _Round:
    """What is asked of one text, and how it is put together."""

    calls: AffectCalls
    settings: AffectSettings
    axes: AxisSet

    def plan(self, targets: Sequence[Target]) -> _Plan:
        """Everything that waits for no other answer. Where scores are to be drawn they come later."""
        settings, calls = self.settings, self.calls
        scores = [
            Wanted(contract, axis, target, repeat)
            for contract in settings.contracts
            for axis in self.axes.of(contract)
            for target in ((None,) if contract == "whole" else targets)
            for repeat in range(settings.repeats)
        ]
        evidence = [each for each in scores if each.repeat == 0] if settings.evidence else []
        flags = list(targets) if settings.flags else []
        shares = scores if settings.reading != "samples" else []
        return _Plan(
            scores,
            evidence,
            flags,
            [*map(calls.score, shares), *map(calls.evidence, evidence), *map(calls.flags, flags)],
            [
                *(partial(calls.read_shares, wanted=each) for each in shares),
                *(partial(calls.read_evidence, target=each.target) for each in evidence),
                *(calls.read_flags for _ in flags),
            ],
        )

    def settle(self, plan: _Plan, answers: Sequence[_Answer]) -> Flow[dict[_Key, Reading]]:
        """A reading for each score: from probabilities where the engine gave them, else from seeded draws."""
        settings, calls = self.settings, self.calls
        given = answers[: len(plan.scores)] if settings.reading != "samples" else [None] * len(plan.scores)
        readings: dict[_Key, Reading] = {}
        to_draw: list[Wanted] = []
        for wanted, answer in zip(plan.scores, given, strict=True):
            if isinstance(answer, Reading):
                readings[wanted.key] = answer
            elif settings.reading == "logprobs":
                readings[wanted.key] = Reading(Missing("invalid", "no probabilities came; set `reading: samples`"))
            else:
                to_draw.append(wanted)
        requests = [calls.score(wanted, draw) for wanted in to_draw for draw in range(settings.samples)]
        if requests:
            readers = [partial(calls.read_draw, wanted=wanted) for wanted in to_draw for _ in range(settings.samples)]
            draws = yield from ask(requests, readers, lambda draw: draw, settings.retries)
            for place, wanted in enumerate(to_draw):
                readings[wanted.key] = calls.of_draws(draws[place * settings.samples : (place + 1) * settings.samples])
        return readings

    def assemble(
        self, plan: _Plan, answers: Sequence[_Answer], readings: dict[_Key, Reading], targets: Sequence[Target]
    ) -> tuple[tuple[Item, ...], dict[str, Portrait]]:
        """The items of the whole text, and the portraits by the target's name."""
        n_flags = len(plan.flags)
        last = len(answers) - n_flags
        told = answers[last - len(plan.evidence) : last]
        evidence = {
            wanted.key: each for wanted, each in zip(plan.evidence, told, strict=True) if isinstance(each, Evidence)
        }
        flags = dict(zip([each.name for each in plan.flags], answers[last:], strict=True))
        items: dict[str, list[Item]] = {}
        for wanted in plan.scores:
            if wanted.repeat == 0:
                repeats = tuple(readings[wanted._replace(repeat=n).key] for n in range(self.settings.repeats))
                item = Item(wanted.contract, wanted.axis.id, repeats, evidence.get(wanted.key))
                items.setdefault(wanted.target.name if wanted.target is not None else "", []).append(item)
        portraits: dict[str, Portrait] = {}
        for target in targets:
            said = flags.get(target.name)
            kept = said if isinstance(said, Flags | Missing) else None
            portraits[target.name] = Portrait(target, kept, tuple(items.get(target.name, ())))
        return tuple(items.get("", ())), portraits


def _retried(answer: _Answer) -> object:
    """What of an answer may be asked again: a phrase that does not stand in the text is an answer, not a failure."""
    if isinstance(answer, Reading):
        return answer.value
    if isinstance(answer, Evidence) and answer.missing is not None and answer.missing.reason != "no evidence":
        return answer.missing
    return answer


def _is_named(target: Target, text: AffectText) -> bool:
    assert isinstance(text.text, str)
    return bool(find_mentions(text.text, target.names, text.language, is_person=target.kind == "person"))


def _new(text: AffectText, targets: Sequence[Target], proposed: Sequence[ProposedTarget], most: int) -> list[Target]:
    """The proposed targets that stand in the text and are none of the given ones, each once."""
    candidates = [*targets, *(Target(name=each.name, kind=each.kind) for each in proposed)]
    new = [place for place in range(len(targets), len(candidates)) if _is_named(candidates[place], text)]
    places = [*range(len(targets)), *new]
    names = [candidates[place].name for place in places]
    found: list[Target] = []
    for same in merge_names(names, text.language):
        if same[0] >= len(targets):  # the first name of a group is the target, the others are what else it is called
            first, *others = [candidates[places[place]] for place in same]
            aliases = tuple(dict.fromkeys(each.name for each in others if each.name != first.name))
            found.append(first.model_copy(update={"aliases": aliases}))
    return found[:most]
