"""The affect part of a scores.json, as docs/scores.md describes it, from scores drawn with planted differences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from localeval.stats.estimate import Estimate, Score, Undefined, score_to_json
from localeval.stats.intervals import Floats
from localeval.stats.means import paired_mean

Json = dict[str, Any]

TARGETS = ("Anna Petrova", "Река Обь", "长江大桥", "</script><script>alert(1)</script>")
"""Three scripts, and a name that would be markup if it were not escaped."""
AXES = {"valence": "valence", "arousal": "arousal", "dominance": "dominance"}
_JUDGED = {
    "reading": "auto",
    "scale": 9,
    "points": 9,
    "samples": 5,
    "repeats": 2,
    "evidence": True,
    "coverage": 0.5,
    "layout": "task first",
    "read_from": {"logprobs": 600, "samples": 0},
}
_GROUPS = {
    "first": "open",
    "second": "closed",
    "difference": None,
    "p_value": None,
    "systems": [2, 1],
    "reason": "a group of one system has no spread",
}
COMPONENTS = {"target": 0.4, "system": 0.1, "wording": 0.2, "interactions": 0.1, "sample": 0.2}


@dataclass(frozen=True)
class Study:
    """What was read. `wordings` is empty where nothing was elicited, `systems` where the texts are sources."""

    targets: Sequence[str] = TARGETS
    systems: Sequence[str] = ("small", "big", "old")
    wordings: Sequence[str] = ("neutral", "evaluative", "paraphrase")
    axes: Mapping[str, str] = field(default_factory=lambda: dict(AXES))
    contracts: Sequence[str] = ("target", "whole")
    judges: Sequence[str] = ("judge",)
    samples: int = 3
    missing: int = 0
    """Items without a value, of each target's profile."""


def affect_scores(study: Study | None = None) -> Json:
    """`methods.affect` of a study whose evaluative wording lifts every axis by 0.1, and each system by a step less."""
    study = study or Study()
    judges = {name: _judge(study, np.random.default_rng(number)) for number, name in enumerate(study.judges)}
    ids = {contract: list(_axes(study, contract)) for contract in study.contracts}
    status = {
        contract: {axis: "not calibrated" if axis == "valence" else "directional" for axis in axes}
        for contract, axes in ids.items()
    }
    conditions = max(1, len(study.systems)) * max(1, len(study.wordings)) * study.samples
    return {
        "judged": _JUDGED,
        "axes": {
            "name": "vad",
            "hashes": {"en": "0" * 64},
            "ids": ids,
            "labels": {**study.axes, "favourability": "favourability"},
        },
        "texts": conditions * len(study.targets),
        "missing_texts": 0,
        "asked": conditions * len(study.targets) * sum(map(len, ids.values())) * len(study.judges),
        "missing": study.missing * len(study.targets) * len(study.judges),
        "missing_by_reason": {"no evidence": study.missing} if study.missing else {},
        "of": "elicited" if study.wordings else "candidates",
        "judges": judges,
        "agreement": [],
        "human": {},
        "status": dict.fromkeys(judges, status),
        "ceilings": [
            _ceiling("valence", 0.34, 0.73, 0.85, 0.66),
            _ceiling("arousal", 0.25, 0.61, 0.78, 0.26),
            _ceiling("dominance", 0.22, 0.60, 0.77, 0.24),
        ],
    }


def _ceiling(axis: str, alpha: float, reliability: float, r_max: float, writer_reader_r: float) -> Json:
    source = "EmoBank (Buechel and Hahn 2017), readers"
    numbers = {"alpha": alpha, "reliability": reliability, "r_max": r_max, "writer_reader_r": writer_reader_r}
    return {"source": source, "axis": axis, **numbers}


def _axes(study: Study, contract: str) -> Mapping[str, str]:
    return {"favourability": "favourability"} if contract == "favourability" else study.axes


def _judge(study: Study, rng: np.random.Generator) -> Json:
    """One judge's part. Scores are [target, system, wording, sample] for each contract and axis."""
    shape = (len(study.targets), max(1, len(study.systems)), max(1, len(study.wordings)), study.samples)
    values = {contract: {axis: _draw(shape, rng) for axis in _axes(study, contract)} for contract in study.contracts}
    flags = ("portraits", "not_named", "refusal", "generic", "mismatch", "below_bar", "unreadable")
    return {
        "flags": dict.fromkeys(flags, 0) | {"portraits": int(np.prod(shape)), "generic": 2},
        "repeat": _each(values, lambda found: {"sd": 0.03, "order_shift": _diff(found, found - 0.01), "n": found.size}),
        "overall": _each(values, lambda found: _score(found)),
        "targets": {name: _target(study, values, number) for number, name in enumerate(study.targets)},
        "systems": {
            name: _each(values, lambda found, n=n: _score(found[:, n])) for n, name in enumerate(study.systems)
        },
        "wordings": {
            name: _each(values, lambda found, n=n: _score(found[:, :, n])) for n, name in enumerate(study.wordings)
        },
        "drift": [
            _drift(study, contract, values[contract], pair)
            for contract in study.contracts
            for pair in combinations(range(len(study.wordings)), 2)
        ],
        "variance": _each(values, _variance) if len(study.wordings) > 1 and len(study.systems) > 1 else {},
        "groups": _each(values, lambda _: _GROUPS),
        "answers": _answers(study, values),
    }


