"""The command line: one thin module a command. A command parses, calls one library function, prints."""

import click

from localeval import __version__
from localeval.cli.doctor import doctor
from localeval.cli.guard import Guarded
from localeval.cli.models import models
from localeval.cli.plan import plan
from localeval.cli.quiz import quiz
from localeval.cli.run import run
from localeval.cli.score import score
from localeval.cli.show import show


@click.group(cls=Guarded, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version")
def main() -> None:
    """Evaluate texts about long sources with open-weight models, offline.

    Exit codes: 0 done, 1 an engine or the store failed, 2 a mistake in what was given, 3 done but some verdicts are
    missing, 130 stopped by Ctrl-C.
    """


for _command in (run, plan, score, show, models, quiz, doctor):
    main.add_command(_command)
