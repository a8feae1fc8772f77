"""What a run cost, on a terminal: models, systems, stages, and what had been expected."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import JustifyMethod
from rich.table import Table

from localeval.estimating import Compared, estimated_against_actual
from localeval.report.console import NOTHING, counted, literal, print_lines, titled_table, wide_console
from localeval.store.files import PLAN, RunFiles

Sums = Mapping[str, Any]
"""A sum of ledger.json: docs/ledger.md."""

_UNKNOWN = "not known"
_AT_LEAST = ">="


def print_costs(ledger: Mapping[str, Any], compared: Sequence[Compared] = ()) -> None:
    """The bill of a run; with `compared`, what had been expected beside what it took."""
    tables = [
        _models_table(ledger),
        _systems_table(ledger),
        _stages_table(ledger),
        _written_table(ledger),
        _compared_table(compared),
    ]
    device = wide_console()
    for table in tables:
        if table.row_count:
            device.print(table)
    print_lines(cost_lines(ledger, [text for table in tables for column in table.columns for text in column.cells]))


def compared_in(run: Path, ledger: Mapping[str, Any]) -> list[Compared]:
    """What was expected of a run beside what it took; nothing where it was not planned. Raises StoreError where the
    plan is damaged."""
    files = RunFiles(run)
    plan = files.plan()
    if plan is None:
        return []
    try:
        return estimated_against_actual(plan, ledger)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise files.damaged(PLAN, error) from error


def cost_lines(ledger: Mapping[str, Any], cells: Iterable[object]) -> Iterator[str]:
    """Beneath the tables: who did what, loads, judging, and what the signs in `cells` mean."""
    for model in ledger["models"]:
        if model["roles"]:
            yield f"{model['model']}: {', '.join(model['roles'])}"
    for load in ledger["loads"]:
        yield _load_line(load)
    judging = ledger["judging"]
    if judging["candidates"]:
        costs = " and ".join(_costs(judging, "_per_1000", ledger["currency"]))
        yield f"judging 1,000 texts like these {judging['candidates']}, without loads: {costs}"
    total = ledger["total"]
    if total["missing"]:
        yield f"{counted(total['missing'], 'call')} came without an answer"
    if total["reused"]:
        yield f"{counted(total['reused'], 'reply')} of earlier runs, at no cost here".replace("replys", "replies")
    words = [str(cell) for cell in cells]
    if any(_AT_LEAST in word for word in words):
        yield f"{_AT_LEAST}: at least; a part is not known"
    if any(word == NOTHING for word in words):
        yield f"{NOTHING}: there is nothing of the kind"


def time_text(seconds: float) -> str:
    """Seconds as one reads them: "8.2 s", "41 s", "12 min", "3.4 h", "310 h"."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    if minutes < 120:
        return f"{minutes:.0f} min"
    return f"{minutes / 60:.1f} h" if minutes < 6000 else f"{minutes / 60:.0f} h"


def money_text(money: float) -> str:
    """An amount of money without its currency, to three digits or to the hundredth."""
    if money == 0:
        return "0"
    if money < 0.0001:
        return "<0.0001"
    return f"{money:.2f}" if money >= 1 else f"{money:.3g}"


