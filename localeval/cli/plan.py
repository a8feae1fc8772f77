"""`localeval plan`."""

from pathlib import Path

import click


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run. Default: runs/NAME.")
@click.option("--calibrate", is_flag=True, help="Evaluate a few sources in the run's folder, and measure.")
@click.option("--sources", "n_sources", type=click.IntRange(min=1), help="How many with --calibrate. Default: 1.")
@click.option("--json", "as_json", is_flag=True, help="Print the plan as JSON.")
@click.pass_context
def plan(
    ctx: click.Context, config: Path, out: Path | None, calibrate: bool, n_sources: int | None, as_json: bool
) -> None:
    """Say what a run of CONFIG would ask: calls, tokens, the order of loads, time and money, and what does not fit."""
    from localeval import estimating
    from localeval.cli.progress import shown
    from localeval.report.plan_terminal import print_plan
    from localeval.report.terminal import print_json

    if n_sources is not None and not calibrate:
        raise click.UsageError("--sources goes with --calibrate; add that, or leave it out")
    if calibrate:
        with shown(ctx) as progress:
            found = estimating.calibrate(config, out, n_sources or 1, progress)
    else:
        found = estimating.estimated_plan(config, out)
    if as_json:
        print_json(found)
    else:
        print_plan(found)
