"""The shape of the package: which way imports point, how long a module is, what the README's tree says."""

import ast
import fnmatch
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "localeval"

LAYERS = (
    ("errors", "values", "keys", "texts", "scales", "outputs", "assets"),
    ("stats", "flow", "guessing", "queue", "prompts", "driver", "ledger", "loading", "energy", "yaml_files"),
    ("evidence",),
    ("methods", "planting"),
    ("decision",),
    ("models", "config", "inputs"),
    ("engines", "store"),
    ("cluster",),
    (
        "bill",
        "measuring",
        "gathering",
        "freezing",
        "finishing",
        "sitting",
        "reading",
        "evaluation",
        "one_text",
        "rehearsing",
        "planning",
        "estimating",
        "exchange",
        "checking",
        "comparing",
        "public_sets",
        "doctor",
    ),
    ("report",),
    ("cli", "__main__"),
)
"""From the ground up. A module imports from its own layer and from those below."""

HEAVY = {"torch", "vllm", "outlines", "outlines_core", "transformers", "ray", "xgrammar", "llguidance", "tokenizers"}
LONGEST_MODULE = 300


class Import(NamedTuple):
    """One import of one module, and where it stands. `lazy`: within a function, so not done on import."""

    path: Path
    line: int
    target: str
    lazy: bool

    @property
    def importer(self) -> str:
        """The importing module's dotted name."""
        return dotted(self.path)

    @property
    def place(self) -> str:
        """File and line, as an editor reads them."""
        return f"{self.path.relative_to(ROOT)}:{self.line}"


def dotted(path: Path) -> str:
    """The dotted name of a module's file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    """The files of localeval by dotted name."""
    return {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def imports_of(path: Path) -> Iterator[Import]:
    """Every import in a file. `from package import name` counts as `package.name` where that is a module."""
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text(encoding="utf-8"), str(path)), False)]
    while pending:
        node, lazy = pending.pop()
        lazy = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        pending += [(child, lazy) for child in ast.iter_child_nodes(node)]
        if isinstance(node, ast.Import):
            yield from (Import(path, node.lineno, name.name, lazy) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(path, node)
            for name in node.names:
                target = f"{base}.{name.name}"
                yield Import(path, node.lineno, target if target in modules() else base, lazy)


def absolute(path: Path, node: ast.ImportFrom) -> str:
    """The module that a `from` names, also where it is relative."""
    if not node.level:
        return node.module or ""
    package = path.relative_to(ROOT).parent.parts
    return ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])


@cache
def every_import() -> tuple[Import, ...]:
    """Every import in localeval."""
    return tuple(found for path in modules().values() for found in imports_of(path))


def layer(module: str) -> int:
    """The layer of one of localeval's modules, from 0; the package itself, which imports nothing, is below all."""
    parts = module.split(".")
    if len(parts) == 1:
        return -1
    return next((number for number, names in enumerate(LAYERS) if parts[1] in names), len(LAYERS))


def test_every_module_has_a_layer() -> None:
    """A new module says in LAYERS where it belongs."""
    assert modules()
    without = [str(path.relative_to(ROOT)) for name, path in modules().items() if layer(name) == len(LAYERS)]
    assert not without, f"no layer in {Path(__file__).name} for: {', '.join(without)}"


def test_imports_point_one_way() -> None:
    """No module imports from a layer above its own, not even within a function."""
    upward = [
        f"{found.place}: {found.importer} imports {found.target} from a layer above"
        for found in every_import()
        if found.target.split(".")[0] == "localeval" and layer(found.target) > layer(found.importer)
    ]
    assert not upward, "\n".join(upward)


def test_imports_run_in_no_circle() -> None:
    """The modules can be put in an order in which each imports only earlier ones."""
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for found in every_import():
        is_own_package = found.importer.startswith(f"{found.target}.")
        if found.target in graph and not is_own_package:
            graph[found.importer].add(found.target)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail("these import one another in a circle: " + " <- ".join(error.args[1]))


def test_heavy_packages_stay_in_the_engines() -> None:
    """Importing a module outside localeval/engines brings in no engine package, neither directly nor by others."""
    heavy_at: dict[str, str] = {}
    eager = [found for found in every_import() if not found.lazy]
    grows = True
    while grows:
        grows = False
        for found in eager:
            reaches = found.target.split(".")[0] in HEAVY or found.target in heavy_at
            if reaches and found.importer not in heavy_at:
                heavy_at[found.importer] = f"{found.place}: {found.importer} imports {found.target}"
                grows = True
    outside = [told for module, told in heavy_at.items() if not module.startswith("localeval.engines.")]
    assert heavy_at, "no engine imports its package: this test has lost its object"
    assert not outside, "\n".join(outside)


def imported_by(*arguments: str) -> set[str]:
    """The names of all modules that a fresh Python imports when run with `arguments`."""
    command = [sys.executable, "-X", "importtime", *arguments]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return set(re.findall(r"^import time: +\d+ \| +\d+ \| +(\S+)$", ran.stderr, re.MULTILINE))


