"""Who wins: the best of those that fulfil the rules, and what decides between those that cannot be told apart."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from localeval.decision.measures import KINDS, Json, MeasureName, System, Value
from localeval.decision.rules import Rule, Verdict, judge
from localeval.methods.leaderboard import Measure, method_of
from localeval.stats.paired import rank_groups

LEVEL = 0.05
"""As of `localeval.stats.paired.rank_groups`, divided among the comparisons."""

PValues = Callable[[Measure, str, str], float]
"""How surprising the difference of two systems in a measure would be for equal ones; 1 where that is not known."""

How = Literal["test", "value", "incumbent", "name"]


@dataclass(frozen=True, slots=True)
class Step:
    """What left fewer of several systems: a paired test, a mere value, that one is deployed already, or its name."""

    how: How
    measure: MeasureName | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """The winner, those that the test of `best` does not tell from it, and what decided among them, in order."""

    name: str
    tied: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Contest:
    """What a choice rests on. `methods` is that part of scores.json; `best` is None where no method ranks anybody."""

    methods: Mapping[str, Any]
    systems: Mapping[str, System]
    rules: tuple[Rule, ...]
    best: Measure | None
    rank_by: tuple[Measure, ...]
    p_values: PValues
    favourite: str = ""
    """Who wins where nothing at all decides; default: whose name comes first."""

    def value(self, name: str, measure: MeasureName) -> float | None:
        """A system's value, None where it is not known."""
        return self.systems[name].measures[measure].value

    @property
    def verdicts(self) -> dict[str, Verdict]:
        """How each system stands to the rules."""
        return {name: judge(system, self.rules) for name, system in self.systems.items()}

    @property
    def able(self) -> list[str]:
        """Those that fulfil every rule and have a number in `best`."""
        best = self.best
        if best is None:
            return []
        return [name for name, each in self.verdicts.items() if each.passes and self.value(name, best) is not None]

    @property
    def level(self) -> float:
        """What the p-value of a comparison must be below, with so many systems able to win."""
        return LEVEL / max(1, len(self.able) - 1)


def winner(contest: Contest, without: str | None = None) -> Pick | None:
    """Who is recommended, of all but `without`; None where nobody may be.

    As in the leaderboard, the paired test of `best` decides first, then those of the other measures of `rank_by`, each
    among the systems that are left. What no test tells apart goes to the fewest fabrications, then to the incumbent
    (a change costs something), then to the cheapest, the fastest, the best value of `best`, the name.
    """
    best = contest.best
    able = [name for name in contest.able if name != without]
    if best is None or not able:
        return None
    tied = _not_told_apart(contest, best, able)
    left, steps = tied, []
    for step in _steps(contest, best):
        if len(left) == 1:
            break
        fewer = _narrowed(contest, step, left)
        if len(fewer) < len(left):
            left = fewer
            steps.append(step)
    return Pick(left[0], tuple(name for name in tied if name != left[0]), tuple(steps))


def runner_up(contest: Contest, recommended: str) -> Pick | None:
    """Who would be next; where nobody else fulfils the rules, who would be without them. None without any other."""
    return winner(contest, recommended) or winner(replace(contest, rules=()), recommended)


def _steps(contest: Contest, best: Measure) -> list[Step]:
    """What is tried, in order."""
    tests = [Step("test", measure) for measure in contest.rank_by if measure != best]
    cheap = [Step("value", "cost_per_1000"), Step("value", "seconds")]
    return [*tests, Step("value", "fabrications"), Step("incumbent"), *cheap, Step("value", best), Step("name")]


def _narrowed(contest: Contest, step: Step, names: Sequence[str]) -> list[str]:
    """Those of several systems that a step leaves; all of them where it says nothing."""
    if step.how == "incumbent":
        return [name for name in names if contest.systems[name].is_incumbent] or list(names)
    if step.measure is None:
        return [contest.favourite] if contest.favourite in names else [min(names)]
    if step.how == "test":
        return _not_told_apart(contest, next(each for each in contest.rank_by if each == step.measure), names)
    known = {name: value for name in names if (value := contest.value(name, step.measure)) is not None}
    if not known:
        return list(names)
    top = (max if KINDS[step.measure].better == "high" else min)(known.values())
    return [name for name, value in known.items() if value == top]


def _not_told_apart(contest: Contest, measure: Measure, names: Sequence[str]) -> list[str]:
    """The best of `names` by a measure and those that its paired test does not tell from it, by the leaderboard's rule.

    All of them where none has a number.
    """
    sign = 1.0 if KINDS[measure].better == "high" else -1.0
    values = {name: sign * value for name in names if (value := contest.value(name, measure)) is not None}
    ranks = rank_groups(values, lambda first, second: contest.p_values(measure, first, second), LEVEL)
    return [name for name in names if ranks.get(name) == 1] or list(names)


def pair_p_values(methods: Mapping[str, Any]) -> PValues:
    """P-values as the methods found them: what stands in `pairs`."""
    found = {
        (measure, frozenset((pair["first"], pair["second"]))): float(pair[measure]["p_value"])
        for measure in get_args(Measure)
        for pair in methods.get(method_of(measure), {}).get("pairs", [])
        if "p_value" in pair.get(measure, {})
    }
    return lambda measure, first, second: found.get((measure, frozenset((first, second))), 1.0)


def difference(contest: Contest, measure: Measure, first: str, second: str) -> Json | None:
    """First minus second in a measure, as scores.json has it, with interval and p-value; None where it has none."""
    for pair in contest.methods[method_of(measure)]["pairs"]:
        found = pair.get(measure, {})
        if {pair["first"], pair["second"]} != {first, second} or found.get("value") is None:
            continue
        sign = 1 if pair["first"] == first else -1
        low, high = sorted((sign * found["low"], sign * found["high"]))
        told = {"measure": measure, "value": sign * found["value"], "low": low, "high": high}
        return told | {name: found[name] for name in ("p_value", "n", "sources")}
    return None


def nearest(contest: Contest) -> str | None:
    """Of those that do not pass, who misses fewest rules, of these by least, what is not known being worst; None where
    somebody passes or there is no system. A part of the bound is what is compared between measures."""
    verdicts = contest.verdicts
    if not verdicts or any(each.passes for each in verdicts.values()):
        return None

    def distance(name: str) -> tuple[int, int, float]:
        each = verdicts[name]
        return len(each.fails) + len(each.unknown), len(each.unknown), each.excess

    return min(verdicts, key=distance)


def value_of(contest: Contest, name: str, measure: MeasureName) -> Value:
    """A system's value with its interval."""
    return contest.systems[name].measures[measure]
