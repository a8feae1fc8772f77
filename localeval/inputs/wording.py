"""One-line errors about the user's files."""

from collections.abc import Iterable
from pathlib import Path

from rapidfuzz import process

from localeval.errors import InputError

_SHOWN = 60
_CLOSE = 60.0
_MOST_CLOSE = 3


def show(value: object) -> str:
    """A value as an error quotes it: its repr, cut after 60 characters."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def meant(name: str, known: Iterable[str]) -> str:
    """A question that names the known names that `name` is close to, with a space behind; empty where none is."""
    close = [each for each, _, _ in process.extract(name, sorted(known), limit=_MOST_CLOSE, score_cutoff=_CLOSE)]
    return f"did you mean {' or '.join(show(each) for each in close)}? " if close else ""


def name_of(path: Path) -> str:
    """A path as errors write it: forward slashes on every machine."""
    return path.as_posix()


def problem(place: str, what: str, fix: str) -> InputError:
    """The error `place: what; fix`, always one printable line, whatever a file is called or holds."""
    return InputError("".join(c if c.isprintable() else ascii(c)[1:-1] for c in f"{place}: {what}; {fix}"))
