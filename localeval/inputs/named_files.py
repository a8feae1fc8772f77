"""Files that a config names: a shipped one by its name, one of the user's by its path, or one for each language."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from localeval.inputs.language import detect_language
from localeval.texts import Language
from localeval.yaml_files import Document

Model = TypeVar("Model", bound=BaseModel)

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


def shipped_in(folder: Path) -> tuple[str, ...]:
    """The names of the files NAME.LANGUAGE.yaml in a folder of the package, sorted."""
    return tuple(sorted({path.name.split(".")[0] for path in folder.glob("*.yaml")}))


def read_told(document: Document, model: type[Model], texts: Iterable[str], language: Language | None = None) -> Model:
    """The document as `model`, in `language` if that is given.

    Otherwise its language, where the file does not say, is told from its `texts`. Raises the document's error.
    """
    if language is not None:
        require_language(document, language)
    else:
        language = detect_language("\n".join(texts))
    return document.read_as(model, absent={"language": language})


def require_language(document: Document, language: Language) -> None:
    """Raises the document's error where it says that it is in another language than its path stands for."""
    said = document.tree.get("language")
    if isinstance(said, str) and said != language:
        what = f"language: must be {language!r}, as the file is named for it in the config, not {str(said)[:40]!r}"
        raise document.fault(("language",), what)
