"""`localeval score`."""

from pathlib import Path

import click

from localeval.cli.guard import SOME_MISSING


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print scores.json instead of the leaderboard.")
@click.pass_context
def score(ctx: click.Context, run: Path, as_json: bool) -> None:
    """Make scores.json of a finished RUN anew from its stored replies, with no engine."""
    from localeval import evaluation
    from localeval.report.leaderboard_terminal import print_scores
    from localeval.report.terminal import print_json

    scores = evaluation.rescore(run)
    if as_json:
        print_json(scores)
    else:
        print_scores(scores)
    if evaluation.n_missing(scores):
        ctx.exit(SOME_MISSING)
