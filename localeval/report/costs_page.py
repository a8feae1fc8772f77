"""What a run cost, on the page: models, systems, stages and loads: pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from localeval.report.console import NOTHING, counted
from localeval.report.costs_terminal import amount_text, count_text, energy_text, money_text, phases_text, time_text
from localeval.report.parts import Block, Part, marked
from localeval.report.pictures.picture import Table

Ledger = Mapping[str, Any]
"""ledger.json: docs/ledger.md."""

_UNKNOWN = "not known"
_TOKENS = ("calls", "tokens read", "of them cached", "tokens written")


def costs_part(ledger: Ledger, told: Mapping[str, Mapping[str, Any]]) -> Part | None:
    """The bill, local and hosted models together. `told` says what marks a system. None where nothing was asked."""
    if not ledger["models"]:
        return None
    blocks = (
        Block("What 1,000 texts take", tuple(_judging_lines(ledger)), _systems_table(ledger, told)),
        Block("Models", (), _models_table(ledger)),
        Block("Stages", (), _stages_table(ledger)),
        Block("Loads", (), _loads_table(ledger)),
    )
    cells = [cell for block in blocks if block.table for row in block.table.rows for cell in row]
    last = Block(lines=(*_count_lines(ledger), *_sign_lines(cells)))
    return Part("costs", "What it cost", tuple(each for each in (*blocks, last) if each.lines or each.table))


def amount(sums: Mapping[str, Any], name: str, write: Callable[[float], str]) -> str:
    """A number of a sum, "at least" before one that lacks a part, "not known", "-" where there is no such thing."""
    return amount_text(sums, name, write).replace(">=", "at least ")


def _work(sums: Mapping[str, Any]) -> tuple[str, ...]:
    """Calls and tokens, as `_TOKENS` names them."""
    cached = f"{sums['cached_tokens'] / sums['prompt_tokens']:.0%}" if sums["prompt_tokens"] else NOTHING
    calls, read, written = (amount(sums, name, count_text) for name in ("calls", "prompt_tokens", "output_tokens"))
    return calls, read, cached, written


def _systems_table(ledger: Ledger, told: Mapping[str, Mapping[str, Any]]) -> Table | None:
    rows = tuple(
        (
            marked(name, told.get(name, {})),
            system["model"],
            amount(system, "money_per_1000", money_text),
            amount(system, "device_s_per_1000", time_text),
            *(_spread(system["seconds"], end) for end in ("median", "p95")),
            _spread(system["first_token_s"], "median"),
            _UNKNOWN if system["output_tokens"] is None else count_text(system["output_tokens"]),
            _UNKNOWN if system["thinking_tokens"] is None else count_text(system["thinking_tokens"]),
        )
        for name, system in ledger["systems"].items()
    )
    headings = ("system", "model", f"{ledger['currency']} for 1,000", "device for 1,000")
    times = ("a text, median", "a text, 95th percentile", "first token, median")
    title = "Writing, without loads; seconds of a text are from asking to its last token, among all in flight"
    return Table((*headings, *times, "tokens a text", "of them thought"), rows, title) if rows else None


def _spread(seconds: Mapping[str, float] | None, end: str) -> str:
    return _UNKNOWN if seconds is None else time_text(seconds[end])


def _judging_lines(ledger: Ledger) -> Iterator[str]:
    judging = ledger["judging"]
    if judging["candidates"]:
        money = amount(judging, "money_per_1000", money_text)
        device = amount(judging, "device_s_per_1000", time_text)
        yield (
            f"Judging 1,000 texts like these {judging['candidates']}, without loads: "
            f"{_amount_words(money, ledger['currency'])}, {_amount_words(device, 'of a device', 'time of a device')}."
        )


def _amount_words(number: str, unit: str, of: str = "money") -> str:
    return {NOTHING: f"no {of}", _UNKNOWN: f"{of} not known"}.get(number, f"{number} {unit}")


def _models_table(ledger: Ledger) -> Table:
    rows = tuple(
        (
            model["model"],
            model["kind"],
            ", ".join(model["roles"]) or NOTHING,
            *_work(model),
            amount(model, "device_s", time_text),
            amount(model, "energy_j", energy_text),
            amount(model, "money", money_text),
        )
        for model in ledger["models"]
    )
    title = "Energy and money hold the loads"
    return Table(("model", "kind", "does", *_TOKENS, "device", "energy", ledger["currency"]), rows, title)


def _stages_table(ledger: Ledger) -> Table:
    rows = [
        (
            stage["stage"],
            *_work(stage),
            amount(stage, "device_s", time_text),
            amount(stage, "energy_j", energy_text),
            amount(stage, "money", money_text),
        )
        for stage in ledger["stages"]
    ]
    total = ledger["total"]
    energy, money = amount(total, "load_energy_j", energy_text), amount(total, "load_money", money_text)
    rows.append(("loads", *("" for _ in _TOKENS), amount(total, "load_s", time_text), energy, money))
    energy, money = amount(total, "energy_j", energy_text), amount(total, "money", money_text)
    rows.append(("all", *_work(total), f"{amount(total, 'device_s', time_text)} and loads", energy, money))
    return Table(("stage", *_TOKENS, "device", "energy", ledger["currency"]), tuple(rows))


def _loads_table(ledger: Ledger) -> Table | None:
    rows = tuple(
        (
            load["model"],
            amount(load, "times", lambda n: f"{n:.0f}"),
            amount(load, "seconds", time_text) + phases_text(load.get("phases", {})),
            amount(load, "busy_s", time_text),
            amount(load, "money", money_text),
            load["engine"] or _UNKNOWN,
            load["meter"] or "no meter",
        )
        for load in ledger["loads"]
    )
    headings = ("model", "times", "took", "ready for", ledger["currency"], "engine", "energy measured of")
    return Table(headings, rows) if rows else None


def _count_lines(ledger: Ledger) -> Iterator[str]:
    total = ledger["total"]
    if total["missing"]:
        yield f"{counted(total['missing'], 'call')} came without an answer."
    if total["reused"]:
        n = total["reused"]
        yield f"{n} {'reply' if n == 1 else 'replies'} of earlier runs, at no cost here."


def _sign_lines(cells: list[str]) -> Iterator[str]:
    """What the signs that occur mean."""
    if any(cell.startswith("at least") for cell in cells):
        yield "At least: a part is not known."
    if NOTHING in cells:
        yield f"{NOTHING}: there is nothing of the kind."
