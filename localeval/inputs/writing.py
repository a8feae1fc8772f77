"""Files that a command makes for the user, written in one step."""

import contextlib
import os
from pathlib import Path

from localeval.inputs.wording import name_of, problem


def write_file(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Puts `text` into the file at `path`, line ends as they are: afterwards it is whole, or as it was before.

    Raises InputError where it cannot be written; nothing is left behind then.
    """
    write_bytes(path, text.encode(encoding))


def write_bytes(path: Path, data: bytes) -> None:
    """The same with bytes in place of text."""
    target = path.resolve()  # through a link, which stays one
    if target.exists() and not target.is_file():
        raise problem(name_of(path), "is not a file", "name a file to write, or leave the option out for the terminal")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(target)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        reason = error.strerror or type(error).__name__
        raise problem(name_of(path), f"cannot be written ({reason})", "check the folder and its permissions") from None
