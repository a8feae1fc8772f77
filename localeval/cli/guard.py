"""The group of commands: loads each only when it is called, and turns what the user can mend into one line."""

import codecs
import errno
import io
import json
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from localeval.errors import InputError, JudgesRefused, LocalevalError

DONE, SOME_MISSING, BELOW_BARS, STOPPED = 0, 3, 5, 130
_NO_SUCH_PATH = (errno.EACCES, errno.ENAMETOOLONG, errno.ELOOP)
"""What even the question whether there is a file may end with, for a path that the user named."""


class LazyGroup(click.Group):
    """A group whose commands live in PACKAGE.NAME, by default localeval.cli.NAME, and may raise `LocalevalError`.

    Listing the commands needs their help lines alone, so that `--help` answers before a heavy import would end.
    """

    def __init__(
        self, *args: Any, commands_help: Mapping[str, str], package: str = "localeval.cli", **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self._help = commands_help
        self._package = package

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order in which one would meet them."""
        return list(self._help)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command, imported; None for an unknown name."""
        if name not in self._help:
            return None
        command = getattr(import_module(f"{self._package}.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, from their help lines."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._help.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command; a LocalevalError becomes one line on standard error, or one a judge, and its exit code."""
        escape_what_cannot_be_printed()
        try:
            return super().invoke(ctx)
        except LocalevalError as error:
            for line in error.lines if isinstance(error, JudgesRefused) else (str(error),):
                click.echo(f"localeval: {' '.join(line.split())}", err=True)
            ctx.exit(error.exit_code)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
            ctx.exit(STOPPED)
        except BrokenPipeError:  # the reader of our output went away, as `head` does
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left is not written at the exit
            ctx.exit(DONE)
        except OSError as error:
            if error.errno in _NO_SUCH_PATH and error.filename is not None:
                place = " ".join(str(error.filename).split())
                fix = "check the path and its permissions"
                click.echo(f"localeval: {place}: cannot be looked up ({error.strerror}); {fix}", err=True)
                ctx.exit(InputError.exit_code)
            if error.errno != errno.ENOSPC or error.filename is not None:
                raise
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            click.echo(f"localeval: the output cannot be written ({error.strerror}); free disk space", err=True)
            ctx.exit(1)


def escape_what_cannot_be_printed() -> None:
    """Lets a terminal or file of another encoding than UTF-8 take any text: what it lacks is escaped as in JSON.

    So JSON stays JSON, and a name in Chinese never costs the results of a run.
    """
    codecs.register_error("localeval.escape", _escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="localeval.escape")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end
