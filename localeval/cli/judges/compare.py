"""`localeval judges compare`."""

from pathlib import Path

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path), required=False)
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    help="Labels of people or hosted judges (JSONL or CSV), or an earlier run; may be given several times.",
)
@click.option("--judge", "judges", multiple=True, help="A rater in the labels who is a judge, too; several times.")
@click.option("--item", "items", multiple=True, help="Only this item, such as panel/faithfulness or 'panel/*'.")
@click.option("--system", "systems", multiple=True, help="Only texts of this system; several times.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole comparison as JSON.")
def compare(
    run: Path | None,
    labels: tuple[Path, ...],
    judges: tuple[str, ...],
    items: tuple[str, ...],
    systems: tuple[str, ...],
    as_json: bool,
) -> None:
    """Set the judges of a RUN beside people, hosted judges or earlier runs: agreement, bias, severity.

    Labels have source, system, item, rater and value. People are pooled: the mean of their numbers, the majority of
    their verdicts. Without a RUN the judges are those that --judge names; without any, people are compared with one
    another.
    """
    from localeval.comparing.comparing import compare as compare_with
    from localeval.comparing.given import Asked
    from localeval.report.compare_terminal import print_comparison
    from localeval.report.terminal import print_json

    found = compare_with(Asked(run, labels, judges, items, systems))
    print_json(found) if as_json else print_comparison(found)
