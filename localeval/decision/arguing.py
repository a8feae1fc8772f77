"""The recommendation in sentences: what it rests on, the runner-up, the incumbent, and what it takes to know more."""

from collections.abc import Iterator, Mapping
from typing import Any

from localeval.decision.contest import Contest, Pick, difference, value_of
from localeval.decision.measures import KINDS, MeasureName
from localeval.decision.words import against, amount, counted, difference_text, joined, name_of, p_words, plain
from localeval.methods.leaderboard import Measure

_RESTS_ON: tuple[MeasureName, ...] = ("fabrications", "consensus", "cap_f1", "cost_per_1000", "seconds")


def argue(
    contest: Contest, pick: Pick | None, second: Pick | None, found: Mapping[str, Any], currency: str
) -> list[str]:
    """One sentence an element. `found` is decision.json so far."""
    if contest.best is None:
        return ["Nothing is recommended: the run has no method that ranks systems; add panel, audit or quiz."]
    if pick is None:
        return [*_nobody(contest, found), *found["would_change"]]
    return [
        *_recommended(contest, pick, contest.best, currency),
        *_rules(contest),
        *_decided(contest, pick, contest.best),
        *_dominated(pick, found),
        *_runner_up(contest, pick, second, contest.best),
        *_incumbent(contest, pick, second, contest.best),
        *found["would_change"],
        *_sources(contest, pick, second, found["power"]),
    ]


def _nobody(contest: Contest, found: Mapping[str, Any]) -> Iterator[str]:
    passing = [name for name, verdict in contest.verdicts.items() if verdict.passes]
    if passing:
        best = name_of(contest.best) if contest.best else ""
        yield f"Nothing is recommended: no system that fulfils the rules has a number for {best}."
        return
    if not contest.systems:
        yield "Nothing is recommended: no system has a text that was judged."
        return
    yield "Nothing is recommended: no system fulfils every rule."
    name = found["nearest"]
    verdict = contest.verdicts[name]
    yield f"Nearest to the rules is {_called(contest, name)}: {'; '.join([*verdict.fails, *verdict.unknown])}."
    yield from (f"{line}." for line in _out(contest, name))


def _called(contest: Contest, name: str) -> str:
    return f"{name} (the incumbent)" if contest.systems[name].is_incumbent else name


def _recommended(contest: Contest, pick: Pick, best: Measure, currency: str) -> Iterator[str]:
    is_incumbent = contest.systems[pick.name].is_incumbent
    yield f"Recommended: {pick.name}{', the incumbent: nothing speaks for a change' if is_incumbent else ''}."
    shown = dict.fromkeys([best, *_RESTS_ON])
    values = [(measure, value_of(contest, pick.name, measure)) for measure in shown]
    told = [amount(measure, value, currency) for measure, value in values if value.value is not None]
    yield f"That rests on {', '.join(told)}."


def _rules(contest: Contest) -> Iterator[str]:
    """Who fulfils them, and why the others do not."""
    if not contest.rules:
        yield "No rules were set."
        return
    n = sum(verdict.passes for verdict in contest.verdicts.values())
    rules = joined(str(rule) for rule in contest.rules)
    yield f"{n} of {counted(len(contest.systems), 'system')} {'fulfils' if n == 1 else 'fulfil'} {rules}."
    yield from (f"{line}." for line in _out(contest, None))


def _out(contest: Contest, but: str | None) -> Iterator[str]:
    for name, verdict in contest.verdicts.items():
        if name == but or verdict.passes:
            continue
        if verdict.fails:
            yield f"{_called(contest, name)} fails: {'; '.join([*verdict.fails, *verdict.unknown])}"
        else:
            yield f"{_called(contest, name)} cannot be held to the rules: {'; '.join(verdict.unknown)}"


def _decided(contest: Contest, pick: Pick, best: Measure) -> Iterator[str]:
    """How a tie in `best` was broken."""
    if not pick.tied:
        if len(contest.able) > 1:
            yield (
                f"By {name_of(best)} the paired test puts it before the others that fulfil them."
                if contest.rules
                else (f"By {name_of(best)} the paired test puts it before the others.")
            )
        return
    yield f"In {name_of(best)} the paired test does not tell it from {joined(pick.tied)}."
    reasons = [_reason(contest, pick, step.how, step.measure) for step in pick.steps]
    yield f"Among these it was chosen since {', then since '.join(reasons)}."


def _dominated(pick: Pick, found: Mapping[str, Any]) -> Iterator[str]:
    """That another is at least as good by value in all that is weighed."""
    by = found["systems"][pick.name]["dominated_by"]
    if by:
        axes = joined(name_of(axis["measure"]) for axis in found["front"]["axes"])
        verb = "is" if len(by) == 1 else "are"
        yield f"By value alone {joined(by)} {verb} no worse than it in {axes}; what no test shows may be chance."


