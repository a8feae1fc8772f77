"""ledger.json: the bill of a run as plain JSON, and reading it back."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from localeval.bill.amounts import NONE, UNKNOWN, Amount, Sums, added, added_up, per_thousand, sums_json
from localeval.bill.pricing import COSTS, COUNTED, FIELDS, Rate, kind_of, rate_of
from localeval.bill.tally import Bill, Line, together
from localeval.errors import StoreError
from localeval.methods.generate.schemas import GeneratedText
from localeval.models import Model
from localeval.models.prices import Prices
from localeval.store.files import LEDGER, RunFiles
from localeval.store.folder import require_run
from localeval.values import Missing

LEDGER_SCHEMA = "localeval.ledger/1"

_METHODS = ("generate", "quiz", "panel", "audit", "affect")
_WRITING = ("generate/", "affect/elicit")
_LOAD = ("times", "seconds", "busy_s", "energy_j", "money")
_TOLD = ("engine", "meter")
_SERVED = {"times": "loads", "seconds": "load_s", "busy_s": "busy_s", "energy_j": "load_energy_j"}


def ledger_of(
    bill: Bill,
    models: Mapping[str, Model],
    roles: Mapping[str, Sequence[str]],
    served: Mapping[str, Mapping[str, Any]],
    prices: Prices,
    texts: Sequence[GeneratedText],
    candidates: int,
) -> dict[str, Any]:
    """The content of ledger.json (docs/ledger.md).

    `roles` says what each model does in the run, `served` is what run.json keeps under that name
    (`localeval.ledger.merged_served`), `texts` are those that systems wrote, missing ones too, and `candidates` is the
    number of texts that were judged.
    """
    rates = _rates(bill, models, served, prices)
    lines = {line: rates[line.model].sums(bill.lines[line]) for line in sorted(bill.lines, key=_place)}
    loads = _loads(lines, rates, served)
    return {
        "schema": LEDGER_SCHEMA,
        "currency": prices.currency,
        "rows": [
            {"model": line.model, "stage": line.stage, "system": line.system} | sums_json(sums)
            for line, sums in lines.items()
        ],
        "loads": [
            {"model": name}
            | {each: str(served.get(name, {}).get(each, "")) for each in _TOLD}
            | sums_json(load)
            | {"phases": dict(served.get(name, {}).get("phases", {}))}
            for name, load in loads.items()
        ],
        "stages": [
            {"stage": method} | sums_json(added_up((lines[line] for line in lines if line.method == method), FIELDS))
            for method in dict.fromkeys(line.method for line in lines)
        ],
        "models": [
            {"model": name, "kind": kind_of(model), "roles": list(roles.get(name, ()))}
            | sums_json(_with_loads((lines[line] for line in lines if line.model == name), loads, [name]))
            for name, model in models.items()
            if name in loads or any(line.model == name for line in lines)
        ],
        "systems": _systems(bill, rates, texts),
        "judging": _judging(bill, rates, candidates),
        "total": sums_json(_with_loads(lines.values(), loads, loads)),
    }


def load_ledger(path: Path) -> dict[str, Any]:
    """ledger.json of a run; raises StoreError where there is none, or one that this localeval does not read."""
    require_run(path)
    ledger = RunFiles(path).ledger()
    again = f"make it anew with `localeval score {path}`"
    if ledger is None:
        raise StoreError(f"{path}: no {LEDGER}: if the run is finished, {again}; else go on with it first")
    if ledger.get("schema") != LEDGER_SCHEMA:
        raise StoreError(
            f"{path / LEDGER}: `schema` is {ledger.get('schema')!r}, this localeval reads {LEDGER_SCHEMA!r}: {again}"
        )
    return ledger


def _place(line: Line) -> tuple[int, Line]:
    """Where a line stands: writing first, then the methods as docs name them."""
    return _METHODS.index(line.method) if line.method in _METHODS else len(_METHODS), line


def _rates(
    bill: Bill, models: Mapping[str, Model], served: Mapping[str, Mapping[str, Any]], prices: Prices
) -> dict[str, Rate]:
    """What each model's work costs. Its energy is spread over the seconds that all its replies took, also those that
    the config no longer asks for."""
    rates = {}
    for name, model in models.items():
        told = served.get(name, {})
        billed_s = together(paid.own for line, paid in bill.lines.items() if line.model == name).device_s
        rates[name] = rate_of(model, prices, told.get("energy_j"), max(billed_s, told.get("device_s") or 0.0))
    return rates


def _loads(
    lines: Mapping[Line, Sums], rates: Mapping[str, Rate], served: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Amount]]:
    """What loading took, by model. One that answered here, and of which no sitting tells, was loaded: not known how
    often."""
    worked = {line.model for line, sums in lines.items() if sums["calls"].value}
    return {
        name: _load(rate, served.get(name))
        for name, rate in rates.items()
        if rate.kind != "hosted" and (served.get(name, {}).get("loads") or (name in worked and rate.kind == "local"))
    }


def _load(rate: Rate, served: Mapping[str, Any] | None) -> dict[str, Amount]:
    if served is None:
        return dict.fromkeys(_LOAD, UNKNOWN)
    load = {name: _known(served.get(key)) for name, key in _SERVED.items()}
    if rate.kind != "local":
        load["energy_j"] = NONE
    return load | {"money": rate.hour(load["seconds"])}


def _known(value: float | None) -> Amount:
    return UNKNOWN if value is None else Amount(value)


def _with_loads(lines: Iterable[Sums], loads: Mapping[str, Sums], of: Iterable[str]) -> dict[str, Amount]:
    """The sums of lines with the energy and money of the loads of some models, which also stand alone."""
    rows = list(lines)
    sums = added_up(rows, FIELDS) | ({} if rows else dict.fromkeys(COUNTED, Amount(0)))
    load = added_up((loads[name] for name in of if name in loads), _LOAD)
    return sums | {
        "energy_j": added((sums["energy_j"], load["energy_j"])),
        "money": added((sums["money"], load["money"])),
        "load_s": load["seconds"],
        "load_energy_j": load["energy_j"],
        "load_money": load["money"],
    }


def _systems(bill: Bill, rates: Mapping[str, Rate], texts: Sequence[GeneratedText]) -> dict[str, Any]:
    return {
        name: _system(bill, name, rates, [text for text in texts if text.system == name])
        for name in sorted(bill.systems)
    }


def _system(bill: Bill, name: str, rates: Mapping[str, Rate], texts: Sequence[GeneratedText]) -> dict[str, Any]:
    """What a system took. What a thousand of its texts would take counts every asking, also those that this run did not
    pay for, over the texts that came of them."""
    paid, rate = bill.systems[name], rates[bill.writers[name]]
    whole = rate.costs(paid.whole)
    written = [text for text in texts if not isinstance(text.text, Missing)]
    per = {f"{cost}_per_1000": per_thousand(amount, len(written)) for cost, amount in whole.items()}
    counted = [text for text in written if text.prompt_tokens or text.output_tokens]
    return {
        "model": bill.writers[name],
        "texts": len(written),
        "missing": len(texts) - len(written),
        **sums_json(rate.costs(paid.own) | per),
        "seconds": _spread(text.seconds for text in written if text.seconds),
        "first_token_s": _spread(text.first_token_s for text in written if text.first_token_s is not None),
        "output_tokens": fmean(text.output_tokens for text in counted) if counted else None,
        "thinking_tokens": fmean(text.thinking_tokens for text in counted) if counted else None,
    }


def _spread(seconds: Iterable[float]) -> dict[str, float | int] | None:
    """Median and 95th percentile, linear between neighbours; None of nothing."""
    values = list(seconds)
    if not values:
        return None
    median, p95 = np.quantile(values, (0.5, 0.95)).tolist()
    return {"median": median, "p95": p95, "n": len(values)}


def _judging(bill: Bill, rates: Mapping[str, Rate], candidates: int) -> dict[str, Any]:
    """Everything but writing, without loads, and what it would be for a thousand candidates, whoever paid for it."""
    judging = [(rates[line.model], paid) for line, paid in bill.lines.items() if not line.stage.startswith(_WRITING)]
    own = added_up((rate.costs(paid.own) for rate, paid in judging), COSTS)
    whole = added_up((rate.costs(paid.whole) for rate, paid in judging), COSTS)
    per = {f"{name}_per_1000": per_thousand(amount, candidates) for name, amount in whole.items()}
    return {"candidates": candidates, **sums_json(own | per)}
