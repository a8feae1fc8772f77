"""Scores, plans and findings on a terminal: rich tables on standard output, plain where that is not a terminal."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from typing import Any

from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from localeval.doctor import Finding
from localeval.evaluation import Outcome
from localeval.ledger import Account
from localeval.planning import Plan
from localeval.report.audit_terminal import audit_detail_lines, audit_lines
from localeval.report.console import (
    console,
    literal,
    print_hanging,
    print_lines,
    score_text,
    titled_table,
    wide_console,
)
from localeval.report.panel_terminal import panel_detail_lines, panel_lines
from localeval.report.quiz_terminal import BLOCKS, PLAIN_BLOCKS, quiz_detail_lines, quiz_lines, shares_bar
from localeval.report.view import Details, leaderboard

Row = Mapping[str, Any]

_MARKS = {"good": ("ok", "green"), "note": ("--", "yellow"), "bad": ("!!", "red")}
_LINES: Mapping[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "audit": audit_lines,
    "panel": panel_lines,
    "quiz": quiz_lines,
}
"""What stands beneath the leaderboard, by method, in this order."""
_MEASURES = {
    "fabrications": "confirmed fabrications a text",
    "consensus": "consensus",
    "cap_f1": "CapF1",
    "cap_p": "CapP",
    "cap_r": "CapR",
}


def print_json(value: object) -> None:
    """`value` as indented JSON, not cut to the terminal's width."""
    print(json.dumps(value, indent=1, ensure_ascii=False, default=_plain))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def print_run(outcome: Outcome) -> None:
    """The leaderboard of a finished run, what it cost, and where it is."""
    print_scores(outcome.scores)
    print_lines(cost_line(name, account) for name, account in outcome.ledger.accounts.items())
    print_lines([f"Results: {outcome.folder / 'scores.json'}. Each verdict: localeval show {outcome.folder} SYSTEM"])


def cost_line(name: str, account: Account) -> str:
    """What one model was asked and what its prefix cache saved."""
    line = f"{name}: {account.sent} calls sent, {account.stored} from the store"
    if not account.sent:
        return line
    failed = f", {account.missing} replies without an answer" if account.missing else ""
    computed = account.prompt_tokens - account.cached_tokens
    return (
        f"{line}{failed}; {account.prompt_tokens} prompt tokens, {account.cached_share:.0%} of them cached, "
        f"{computed} computed; {account.output_tokens} tokens written; {account.engine}"
    )


def print_scores(scores: Mapping[str, Any]) -> None:
    """The leaderboard and what one must know to believe it."""
    methods = scores["methods"]
    device = wide_console()
    device.print(_quiz_table(scores, device) if list(methods) == ["quiz"] else _table(scores, device))
    print_lines(score_lines(scores))


def score_lines(scores: Mapping[str, Any]) -> Iterator[str]:
    """What stands beneath the leaderboard: each method's own lines, then what the ranks mean."""
    methods = scores["methods"]
    for method, lines in _LINES.items():
        if method in methods:
            if len(methods) > 1:
                yield f"{method}:"
            yield from lines(methods[method])
    measures = [_MEASURES[each] for each in scores["leaderboard"]["rank_by"]]
    if list(methods) == ["quiz"]:
        yield "a shared rank means: not told apart by a paired test over the same questions"
        return
    if len(methods) > 1:
        yield ""
    if "audit" in methods:
        yield "fabrications: confirmed ones, +disputed ones; rate: confirmed ones in 100 claims"
    yield f"ranked by {', then '.join(measures)}"
    yield "a shared rank means: not told apart by paired tests over the same sources"