def count_text(count: float) -> str:
    """A number of tokens: in full up to 9,999, then in thousands or millions."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if count >= 10_000 and count >= size:
            return f"{count / size:.1f}{unit}"
    return f"{count:.0f}"


def energy_text(joules: float) -> str:
    """Joules, in watt-hours or kilowatt-hours."""
    hours = joules / 3600
    return f"{hours:.3g} Wh" if hours < 999.5 else f"{hours / 1e3:.2f} kWh"


def amount_text(sums: Sums, name: str, write: Callable[[float], str]) -> str:
    """A number of a sum: "not known", ">=" before one that lacks a part, "-" where there is nothing of the kind."""
    is_whole = name not in sums["incomplete"]
    if sums[name] is None:
        return NOTHING if is_whole else _UNKNOWN
    return write(sums[name]) if is_whole else f"{_AT_LEAST}{write(sums[name])}"


def _costs(sums: Sums, ending: str, currency: str) -> Iterator[str]:
    """Time and money of a sum, in words."""
    yield f"{amount_text(sums, f'device_s{ending}', time_text)} of a device"
    money = amount_text(sums, f"money{ending}", money_text)
    yield "money not known (docs/config.md: prices)" if money == _UNKNOWN else f"{money} {currency}"


def _load_line(load: Sums) -> str:
    times = amount_text(load, "times", lambda n: f"{n:.0f}")
    if times == _UNKNOWN:
        return f"{load['model']}: loaded, not known how often: the run was stopped before it could say"
    often = "once" if load["times"] == 1 else f"{times} times"
    seconds, busy = (amount_text(load, name, time_text) for name in ("seconds", "busy_s"))
    engine = f"; {load['engine']}" if load["engine"] else ""
    meter = f"; energy of {load['meter']}" if load["meter"] else ""
    phases = phases_text(load.get("phases", {}))
    return f"{load['model']}: loaded {often} in {seconds}{phases}, ready for {busy}{engine}{meter}"


def phases_text(phases: Mapping[str, float]) -> str:
    """What a load's seconds went to, in brackets: " (imports 9.1 s, weights 3.2 s)". Empty where nobody tells."""
    words = ", ".join(f"{name} {time_text(seconds)}" for name, seconds in phases.items())
    return f" ({words})" if words else ""


def _table(title: str, names: Sequence[str], words: Sequence[str], numbers: Sequence[str]) -> Table:
    """An empty one. Only `names` may break: they are as long as the user made them."""
    table = titled_table(title)
    for heading in (*names, *words, *numbers):
        justify: JustifyMethod = "right" if heading in numbers else "left"
        table.add_column(heading, justify=justify, overflow="fold", no_wrap=heading not in names)
    return table


def _work_cells(sums: Sums, device: str = "device_s", with_energy: bool = False) -> list[str]:
    """Tokens, time and money; with energy in the place of the cached share, since 80 columns have no room for both."""
    return [
        *(amount_text(sums, name, count_text) for name in ("calls", "prompt_tokens")),
        *([] if with_energy else [_cached(sums)]),
        amount_text(sums, "output_tokens", count_text),
        amount_text(sums, device, time_text),
        *([amount_text(sums, "energy_j", energy_text)] if with_energy else []),
        amount_text(sums, "money", money_text),
    ]


def _work_headings(currency: str, with_energy: bool = False) -> list[str]:
    if with_energy:
        return ["calls", "read", "written", "device", "energy", currency]
    return ["calls", "read", "cached", "written", "device", currency]


def _cached(sums: Sums) -> str:
    return f"{sums['cached_tokens'] / sums['prompt_tokens']:.0%}" if sums["prompt_tokens"] else NOTHING


def _models_table(ledger: Mapping[str, Any]) -> Table:
    """Local and hosted models together."""
    table = _table("models, with what loading them cost", ["model"], ["kind"], _work_headings(ledger["currency"]))
    for model in ledger["models"]:
        table.add_row(literal(model["model"]), model["kind"], *_work_cells(model))
    return table


def _systems_table(ledger: Mapping[str, Any]) -> Table:
    headings = ["texts", "tokens", "median, p95", "first token", "device/1000", f"{ledger['currency']}/1000"]
    table = _table("systems: what a text takes, and what 1,000 would", ["system"], [], headings)
    for name, system in ledger["systems"].items():
        texts = f"{system['texts']} of {system['texts'] + system['missing']}"
        tokens, seconds, first = (system[each] for each in ("output_tokens", "seconds", "first_token_s"))
        table.add_row(
            literal(name),
            texts if system["missing"] else str(system["texts"]),
            _UNKNOWN if tokens is None else count_text(tokens),
            _UNKNOWN if seconds is None else f"{time_text(seconds['median'])}, {time_text(seconds['p95'])}",
            _UNKNOWN if first is None else time_text(first["median"]),
            amount_text(system, "device_s_per_1000", time_text),
            amount_text(system, "money_per_1000", money_text),
        )
    return table


