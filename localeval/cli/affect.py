"""`localeval affect`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from localeval.cli.guard import SOME_MISSING

if TYPE_CHECKING:
    from localeval.methods.affect.schemas import Target

_KINDS = ["person", "organisation", "country", "group", "event", "work", "other"]
_CONTRACTS = ["target", "whole", "favourability"]


@click.command()
@click.argument("text", type=click.Path(path_type=Path))
@click.option("--target", "names", metavar="NAME", multiple=True, help="Whom the text portrays; aliases after a |.")
@click.option("--kind", type=click.Choice(_KINDS), default="other", show_default=True, help="What the targets are.")
@click.option("--propose", type=click.IntRange(0, 20), default=0, help="How many further targets the judge may name.")
@click.option("--judge", metavar="MODEL", help="Card, folder or script. Default: the largest model that is here.")
@click.option("--contract", "contracts", type=click.Choice(_CONTRACTS), multiple=True, help="Default: target, whole.")
@click.option("--axes", default="vad", show_default=True, metavar="SET", help="Shipped axes, or a YAML file.")
@click.option("--repeats", type=click.IntRange(1, 2), default=1, help="2 measures the judge's noise.")
@click.option("--evidence/--no-evidence", default=True, help="Ask for phrases and check them in the text.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the run. Default: runs/affect-NAME-MARK.")
@click.option("--json", "as_json", is_flag=True, help="Print scores.json.")
@click.pass_context
def affect(
    ctx: click.Context,
    text: Path,
    names: tuple[str, ...],
    kind: str,
    propose: int,
    judge: str | None,
    contracts: tuple[str, ...],
    axes: str,
    repeats: int,
    evidence: bool,
    out: Path | None,
    as_json: bool,
) -> None:
    """Say how TEXT portrays each target, on axes that are kept apart from the text's own mood.

    Without --target the judge proposes up to five. `--target "Angela Merkel|the Chancellor"` gives an alias.
    """
    from localeval import evaluation
    from localeval.cli.progress import shown
    from localeval.methods.affect.axes import CONTRACTS
    from localeval.one_text import affect as affect_of
    from localeval.report.terminal import print_details, print_json, print_run
    from localeval.report.view import details

    chosen = [contract for contract in CONTRACTS if contract in (contracts or ("target", "whole"))]
    with shown(ctx) as progress:
        outcome = affect_of(
            text,
            [_target(name, kind) for name in names],
            judge,
            propose=propose,
            contracts=chosen,
            axes=axes,
            repeats=repeats,
            evidence=evidence,
            out=out,
            ledger=progress,
        )
    if as_json:
        print_json(outcome.scores)
    else:
        print_details(details(*evaluation.load_run(outcome.folder), method="affect"))
        print_run(outcome)
    if evaluation.n_missing(outcome.scores):
        ctx.exit(SOME_MISSING)


def _target(words: str, kind: str) -> Target:
    from pydantic import ValidationError

    from localeval.errors import ConfigError
    from localeval.methods.affect.schemas import Target

    name, *aliases = words.split("|")
    try:
        return Target.model_validate({"name": name, "kind": kind, "aliases": aliases})
    except ValidationError as error:
        what = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise ConfigError(f"--target {words!r}: {what}; give a name, and aliases after a |") from error
