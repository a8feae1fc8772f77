"""What a run had been expected to take, beside what it took, on the page: pure."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from localeval.estimating import Compared
from localeval.report.console import NOTHING
from localeval.report.costs_page import amount
from localeval.report.costs_terminal import money_text, time_text
from localeval.report.parts import Block, Part
from localeval.report.pictures.picture import Table

_UNKNOWN = "not known"
_WHAT = {"work": "work", "load": "loading", "total": "all work that is known"}


def expected_part(plan: Mapping[str, Any], ledger: Mapping[str, Any], compared: Sequence[Compared]) -> Part:
    """Seconds, loads and money of a plan.json against those of a ledger.json, and the order of loads."""
    rows = (*_time_rows(compared), *_load_rows(plan, ledger), _money_row(plan, ledger))
    table = Table(
        ("what", "model", "stage", "expected", "taken", "off by"),
        rows,
        "Off by: how much more it took than expected, of what was expected",
    )
    return Part("expected", "Expected and taken", (Block(lines=tuple(_lines(plan)), table=table),))


def _lines(plan: Mapping[str, Any]) -> Iterator[str]:
    """How the plan was made, and the order of loads that it foresaw."""
    pilot = plan["pilot"]
    if pilot is not None:
        yield (
            f"Calibrated on {', '.join(pilot['sources'])}. Seconds and loads are of the rest of the run; money and the "
            "number of loads are of all."
        )
    else:
        yield "Not calibrated: expected from the sizes of models and texts alone."
    device = (plan["device"] or {}).get("name")
    if device:
        yield f"Planned for {device}."
    yield f"Order of loads: {', then '.join(plan['order']) or 'none'}."


def _time_rows(compared: Sequence[Compared]) -> Iterator[tuple[str, ...]]:
    for each in compared:
        times = (_known(value) for value in (each.estimated_s, each.actual_s))
        yield (_WHAT[each.what], each.model, each.stage, *times, deviation(each.ratio))


def _known(seconds: float | None) -> str:
    return _UNKNOWN if seconds is None else time_text(seconds)


def deviation(ratio: float | None) -> str:
    """By how much what was taken differs from what was expected: "+23 %"; "-" where they cannot be compared."""
    if ratio is None:
        return NOTHING
    percent = round((ratio - 1) * 100)
    return f"{percent:+d} %" if percent else "0 %"


def _load_rows(plan: Mapping[str, Any], ledger: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """How often each model was to be loaded, with the pilot, and how often it was."""
    planned = Counter(plan["order"])
    for each in (plan["pilot"] or {}).get("loads", ()):
        planned[each["model"]] += each["times"]
    for load in ledger["loads"]:
        expected = planned[load["model"]]
        is_known = load["times"] is not None and "times" not in load["incomplete"]
        ratio = load["times"] / expected if expected and is_known else None
        times = amount(load, "times", lambda n: f"{n:.0f}")
        yield "number of loads", load["model"], "", str(expected), times, deviation(ratio)


def _money_row(plan: Mapping[str, Any], ledger: Mapping[str, Any]) -> tuple[str, ...]:
    expected, total = plan["total"]["money"], ledger["total"]
    is_known = total["money"] is not None and "money" not in total["incomplete"]
    same = plan["currency"] == ledger["currency"]
    ratio = total["money"] / expected if expected and is_known and same else None
    planned = _UNKNOWN if expected is None else f"{money_text(expected)} {plan['currency']}"
    taken = amount(total, "money", lambda money: f"{money_text(money)} {ledger['currency']}")
    return "money", "", "", planned, taken, deviation(ratio)
