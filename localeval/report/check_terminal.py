"""A check of judges on a terminal: who passed and why not, what was found by kind and place, what each leans to."""

from pathlib import Path

from rich.text import Text

from localeval.report.check_rows import (
    HEADINGS,
    Check,
    column,
    failure_lines,
    judge_rows,
    kind_rows,
    not_planted_line,
    place_headings,
    place_rows,
    probe_lines,
    reason_lines,
    shortened_line,
    test_line,
)
from localeval.report.console import BAD, GOOD, literal, print_hanging, print_lines, titled_table, wide_console
from localeval.store.files import CHECK, CHECK_PAGE

_MOST_COLUMNS = 4


def print_check(check: Check, folder: Path) -> None:
    """All of it."""
    device = wide_console()
    table = titled_table(f"judges of {check['name']} (per cent)")
    for heading in HEADINGS:
        table.add_column(heading)
    for *cells, verdict in judge_rows(check):
        table.add_row(*map(literal, cells), Text(verdict, style=GOOD if verdict == "passed" else BAD))
    device.print(table)
    for line in (test_line(check), not_planted_line(check), *reason_lines(check), *failure_lines(check)):
        if line:
            print_hanging(device, literal(line))
    _print_kinds(check)
    for judge in check["judges"]:
        if judge["heat"]:
            table = titled_table(f"{column(judge)}: found, by length of the source and place in it")
            for heading in place_headings(judge):
                table.add_column(heading, justify="right")
            for row in place_rows(judge):
                table.add_row(*row)
            device.print(table)
        lines = [line for line in (shortened_line(judge), *probe_lines(judge)) if line]
        if lines:
            device.print(literal(f"{column(judge)}:"))
            for line in lines:
                print_hanging(device, literal(f"  {line}"))
    print_lines([f"every text and verdict: {folder / CHECK_PAGE}, {folder / CHECK}"])


def _print_kinds(check: Check) -> None:
    """By kind of error, a few judges side by side."""
    names = [column(judge) for judge in check["judges"]]
    rows = kind_rows(check)
    for start in range(0, len(names), _MOST_COLUMNS):
        table = titled_table("found of planted, by kind of error" if not start else "")
        table.add_column("kind")
        for name in names[start : start + _MOST_COLUMNS]:
            table.add_column(literal(name), justify="right")
        for kind, *cells in rows:
            table.add_row(kind, *cells[start : start + _MOST_COLUMNS])
        wide_console().print(table)
