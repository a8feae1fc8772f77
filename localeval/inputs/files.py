"""Files that a path of the config names: one file, a folder, or a glob."""

import glob
import os
from collections.abc import Collection
from pathlib import Path

from localeval.inputs.wording import problem, show

_MOST_NAMED = 3


def expand(path: str, base: Path, suffixes: Collection[str]) -> list[Path]:
    """The files that `path` names, sorted; never empty.

    A relative path starts at `base`. A file is taken whatever its suffix; a folder (not those within it) and a glob
    (with `**` those within it too) give the files with one of `suffixes`, hidden files and folders left out. Raises
    InputError when nothing is left, naming what was skipped.
    """
    target = base / os.path.expanduser(path)
    # os.path and not Path: it answers no, and does not raise, for a name that is too long
    if os.path.isfile(target):
        return [target]
    pattern = f"{glob.escape(str(target))}/*" if os.path.isdir(target) else glob_pattern(path, base)
    found = files_of(pattern)
    kept = [file for file in found if file.suffix.lower() in suffixes]
    if not kept:
        raise _nothing(path, target, found, suffixes)
    return kept


def glob_pattern(path: str, base: Path) -> str:
    """`path` as an absolute or working-folder glob, the characters of `base` taken as they are."""
    return os.path.join(glob.escape(str(base)), os.path.expanduser(path))


def files_of(pattern: str) -> list[Path]:
    """The files that match a glob, sorted by path; hidden ones are not matched."""
    return sorted({Path(name) for name in glob.glob(pattern, recursive=True) if os.path.isfile(name)})


def _nothing(path: str, target: Path, found: list[Path], suffixes: Collection[str]) -> Exception:
    wanted = ", ".join(suffixes)
    if found:
        names = ", ".join(file.name for file in found[:_MOST_NAMED])
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        return problem(target.as_posix(), f"no file can be read (skipped: {names}{more})", f"files read are {wanted}")
    if os.path.isdir(target):
        return problem(target.as_posix(), "the folder has no files to read", f"put {wanted} files in it")
    if glob.has_magic(path):
        return problem(
            target.as_posix(), "no file matches", "check the pattern; relative paths start at the config file"
        )
    what = f"there is no file or folder {show(target.name)}"
    return problem(target.as_posix(), what, "check the path; relative paths start at the config file")
