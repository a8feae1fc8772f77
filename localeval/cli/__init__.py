"""The command line: one thin module a command. A command parses, calls one library function, prints."""

import click

from localeval import __version__
from localeval.cli.guard import LazyGroup

COMMANDS = {
    "run": "Run the evaluation of CONFIG, or go on with it where it stopped.",
    "plan": "Say what a run of CONFIG would ask, and what does not fit.",
    "score": "Make scores.json of a finished RUN anew, with no engine.",
    "show": "Show the leaderboard of a RUN, or each verdict on a CANDIDATE.",
    "decide": "Say which system of a finished RUN to deploy, by its rules or others.",
    "costs": "Say what a finished RUN cost, by model, system and stage.",
    "report": "Write a RUN's report: a page with its charts, PNG and SVG files.",
    "affect": "Say how TEXT portrays a target, and what mood it has.",
    "judges": "Check the judges of a config, compare them with people, correct their means.",
    "bench": "Measure judges on public labelled sets.",
    "models": "Model cards and their weights.",
    "quiz": "Take a quiz out of a run, and bring reviewed answers back.",
    "verdicts": "Take calls out of a run for others to answer, and bring their answers back.",
    "doctor": "Say what can run on this machine, and what is in the way.",
}
"""Each command's line in the list of commands; its module, localeval.cli.NAME, is imported only when it is called."""


@click.group(cls=LazyGroup, commands_help=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version")
def main() -> None:
    """Evaluate texts about long sources with open-weight models, offline.

    Exit codes: 0 done, 1 an engine or the store failed, 2 a mistake in what was given, 3 done but some verdicts are
    missing, 4 the budget is spent, 5 a judge is below its bars, 130 stopped by Ctrl-C.
    """
