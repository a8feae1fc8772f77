"""`localeval decide`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from localeval.methods.leaderboard import Measure


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--require",
    multiple=True,
    metavar="RULE",
    help='A rule in place of the config\'s, such as "fabrications <= 0". Repeatable.',
)
@click.option("--no-rules", is_flag=True, help="Leave out the config's rules.")
@click.option(
    "--best",
    type=click.Choice(["fabrications", "consensus", "cap_f1", "cap_p", "cap_r"]),
    help="What tells the best of those that fulfil the rules.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the decision as decision.json has it.")
def decide(run: Path, require: tuple[str, ...], no_rules: bool, best: "Measure | None", as_json: bool) -> None:
    """Say which system of a finished RUN to deploy, and why; with --require and --best, by other rules.

    Nothing is asked and nothing is written: the run keeps the decision by its config's own rules.
    """
    from localeval.report.deciding import decide_anew
    from localeval.report.decision_terminal import print_decision
    from localeval.report.terminal import print_json

    decision = decide_anew(run, require if require or no_rules else None, best)
    if as_json:
        print_json(decision)
    else:
        print_decision(decision)
