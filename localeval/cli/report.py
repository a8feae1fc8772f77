"""`localeval report`."""

from pathlib import Path

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--html", type=click.Path(path_type=Path), metavar="FILE", help="Write the page here.")
@click.option(
    "--pictures", type=click.Path(path_type=Path), metavar="FOLDER", help="Write the charts here, as PNG and SVG files."
)
def report(run: Path, html: Path | None, pictures: Path | None) -> None:
    """Write the report of a finished RUN: one page that needs no network, and its charts.

    Without --html and --pictures the page goes to report.html in the run's folder.
    """
    from localeval.report.console import print_lines
    from localeval.report.making import make_report

    made = make_report(run, html, pictures)
    print_lines(f"left out: {each.title}: {each.why}" for each in made.left_out)
    if made.without_font:
        print_lines(
            [f"no font of this machine has {made.without_font}: install one (docs/report.md), then run it again"]
        )
    for path in made.written:
        click.echo(f"wrote {path}")  # in one line, however long, to be copied
