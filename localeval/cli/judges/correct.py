"""`localeval judges correct`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from localeval.comparing.correcting import Method


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--labels",
    type=click.Path(path_type=Path),
    multiple=True,
    required=True,
    metavar="FILE",
    help="Labels of people (JSONL or CSV). Repeatable.",
)
@click.option(
    "--method",
    type=click.Choice(["ppi", "rogan-gladen"]),
    default="ppi",
    show_default=True,
    help="ppi: any mean. rogan-gladen: shares of faulty texts, errors alike on all systems.",
)
@click.option("--item", "items", multiple=True, help="Only this item, such as audit or 'panel/*'. Repeatable.")
@click.option(
    "--pictures", type=click.Path(path_type=Path), metavar="FOLDER", help="Reliability diagrams as PNG and SVG files."
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole correction as JSON.")
def correct(
    run: Path,
    labels: tuple[Path, ...],
    method: "Method",
    items: tuple[str, ...],
    pictures: Path | None,
    as_json: bool,
) -> None:
    """Estimate the means that people would have found, from the judges of a RUN and labels of some of its texts.

    The labels must be a random sample of each system's texts, or the filled sheets of `localeval judges sheet`.
    """
    from localeval.comparing.correcting import correct as correct_run
    from localeval.report.correct_terminal import print_correction
    from localeval.report.terminal import print_json

    found = correct_run(run, labels, method, items)
    print_json(found) if as_json else print_correction(found)
    if pictures is not None:
        from localeval.report.pictures.reliability import write_reliability

        for path in write_reliability(found["calibration"], pictures):
            click.echo(f"written: {path}", err=True)
