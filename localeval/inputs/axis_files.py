"""Sets of axes: the shipped ones, by name and language, and the user's own."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from localeval.assets import asset_folder
from localeval.errors import InputError
from localeval.inputs.named_files import LANGUAGE, is_path, path_in, plain_name, read_told, shipped_in
from localeval.inputs.wording import meant, problem, show
from localeval.methods.affect.axes import CONTRACTS, AxisSet
from localeval.texts import Language
from localeval.yaml_files import Document, Kind, read_document

_KIND = Kind("set of axes", "name and axes", InputError)


def axes_for(name_or_path: str, language: Language, base: Path) -> AxisSet:
    """The axes for texts of a language.

    `name_or_path` is the name of a shipped set, or the path of a file of the user's (with a `/`, or ending in .yaml),
    relative to `base`. With {language} in it there is a file for each language; without, the one file serves texts of
    any language, and the result's `language` is the file's. Case, spaces, `-` and `_` in a name do not matter. Raises
    InputError for an unknown name, and for a file that is no set of axes.
    """
    if is_path(name_or_path):
        path = path_in(name_or_path, language, base)
        return read_axes(path, language if LANGUAGE in name_or_path else None)
    known = shipped_axes()
    name = plain_name(name_or_path)
    if name not in known:
        fix = f"{meant(name, known)}shipped: {', '.join(known)}; one of your own is named by its path, NAME.yaml"
        raise problem("methods.affect.axes", f"there is no set of axes {show(name_or_path)}", fix)
    return read_axes(_folder() / f"{name}.{language}.yaml", language)


def read_axes(path: Path, language: Language | None = None) -> AxisSet:
    """The set of axes in a file, which is in `language` if that is given.

    Otherwise its language, where the file does not say, is told from its questions. Raises InputError with
    `file:line: field: what is wrong; fix`.
    """
    document = read_document(path, _KIND)
    return read_told(document, AxisSet, _questions(document), language)


def shipped_axes() -> tuple[str, ...]:
    """The names of the sets that come with localeval, sorted."""
    return shipped_in(_folder())


def require_same_axes(sets: Mapping[Language, AxisSet], where: str) -> None:
    """Raises InputError where the sets of several languages differ in name, or in the axes of a contract.

    Their scores stand in one table. `where` is what the message begins with: the key of the config, or the path.
    """
    for reference, first in sets.items():
        for language, other in sets.items():
            if other.name != first.name:
                what = f"the set is called {show(first.name)} in {reference} and {show(other.name)} in {language}"
                raise problem(where, what, "give it one `name` in all languages: results carry it")
            _require_all(first, reference, other, language, where)


def _require_all(first: AxisSet, reference: Language, other: AxisSet, language: Language, where: str) -> None:
    ids = other.ids(CONTRACTS)
    for contract, wanted in first.ids(CONTRACTS).items():
        lacking = [axis for axis in wanted if axis not in ids[contract]]
        if lacking:
            what = f"the axes in {language} lack {', '.join(map(show, lacking))} under `{contract}`"
            raise problem(where, what, f"add what those in {reference} have, or remove it there")


def _folder() -> Path:
    # always the package's own, whatever folder of prompts a config names: a set of the user's is named by its path
    return asset_folder("prompts") / "affect" / "axes"


def _questions(document: Document) -> Iterator[str]:
    """What the file has of questions, whether or not it is a set of axes."""
    axes = document.tree.get("axes")
    for axis in axes if isinstance(axes, list) else ():
        for contract in CONTRACTS if isinstance(axis, Mapping) else ():
            meaning = axis.get(contract)
            question = meaning.get("question") if isinstance(meaning, Mapping) else None
            if isinstance(question, str):
                yield question
