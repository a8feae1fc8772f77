"""Wordings and roles: the shipped ones, by language, and the user's own."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from localeval.assets import asset_folder
from localeval.errors import ConfigError, InputError
from localeval.inputs.named_files import LANGUAGE, path_in, read_told
from localeval.inputs.wording import meant, show
from localeval.methods.affect.axes import PLACE
from localeval.methods.affect.wordings import WordingSet
from localeval.texts import Language
from localeval.yaml_files import Document, Kind, read_document

_KIND = Kind("set of wordings", "wordings and roles", InputError)
_PLACE = "methods.affect.elicit"


def wordings_for(file: str | None, language: Language, base: Path) -> WordingSet:
    """The wordings and roles for a language: the shipped ones, or those in a file of the user's.

    `file` is a path relative to `base`. With {language} in it there is a file for each language; without, the result's
    `language` is the file's, which `require_wordings` holds against the one that was asked for. Raises InputError for
    a file that is no set of wordings.
    """
    if file is None:
        return read_wordings(_folder() / f"default.{language}.yaml", language)
    return read_wordings(path_in(file, language, base), language if LANGUAGE in file else None)


def read_wordings(path: Path, language: Language | None = None) -> WordingSet:
    """The wordings and roles in a file, which is in `language` if that is given.

    Otherwise its language, where the file does not say, is told from its prompts. Raises InputError with
    `file:line: field: what is wrong; fix`.
    """
    document = read_document(path, _KIND)
    return read_told(document, WordingSet, _prompts(document), language)


def require_wordings(sets: Mapping[Language, WordingSet], wordings: Sequence[str], roles: Sequence[str]) -> None:
    """Raises ConfigError where a language's set lacks one of the ids that the config names, or is in another language.

    Languages are conditions that are compared: the same requests under two of them would be one condition twice.
    """
    for language, each in sets.items():
        if each.language != language:
            fix = f"put {LANGUAGE} in the path of `file`, for a file in each language, or correct `languages`"
            raise ConfigError(f"{_PLACE}.file: its wordings are in {each.language}, not in {language}; {fix}")
        _require_known(f"{_PLACE}.wordings", "wording", wordings, [known.id for known in each.wordings], language)
        _require_known(f"{_PLACE}.roles", "role", roles, [known.id for known in each.roles], language)


def _require_known(place: str, noun: str, ids: Sequence[str], known: Collection[str], language: Language) -> None:
    for name in ids:
        if name not in known:
            hint = f"{meant(name, known)}known: {', '.join(known) or 'none'}"
            raise ConfigError(f"{place}: there is no {noun} {show(name)} in {language}; {hint}")


def _folder() -> Path:
    return asset_folder("prompts") / "affect" / "wordings"


def _prompts(document: Document) -> Iterator[str]:
    """What the file has of prompts, whether or not it is a set of wordings."""
    wordings = document.tree.get("wordings")
    for wording in wordings if isinstance(wordings, list) else ():
        prompt = wording.get("prompt") if isinstance(wording, Mapping) else None
        if isinstance(prompt, str):
            yield prompt.replace(PLACE, "")
