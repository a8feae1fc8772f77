"""`localeval quiz`: a run's quiz out to files and people, and their reviews back in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from localeval.stats.estimate import Estimate, Score, Undefined

if TYPE_CHECKING:
    from localeval.inputs.reviewing import Reviewed
    from localeval.methods.quiz.review import ReviewSummary

DELIMITERS: dict[Literal["comma", "semicolon", "tab"], Literal[",", ";", "\t"]] = {
    "comma": ",",
    "semicolon": ";",
    "tab": "\t",
}
_path = click.Path(path_type=Path)


@click.group()
def quiz() -> None:
    """Export the quiz of a run, and import what people say of it."""


@quiz.command("export")
@click.argument("run", type=_path)
@click.option("--source", "sources", metavar="ID", multiple=True, help="Only the quiz of this source. Repeatable.")
@click.option("--jsonl", type=_path, help="Write the quiz to this file, to use again as `quiz: {items: FILE}`.")
@click.option("--csv", "sheet", type=_path, help="Write a sheet for people to review to this file.")
@click.option(
    "--delimiter",
    type=click.Choice(list(DELIMITERS)),
    default="comma",
    show_default=True,
    help="Of the sheet: semicolon where the comma is the decimal sign, as in Russian.",
)
def export_(
    run: Path,
    sources: tuple[str, ...],
    jsonl: Path | None,
    sheet: Path | None,
    delimiter: Literal["comma", "semicolon", "tab"],
) -> None:
    """Export the quiz of RUN as JSONL, as a sheet, or both. Default: JSONL on standard output."""
    from localeval.evaluation import load_run
    from localeval.inputs.quiz_files import dump_items, items_of, without_items, write_items
    from localeval.inputs.review_sheet import write_sheet

    evaluation, results = load_run(run)
    items = items_of(results.quiz, sources)
    for source, why in without_items(results.quiz, sources).items():
        click.echo(f"no questions of {source}: {why}", err=True)
    if jsonl is None and sheet is None:
        click.echo(dump_items(items), nl=False)
    if jsonl is not None:
        write_items(jsonl, items)
        click.echo(f"{len(items)} questions written to {jsonl}", err=True)
    if sheet is not None:
        write_sheet(sheet, items, evaluation.material.sources, DELIMITERS[delimiter])
        click.echo(f"{len(items)} questions to review written to {sheet}", err=True)


@quiz.command("import")
@click.argument("quiz_file", metavar="QUIZ.jsonl", type=_path)
@click.argument("sheets", metavar="SHEET.csv...", nargs=-1, required=True, type=_path)
@click.option("--out", required=True, type=_path, metavar="REVIEWED.jsonl", help="File for the questions that stay.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def import_(quiz_file: Path, sheets: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Add the reviews in the sheets to a quiz, and write the questions that stay.

    A question leaves when at least half of its reviewers answer no to any of the three columns.
    """
    from localeval.inputs.reviewing import import_reviews
    from localeval.methods.quiz.review import summary_to_json

    reviewed = import_reviews(quiz_file, sheets, out)
    if as_json:
        found = {"out": str(out), "quiz": reviewed.quiz_hash, **summary_to_json(reviewed.summary)}
        click.echo(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        click.echo(_page(reviewed, out))


def _page(reviewed: Reviewed, out: Path) -> str:
    summary = reviewed.summary
    counts = f"{summary.n_accepted} accepted, {summary.n_rejected} rejected"
    unreviewed = f", {summary.n_unreviewed} not reviewed (they stay)" if summary.n_unreviewed else ""
    names = ", ".join(summary.reviewers) or "nobody"
    lines = [f"{counts}{unreviewed}; reviewed by {names}"]
    for item in reviewed.rejected:
        against = sum(not review.is_accepted for review in item.reviews)
        place = f"{item.source}, question {item.number}"
        lines.append(f"  rejected by {against} of {len(item.reviews)}: {item.question} ({place})")
    lines += _agreement_lines(summary)
    lines.append(f"{len(reviewed.items)} questions written to {out}")
    lines.append(f"quiz {reviewed.quiz_hash}")
    return "\n".join(lines)


def _agreement_lines(summary: ReviewSummary) -> list[str]:
    """A table with one row a yes/no question, the coefficients in columns."""
    overall = summary.agreement["overall"].raw
    single = f"; {overall.missing} more were reviewed by one" if overall.missing else ""
    rows: list[tuple[str, ...]] = [("", "raw agreement", "Gwet AC1", "Krippendorff alpha", "said yes")]
    for question, found in summary.agreement.items():
        scores = (_score(score) for score in (found.raw, found.ac1, found.alpha))
        rows.append((question, *scores, f"{found.n_yes} of {found.n_ratings}"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    notes = {found.raw.note for found in summary.agreement.values() if isinstance(found.raw, Estimate)} - {""}
    rough = [f"  intervals: 95 %, {', '.join(sorted(notes))}: read them as rough"] if notes else []
    return [f"agreement on the {overall.n} questions that two or more people reviewed{single}:", *table, *rough]


def _score(score: Score) -> str:
    if isinstance(score, Undefined):
        return f"- ({score.reason})"
    return f"{score.value:.2f} [{score.low:.2f}, {score.high:.2f}]"