def _answers(study: Study, values: Mapping[str, Mapping[str, Floats]]) -> Json:
    """The wording moves more than the model; the first target alone is portrayed otherwise than its texts."""
    wording = {"answer": "wording", "reason": ""}
    moved = {contract: dict.fromkeys(axes, wording) for contract, axes in values.items()} if study.wordings else {}
    both = {"target", "whole"} <= set(values)
    differ = {
        axis: {
            "answer": "differ",
            "targets": list(study.targets[:1]),
            "overall": _diff(values["target"][axis].mean((1, 2, 3)), values["whole"][axis].mean((1, 2, 3))),
        }
        for axis in (study.axes if both else ())
    }
    return {"wording_or_system": moved, "whole_and_target": differ}


def _draw(shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    of_target = rng.uniform(0.25, 0.7, shape[0])[:, None, None, None]
    of_system = 0.03 * np.arange(shape[1])[None, :, None, None]
    of_wording = (0.1 * (np.arange(shape[2]) == 1))[None, None, :, None]
    return np.clip(of_target + of_system + of_wording + rng.normal(0, 0.05, shape), 0, 1)


def _each(values: Mapping[str, Mapping[str, Floats]], of: Callable[[Floats], Json]) -> Json:
    return {contract: {axis: of(found) for axis, found in axes.items()} for contract, axes in values.items()}


def _score(found: Floats, missing: int = 0) -> Json:
    """Mean with a plain interval: what is tested here is how it is shown, not how it is made."""
    value, half = float(found.mean()), 1.96 * float(found.std() / np.sqrt(found.size))
    score = Estimate(value, max(0.0, value - half), min(1.0, value + half), found.size, missing, max(2, len(found)))
    return score_to_json(score)


def _diff(first: Floats, second: Floats) -> Json:
    found = paired_mean(first.ravel(), second.ravel())
    if isinstance(found, Undefined):
        return score_to_json(found) | {"p_value": None}
    return score_to_json(found.estimate) | {"p_value": found.p_value}


def _target(study: Study, values: Mapping[str, Mapping[str, Floats]], number: int) -> Json:
    named = [contract for contract in study.contracts if contract != "whole"]
    profile = {
        contract: {axis: _score(found[number], study.missing) for axis, found in values[contract].items()}
        for contract in named
    }
    if not named or "whole" not in values:
        return {"kind": "other", "texts": study.samples, "profile": profile, "whole": {}, "difference": {}}
    whole, target = values["whole"], values.get("target", {})
    return {
        "kind": "person",
        "texts": next(iter(whole.values()))[number].size,
        "profile": profile,
        "whole": {axis: _score(found[number]) for axis, found in whole.items()},
        "difference": {axis: _diff(found[number], whole[axis][number]) for axis, found in target.items()},
    }


def _drift(study: Study, contract: str, values: Mapping[str, Floats], pair: tuple[int, int]) -> Json:
    first, second = pair
    gaps = {axis: found.mean(axis=(1, 3)) for axis, found in values.items()}
    axes = {
        axis: {
            "shift": _diff(found[:, second], found[:, first]),
            "rank_correlation": _correlation(found[:, first], found[:, second]),
            "mae": float(np.abs(found[:, second] - found[:, first]).mean()),
            "moved": {"share": None, "threshold": None},
        }
        for axis, found in gaps.items()
    }
    names = {"first": study.wordings[first], "second": study.wordings[second], "contract": contract}
    return {
        **names,
        "axes": axes,
        "profile": {"distance": 0.1, "p_value": 0.04, "n": len(study.targets), "targets": {}},
    }


def _correlation(first: Floats, second: Floats) -> Json:
    if len(first) < 3:
        found: Score = Undefined("a rank correlation needs three targets", len(first), 0, len(first))
    else:
        value = float(np.corrcoef(first.argsort().argsort(), second.argsort().argsort())[0, 1])
        found = Estimate(value, max(-1.0, value - 0.3), min(1.0, value + 0.3), len(first), 0, len(first))
    return score_to_json(found)


def _variance(found: Floats) -> Json:
    total = float(found.var())
    components = {
        name: {
            "variance": share * total,
            "share": score_to_json(Estimate(share, share / 2, min(1.0, share * 1.5), found.size, 0, len(found))),
        }
        for name, share in COMPONENTS.items()
    }
    wording_minus_system = score_to_json(Estimate(0.1, -0.05, 0.2, found.size, 0, len(found)))
    design = dict(zip(("targets", "systems", "wordings", "samples"), found.shape, strict=True)) | {"repeats": 2}
    return {"components": components, "wording_minus_system": wording_minus_system, "design": design}
