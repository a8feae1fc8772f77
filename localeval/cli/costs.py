"""`localeval costs`."""

from pathlib import Path

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print ledger.json instead.")
def costs(run: Path, as_json: bool) -> None:
    """Say what a finished RUN cost: tokens, device time, energy and money, by model, system and stage.

    Where the run was planned with `localeval plan --calibrate`, what it took stands beside what had been expected.
    """
    from rich.errors import ConsoleError

    from localeval.bill import load_ledger
    from localeval.report.costs_terminal import compared_in, print_costs
    from localeval.report.terminal import print_json
    from localeval.store.files import LEDGER, RunFiles

    ledger = load_ledger(run)
    if as_json:
        print_json(ledger)
        return
    compared = compared_in(run, ledger)
    try:
        print_costs(ledger, compared)
    except (LookupError, TypeError, ValueError, AttributeError, ConsoleError) as error:  # of a file edited by hand
        raise RunFiles(run).damaged(LEDGER, error) from error
