"""From the bytes of a file to its text, or to one line that says why not."""

import codecs
import re
from pathlib import Path

from localeval.inputs.wording import name_of, problem

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CONTROLS = re.compile(r"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")  # not tab, line ends, page feed, escape
_MOST_CONTROLS = 0.01
_SAVE = "save it as UTF-8 text"


def read_text(path: Path) -> str:
    """The whole text of a file, with \\n line ends and without a byte order mark.

    Reads UTF-8 with or without a byte order mark and UTF-16 with one. Raises InputError when the file cannot be
    read, is binary, is in another encoding (naming line and byte offset) or holds nothing but white space.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise problem(name_of(path), f"cannot be read ({reason})", "check the path and its permissions") from None
    return decode(data, name_of(path))


def decode(data: bytes, place: str) -> str:
    """The text of `data`; see `read_text`. `place` names the file in errors."""
    mark, encoding = next(((m, e) for m, e in _BOMS if data.startswith(m)), (b"", "utf-8"))
    body = data[len(mark) :]
    if encoding == "utf-8" and b"\0" in body:
        offset = len(mark) + body.index(b"\0")
        raise problem(place, f"is a binary file (NUL at byte {offset})", f"{_SAVE} or leave it out")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        raise _not_text(body, len(mark), encoding, place, error) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    n_controls = len(_CONTROLS.findall(text)) + text.count("\0")
    if "\0" in text or n_controls > _MOST_CONTROLS * len(text):
        raise problem(place, f"is a binary file ({n_controls} control characters)", f"{_SAVE} or leave it out")
    if is_blank(text):
        raise problem(place, "is empty", "put the text in it or leave the file out")
    return text


def is_blank(text: str) -> bool:
    """Whether nothing in `text` could be seen: white space and invisible format characters alone."""
    return not any(c.isprintable() and not c.isspace() for c in text)


def _not_text(body: bytes, skipped: int, encoding: str, place: str, error: UnicodeDecodeError) -> Exception:
    before = body[: error.start].decode(encoding)
    line = before.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
    shown = " ".join(f"0x{b:02X}" for b in body[error.start : max(error.end, error.start + 1)][:4])
    name = "UTF-8" if encoding == "utf-8" else "UTF-16"
    fix = f"{_SAVE} (another encoding is converted by `iconv -f ENCODING -t UTF-8`)"
    return problem(f"{place} line {line}", f"{shown} at byte {skipped + error.start} is not {name}", fix)
