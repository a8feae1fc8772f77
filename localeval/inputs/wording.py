"""One-line errors about the user's files."""

from pathlib import Path

from localeval.errors import InputError

_SHOWN = 60


def show(value: object) -> str:
    """A value as an error quotes it: its repr, cut after 60 characters."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def name_of(path: Path) -> str:
    """A path as errors write it: forward slashes on every machine."""
    return path.as_posix()


def problem(place: str, what: str, fix: str) -> InputError:
    """The error `place: what; fix`, always one printable line, whatever a file is called or holds."""
    return InputError("".join(c if c.isprintable() else ascii(c)[1:-1] for c in f"{place}: {what}; {fix}"))
