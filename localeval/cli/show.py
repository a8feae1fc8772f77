"""`localeval show`."""

from pathlib import Path

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("candidate", required=False)
@click.option("--source", help="Only this source.")
@click.option("--json", "as_json", is_flag=True, help="Print the same as JSON.")
def show(run: Path, candidate: str | None, source: str | None, as_json: bool) -> None:
    """Show the leaderboard of a RUN or, of one CANDIDATE (a system), each question with options, answer and proof."""
    from localeval import evaluation
    from localeval.report.terminal import print_details, print_json, print_scores
    from localeval.report.view import details

    if candidate is None and source is None:
        scores = evaluation.load_scores(run)
        print_json(scores) if as_json else print_scores(scores)
        return
    rows = details(*evaluation.load_run(run), system=candidate, source=source)
    print_json(rows) if as_json else print_details(rows)
