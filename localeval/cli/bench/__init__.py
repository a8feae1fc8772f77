"""`localeval bench`: measurements on labelled sets that the user names."""

import click

from localeval.cli.guard import LazyGroup

COMMANDS = {"judges": "Print how judges do on public labelled sets, beside published figures."}
"""Each command's line in the list; its module, localeval.cli.bench.NAME, is imported only when it is called."""


@click.group(cls=LazyGroup, commands_help=COMMANDS, package=__name__)
def bench() -> None:
    """Measure judges on public labelled sets."""
