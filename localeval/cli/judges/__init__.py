"""`localeval judges`: what the judges are worth, before a leaderboard is believed."""

import click

from localeval.cli.guard import LazyGroup

COMMANDS = {
    "check": "Plant errors into trusted texts, and see which judges of CONFIG find them.",
    "compare": "Set the judges of a RUN against people, hosted judges or earlier runs.",
    "correct": "Estimate true means from many judged and few labelled texts of a RUN.",
    "sheet": "Write a sheet of those texts of a RUN whose labels would tell most.",
}
"""Each command's line in the list; its module, localeval.cli.judges.NAME, is imported only when it is called."""


@click.group(cls=LazyGroup, commands_help=COMMANDS, package=__name__)
def judges() -> None:
    """Check the judges of a config, compare them with people's labels, and correct what they say."""
