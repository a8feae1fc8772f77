"""`localeval judges correct`: what people would have found on average, from a run's judges and a few labels."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from localeval.comparing.calibrating import calibrations
from localeval.comparing.certainty import chances_of
from localeval.comparing.draws import Text, alone, read_draws
from localeval.comparing.given import Asked, Given, files_named, read_given
from localeval.comparing.judged import Judged, judged_of
from localeval.comparing.parts import part_to_json
from localeval.comparing.ratings import Mask, Ratings, ratings_of
from localeval.comparing.unmasking import WHAT_IS_FAULTY, is_binary, unmasked
from localeval.errors import ConfigError, InputError
from localeval.evaluation import load_run
from localeval.inputs.label_items import Scale
from localeval.inputs.wording import name_of
from localeval.stats.correction import (
    Corrected,
    JudgedItems,
    ppi_difference,
    ppi_mean,
    ppi_stratified,
)
from localeval.stats.estimate import Undefined
from localeval.stats.intervals import Interval
from localeval.stats.means import clustered_mean
from localeval.stats.paired import rank_groups

Json = dict[str, Any]
Method = Literal["ppi", "rogan-gladen"]

CORRECT_SCHEMA = "localeval.correct/1"

BOUNDS: Mapping[Scale, Interval] = {
    "grade": Interval(0.0, 2.0),
    "share": Interval(0.0, 1.0),
    "verdict": Interval(0.0, 1.0),
    "fate": Interval(0.0, 1.0),
}
"""Where values lie; counts have no upper end."""
_OF_A_RUN: tuple[Scale, ...] = ("grade", "share", "verdict", "fate", "count")


def correct(run: Path, labels: Sequence[Path], method: Method = "ppi", items: Sequence[str] = ()) -> Json:
    """The corrections, "localeval.correct/1": docs/judges.md describes them.

    Raises InputError, ConfigError or StoreError with one line, also where the labels are too few for any.
    """
    for path in labels:
        if path.is_dir():
            raise ConfigError(f"--labels: {name_of(path)} is a folder; name a file of people's labels")
    asked = Asked(run, tuple(labels), items=tuple(items))
    given = read_given(asked)
    labelled = {(each.source, each.system) for each in given.labels if each.rater in given.people}
    picked = alone(read_draws(run), labelled)
    found, aside = corrections(given, picked, method)
    _require_some(found, method, files_named(asked))
    _, results = load_run(run)
    return {
        "schema": CORRECT_SCHEMA,
        "run": name_of(run),
        "labels": files_named(asked),
        "method": method,
        "judges": list(given.judges),
        "people": list(given.people),
        "aside": dict(given.asides),
        "picked": len(picked),
        "not_corrected": aside,
        "items": found,
        "calibration": calibrations(chances_of(results.panel), given.labels, given.people),
    }


def corrections(given: Given, picked: frozenset[Text], method: Method = "ppi") -> tuple[list[Json], list[str]]:
    """`items` of a correction, and the groups of items that people labelled and this method does not take.

    `picked` are the texts that stand for themselves alone (`localeval.comparing.draws.alone`).
    """
    found, aside = [], []
    for group, table in ratings_of(given.labels, (*given.judges, *given.people)).items():
        judged = judged_of(table, given, picked) if table.scale in _OF_A_RUN else None
        is_fit = judged is not None and (method == "ppi" or is_binary(table))
        if judged is not None and is_fit and (judged.is_judged & judged.is_labelled).any():
            found.append(_item(judged, method))
        elif any(table.is_rated[:, table.raters.index(person)].any() for person in given.people):
            aside.append(group)
    return found, aside


def _require_some(items: Sequence[Json], method: Method, files: Sequence[str]) -> None:
    """Raises InputError where nothing can be corrected, with the first reason."""
    parts = [part for item in items for part in (*item["systems"].values(), item["all"])]
    if any(part["corrected"]["value"] is not None for part in parts):
        return
    if not items and method == "rogan-gladen":
        what = "no label says whether a text is faulty; `--method rogan-gladen` takes those of `audit` and faithfulness"
        raise InputError(f"{', '.join(files)}: {what}; leave the method out, or label these")
    if not items:
        what = "no text was both judged and labelled"
        raise InputError(f"{', '.join(files)}: {what}; see that sources, systems and items have the same names in both")
    reason = parts[-1]["corrected"]["reason"]
    fix = "`localeval judges sheet` says which texts to label next"
    if method == "rogan-gladen":
        fix += "; or leave --method out"
    raise InputError(f"{', '.join(files)}: nothing can be corrected by these labels: {reason}; {fix}")


def _item(judged: Judged, method: Method) -> Json:
    table = judged.table
    head = {
        "item": table.group,
        "scale": table.scale,
        "what": WHAT_IS_FAULTY[table.scale] if method == "rogan-gladen" else _WHAT[table.scale],
        "weights": dict(judged.weights),
        "labels": int((judged.is_labelled & judged.is_judged).sum()),
        "labels_unjudged": int((judged.is_labelled & ~judged.is_judged).sum()),
    }
    if method == "rogan-gladen":
        return head | unmasked(judged)
    parts = {name: judged.items(np.asarray(table.system == m)) for m, name in enumerate(table.systems)}
    systems, whole = _by_ppi(judged, parts)
    ranks = _ranks(table, parts, systems)
    ranked = {name: part | {"rank": ranks.get(name)} for name, part in systems.items()}
    return head | {"systems": ranked, "all": whole, "known": None}


_WHAT: Mapping[Scale, str] = {
    "grade": "mean grade, 0 to 2",
    "share": "mean score, 0 to 1",
    "verdict": "share of texts that are unfaithful",
    "fate": "share of questions kept",
    "count": "fabrications a text",
}


def _by_ppi(judged: Judged, parts: Mapping[str, JudgedItems | str]) -> tuple[dict[str, Json], Json]:
    """Each system's correction, and that of all texts: by system where every one has labels enough, else as one."""
    table, bounds = judged.table, BOUNDS.get(judged.table.scale)
    rows = {name: np.asarray(table.system == m) for m, name in enumerate(table.systems)}
    systems = {name: _part(judged, rows[name], _mean(part, bounds)) for name, part in parts.items()}
    every = np.ones(len(judged.values), bool)
    strata = [part for part in parts.values() if isinstance(part, JudgedItems)]
    whole = ppi_stratified(strata, bounds) if len(strata) == len(parts) else Undefined("a system lacks labels")
    by_system = isinstance(whole, Corrected)
    if not by_system:
        whole = _mean(judged.items(every), bounds)
    return systems, _part(judged, every, whole) | {"by_system": by_system}


