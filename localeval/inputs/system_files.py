"""The candidate systems of a config: their folders of templates, read whole and checked against every source."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from localeval.errors import ConfigError, InputError
from localeval.inputs.named_files import path_of
from localeval.inputs.names import checked_name
from localeval.inputs.variable_files import parse_variables
from localeval.inputs.wording import name_of, problem, show
from localeval.methods.generate.pipeline import (
    VARIABLES,
    Pipeline,
    Role,
    categories_of,
    plain_category,
    rendered,
    seat_of,
)
from localeval.methods.generate.schemas import GENERIC, Scalar, SystemSettings
from localeval.methods.generate.templates import OF_SOURCE, SHOWING, Templates, Use
from localeval.prompts import SUFFIX
from localeval.texts import Source

_SHIPPED = "generate/"
_LANGUAGES = ("en", "ru", "zh")
_MOST_SLIPS = 2
_LEAST_ALIKE = 70.0
_ROLES: tuple[Role, ...] = ("system", "user")


def read_systems(
    systems: Mapping[str, SystemSettings], base: Path, sources: Sequence[Source], generic: Mapping[str, str]
) -> dict[str, Pipeline]:
    """The pipeline of each system, by its name, in the order of the config.

    Every template is rendered for every source that it is for, so that nothing of it can be wrong later. Relative
    paths start at `base`; `generic` holds the shipped templates by name (`localeval.prompts.Prompts.texts`). Raises
    InputError for what is wrong in a folder, with file and line, and ConfigError for what is wrong in the config.
    """
    pipelines: dict[str, Pipeline] = {}
    for written, settings in systems.items():
        name = checked_name(written, "systems", "the name of a system", "write it without")
        if name in pipelines:
            raise ConfigError(f"systems: {show(name)} stands twice; give one of the two another name")
        pipelines[name] = _read(name, settings, base, sources, generic)
    return pipelines


@dataclass(frozen=True, slots=True)
class _Folder:
    """What a folder holds: files by name, and the line of each variable of variables.yaml. `place` stands before the
    names of files in messages."""

    place: str
    files: Mapping[str, str]
    variables: Mapping[str, Scalar]
    lines: Mapping[str, int]


def _read(
    name: str, settings: SystemSettings, base: Path, sources: Sequence[Source], generic: Mapping[str, str]
) -> Pipeline:
    is_generic = settings.prompt == GENERIC
    folder = _shipped(generic) if is_generic else _folder(name, settings, base)
    pipeline = Pipeline(
        name=name,
        settings=settings,
        generic=is_generic,
        files=dict(folder.files),
        variables={**folder.variables, **settings.variables},
    )
    templates = Templates(pipeline.templates, folder.place)
    _check_variables(pipeline, folder, templates.globals)
    _check_names(pipeline, folder, templates)
    for role in () if is_generic else _ROLES:
        _check_categories(pipeline, folder, role, sources)
    for source in sources:
        _check_shown(pipeline, folder, templates, source)
        rendered(pipeline, source, folder.place)
    return pipeline


def _shipped(generic: Mapping[str, str]) -> _Folder:
    prefix = f"{_SHIPPED}{GENERIC}"
    files = {f"{key.removeprefix(_SHIPPED)}{SUFFIX}": text for key, text in generic.items() if key.startswith(prefix)}
    return _Folder("prompts/generate", files, {}, {})


def _folder(name: str, settings: SystemSettings, base: Path) -> _Folder:
    """The files of a system's folder, none of them passed over but hidden ones and a README."""
    path, place = path_of(settings.prompt, base), f"systems.{name}.prompt"
    if not os.path.isdir(path):  # and not Path: it answers no, and does not raise, for a name that is too long
        what = "is a file" if os.path.isfile(path) else "is no folder"
        fix = f"name the folder that holds user{SUFFIX}, from the config file, or write {GENERIC}"
        raise ConfigError(f"{place}: {name_of(path)} {what}; {fix}")
    files: dict[str, str] = {}
    for each in sorted(path.iterdir()):
        if each.name.startswith(".") or each.stem.casefold() == "readme":
            continue
        if each.suffix != SUFFIX and each.name != VARIABLES:
            known = (f"user{SUFFIX}", f"system{SUFFIX}", VARIABLES)
            fix = f"{_hint(each.name, known)}name it {', '.join(known)} or user.CATEGORY{SUFFIX}, or move it elsewhere"
            raise problem(name_of(each), "has no place among a system's prompts", fix)
        files[each.name] = _text_of(each)
    variables, lines = parse_variables(files[VARIABLES], name_of(path / VARIABLES)) if VARIABLES in files else ({}, {})
    _require_seats(path, files)
    return _Folder(name_of(path), files, variables, lines)


def _text_of(path: Path) -> str:
    """A file's text, byte for byte. Raises InputError where it would not be that to every reader."""
    place = name_of(path)
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise problem(f"{place}:{line}", f"is not UTF-8 text (byte {error.start})", "save it as UTF-8") from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise problem(place, f"cannot be read ({why})", "check the file and its permissions") from error
    if text.startswith("\ufeff"):
        raise problem(f"{place}:1", "begins with a byte order mark, which a model would read", "save it without")
    if "\r" in text:  # Jinja would turn them into \n: the prompt would not be the file
        line = text[: text.index("\r")].count("\n") + 1
        raise problem(f"{place}:{line}", "its lines end with CR", "save it with LF alone")
    return text


