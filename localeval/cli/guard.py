"""Errors at the rim: one line and an exit code for what the user can mend, a traceback only for our own faults."""

from typing import Any

import click

from localeval.errors import LocalevalError

DONE, SOME_MISSING, STOPPED = 0, 3, 130


class Guarded(click.Group):
    """A group whose commands may raise `LocalevalError`."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; a LocalevalError becomes one line on standard error."""
        try:
            return super().invoke(ctx)
        except LocalevalError as error:
            click.echo(f"localeval: {' '.join(str(error).split())}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:  # the reader of our output went away, as `head` does
            ctx.exit(0)