@pytest.mark.parametrize("arguments", [("-c", "import localeval"), ("-m", "localeval", "--help")])
def test_importing_and_help_load_no_engine(arguments: tuple[str, ...]) -> None:
    """`import localeval` and `localeval --help` load none of torch, vllm, outlines, transformers, ray."""
    names = imported_by(*arguments)
    assert "localeval" in names
    assert not HEAVY & {name.split(".")[0] for name in names}


def test_help_costs_little() -> None:
    """`localeval --help` takes less than 0.3 s of one core: best of five, for other work may slow it down."""
    spent = []
    for _ in range(5):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "localeval", "--help"], cwd=ROOT, capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    assert min(spent) < 0.3, f"{min(spent):.2f} s"


def test_modules_are_short() -> None:
    """A module that grows past 300 lines has more than one reason to change."""
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules().values()}
    long = [f"{path.relative_to(ROOT)}: {n} lines" for path, n in lengths.items() if n > LONGEST_MODULE]
    assert not long, "\n".join(long)


class Entry(NamedTuple):
    """One name in the README's tree: as written, how deep (0 at the top, in columns), and in which line."""

    written: str
    depth: int
    line: int

    @property
    def name(self) -> str:
        """The name without what only a tree or a file adds."""
        return self.written.split("/")[0].removesuffix(".py")


def tree_of(readme: str) -> list[Entry]:
    """The names in the first fenced block that has a line starting with `localeval/`, or nothing.

    Names stand before the first run of two spaces, as many as one likes on a line; what follows explains them.
    """
    lines = readme.splitlines()
    fences = [number for number, line in enumerate(lines) if line.lstrip().startswith("```")]
    for start, end in zip(fences[::2], fences[1::2], strict=False):
        block = lines[start + 1 : end]
        if any(re.match(r"[\s│├└─]*localeval/", line) for line in block):
            return [
                Entry(name, len(line) - len(bare), start + 2 + number)
                for number, line in enumerate(block)
                for bare in [re.sub(r"^[\s│├└─]*", "", line)]
                for name in re.split(r"\s{2,}", bare)[0].replace(",", " ").split()
            ]
    return []


def ignored(name: str) -> bool:
    """Whether .gitignore leaves out a name at the top of the checkout."""
    patterns = (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    return any(fnmatch.fnmatch(name, pattern.strip("/")) for pattern in patterns)


def children(entries: list[Entry], parent: int) -> list[Entry]:
    """The entries right below the one at index `parent`, or those at the top for -1."""
    depth = entries[parent].depth if parent >= 0 else -1
    below: list[Entry] = []
    for entry in entries[parent + 1 :]:
        if entry.depth <= depth:
            break
        below.append(entry)
    first = min((entry.depth for entry in below), default=0)
    return [entry for entry in below if entry.depth == first]


def compare(named: list[Entry], real: set[str], where: str) -> list[str]:
    """What the README's tree has too much and too little."""
    told = {entry.name: entry.line for entry in named}
    return [f"README.md:{line}: {name} is not in {where}" for name, line in told.items() if name not in real] + [
        f"README.md: the tree lacks {name} of {where}" for name in sorted(real - told.keys())
    ]


def faults_of(entries: list[Entry]) -> list[str]:
    """Where the tree differs from the checkout: folders at the top, modules and packages in localeval/."""
    package = next(number for number, entry in enumerate(entries) if entry.name == "localeval")
    top = [entry for entry in children(entries, -1) if not (ROOT / entry.written).is_file()]
    shown = [p for p in ROOT.iterdir() if p.is_dir() and not p.name.startswith(".") and not ignored(p.name)]
    folders = {p.name for p in shown if any(inner.is_file() for inner in p.rglob("*"))}
    parts = {p.stem for p in PACKAGE.iterdir() if p.suffix == ".py" or (p.is_dir() and any(p.rglob("*.py")))}
    dunders = {"__init__", "__main__"}
    inside = [entry for entry in children(entries, package) if entry.name not in {*dunders, "py.typed"}]
    return compare(top, folders, "the checkout") + compare(inside, parts - dunders, "localeval/")


SAMPLE_TREE = """
```
├── pyproject.toml  one file
├── nowhere, tests/    two folders
└── localeval/
    ├── errors values.py   the ground floor
    └── methods/<name>/    the methods
```
"""


def test_tree_is_read_as_it_is_drawn() -> None:
    """Names are what stands before two spaces, with or without branches, commas, slashes and file endings."""
    entries = tree_of(SAMPLE_TREE)
    assert [entry.name for entry in children(entries, -1)] == ["pyproject.toml", "nowhere", "tests", "localeval"]
    assert [(entry.name, entry.line) for entry in children(entries, 3)] == [
        ("errors", 6),
        ("values", 6),
        ("methods", 7),
    ]
    assert "README.md:4: nowhere is not in the checkout" in faults_of(entries)
    assert "README.md: the tree lacks keys of localeval/" in faults_of(entries)


def test_readme_tree_is_true() -> None:
    """The tree in the README names every folder at the top and every entry of localeval/, and nothing else."""
    entries = tree_of((ROOT / "README.md").read_text(encoding="utf-8"))
    if not entries:
        pytest.skip("README.md has no tree yet")
    assert not faults_of(entries), "\n".join(faults_of(entries))
