"""Rubric files: the shipped ones, by category and language, and the user's own."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from localeval.assets import asset_folder
from localeval.errors import InputError
from localeval.inputs.named_files import is_path, path_of, plain_name, read_told, shipped_in
from localeval.inputs.wording import meant, problem, show
from localeval.methods.panel.rubrics import Rubric
from localeval.texts import Language
from localeval.yaml_files import Document, Kind, read_document

DEFAULT = "default"
"""The shipped rubric for a source of no category, or of one that has none of its own."""

_KIND = Kind("rubric", "category and criteria", InputError)


def rubric_for(name_or_path: str | None, category: str | None, language: Language, base: Path) -> Rubric:
    """The rubric for a source of a category and language.

    `name_or_path` is the name of a shipped rubric, or the path of a file of the user's (with a `/`, or ending in
    .yaml), relative to `base`. Without it the source's category decides, and the result's `category` is "default"
    where that has no rubric. Case, spaces, `-` and `_` in a name do not matter. Raises InputError for an unknown
    name, and for a file that is no rubric.
    """
    if name_or_path is not None and is_path(name_or_path):
        return read_rubric(path_of(name_or_path, base))
    known = shipped_rubrics()
    if name_or_path is not None:
        name = plain_name(name_or_path)
        if name not in known:
            hint = meant(name, known) or f"shipped are {', '.join(known)}; "
            fix = f"{hint}one of your own is named by its path, NAME.yaml"
            raise problem("methods.panel.rubric", f"there is no rubric {show(name_or_path)}", fix)
    else:
        name = plain_name(category or DEFAULT)
        name = name if name in known else DEFAULT
    return read_rubric(_folder() / f"{name}.{language}.yaml")


def read_rubric(path: Path) -> Rubric:
    """The rubric in a file; its language, where the file does not say, is told from its statements.

    Raises InputError with `file:line: field: what is wrong; fix`.
    """
    document = read_document(path, _KIND)
    return read_told(document, Rubric, _statements(document))


def shipped_rubrics() -> tuple[str, ...]:
    """The names of the rubrics that come with localeval, sorted."""
    return shipped_in(_folder())


def _folder() -> Path:
    # always the package's own, whatever folder of prompts a config names: a rubric of the user's is named by its path
    return asset_folder("prompts") / "panel" / "rubrics"


def _statements(document: Document) -> Iterator[str]:
    """What the file has of statements, whether or not it is a rubric."""
    criteria = document.tree.get("criteria")
    for criterion in criteria if isinstance(criteria, list) else ():
        statement = criterion.get("statement") if isinstance(criterion, Mapping) else None
        if isinstance(statement, str):
            yield statement
