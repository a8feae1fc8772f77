"""`localeval judges compare`: every judge beside everybody else, item by item. docs/judges.md describes the result."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from localeval.comparing.given import PEOPLE, Asked, Given, files_named, read_given
from localeval.comparing.measures import beside
from localeval.comparing.pairs import Pair
from localeval.comparing.people import agreement, effective, severities
from localeval.comparing.ratings import Column, Ratings, only, pooled, ratings_of
from localeval.comparing.within import by_system, gap, own_family
from localeval.errors import InputError
from localeval.inputs.wording import name_of

Json = dict[str, Any]

COMPARE_SCHEMA = "localeval.compare/1"

MOST_RATERS = 12
"""With more people than this they are compared together alone: a crowd's members have rated little each."""


def compare(asked: Asked) -> Json:
    """The comparison, "localeval.compare/1". Raises InputError, ConfigError or StoreError, also where judges and raters
    have no text in common."""
    given = read_given(asked)
    found = compare_given(given)
    if not found["items"]:
        who = ("or".join(f" {each} " for each in given.judges) + "and these").strip() if given.judges else "of two"
        what = f"no text was rated by both {who} raters"
        fix = "see that sources, systems and items have the same names in both"
        raise InputError(f"{', '.join(files_named(asked))}: {what}; {fix}")
    run = {"run": None if asked.run is None else name_of(asked.run), "labels": files_named(asked)}
    return {"schema": COMPARE_SCHEMA, **run, **found}


def compare_given(given: Given) -> Json:
    """The comparison of labels that are read already; `items` is empty where judges and raters have none in common."""
    raters = (*given.judges, *given.people, *given.others)
    items, alone = [], []
    for group, table in ratings_of(given.labels, raters).items():
        item = _item(table, given)
        items.append(item) if item is not None else alone.append(group)
    return {
        "judges": list(given.judges),
        "people": list(given.people),
        "others": list(given.others),
        "aside": dict(given.asides),
        "not_compared": alone,
        "items": items,
    }


def _item(table: Ratings, given: Given) -> Json | None:
    """One group of items; None where no row was rated by a judge and by somebody else, or, without judges, by two."""
    column = {rater: number for number, rater in enumerate(table.raters)}
    named = [column[rater] for rater in (*given.people, *given.others)]
    table = only(table, np.asarray(table.is_rated[:, named].any(1)))
    judges, people, others = (_rating(table, names) for names in (given.judges, given.people, given.others))
    references = _references(table, people, others)
    besides = {judge: _besides(table, judge, references, given) for judge in judges}
    if not any(besides.values()) and (given.judges or len(people) < 2):
        return None
    several = judges if len(judges) > 1 else []
    together, first = pooled(table, several), next(iter(references.values()))
    return {
        "item": table.group,
        "scale": table.scale,
        "rated": len(table.source),
        "sources": len(np.unique(table.source)),
        "systems": [table.systems[each] for each in np.unique(table.system).tolist()],
        "judges": {table.raters[judge]: found for judge, found in besides.items() if found},
        "together": beside(Pair(table, together, first)) if several else None,
        "effective": effective(table, several, first) if several else None,
        "raters": severities(table, (*judges, *people, *others), people),
        "agreement": agreement(table, people),
        "each": _each(table, people) if 1 < len(people) <= MOST_RATERS else {},
    }


def _rating(table: Ratings, names: Sequence[str]) -> list[int]:
    """The columns of those who rated anything."""
    rated = [bool(column.any()) for column in table.is_rated.T]
    return [number for number, name in enumerate(table.raters) if name in names and rated[number]]


def _references(table: Ratings, people: Sequence[int], others: Sequence[int]) -> dict[str, Column]:
    """Whom judges are compared with: the people together, each of them, each judge of an earlier run."""
    found = {PEOPLE: pooled(table, people)} if len(people) > 1 else {}
    each = people if len(people) <= MOST_RATERS else []
    return found | {table.raters[rater]: pooled(table, [rater]) for rater in (*each, *others)}


def _besides(table: Ratings, judge: int, references: Mapping[str, Column], given: Given) -> Json:
    """One judge beside each of the others that it has an item in common with."""
    found: Json = {}
    for name, other in references.items():
        pair = Pair(table, pooled(table, [judge]), other)
        if not pair.both.any():
            continue
        systems = by_system(pair)
        found[name] = beside(pair) | {
            "systems": systems,
            "gap": gap(pair, systems),
            "own_family": own_family(pair, table.raters[judge], given.families),
        }
    return found


def _each(table: Ratings, people: Sequence[int]) -> Json:
    """Each person beside the other people: what a judge could at best be expected to reach."""
    found: Json = {}
    for person in people:
        pair = Pair(table, pooled(table, [person]), pooled(table, [each for each in people if each != person]))
        if pair.both.any():
            found[table.raters[person]] = beside(pair)
    return found
