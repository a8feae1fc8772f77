"""The errors that localeval raises on purpose.

    LocalevalError
    ├── InputError      a source, candidate, quiz or label file cannot be used
    ├── ConfigError     the config file cannot be used
    │   └── JudgesRefused  judges of it are below the bars
    ├── ModelError      a model card, its weights or its fit to a device
    ├── EngineError     an engine did not start, died or broke its contract
    ├── BudgetReached   the next call could cost more than the run may
    └── StoreError      the run folder or its store
        ├── NoRun       the folder that was named is not a run's, and cannot be
        └── CallMissing a reply that is needed is not in the store (`localeval score`)

A message is one line that names the place, the value and the fix; the command line prints it without a
traceback. Anything else that is raised is a fault of localeval and keeps its traceback.
"""

from collections.abc import Sequence


class LocalevalError(Exception):
    """What the command line prints as one line, with `exit_code`."""

    exit_code = 1


class InputError(LocalevalError):
    """A file of the user's cannot be used as it is."""

    exit_code = 2


class ConfigError(LocalevalError):
    """The config file, or an option on the command line, cannot be used as it is."""

    exit_code = 2


class JudgesRefused(ConfigError):
    """Judges that a config names are below its bars. `lines` has one for each of them."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__("; ".join(lines))
        self.lines = tuple(lines)


class ModelError(LocalevalError):
    """A model card, its weights, or its fit to the device."""

    exit_code = 2


class EngineError(LocalevalError):
    """An engine did not start, died, or broke its contract."""


class BudgetReached(LocalevalError):
    """The next call could cost more than `prices: budget` leaves; every reply that was paid for is kept."""

    exit_code = 4


class StoreError(LocalevalError):
    """The run folder or the store in it cannot be read or written."""


class NoRun(StoreError):
    """The folder that the user named is not the folder of a run, or cannot become one."""

    exit_code = 2


class CallMissing(StoreError):
    """A reply that is needed is not in the store, and no engine may be asked for it."""