def _quiz_table(scores: Mapping[str, Any], device: Console) -> Table:
    """A quiz alone has room for what was kept, bent and lost."""
    table = titled_table(_title(scores, "quiz, percent with 95 % intervals"))
    _start(table)
    for heading in ("CapF1", "CapP", "CapR"):
        table.add_column(heading, no_wrap=True)
    table.add_column(shares := "kept/bent/lost", overflow="fold", min_width=len(shares))
    signs = PLAIN_BLOCKS if device.options.ascii_only else BLOCKS
    for row in leaderboard(scores):
        numbers = (score_text(row[each]) for each in ("cap_f1", "cap_p", "cap_r"))
        table.add_row(*_first_cells(row), *numbers, shares_bar(row["counts"], signs))
    return table


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the leaderboard over several methods. `broken` is the heading where there is little room."""

    method: str
    heading: str
    broken: str
    cell: Callable[[Row], str]


def _score_of(name: str) -> Callable[[Row], str]:
    return lambda row: score_text(row[name])


def _fabrications(row: Row) -> str:
    if row["fabrications"] is None:
        return "-"
    return f"{row['fabrications']} +{row['disputed']}" if row["disputed"] else str(row["fabrications"])


_COLUMNS = (
    _Column("audit", "fabrications", "fabri-\ncations", _fabrications),
    _Column("audit", "rate", "rate", _score_of("fabrication_rate")),
    _Column("panel", "consensus", "consen-\nsus", _score_of("consensus")),
    _Column("panel", "disagreement", "disagree-\nment", _score_of("disagreement")),
    _Column("quiz", "CapF1", "CapF1", _score_of("cap_f1")),
    _Column("quiz", "CapP", "CapP", _score_of("cap_p")),
    _Column("quiz", "CapR", "CapR", _score_of("cap_r")),
)


def _table(scores: Mapping[str, Any], device: Console) -> Table:
    """One row a system, with intervals beneath the numbers where they do not fit beside them."""
    rows = leaderboard(scores)
    columns = [each for each in _COLUMNS if each.method in scores["methods"]]
    title = _title(scores, "percent with 95 % intervals")
    wide = titled_table(title)
    _start(wide)
    for column in columns:
        wide.add_column(column.heading, no_wrap=True)
    for row in rows:
        wide.add_row(*_first_cells(row), *(column.cell(row) for column in columns))
    if device.measure(wide, options=device.options.update(max_width=10_000)).maximum <= device.width:
        return wide
    narrow = titled_table(title, padding=0)
    _start(narrow)
    for column in columns:
        narrow.add_column(column.broken, no_wrap=True)
    for row in rows:
        narrow.add_row(*_first_cells(row), *(column.cell(row).replace(" ", "\n") for column in columns))
    return narrow


def _title(scores: Mapping[str, Any], what: str) -> str:
    return f"{scores['name']}: {what}"


def _start(table: Table) -> None:
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("system", overflow="fold")  # what is too wide goes on in the next line, nothing is cut


def _first_cells(row: Row) -> tuple[str, Text]:
    return str(row["rank"] or "-"), literal(row["system"])  # literal: a system may be called "[bold]"


def print_details(found: Details, with_supported: bool = False) -> None:
    """What each method says of the chosen candidates; the audit's supported claims one by one only where asked for."""
    parts: dict[str, Iterable[Text]] = {}
    if found.audit is not None:
        parts["audit"] = audit_detail_lines(found.audit, with_supported)
    if found.panel is not None:
        parts["panel"] = panel_detail_lines(found.panel)
    if found.quiz is not None:
        parts["quiz"] = quiz_detail_lines(found.quiz)
    device = console()
    for number, (method, lines) in enumerate(parts.items()):
        if len(parts) > 1:
            device.print(Text(f"{method}:" if number == 0 else f"\n{method}:", style="bold"))
        for line in lines:
            print_hanging(device, line)


def print_plan(plan: Plan) -> None:
    """Calls and tokens by model and stage, loads, and what does not fit."""
    table = titled_table("plan")
    for heading in ("model", "stage", "stored", "to send", "prompt tokens", "shared", "to compute", "output at most"):
        justify: JustifyMethod = "left" if heading in ("model", "stage") else "right"
        table.add_column(heading, justify=justify, no_wrap=heading == "stage", overflow="fold")
    for each in plan.stages:
        shared = f"{each.shared_share:.0%}"
        numbers = (each.stored, each.calls, each.prompt_tokens, shared, each.computed_tokens, each.output_tokens)
        table.add_row(literal(each.model), each.stage, *map(str, numbers))
    wide_console().print(table)
    loads = ", ".join(f"{name} {n}" for name, n in plan.loads.items()) or "none"
    print_lines(
        [
            f"model loads: {loads}",
            "Filters and repeats add calls; questions that are not yet written count as specimens.",
            *(
                f"does not fit: {long.subject} at {long.stage}: {long.needed} tokens, {long.model} holds {long.limit}"
                for long in plan.too_long
            ),
        ]
    )


def print_findings(findings: Sequence[Finding]) -> None:
    """One line a finding, and its fix."""
    device = console()
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark, style = _MARKS[finding.state]
        fix = f"; {finding.fix}" if finding.fix else ""
        device.print(Text.assemble((mark, style), f" {finding.what:{width}}  {finding.found}{fix}"), soft_wrap=True)
