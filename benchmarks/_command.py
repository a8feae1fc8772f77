"""How a bench's command ends."""

import sys
from collections.abc import Callable

from localeval.errors import LocalevalError


def run_command(main: Callable[[], object]) -> None:
    """Calls it; what is raised on purpose is told in one line and ends with its exit code."""
    try:
        main()
    except LocalevalError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
