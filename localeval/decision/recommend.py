"""The decision of a run: which system to deploy, what that rests on, and what would change it."""

from collections.abc import Collection, Mapping
from typing import Any

from localeval.decision.arguing import argue
from localeval.decision.cautions import warnings
from localeval.decision.contest import LEVEL, Contest, Pick, difference, nearest, pair_p_values, runner_up, winner
from localeval.decision.front import front
from localeval.decision.measures import KINDS, Json, System, read_systems, to_json
from localeval.decision.rules import Verdict, parse_rule
from localeval.decision.schemas import SelectSettings
from localeval.decision.sources import gaps
from localeval.decision.whatif import would_change
from localeval.decision.words import joined
from localeval.errors import ConfigError
from localeval.methods.leaderboard import Measure, method_of
from localeval.methods.refused import refused_judges
from localeval.stats.estimate import Undefined
from localeval.stats.power import MOST_SOURCES, sources_to_tell_apart

DECISION_SCHEMA = "localeval.decision/1"
POWER = 0.8


def decide(scores: Mapping[str, Any], ledger: Mapping[str, Any] | None, settings: SelectSettings) -> Json:
    """The content of decision.json (docs/decision.md): a function of scores.json, ledger.json and the rules alone.

    Raises ConfigError where `best` is a measure whose method the run has not.
    """
    contest = read_contest(scores, ledger, settings)
    pick = winner(contest)
    second = runner_up(contest, pick.name) if pick is not None else None
    weighed, dominated = front(contest.systems, contest.best)
    verdicts = contest.verdicts
    gap = difference(contest, contest.best, pick.name, second.name) if contest.best and pick and second else None
    found: Json = {
        "schema": DECISION_SCHEMA,
        "rules": [str(rule) for rule in contest.rules],
        "best": contest.best,
        "systems": {
            name: _system(system, verdicts[name]) | _standing(name, dominated)
            for name, system in contest.systems.items()
        },
        "front": weighed,
        "recommended": pick.name if pick is not None else None,
        "runner_up": second.name if second is not None else None,
        "tied_with": list(pick.tied) if pick is not None else [],
        "nearest": nearest(contest),
        "difference": gap,
        "power": _power(contest, pick, second, settings),
        "would_change": would_change(contest, scores),
        "warnings": warnings(contest, scores, ledger),
        "refused": _refused(scores),
    }
    text = argue(contest, pick, second, found, str((ledger or {}).get("currency", "")))
    return found | {"text": _qualified(text, found["refused"])}


def _refused(scores: Mapping[str, Any]) -> dict[str, list[str]]:
    """By method that ranks systems, why its judges are refused; affect ranks nobody."""
    judges = refused_judges(scores)
    return {method: list(told.values()) for method, told in judges.items() if method != "affect"}


def _qualified(text: list[str], refused: Mapping[str, Any]) -> list[str]:
    """The argument, its first sentence with the judges that it should not rest on: who reads no further has read it."""
    if not refused:
        return text
    first, *rest = text
    return [f"{first.removesuffix('.')}; this rests on a refused judge ({joined(refused)}).", *rest]


def read_contest(scores: Mapping[str, Any], ledger: Mapping[str, Any] | None, settings: SelectSettings) -> Contest:
    """What the choice rests on. Raises ConfigError as `decide`."""
    methods, rank_by = scores["methods"], tuple(scores["leaderboard"]["rank_by"])
    rules = tuple(parse_rule(rule) for rule in settings.require)
    best = settings.best or _default_best(rank_by, {rule.measure for rule in rules})
    if best is not None and method_of(best) not in methods:
        raise ConfigError(
            f"select: best: {best!r} needs the method {method_of(best)}, which this run has not; name another"
        )
    return Contest(methods, read_systems(scores, ledger), rules, best, rank_by, pair_p_values(methods))


def _default_best(rank_by: tuple[Measure, ...], ruled: Collection[str]) -> Measure | None:
    """The first that no rule speaks of, else the first, else None."""
    return next((measure for measure in rank_by if measure not in ruled), rank_by[0] if rank_by else None)


def _system(system: System, verdict: Verdict) -> Json:
    return {
        "rank": system.rank,
        "incumbent": system.is_incumbent,
        "generic": system.is_generic,
        "measures": to_json(system.measures),
        "passes": verdict.passes,
        "fails": list(verdict.fails),
        "unknown": list(verdict.unknown),
    }


def _standing(name: str, dominated: Mapping[str, tuple[str, ...]]) -> Json:
    return {"on_front": dominated.get(name) == (), "dominated_by": list(dominated.get(name, ()))}


def _power(contest: Contest, pick: Pick | None, second: Pick | None, settings: SelectSettings) -> Json | None:
    """How many sources would tell winner and runner-up apart, in the unit of scores.json."""
    best = contest.best
    if best is None or pick is None or second is None:
        return None
    each = gaps(contest.methods, best, pick.name, second.name)
    scale = KINDS[best].scale
    sought = settings.smallest_difference / scale if settings.smallest_difference is not None else None
    found = sources_to_tell_apart(each, sought, POWER, contest.level)
    told: Json = {"sources_now": len(each), "power": POWER, "level": contest.level}
    if isinstance(found, Undefined):
        return told | {"sources_needed": None, "sources_needed_high": None, "difference": sought, "note": found.reason}
    note = ""
    if found.difference == 0:
        note = "they do not differ on these sources"
    elif found.n is None:
        note = f"more than {MOST_SOURCES:,}: for any practical purpose they are equal in this"
    elif contest.level < LEVEL:
        note = f"the level is {LEVEL} divided among {len(contest.able) - 1} comparisons"
    return told | {
        "sources_needed": found.n,
        "sources_needed_high": found.n_high,
        "difference": found.difference,
        "note": note,
    }
