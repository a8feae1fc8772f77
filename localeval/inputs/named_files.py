"""Files that a config names: a shipped one by its name, one of the user's by its path, or one for each language."""

import os
import re
from pathlib import Path

from localeval.texts import Language
from localeval.yaml_files import Document

LANGUAGE = "{language}"
"""Where a language goes in the path of files of which there is one for each."""

_SUFFIXES = (".yaml", ".yml")


def is_path(name: str) -> bool:
    """Whether what the config says is the path of a file: it holds a separator or ends as YAML files do."""
    return "/" in name or os.sep in name or name.lower().endswith(_SUFFIXES)


def plain_name(name: str) -> str:
    """A name as shipped files have it: case, spaces, `-` and `_` do not matter."""
    return re.sub(r"[\s_-]+", "_", name.strip()).casefold()


def path_of(written: str, base: Path) -> Path:
    """The path that the config writes, relative to `base`; `~` is the user's home."""
    return base / os.path.expanduser(written)


def path_in(written: str, language: Language, base: Path) -> Path:
    """The same with the language where the config writes {language}."""
    return path_of(written.replace(LANGUAGE, language), base)


def require_language(document: Document, language: Language) -> None:
    """Raises the document's error where it says that it is in another language than its path stands for."""
    said = document.tree.get("language")
    if isinstance(said, str) and said != language:
        what = f"language: must be {language!r}, as the file is named for it in the config, not {str(said)[:40]!r}"
        raise document.fault(("language",), what)
