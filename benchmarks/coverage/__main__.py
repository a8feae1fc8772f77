"""How often every interval of localeval.stats holds the truth: the table of docs/statistics.md.

scripts/bench coverage [--draws N] [NAME ...]

Each row draws evaluations whose items are alike within their source, 35 sources (an evaluation as it is meant to be)
and 5 (too small a one), and counts how often the 95 % interval holds the value of endlessly many sources. Coverage
outside 93 to 97 % by more than two simulation errors is marked. NAMEs are beginnings of rows. The exit code is 1 where
a row is below 93 % at 35 sources, or outside without a note that says why.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import click

from benchmarks.coverage.measuring import LOW, Covered, Row, measure
from benchmarks.coverage.rows import ROWS


def _measured(place: int, draws: int) -> tuple[Covered, Covered]:
    row = ROWS[place]
    return measure(row, row.meant, draws), measure(row, row.small, draws)


def _cell(found: Covered, sources: int) -> str:
    mark = "" if found.is_within else " below" if found.coverage < LOW else " above"
    without = f", none in {100 * found.undefined:.0f} %" if found.undefined >= 0.005 else ""
    size = "" if sources in (35, 5) else f" ({sources} sources)"
    return f"{100 * found.coverage:.1f} ± {100 * found.error:.1f}; {found.width:.3g}{without}{size}{mark}"


def _is_fine(row: Row, found: Sequence[Covered]) -> bool:
    outside = [each for each in found if not each.is_within]
    return not outside or (bool(row.note) and (found[0].is_within or found[0].coverage >= LOW))


@click.command(help=__doc__)
@click.option("--draws", default=2000, show_default=True, help="Evaluations a row; fewer where one takes long.")
@click.argument("names", nargs=-1)
def main(draws: int, names: tuple[str, ...]) -> None:
    """Prints the table."""
    chosen = [n for n, row in enumerate(ROWS) if not names or row.function.startswith(names)]
    print("| interval | drawn | 35 sources | 5 sources | |\n| --- | --- | --- | --- | --- |")
    fine = True
    with ProcessPoolExecutor(2) as pool:
        for place, found in zip(chosen, pool.map(_measured, chosen, [draws] * len(chosen)), strict=True):
            row = ROWS[place]
            cells = " | ".join(_cell(each, size) for each, size in zip(found, (row.meant, row.small), strict=True))
            note = row.note if not all(each.is_within for each in found) else ""
            fine &= _is_fine(row, found)
            print(f"| `{row.function}` | {row.world} | {cells} | {note} |", flush=True)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
