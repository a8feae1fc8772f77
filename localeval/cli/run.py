"""`localeval run`."""

from pathlib import Path
from typing import Literal

import click

from localeval.cli.guard import SOME_MISSING


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run. Default: runs/NAME.")
@click.option(
    "--reuse", type=click.Path(path_type=Path), multiple=True, help="Earlier run to read replies from. Repeatable."
)
@click.option(
    "--only",
    type=click.Choice(["generate", "judge"]),
    help="generate: the systems write, nothing is judged. judge: what was written is judged, nothing is written.",
)
@click.option("--force", is_flag=True, help="Let judges judge that their check refuses; what they touch is marked.")
@click.option(
    "--cluster",
    metavar="auto|HOST:PORT",
    help="Load models on Ray: auto starts one on this machine, HOST:PORT is one that runs (docs/cluster.md).",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    help="With --cluster: replicas of a model. Default: one for each GPU, without GPUs one for each machine.",
)
@click.option("--json", "as_json", is_flag=True, help="Print scores.json instead of the leaderboard.")
@click.pass_context
def run(
    ctx: click.Context,
    config: Path,
    out: Path | None,
    reuse: tuple[Path, ...],
    only: Literal["generate", "judge"] | None,
    force: bool,
    cluster: str | None,
    workers: int | None,
    as_json: bool,
) -> None:
    """Run the evaluation of CONFIG, or go on with it where it stopped.

    A judge whose last check (localeval judges check) is below the bars of CONFIG is refused before anything is asked.
    """
    from localeval import evaluation
    from localeval.cli.progress import shown
    from localeval.cluster.joining import ClusterSettings
    from localeval.report.terminal import print_json, print_run

    if workers is not None and cluster is None:
        raise click.UsageError("--workers goes with --cluster: replicas run on Ray")
    where = None if cluster is None else ClusterSettings(cluster, workers)
    with shown(ctx) as progress:
        outcome = evaluation.run(config, out, reuse, progress, only or "all", force, where)
    if as_json:
        print_json(outcome.scores)
    else:
        print_run(outcome)
    if evaluation.n_missing(outcome.scores):
        ctx.exit(SOME_MISSING)
