"""`localeval bench judges`."""

from pathlib import Path

import click

from localeval.cli.guard import SOME_MISSING
from localeval.public_sets.published import SETS, SetName


@click.command()
@click.option("--data", type=click.Path(path_type=Path), required=True, help="Folder that the sets lie in.")
@click.option("--set", "names", type=click.Choice(SETS), multiple=True, help="Default: all. Repeatable.")
@click.option("--model", "models", metavar="MODEL", multiple=True, help="Card, folder, script or table. Repeatable.")
@click.option("--items", type=click.IntRange(min=0), default=40, show_default=True, help="Of each set; 0: all.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Of the items that are drawn.")
@click.option("--out", type=click.Path(path_type=Path), default=Path("runs/bench-judges"), show_default=True)
@click.option("--details", is_flag=True, help="Leanings, raters and kinds of error as well.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.pass_context
def judges(
    ctx: click.Context,
    data: Path,
    names: tuple[SetName, ...],
    models: tuple[str, ...],
    items: int,
    seed: int,
    out: Path,
    details: bool,
    as_json: bool,
) -> None:
    """Print how judges do on public labelled sets, beside published figures.

    Without --model nothing is asked: the sets hold verdicts of known judges and ratings by people. Each --model is
    asked about --items of each set that lets it. Replies are kept in --out: the same command goes on where it stopped.
    """
    from localeval.cli.progress import shown
    from localeval.public_sets.bench import Request, bench
    from localeval.report.bench_terminal import print_bench
    from localeval.report.terminal import cost_line, print_json

    with shown(ctx) as progress:
        found = bench(Request(data, names, models, items, seed, out), progress)
    if as_json:
        print_json(found.as_json())
    else:
        print_bench(found.contents, found.rows, details)
        for name, account in progress.accounts.items():
            click.echo(cost_line(name, account))
    if found.n_missing:
        ctx.exit(SOME_MISSING)