def _reason(contest: Contest, pick: Pick, how: str, measure: MeasureName | None) -> str:
    if how == "incumbent":
        return "it is the incumbent and a change costs something"
    if measure is None:
        return "its name comes first, for want of anything better"
    if how == "test":
        return f"a paired test finds it better in {name_of(measure)} ({_compared(contest, pick, measure)})"
    low = {"fabrications": "it has fewer fabrications", "cost_per_1000": "it is cheaper", "seconds": "it is faster"}
    words = low.get(measure, f"its {name_of(measure)} is better by value")
    return f"{words} ({_compared(contest, pick, measure)})"


def _compared(contest: Contest, pick: Pick, measure: MeasureName) -> str:
    """Its value against the best one of those that it is tied with."""
    others = [value for name in pick.tied if (value := contest.value(name, measure)) is not None]
    mine = contest.value(pick.name, measure)
    worse = [value for value in others if value != mine]
    nearest = (max if KINDS[measure].better == "high" else min)(worse, default=None)
    return against(measure, mine, nearest) if nearest is not None else plain(measure, mine)


def _gap(contest: Contest, measure: Measure, first: str, second: str) -> str:
    """ "2 better in consensus [-3 to 7], p = 0.400, over 4 sources": how the first stands to the second."""
    mine, theirs = contest.value(first, measure), contest.value(second, measure)
    both = against(measure, mine, theirs)
    found = difference(contest, measure, first, second)
    if found is None:
        return f"{name_of(measure)} {both}; they cannot be compared in pairs"
    moved = difference_text(*(found[end] * KINDS[measure].scale for end in ("value", "low", "high")))
    return f"{name_of(measure)} {both}, {moved}, {p_words(found['p_value'])} over {counted(found['sources'], 'source')}"


def _is_apart(contest: Contest, measure: Measure, first: str, second: str) -> bool:
    found = difference(contest, measure, first, second)
    return found is not None and found["p_value"] < contest.level


def _runner_up(contest: Contest, pick: Pick, second: Pick | None, best: Measure) -> Iterator[str]:
    if second is None:
        yield f"There is no runner-up: no other system has a number for {name_of(best)}."
        return
    apart = "told apart" if _is_apart(contest, best, pick.name, second.name) else "not told apart"
    gap = f"{_called(contest, second.name)}; {_gap(contest, best, pick.name, second.name)}: {apart}."
    if contest.verdicts[second.name].passes:
        yield f"Runner-up: {gap}"
    else:
        yield f"No other system fulfils the rules. Without them the next would be {gap}"


def _incumbent(contest: Contest, pick: Pick, second: Pick | None, best: Measure) -> Iterator[str]:
    """How the recommended one stands to what is deployed now."""
    for name, system in contest.systems.items():
        if not system.is_incumbent or name == pick.name:
            continue
        if contest.value(name, best) is None:
            lacks = f"has no number for {name_of(best)}"
            yield f"The incumbent, {name}, {lacks}: whether {pick.name} beats it is not known."
            continue
        gap = f": {_gap(contest, best, pick.name, name)}" if second is None or second.name != name else ""
        is_apart = _is_apart(contest, best, pick.name, name)
        mine, theirs = contest.value(pick.name, best), contest.value(name, best)
        is_better = mine is not None and theirs is not None and (mine > theirs) == (KINDS[best].better == "high")
        if is_apart:
            yield f"It {'beats' if is_better else 'is worse than'} the incumbent, {name}, in {name_of(best)}{gap}."
        else:
            yield f"That it beats the incumbent, {name}, in {name_of(best)} is not shown{gap}."
        if not contest.verdicts[name].passes:
            yield f"What speaks for a change is that {name} does not pass the rules."


def _sources(contest: Contest, pick: Pick, second: Pick | None, power: Mapping[str, Any] | None) -> Iterator[str]:
    """How many sources it would take."""
    best = contest.best
    if power is None or second is None or best is None:
        return
    pair = f"{pick.name} and {second.name}"
    if power["sources_needed"] is None:
        yield f"How many sources would tell {pair} apart cannot be said: {power['note']}."
        return
    if _is_apart(contest, best, pick.name, second.name):
        yield f"{pair} are told apart by the {counted(power['sources_now'], 'source')} there are."
        return
    more = max(0, power["sources_needed"] - power["sources_now"])
    size = plain(best, abs(power["difference"]))
    high = power["sources_needed_high"]
    cautious = f", {high:,} if sources differ as much as they may" if high else ""
    yield (
        f"To tell {pair} apart, if they differ by {size} in {name_of(best)}, takes about "
        f"{power['sources_needed']:,} sources{cautious}: {more:,} more than now "
        f"({power['power']:.0%} power at a level of {power['level']:.2g})."
    )
