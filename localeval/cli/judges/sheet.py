"""`localeval judges sheet`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from localeval.comparing.sheet import Sheet


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--budget", type=int, required=True, metavar="N", help="How many texts people can label.")
@click.option("--csv", "path", type=click.Path(path_type=Path), required=True, metavar="FILE", help="Sheet to write.")
@click.option("--item", "items", multiple=True, help="What to ask of each text: panel/CRITERION, audit. Repeatable.")
@click.option(
    "--random", "random_share", type=float, default=0.5, show_default=True, help="Share of the budget drawn at random."
)
@click.option("--semicolon", is_flag=True, help="Separate cells by semicolons, for spreadsheets with decimal commas.")
def sheet(run: Path, budget: int, path: Path, items: tuple[str, ...], random_share: float, semicolon: bool) -> None:
    """Write a sheet of the texts of a RUN whose labels would tell most, without saying whose they are.

    People fill in `rater` and `value`; `localeval judges correct RUN --labels FILE` reads it. The run keeps which texts
    were picked for doubt, so that these do not pass for all.
    """
    from localeval.comparing.sheet import Wanted, make_sheet

    made = make_sheet(run, path, Wanted(budget, items, random_share, ";" if semicolon else ","))
    for line in _lines(made, run):
        click.echo(line)


def _lines(made: "Sheet", run: Path) -> list[str]:
    lines = [
        f"{made.rows} rows about {made.texts} texts written to {made.path}: {', '.join(made.items)}",
        f"{made.doubt} picked for doubt, {made.texts - made.doubt} drawn at random; {made.left} are on no sheet yet",
    ]
    if made.few:
        lines.append(f"too few texts on all sheets for a correction of their own: {', '.join(made.few)}")
    return [*lines, f"when it is filled in: localeval judges correct {run} --labels {made.path}"]
