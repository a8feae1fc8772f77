"""What is printed, as a terminal of some width gets it."""

import sys
from collections.abc import Callable

from click.testing import CliRunner

TRICKS = (
    "[bold]loud[/bold]",
    "[/]",
    "[/red]",
    "<script>alert(1)</script>",
    "[link=file:///etc]x[/link]",
    "\\[b]",
    ":cat:",
)
"""Names and texts that a careless printer would take for markup."""


def printed(show: Callable[[], None], columns: int = 80) -> str:
    """What it prints where the terminal has so many columns."""
    with CliRunner().isolation(env={"COLUMNS": str(columns), "NO_COLOR": None, "FORCE_COLOR": None}) as streams:
        show()
        sys.stdout.flush()
        return streams[0].getvalue().decode()


def squeezed(text: str) -> str:
    """Without white space: rich may wrap long lines anywhere."""
    return "".join(text.split())
