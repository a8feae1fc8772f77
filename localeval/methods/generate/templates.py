"""A system's templates: what they take from outside is known before anything is rendered; rendering is strict."""

import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import GeneratorType

from jinja2 import FunctionLoader, StrictUndefined, TemplateError, TemplateSyntaxError, Undefined, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from localeval.errors import InputError

OF_SOURCE = ("text", "transcript", "segments", "id", "category", "language")
"""What every template is given."""

SHOWING = frozenset({"text", "transcript", "segments"})
"""Those of them that hold what was said."""

OF_SEGMENT = ("number", "text", "begin", "end", "speaker")

_RANDOM = ("lipsum", "random")
"""Left out of Jinja: a prompt is rendered anew when a run is scored, and must then be the same."""


@dataclass(frozen=True, slots=True)
class Use:
    """A name that templates take from outside, and the place where it first stands. `is_optional`: some template asks
    whether it is defined or gives it a default, so that it may be absent."""

    name: str
    place: str
    is_optional: bool


class Templates:
    """The templates of a folder, by file name. `folder` stands before the file's name in messages."""

    def __init__(self, files: Mapping[str, str], folder: str) -> None:
        self._files = files
        self._folder = folder
        self._trees: dict[str, nodes.Template] = {}
        self._uses: dict[str, dict[str, Use]] = {}
        # keep_trailing_newline: the file is the prompt, byte for byte
        self._environment = ImmutableSandboxedEnvironment(
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            autoescape=False,
            finalize=_printed,
            # with the file's name, which the lines of a traceback are then told by
            loader=FunctionLoader(lambda name: (files[name], name, lambda: True) if name in files else None),
        )
        for name in _RANDOM:
            self._environment.globals.pop(name, None)
            self._environment.filters.pop(name, None)

    @property
    def globals(self) -> tuple[str, ...]:
        """Names of Jinja's own, such as `range`."""
        return tuple(sorted(self._environment.globals))

    def included(self, entry: str) -> tuple[str, ...]:
        """The files that a template is made of: itself, then those that it includes, each once.

        Raises InputError with file and line for what Jinja cannot read, an unknown filter, and an include of a file
        that is not there.
        """
        found: dict[str, None] = {}
        self._follow(entry, (), found)
        return tuple(found)

    def uses(self, entry: str) -> Mapping[str, Use]:
        """Every name that a template and what it includes take from outside. Raises as `included` does."""
        if entry not in self._uses:
            self._uses[entry] = self._uses_of(entry)
        return self._uses[entry]

    def render(self, file: str, values: Mapping[str, object]) -> str:
        """The template with its values. Raises InputError with file and line for what is wrong with it."""
        try:
            return self._environment.get_template(file).render(values)
        except (
            TemplateError,
            TypeError,
            ValueError,
            ArithmeticError,
            LookupError,
            AttributeError,
            RuntimeError,
            MemoryError,
        ) as error:  # what the template computes may fail in any of these ways
            frames = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
            where = [(name, line) for name, line in frames if name in self._files] or [(file, 1)]
            what = str(error) or type(error).__name__
            raise self.fault(*where[-1], f"{what}, for source {values['id']!r}", _known(values)) from error

    def place(self, file: str, line: int) -> str:
        """A line of a file as messages write it."""
        return f"{self._folder}/{file}:{line}"

    def fault(self, file: str, line: int, what: str, fix: str) -> InputError:
        """The error `file:line: what; fix`, always one printable line."""
        told = f"{self.place(file, line)}: {what}; {fix}"
        return InputError("".join(c if c.isprintable() else ascii(c)[1:-1] for c in told))

    def _uses_of(self, entry: str) -> dict[str, Use]:
        trees = {file: self._parse(file) for file in self.included(entry)}
        # an included file sees what the others have set
        bound = {node.name for tree in trees.values() for node in tree.find_all(nodes.Name) if node.ctx != "load"}
        optional = {name for tree in trees.values() for name in _asked_for(tree)}
        found: dict[str, Use] = {}
        for file, tree in trees.items():
            free = meta.find_undeclared_variables(tree) - (bound | {"loop"} if file != entry else set())
            for name, line in _lines_of(tree, free):
                found.setdefault(name, Use(name, self.place(file, line), name in optional))
        return found

    def _follow(self, file: str, trail: tuple[str, ...], found: dict[str, None]) -> None:
        found[file] = None
        for node in self._parse(file).find_all((nodes.Include, nodes.Extends, nodes.Import, nodes.FromImport)):
            if not isinstance(node, nodes.Include) or not isinstance(node.template, nodes.Const):
                fix = 'write {% include "FILE.jinja" %} with a file of the folder, or put the macro into this file'
                raise self.fault(file, node.lineno, "takes in another template in a way that is not known here", fix)
            name = str(node.template.value)
            if name in (*trail, file):
                raise self.fault(file, node.lineno, f"includes {name}, which includes it", "take one of the two out")
            if name in self._files:
                self._follow(name, (*trail, file), found)
            elif not node.ignore_missing:
                known = ", ".join(sorted(self._files))
                raise self.fault(file, node.lineno, f"includes {name!r}, which is not there", f"the folder has {known}")

    def _parse(self, file: str) -> nodes.Template:
        if file not in self._trees:
            self._trees[file] = self._parsed(file)
        return self._trees[file]

    def _parsed(self, file: str) -> nodes.Template:
        try:
            tree = self._environment.parse(self._files[file], file, file)
            self._check_filters(file, tree)
            meta.find_undeclared_variables(tree)  # compiles it: some mistakes show only then
        except TemplateSyntaxError as error:
            fix = "correct it; text with braces of its own stands in {% raw %}"
            raise self.fault(file, error.lineno, str(error.message).rstrip("."), fix) from error
        except RecursionError as error:
            raise self.fault(file, 1, "is nested too deeply", "take some of its brackets or blocks apart") from error
        return tree

    def _check_filters(self, file: str, tree: nodes.Template) -> None:
        """Raises InputError for a filter or test that there is not, which Jinja may find out only when it renders."""
        for kind, known in ((nodes.Filter, self._environment.filters), (nodes.Test, self._environment.tests)):
            for node in tree.find_all(kind):
                if node.name not in known:
                    noun = kind.__name__.lower()
                    raise self.fault(
                        file, node.lineno, f"there is no {noun} {node.name!r}", f"use one of Jinja's {noun}s"
                    )


@lru_cache(maxsize=64)
def templates_of(files: tuple[tuple[str, str], ...], folder: str) -> Templates:
    """The same templates for every source: they are compiled once."""
    return Templates(dict(files), folder)


def _printed(value: object) -> object:
    """`value`, as Jinja prints it; raises TypeError for what has no text, but an address in memory."""
    if not isinstance(value, Undefined) and (isinstance(value, GeneratorType) or callable(value)):
        raise TypeError(f"prints a {type(value).__name__}, which has no text of its own (a list has: add `| join`)")
    return value


def _asked_for(tree: nodes.Template) -> Iterator[str]:
    """Names of which a template asks whether they are defined, or to which it gives a default."""
    for node in tree.find_all((nodes.Filter, nodes.Test)):
        if node.name in ("default", "d", "defined", "undefined") and isinstance(node.node, nodes.Name):
            yield node.node.name


def _lines_of(tree: nodes.Template, names: set[str]) -> Iterator[tuple[str, int]]:
    for node in tree.find_all(nodes.Name):
        if node.ctx == "load" and node.name in names:
            yield node.name, node.lineno


def _known(values: Mapping[str, object]) -> str:
    return f"known: {', '.join(sorted(values))}; a segment has {', '.join(OF_SEGMENT)}"
