"""`localeval verdicts`: a run's calls out to people and other machines, and their answers back in."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from localeval.cli.guard import SOME_MISSING

if TYPE_CHECKING:
    from localeval.exchange import Exported, Imported

_SHOWN = 20
_path = click.Path(path_type=Path)


@click.group()
def verdicts() -> None:
    """Export the calls of a run for others to answer, and import their answers."""


@verdicts.command("export")
@click.argument("run", type=_path)
@click.option("--model", required=True, metavar="NAME", help="Whose calls, by the name in the config.")
@click.option("--out", required=True, type=_path, metavar="FILE", help="JSONL file, one call a line.")
@click.option("--all", "answered_too", is_flag=True, help="Also the calls that are answered already.")
def export_(run: Path, model: str, out: Path, answered_too: bool) -> None:
    """Export the calls of RUN that wait for an answer, to be answered by people or on another machine.

    Each row has the messages, the form of the answer, and an empty `text` to fill in.
    """
    from localeval.exchange import dump_rows, export_calls
    from localeval.inputs.writing import write_file

    exported = export_calls(run, model, answered_too)
    if exported.rows:
        write_file(out, dump_rows(exported))
    click.echo(_export_line(exported, model, out, answered_too), err=True)


@verdicts.command("import")
@click.argument("file", type=_path)
@click.option("--run", required=True, type=_path, help="Folder of the run that asks.")
@click.option("--model", metavar="NAME", help="Judge whose verdicts these are; needed by rows without a key.")
@click.option("--replace", is_flag=True, help="Also in the place of other answers.")
@click.option("--strict", is_flag=True, help="Import nothing where one row is refused.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def import_(
    ctx: click.Context, file: Path, run: Path, model: str | None, replace: bool, strict: bool, as_json: bool
) -> None:
    """Import the answers in FILE into a run; `localeval run` then asks only what is left.

    Rows have `key` and `text`, or `source`, `system`, `criterion` and `score`. Exit code 3: some were refused.
    """
    from localeval.exchange import import_verdicts

    imported = import_verdicts(file, run, model, replace, strict)
    click.echo(json.dumps(asdict(imported), indent=1, ensure_ascii=False) if as_json else _import_page(imported, run))
    if imported.refused:
        ctx.exit(SOME_MISSING)


def _export_line(exported: Exported, model: str, out: Path, answered_too: bool) -> str:
    others = f"; {exported.n_others} calls of other models wait as well" if exported.n_others else ""
    if exported.rows:
        return f"{len(exported.rows)} calls of {model} written to {out}{others}"
    more = "" if answered_too else "; --all exports those that are answered"
    return f"the run waits for no answer of {model}: nothing written{more}{others}"


def _import_page(imported: Imported, run: Path) -> str:
    replaced = f" ({imported.replaced} in the place of another answer)" if imported.replaced else ""
    lines = [f"{imported.entered} answers entered {run}{replaced}"]
    if imported.there:
        lines.append(f"{imported.there} were there already")
    if imported.otherwise:
        lines.append(f"{imported.otherwise} are answered otherwise already, and stay so; --replace puts these in place")
    if imported.unanswered:
        lines.append(f"{imported.unanswered} rows have no answer yet")
    if imported.refused:
        lines.append(f"{len(imported.refused)} rows refused:")
        lines += [f"  {each.place}: {each.reason}" for each in imported.refused[:_SHOWN]]
        more = len(imported.refused) - _SHOWN
        lines += [f"  and {more} more; --json names them all"] if more > 0 else []
    if imported.entered:
        lines.append("go on with `localeval run` and the run's config")
    return "\n".join(lines)
