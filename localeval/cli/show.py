"""`localeval show`."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from localeval.gathering import Part


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("candidate", required=False)
@click.option("--source", help="Only this source, or this target of elicited texts.")
@click.option(
    "--method", type=click.Choice(["generate", "quiz", "panel", "audit", "affect"]), help="Only what this method says."
)
@click.option("--all", "with_supported", is_flag=True, help="List the audit's supported and dropped claims, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the same as JSON, supported claims included.")
def show(
    run: Path,
    candidate: str | None,
    source: str | None,
    method: Literal["generate", "quiz", "panel", "audit", "affect"] | None,
    with_supported: bool,
    as_json: bool,
) -> None:
    """Show the leaderboard of a RUN or, of one CANDIDATE (a system), each verdict with its evidence.

    Of an audit, each claim that somebody accused; of a panel, each judge's grades; of a quiz, each question; of
    affect, each text with its scores and their evidence. --method generate shows what the systems wrote.
    """
    from localeval import evaluation
    from localeval.report.leaderboard_terminal import print_scores
    from localeval.report.terminal import print_details, print_json
    from localeval.report.view import details

    if candidate is None and source is None and method is None and not with_supported:
        scores = evaluation.load_scores(run)
        print_json(scores) if as_json else print_scores(scores)
        return
    part: Part = "generate" if method == "generate" else "all"  # texts can be read before they are judged
    rows = details(*evaluation.load_run(run, part), system=candidate, source=source, method=method)
    print_json(rows) if as_json else print_details(rows, with_supported)
