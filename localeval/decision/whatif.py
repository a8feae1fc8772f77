"""What would change a recommendation: another rule, another measure, one source less."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from typing import Any

from localeval.decision.contest import Contest, winner
from localeval.decision.leaving import LeftOut
from localeval.decision.measures import KINDS, sources_of
from localeval.decision.rules import Rule
from localeval.decision.words import against, counted, joined, name_of

LEAST_SOURCES = 3
"""With fewer, a source less leaves nothing that could be compared."""


def would_change(contest: Contest, scores: Mapping[str, Any]) -> list[str]:
    """One sentence for each single thing that would have somebody else recommended, or whether nothing of a kind would.

    Each rule relaxed as far as it takes, each other measure of `rank_by` in place of `best`, each source left out.
    """
    now = winner(contest)
    recommended = now.name if now is not None else None
    contest = replace(contest, favourite=recommended or "")  # a toss-up is no change
    return [
        *_rules(contest, recommended),
        *_measures(contest, recommended),
        *_sources(contest, recommended, scores),
    ]


def _rules(contest: Contest, recommended: str | None) -> Iterator[str]:
    """The least relaxation of each rule with another winner, and its absence where that has yet another."""
    for place, rule in enumerate(contest.rules):
        others = contest.rules[:place] + contest.rules[place + 1 :]
        said = recommended
        for relaxed in _relaxations(contest, rule):
            found = winner(replace(contest, rules=(*others, relaxed)))
            if found is not None and found.name != recommended:
                said = found.name
                yield f"If {relaxed} were allowed, {said} would be recommended{_gain(contest, said, recommended)}."
                break
        free = winner(replace(contest, rules=others))
        if free is not None and free.name not in (said, recommended):
            aside = "" if contest.value(free.name, rule.measure) is not None else f"; its {rule.measure} is not known"
            gain = _gain(contest, free.name, recommended)
            yield f"Without the rule {rule}, {free.name} would be recommended{gain}{aside}."
    if contest.rules and recommended is not None and _is_bound_by_none(contest, recommended):
        yield f"No single rule decides: without any one of them it would still be {recommended}."


def _is_bound_by_none(contest: Contest, recommended: str) -> bool:
    rules = contest.rules
    found = (winner(replace(contest, rules=rules[:place] + rules[place + 1 :])) for place in range(len(rules)))
    return all(each is not None and each.name == recommended for each in found)


def _relaxations(contest: Contest, rule: Rule) -> list[Rule]:
    """The rule with each bound that lets in one more system, nearest first; none for ==."""
    if rule.sign == "==":
        return []
    is_top = rule.sign in ("<", "<=")
    scale = KINDS[rule.measure].scale
    values = [value for name in contest.systems if (value := contest.value(name, rule.measure)) is not None]
    needed = sorted({round(value * scale, 9) for value in values if not rule.holds(value)}, reverse=not is_top)
    return [Rule(rule.measure, "<=" if is_top else ">=", _lenient(each, is_top)) for each in needed]


def _lenient(number: float, is_top: bool) -> float:
    """The number to three digits, up for a bound from above, down for one from below."""
    exact = Decimal(repr(number))
    digit = Decimal(1).scaleb(min(0, exact.adjusted() - 2))
    return float(exact.quantize(digit, ROUND_CEILING if is_top else ROUND_FLOOR))


def _gain(contest: Contest, name: str, recommended: str | None) -> str:
    """What the other has in `best`."""
    if contest.best is None or recommended is None:
        return ""
    both = against(contest.best, contest.value(name, contest.best), contest.value(recommended, contest.best))
    return f" ({name_of(contest.best)} {both})"


def _measures(contest: Contest, recommended: str | None) -> Iterator[str]:
    best = contest.best
    if recommended is None or best is None:
        return
    for measure in contest.rank_by:
        if measure == best:
            continue
        found = winner(replace(contest, best=measure))
        if found is not None and found.name != recommended:
            both = against(measure, contest.value(found.name, measure), contest.value(recommended, measure))
            yield f"By {name_of(measure)} in place of {name_of(best)}, {found.name} would be recommended ({both})."


def _sources(contest: Contest, recommended: str | None, scores: Mapping[str, Any]) -> Iterator[str]:
    """Whether it stays the same whichever source is left out.

    Nothing is said where the values by source do not even give the recommendation with all sources: their tests are not
    quite those of the methods.
    """
    sources = sources_of(scores)
    if recommended is None or len(sources) < LEAST_SOURCES or len(contest.able) < 2:
        return
    left_out = LeftOut(scores, contest.systems)
    if _without(contest, left_out, None) != recommended:
        return
    others: dict[str, list[str]] = {}
    for source in sources:
        found = _without(contest, left_out, source)
        if found != recommended:
            others.setdefault(found or "", []).append(source)
    for name, which in others.items():
        then = f"{name} would be recommended" if name else "nobody would fulfil the rules"
        yield (
            f"Without the source {joined(which)}, {then}."
            if len(which) == 1
            else (f"Without any one of {counted(len(which), 'source')} ({joined(which)}), {then}.")
        )
    if not others:
        yield f"Whichever of the {len(sources)} sources is left out, it would still be {recommended}."


def _without(contest: Contest, left_out: LeftOut, source: str | None) -> str | None:
    """Who would be recommended without one source."""
    found = winner(replace(contest, systems=left_out.systems(source), p_values=left_out.p_values(source)))
    return found.name if found is not None else None