def _require_seats(path: Path, files: Mapping[str, str]) -> None:
    """Raises InputError where two files are for one category, and where there is no template for users at all."""
    for role in _ROLES:
        named = [file for file in files if (seat := seat_of(file)) and seat[0] == role and seat[1]]
        kept = set(categories_of(files, role).values())
        if twice := sorted(set(named) - kept):
            what = "is for a category that another file is for (case, spaces, - and _ do not matter)"
            raise problem(name_of(path / twice[0]), what, "keep one of them")
    if not any((seat := seat_of(file)) and seat[0] == "user" for file in files):
        raise problem(name_of(path), f"has no user{SUFFIX}", f"put the prompt that production sends in user{SUFFIX}")


def _check_variables(pipeline: Pipeline, folder: _Folder, own: Sequence[str]) -> None:
    """Raises where a variable could not be told from what Jinja or the source gives, or could stand in no template."""
    for name in pipeline.variables:
        what, fix = "", ""
        if name in OF_SOURCE:
            what, fix = "is what the source gives every template", "give the variable another name"
        elif name in own:
            what, fix = "is a name of Jinja's own", "give the variable another name"
        elif not name.isidentifier():
            what, fix = "can stand in no template", "write it with letters, digits and _, a letter first"
        if what:
            raise _variable_fault(pipeline, folder, name, what, fix)


def _variable_fault(pipeline: Pipeline, folder: _Folder, name: str, what: str, fix: str) -> Exception:
    """A mistake in a variable: the config's where it stands there, else the folder's, with its line."""
    told = f"the variable {show(name)} {what}"
    if name in pipeline.settings.variables:
        return ConfigError(str(problem(f"systems.{pipeline.name}.variables", told, fix)))
    return problem(f"{folder.place}/{VARIABLES}:{folder.lines[name]}", told, fix)


def _check_names(pipeline: Pipeline, folder: _Folder, templates: Templates) -> None:
    """Raises InputError for a name that nobody gives, a template that nothing uses, a variable that none uses."""
    entries = [file for file in pipeline.templates if pipeline.generic or seat_of(file)]
    made_of = {part for file in entries for part in templates.included(file)}
    for file in sorted(set(pipeline.templates) - made_of):
        seats = [f"{role}{SUFFIX}" for role in _ROLES]
        fix = f"{_hint(file, seats)}include it in a template, name it user.CATEGORY{SUFFIX}, or move it elsewhere"
        raise problem(f"{folder.place}/{file}", "is used by no template", fix)
    uses = [use for file in entries for use in templates.uses(file).values()]
    given = {*OF_SOURCE, *pipeline.variables}
    used = {use.name for use in uses}
    for use in uses:
        if use.name not in given and not use.is_optional:
            raise _undefined(pipeline, use, given, used)
    for name in pipeline.variables:
        if name not in used:
            lacking = {use.name for use in uses} - given
            fix = f"{_hint(name, lacking)}take it out, or put {{{{ {name} }}}} where it goes"
            raise _variable_fault(pipeline, folder, name, "is used by no template", fix)


def _undefined(pipeline: Pipeline, use: Use, given: set[str], used: set[str]) -> InputError:
    hint = _hint(use.name, [name for name in given if name not in used]) or _hint(use.name, given)
    fix = f"{hint}give it under `systems.{pipeline.name}.variables` or in {VARIABLES}"
    return problem(
        use.place, f"nobody gives the variable {show(use.name)}", f"{fix}; known: {', '.join(sorted(given))}"
    )


def _check_categories(pipeline: Pipeline, folder: _Folder, role: Role, sources: Sequence[Source]) -> None:
    """Raises InputError for a category without a template, and for a template whose category looks like a slip.

    A template for a category that simply does not occur among the sources is none: production has more categories.
    """
    own = categories_of(pipeline.files, role)
    wanted = {plain_category(source.category): source.category for source in sources if source.category}
    for category, file in own.items():
        place = f"{folder.place}/{file}"
        if category in wanted:
            continue
        if category in _LANGUAGES:
            fix = "put {{ language }}, or an {% if %} on it, in the one template, or name a category"
            raise problem(place, "is named for a language; templates go by category", fix)
        close = next((each for each in wanted if each not in own and _is_slip(category, each)), None)
        if close is not None:
            fix = f"did you mean {role}.{wanted[close]}{SUFFIX}? Rename it, or the category of the sources"
            raise problem(place, f"no source has the category {show(category)}", fix)
    for source in sources:
        if role == "user" and pipeline.template_for(role, source) is None:
            which = f"the category {show(source.category)} of" if source.category else "no category in"
            named = f", or user.{source.category}{SUFFIX}" if source.category else ""
            fix = f"add user{SUFFIX}, for all categories that have none of their own{named}"
            raise problem(folder.place, f"has no template for {which} source {show(source.id)}", fix)


def _hint(name: str, known: Iterable[str]) -> str:
    """A question that names the known name that `name` is a slip of, with a space behind; empty where none is."""
    close = process.extractOne(name, sorted(known), scorer=fuzz.ratio, score_cutoff=_LEAST_ALIKE)
    return f"did you mean {show(close[0])}? " if close is not None else ""


def _is_slip(written: str, meant_one: str) -> bool:
    """Whether one name is the other with one or two letters wrong: "interview" is not "review"."""
    return OSA.distance(written, meant_one) <= min(_MOST_SLIPS, len(meant_one) // 3)


def _check_shown(pipeline: Pipeline, folder: _Folder, templates: Templates, source: Source) -> None:
    """Raises InputError where no message shows what was said: the system would write about nothing."""
    files = [file for role in _ROLES if (file := pipeline.template_for(role, source)) is not None]
    if not any(use in SHOWING for file in files for use in templates.uses(file)):
        fix = "put {{ text }} or {{ transcript }} where the source goes"
        raise problem(f"{folder.place}/{files[-1]}", f"never shows the source {show(source.id)}", fix)
