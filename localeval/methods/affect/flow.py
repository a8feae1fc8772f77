"""One text, one judge: its mood, and a portrait of each target. Nearly all is asked in one round."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from localeval.evidence.mentions import find_mentions, merge_names
from localeval.flow import Flow
from localeval.methods.affect.axes import AxisSet, Contract
from localeval.methods.affect.calls import AffectCalls, Wanted
from localeval.methods.affect.readings import AffectText, Evidence, Flags, Item, Layout, Portrait, Reading, TextAffect
from localeval.methods.affect.schemas import AffectSettings, ProposedTarget, Target
from localeval.methods.asking import ask
from localeval.prompts import Prompts
from localeval.values import Missing, Reply

LONGEST_NAME = 60
"""Characters of a name that a model may propose."""

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
    calls = AffectCalls(text, text.text, judge, settings, prompts, seed, layout)
    proposed: tuple[ProposedTarget, ...] | Missing = ()
    if settings.propose:
        # every judge is shown the first one's proposals, so that all speak of the same targets
        proposed = (
            yield from ask(
                [calls.propose(settings.judges[0])], [calls.read_proposal], lambda each: each, settings.retries
            )
        )[0]
    found = targets if isinstance(proposed, Missing) else (*targets, *_new(text, targets, proposed, settings.propose))
    named = [each for each in found if not must_name or _is_named(each, text)]
    scores = _scores(settings, axes, named)
    proven = [each for each in scores if each.repeat == 0 and settings.evidence]
    shares, evidence, flags = yield from _ask_together(calls, settings, scores, proven, named)
    readings = yield from _settle(calls, settings, scores, shares)
    items = _items(settings, readings, dict(zip([each.key for each in proven], evidence, strict=True)))
    said = dict(zip([each.name for each in named], flags, strict=True)) if settings.flags else {}
    absent = Missing("not covered", "the text does not name the target")
    portraits = [
        Portrait(each, said.get(each.name), items.get(each.name, ())) if each in named else Portrait(each, absent)
        for each in found
    ]
    kept = proposed if isinstance(proposed, Missing) else None
    return TextAffect(text, judge, items.get("", ()), tuple(portraits), kept)


def _scores(settings: AffectSettings, axes: AxisSet, targets: Sequence[Target]) -> list[Wanted]:
    """Every score that is asked of the text: of each target, and of the whole."""
    return [
        Wanted(contract, axis, target, repeat)
        for contract in settings.contracts
        for axis in axes.of(contract)
        for target in ((None,) if contract == "whole" else targets)
        for repeat in range(settings.repeats)
    ]


def _ask_together(
    calls: AffectCalls,
    settings: AffectSettings,
    scores: Sequence[Wanted],
    proven: Sequence[Wanted],
    named: Sequence[Target],
) -> Flow[tuple[list[Reading | None], list[Evidence], list[Flags | Missing]]]:
    """Everything that waits for no other answer, in one round. A score without probabilities is None."""
    names = [name for target in named for name in target.names]
    shares = [] if settings.reading == "samples" else scores
    flagged = named if settings.flags else []
    requests = [*map(calls.score, shares), *map(calls.evidence, proven), *map(calls.flags, flagged)]
    readers: list[Callable[[Reply], _Answer]] = [
        *(partial(calls.read_shares, wanted=each) for each in shares),
        *(partial(calls.read_evidence, names=names) for _ in proven),
        *(calls.read_flags for _ in flagged),
    ]
    answers = yield from ask(requests, readers, _retried, settings.retries)
    read = [each for each in answers[: len(shares)] if each is None or isinstance(each, Reading)]
    return (
        read if shares else [None] * len(scores),
        [each for each in answers if isinstance(each, Evidence)],
        [each for each in answers[len(shares) + len(proven) :] if isinstance(each, Flags | Missing)],
    )


def _settle(
    calls: AffectCalls, settings: AffectSettings, scores: Sequence[Wanted], shares: Sequence[Reading | None]
) -> Flow[dict[_Key, Reading]]:
    """A reading for each score: from probabilities where the engine gave them, else from seeded draws."""
    readings = {wanted.key: each for wanted, each in zip(scores, shares, strict=True) if each is not None}
    left = [wanted for wanted in scores if wanted.key not in readings]
    if settings.reading == "logprobs":
        unread = Reading(Missing("invalid", "no probabilities came; set `reading: samples`"))
        return readings | {wanted.key: unread for wanted in left}
    requests = [calls.score(wanted, draw) for wanted in left for draw in range(settings.samples)]
    readers = [partial(calls.read_draw, wanted=wanted) for wanted in left for _ in range(settings.samples)]
    draws = yield from ask(requests, readers, lambda draw: draw, settings.retries)
    for place, wanted in enumerate(left):
        readings[wanted.key] = calls.of_draws(draws[place * settings.samples : (place + 1) * settings.samples])
    return {wanted.key: readings[wanted.key] for wanted in scores}


def _items(
    settings: AffectSettings, readings: Mapping[_Key, Reading], evidence: Mapping[_Key, Evidence]
) -> dict[str, tuple[Item, ...]]:
    """The items by the target's name, "" for those of the whole text."""
    items: dict[str, list[Item]] = {}
    for key in readings:
        contract, axis, target, repeat = key
        if repeat == 0:
            repeats = tuple(readings[contract, axis, target, n] for n in range(settings.repeats))
            items.setdefault(target, []).append(Item(contract, axis, repeats, evidence.get(key)))
    return {target: tuple(each) for target, each in items.items()}


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
    """The proposed targets that stand in the text and are none of the given ones, by any of their names, each once.

    A name goes into prompts, outside the fence of its text: what is long enough to give orders is none.
    """
    candidates = [Target(name=each.name, kind=each.kind) for each in proposed]
    short = [each for each in candidates if len(each.name) <= LONGEST_NAME]
    new = [each for each in short if _is_named(each, text)]
    known = [name for each in targets for name in each.names]
    found: list[Target] = []
    for same in merge_names([*known, *(each.name for each in new)], text.language):
        if same[0] >= len(known):  # the first name of a group is the target, the others are what else it is called
            first, *others = [new[place - len(known)] for place in same]
            aliases = tuple(dict.fromkeys(each.name for each in others if each.name != first.name))
            found.append(first.model_copy(update={"aliases": aliases}))
    return found[:most]
