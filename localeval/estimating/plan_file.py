"""plan.json: an estimate in the form in which a run folder keeps it, and set against what the run then took.

docs/planning.md describes the fields.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from localeval.checking.states import JudgeState, state_to_json
from localeval.estimating.estimates import Estimate, LoadEstimate, Measured, Pilot, StageEstimate, Terms, summed
from localeval.models.devices import Speed
from localeval.models.prices import call_cost
from localeval.planning import StagePlan

PLAN_SCHEMA = "localeval.plan/1"


def plan_json(
    found: Estimate,
    device: Speed | None,
    currency: str,
    notes: Sequence[str] = (),
    judges: Sequence[JudgeState] = (),
) -> dict[str, Any]:
    """The content of plan.json. Seconds and money are null where they are not known.

    `total` is of the whole run with its pilot. Seconds are of devices of this machine: models that are scripted or
    elsewhere take none of them. Money leaves out scripted models alone.
    """
    return {
        "schema": PLAN_SCHEMA,
        "calibrated": found.pilot is not None,
        "device": _device(device),
        "currency": currency,
        "order": [load.model for load in found.loads],
        "loads": [_load(place, load, found) for place, load in enumerate(found.loads, 1)],
        "stages": [_stage(stage) for stage in found.stages],
        "pilot": _pilot(found.pilot, found.terms) if found.pilot is not None else None,
        "total": _total(found),
        "too_long": [asdict(each) for each in found.plan.too_long],
        "notes": list(notes),
        "judges": [state_to_json(state) for state in judges],
    }


def pilot_of(plan: Mapping[str, Any]) -> Pilot | None:
    """The pilot in a plan.json, None where it has none. Raises KeyError, TypeError or ValueError on a damaged one."""
    pilot = plan["pilot"]
    if pilot is None:
        return None
    return Pilot(
        sources=tuple(str(source) for source in pilot["sources"]),
        planned=tuple(StagePlan(**each) for each in pilot["planned"]),
        measured=tuple(Measured(**each) for each in pilot["measured"]),
        load_s={str(each["model"]): float(each["load_s"]) for each in pilot["loads"]},
        loads={str(each["model"]): int(each["times"]) for each in pilot["loads"]},
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """Seconds that were expected, and those that it took, without the pilot. None: not known.

    `what` is "work" of one model at one stage, "load" of all loads of one model, or the "total" of all work.
    """

    what: Literal["work", "load", "total"]
    model: str
    stage: str
    estimated_s: float | None
    actual_s: float | None

    @property
    def ratio(self) -> float | None:
        """Actual over estimated; None where either is not known or nothing was expected."""
        if self.estimated_s is None or self.actual_s is None or self.estimated_s <= 0:
            return None
        return self.actual_s / self.estimated_s


def estimated_against_actual(plan: Mapping[str, Any], ledger: Mapping[str, Any]) -> list[Compared]:
    """A plan.json against the ledger.json of the run that followed: the work stage by stage, the loads, the total.

    What the pilot took is in the ledger, too, and is taken off it: an estimate is of the rest alone. The total is of
    the stages whose seconds are known on both sides, and of those that no plan foresaw.
    """
    pilot = {(each["model"], each["stage"]): each["device_s"] for each in (plan["pilot"] or {}).get("measured", ())}
    actual: dict[tuple[str, str], list[float | None]] = {}
    for row in ledger["rows"]:
        is_whole = "device_s" not in row["incomplete"]
        actual.setdefault((row["model"], row["stage"]), []).append(row["device_s"] if is_whole else None)
    estimated = {(each["model"], each["stage"]): each["work_s"] for each in plan["stages"] if each["calls"]}
    work = [
        Compared("work", *key, estimated.get(key, 0.0), _less(summed(actual.get(key, [])), pilot.get(key)))
        for key in dict.fromkeys([*estimated, *(key for key in actual if key not in pilot)])
    ]
    known = [each for each in work if each.estimated_s is not None and each.actual_s is not None]
    total = Compared(
        "total", "", "", sum(each.estimated_s or 0.0 for each in known), sum(each.actual_s or 0.0 for each in known)
    )
    return [*work, *_loads(plan, ledger), *([total] if known else [])]


def _loads(plan: Mapping[str, Any], ledger: Mapping[str, Any]) -> list[Compared]:
    pilot = {each["model"]: each["times"] * each["load_s"] for each in (plan["pilot"] or {}).get("loads", ())}
    estimated: dict[str, list[float | None]] = {}
    for load in plan["loads"]:
        estimated.setdefault(load["model"], []).append(load["load_s"])
    actual = {row["model"]: row["seconds"] if "seconds" not in row["incomplete"] else None for row in ledger["loads"]}
    return [
        Compared("load", model, "", summed(seconds), _less(actual[model], pilot.get(model)))
        for model, seconds in estimated.items()
        if model in actual
    ]


def _less(whole: float | None, part: float | None) -> float | None:
    return None if whole is None else max(whole - (part or 0.0), 0.0)


def _device(device: Speed | None) -> dict[str, Any] | None:
    if device is None:
        return None
    return {
        "name": device.name if device.count == 1 else f"{device.count} x {device.name}",
        "flops": device.flops or None,
        "bytes_per_s": device.bytes_per_s or None,
    }


def _load(place: int, load: LoadEstimate, found: Estimate) -> dict[str, Any]:
    plans = [stage.plan for stage in load.stages]
    return {
        "model": load.model,
        "place": place,
        "stages": {each.stage: each.calls for each in plans},
        "calls": sum(each.calls for each in plans),
        "prompt_tokens": sum(each.prompt_tokens for each in plans),
        "computed_tokens": sum(each.computed_tokens for each in plans),
        "output_tokens": sum(each.output_tokens for each in plans),
        "load_s": load.load_s if found.terms[load.model].kind == "local" else None,
        "work_s": load.work_s,
        "money": load.money,
    }


def _stage(stage: StageEstimate) -> dict[str, Any]:
    return {
        **asdict(stage.plan),
        "expected_output_tokens": stage.expected_output_tokens,
        "work_s": stage.work_s,
        "money": stage.money,
        "basis": stage.basis,
    }


def _pilot(pilot: Pilot, terms: Mapping[str, Terms]) -> dict[str, Any]:
    return {
        "sources": list(pilot.sources),
        "work_s": pilot.work_s,
        "load_s": pilot.total_load_s,
        "money": _pilot_money(pilot, terms),
        "loads": [
            {"model": model, "times": pilot.loads[model], "load_s": seconds} for model, seconds in pilot.load_s.items()
        ],
        "measured": [asdict(each) for each in pilot.measured],
        "planned": [asdict(each) for each in pilot.planned],
    }


def _pilot_money(pilot: Pilot, terms: Mapping[str, Terms]) -> float | None:
    """What the pilot cost by the hour and by the token, as far as its models have prices."""
    parts: list[float | None] = []
    for each in pilot.measured:
        own = terms[each.model]
        prices = call_cost(
            own.options, each.prompt_tokens, each.prompt_tokens - each.computed_tokens, each.output_tokens
        )
        by_hour = None if own.hour is None or each.device_s is None else each.device_s * own.hour / 3600
        if own.kind != "scripted" or prices is not None or by_hour is not None:
            priced = [part for part in (prices, by_hour) if part is not None]
            parts.append(sum(priced) if priced else None)
    for model, seconds in pilot.load_s.items():
        hour = terms[model].hour
        if hour is not None:
            parts.append(seconds * pilot.loads[model] * hour / 3600)
    return summed(parts)


def _total(found: Estimate) -> dict[str, Any]:
    loads, pilot = found.loads, found.pilot
    kinds = [found.terms[load.model].kind for load in loads]
    work = [load.work_s for load, kind in zip(loads, kinds, strict=True) if kind == "local" or load.work_s is not None]
    load_s = [load.load_s for load, kind in zip(loads, kinds, strict=True) if kind == "local"]
    money = [
        load.money for load, kind in zip(loads, kinds, strict=True) if kind != "scripted" or load.money is not None
    ]
    return {
        "calls": sum(stage.plan.calls for stage in found.stages)
        + sum(each.calls for each in (pilot.measured if pilot is not None else ())),
        "work_s": summed([*work, pilot.work_s if pilot is not None else 0.0]),
        "load_s": summed([*load_s, pilot.total_load_s if pilot is not None else 0.0]),
        "money": summed([*money, _pilot_money(pilot, found.terms) if pilot is not None else 0.0]),
    }
