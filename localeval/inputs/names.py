"""Names that the user gives: source ids and systems."""

import unicodedata

from localeval.inputs.wording import problem, show

_UNFIT = frozenset({"Cc", "Cs", "Zl", "Zp"})


def normal(name: str) -> str:
    """`name` in Unicode form NFC: a file name from macOS and the same id typed by hand are then equal."""
    return unicodedata.normalize("NFC", name)


def checked_name(name: str, place: str, what: str, fix: str) -> str:
    """`name` in form NFC; raises InputError where it is empty, padded, or holds what cannot be printed."""
    if not name or name != name.strip():
        raise problem(place, f"{what} {show(name)} is empty or begins or ends with white space", fix)
    if any(unicodedata.category(character) in _UNFIT for character in name):
        raise problem(place, f"{what} {show(name)} holds characters that cannot be printed", fix)
    return normal(name)