def _stages_table(ledger: Mapping[str, Any]) -> Table:
    """What each method took, then loading, then all together; with energy where the run knows any."""
    total = ledger["total"]
    is_metered = bool(total["energy_j"])
    table = _table("stages", [], ["stage"], _work_headings(ledger["currency"], is_metered))
    for stage in ledger["stages"]:
        table.add_row(literal(stage["stage"]), *_work_cells(stage, with_energy=is_metered))
    blank = [""] * (3 if is_metered else 4)
    energy = [amount_text(total, "load_energy_j", energy_text)] if is_metered else []
    loads = [amount_text(total, "load_s", time_text), *energy, amount_text(total, "load_money", money_text)]
    table.add_row("loads", *blank, *loads, end_section=True)
    table.add_row("total", *_work_cells(_with_load_s(total), "all_s", is_metered))
    return table


def _written_table(ledger: Mapping[str, Any]) -> Table:
    """Who wrote how much at which step, those first who wrote most; no share where a part of the whole is not known."""
    table = _table("tokens by step", ["model"], ["step"], ["calls", "read", "cached", "written", "a call", "share"])
    steps: dict[tuple[str, str], list[Sums]] = {}
    for row in ledger["rows"]:
        steps.setdefault((row["model"], row["stage"]), []).append(row)
    total = ledger["total"]
    whole = None if "output_tokens" in total["incomplete"] else total["output_tokens"]
    written = {step: sum(row["output_tokens"] or 0 for row in rows) for step, rows in steps.items()}
    for (model, stage), rows in sorted(steps.items(), key=lambda each: (-written[each[0]], each[0])):
        sums = _added(rows)
        n_calls, tokens = sums["calls"], sums["output_tokens"]
        known = tokens is not None and "output_tokens" not in sums["incomplete"]
        table.add_row(
            literal(model),
            literal(stage),
            *(amount_text(sums, name, count_text) for name in ("calls", "prompt_tokens")),
            _cached(sums),
            amount_text(sums, "output_tokens", count_text),
            f"{tokens / n_calls:.1f}" if known and n_calls else NOTHING,
            f"{tokens / whole:.0%}" if known and whole else NOTHING,
        )
    return table


def _added(rows: Sequence[Sums]) -> dict[str, Any]:
    """Calls and tokens of rows together; a number of which one row knows nothing is a lower bound."""
    sums: dict[str, Any] = {"incomplete": sorted({name for row in rows for name in row["incomplete"]})}
    for name in ("calls", "prompt_tokens", "cached_tokens", "output_tokens"):
        known = [row[name] for row in rows if row[name] is not None]
        sums[name] = sum(known) if known else None
    return sums


def _with_load_s(total: Sums) -> Sums:
    """The total with `all_s`, the seconds of work and of loads together."""
    parts = [total[name] for name in ("device_s", "load_s")]
    known = [part for part in parts if part is not None]
    lacking = ["all_s"] if {"device_s", "load_s"} & set(total["incomplete"]) else []
    return {**total, "all_s": sum(known) if known else None, "incomplete": [*total["incomplete"], *lacking]}


def _compared_table(compared: Sequence[Compared]) -> Table:
    table = _table("expected and taken", ["model"], ["what", "stage"], ["expected", "taken", "taken/expected"])
    for each in compared:
        expected, taken = (
            _UNKNOWN if value is None else time_text(value) for value in (each.estimated_s, each.actual_s)
        )
        ratio = NOTHING if each.ratio is None else f"{each.ratio:.0%}"
        table.add_row(literal(each.model), each.what, literal(each.stage), expected, taken, ratio)
    return table
