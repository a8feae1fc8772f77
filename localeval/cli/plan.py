"""`localeval plan`."""

from pathlib import Path

import click


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run. Default: runs/NAME.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
def plan(config: Path, out: Path | None, as_json: bool) -> None:
    """Say what a run of CONFIG would ask: calls and tokens by model and stage, and what does not fit."""
    from dataclasses import asdict

    from localeval import planning
    from localeval.report.terminal import print_json, print_plan

    found = planning.plan(config, out)
    if as_json:
        print_json(asdict(found))
    else:
        print_plan(found)
