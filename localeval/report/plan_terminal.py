"""A plan on a terminal: calls and tokens by stage, then the loads in their order, time, money, guesses."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import JustifyMethod

from localeval.methods.refused import refused_judges, unchecked_judges
from localeval.report.console import counted, literal, print_lines, titled_table, wide_console
from localeval.report.costs_terminal import money_text, time_text

Plan = Mapping[str, Any]
"""The content of plan.json: docs/planning.md."""


def print_plan(plan: Plan) -> None:
    """Calls and tokens by model and stage, the order of loads with time and money, what is a guess, what does not
    fit."""
    table = titled_table("plan")
    for heading in ("model", "stage", "stored", "to send", "prompt tokens", "shared", "to compute", "output at most"):
        justify: JustifyMethod = "left" if heading in ("model", "stage") else "right"
        table.add_column(heading, justify=justify, no_wrap=heading == "stage", overflow="fold")
    for each in plan["stages"]:
        prompt = each["prompt_tokens"]
        shared = f"{1 - each['unique_tokens'] / prompt if prompt else 0:.0%}"
        numbers = (each["stored"], each["calls"], prompt, shared, each["computed_tokens"], each["output_tokens"])
        table.add_row(literal(each["model"]), literal(each["stage"]), *map(str, numbers))
    wide_console().print(table)
    print_lines(plan_lines(plan))


def plan_lines(plan: Plan) -> Iterator[str]:
    """What stands below the table, line by line."""
    currency = plan["currency"]
    if not plan["loads"]:
        yield "model loads: none"
    for load in plan["loads"]:
        stages = ", ".join(f"{stage} {counted(calls, 'call')}" for stage, calls in load["stages"].items())
        tokens = f"{load['prompt_tokens']} prompt tokens, {load['computed_tokens']} of them to compute"
        parts = [stages or "no call that fits", tokens, *_known_costs(load, currency)]
        yield f"{load['place']}. {load['model']}: {'; '.join(parts)}"
    if plan["pilot"] is not None:
        yield _pilot_line(plan["pilot"], currency)
    total = plan["total"]
    known = _known_costs(total, currency)
    lacking = [f"{what} not known" for what, key in _COSTS.items() if total[key] is None]
    with_pilot = " with the pilot" if plan["pilot"] is not None else ""
    yield f"in all{with_pilot}: {'; '.join([counted(total['calls'], 'call'), *known, *lacking])}"
    yield from plan["notes"]
    yield "Filters and repeats add calls; questions and claims that are not yet written count as specimens."
    for long in plan["too_long"]:
        yield (
            f"does not fit: {long['subject']} at {long['stage']}: {long['needed']} tokens, "
            f"{long['model']} holds {long['limit']}"
        )
    for told in refused_judges(plan).values():
        yield from (f"would be refused: {line}" for line in told.values())
    for method, names in unchecked_judges(plan).items():
        yield f"judges not checked: {method} by {', '.join(names)}"


def _pilot_line(pilot: Mapping[str, Any], currency: str) -> str:
    costs = "; ".join(_known_costs(pilot, currency))
    return f"measured: {', '.join(pilot['sources'])}; {costs}; the run uses its replies"


_COSTS = {"time of loads": "load_s", "time of work": "work_s", "money": "money"}


def _known_costs(row: Mapping[str, Any], currency: str) -> list[str]:
    """Seconds and money of a load, a pilot or all, as far as they are known."""
    seconds = {"load": row["load_s"], "work": row["work_s"]}
    times = [f"{what} {time_text(value)}" for what, value in seconds.items() if value is not None]
    return times if row["money"] is None else [*times, f"{money_text(row['money'])} {currency}"]