def _mean(part: JudgedItems | str, bounds: Interval | None) -> Corrected | Undefined:
    return Undefined(part) if isinstance(part, str) else ppi_mean(part, bounds)


def _part(judged: Judged, rows: Mask, found: Corrected | Undefined) -> Json:
    chosen = rows & judged.is_judged
    bounds = BOUNDS.get(judged.table.scale, Interval(0.0, np.inf))
    own = clustered_mean(judged.values[chosen], judged.table.source[chosen].tolist(), bounds)
    return part_to_json(found, own, int((chosen & judged.is_labelled).sum()))


def _ranks(table: Ratings, parts: Mapping[str, JudgedItems | str], systems: Mapping[str, Json]) -> dict[str, Json]:
    """Ranks of the systems by the judges' means and by the corrected ones; those not told apart share one.

    None where there is no better or worse (affect), or a system cannot be corrected.
    """
    known = {name: part for name, part in parts.items() if isinstance(part, JudgedItems)}
    if table.group.startswith("affect/") or len(known) < 2:
        return {}
    if any(systems[name]["corrected"]["value"] is None for name in parts):
        return {}
    sign = -1.0 if table.scale in ("verdict", "count") else 1.0
    by_judge = {name: JudgedItems(p.values, p.sources, range(len(p.values)), p.values) for name, p in known.items()}
    ranks = {
        how: rank_groups(
            {name: sign * float(systems[name][how]["value"]) for name in each},
            partial(_p_value, each),
        )
        for how, each in (("judged", by_judge), ("corrected", known))
    }
    return {name: {how: found[name] for how, found in ranks.items()} for name in known}


def _p_value(items: Mapping[str, JudgedItems], first: str, second: str) -> float:
    found = ppi_difference(items[first], items[second])
    return 1.0 if isinstance(found, Undefined) else found.p_value
