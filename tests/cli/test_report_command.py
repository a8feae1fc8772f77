"""`localeval report`: what it writes, and what it says of mistakes."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from tests.projects import make_project
from tests.report.affect_scores import Study, affect_scores

DRAWING = {"altair", "vl_convert", "narwhals", "jsonschema"}


def call(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run of the quiz alone."""
    folder = tmp_path_factory.mktemp("plain")
    assert call("run", make_project(folder), "--out", folder / "run").exit_code == 0
    return folder / "run"


@pytest.fixture
def run(plain: Path, tmp_path: Path) -> Path:
    """A folder of a run with affect beside the quiz, and a passport."""
    folder = tmp_path / "run"
    shutil.copytree(plain, folder)
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    scores["methods"]["affect"] = affect_scores(Study(wordings=()))
    (folder / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    (folder / "passport.json").write_text('{"limits": ["One judge."]}', encoding="utf-8")
    return folder


def test_page_goes_into_the_run(run: Path) -> None:
    """Without an option there is one page, in the run's folder, of all that the run has; charts left out are told."""
    result = call("report", run)
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == f"wrote {run / 'report.html'}"
    assert "left out: Drift between wordings, by judge judge: no texts were" in result.stdout
    html = (run / "report.html").read_text(encoding="utf-8")
    for words in ("Affect, by judge judge", "CapF1, %", "keeps", "One judge.", "vegaEmbed"):
        assert words in html
    assert call("show", run, "keeps").exit_code == 0


def test_pictures_alone(run: Path, tmp_path: Path) -> None:
    """--pictures makes the folder, writes each chart twice, and no page."""
    result = call("report", run, "--pictures", tmp_path / "charts")
    assert result.exit_code == 0
    names = {path.name for path in (tmp_path / "charts").iterdir()}
    assert names == {f"{chart}-judge.{kind}" for chart in ("profile", "plane") for kind in ("png", "svg")}
    assert result.stdout.count("wrote ") == 4
    assert not (run / "report.html").exists()


def test_page_of_a_run_without_affect(plain: Path, tmp_path: Path) -> None:
    """It has the leaderboard and the decision, and is small, since there is nothing to draw."""
    assert call("report", plain, "--html", tmp_path / "page.html").exit_code == 0
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "CapF1, %" in html
    assert "Recommended: " in html
    assert len(html) < 20_000


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nowhere",), "run folder nowhere does not exist"),
        (("EMPTY",), "is not a run folder"),
        (("UNFINISHED",), "no scores.json: the run is not finished"),
        (("RUN", "--html", "EMPTY"), "is a folder: name a file in it"),
        (("RUN", "--html", "EMPTY/no/page.html"), "there is no folder"),
        (("RUN", "--html", "/proc/page.html"), "/proc/page.html: cannot be written"),
        (("RUN", "--pictures", "RUN/scores.json"), "is a file: name a folder"),
        (("RUN", "--pictures", "EMPTY/no/charts"), "cannot be made (No such file or directory)"),
        (("RUN", "--pictures", "/proc/charts"), "cannot be made"),
        (("PLAIN", "--pictures", "EMPTY"), "nothing to draw (fabrications not known (no audit in this run)"),
        (("DAMAGED",), "scores.json is damaged"),
    ],
)
def test_mistakes_are_one_line(words: tuple[str, ...], message: str, run: Path, plain: Path, tmp_path: Path) -> None:
    """A user's mistake is one line on standard error, without a traceback, and leaves nothing behind."""
    places = {"RUN": run, "PLAIN": plain}
    for name in ("EMPTY", "UNFINISHED", "DAMAGED"):
        places[name] = tmp_path / name
    places["EMPTY"].mkdir()
    shutil.copytree(run, places["UNFINISHED"])
    (places["UNFINISHED"] / "scores.json").unlink()
    shutil.copytree(run, places["DAMAGED"])
    (places["DAMAGED"] / "scores.json").write_text("{", encoding="utf-8")
    given = [re.sub(r"^[A-Z]+", lambda found: str(places[found[0]]), word) for word in words]
    result = call("report", *given)
    assert result.exit_code == (1 if words == ("DAMAGED",) else 2), result.output
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert list(places["EMPTY"].iterdir()) == []
    assert not (run / "report.html").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("-c", "import localeval, localeval.cli.report"),
        ("-m", "localeval", "--help"),
        ("-m", "localeval", "report", "-h"),
    ],
)
def test_help_loads_nothing_that_draws(arguments: tuple[str, ...]) -> None:
    """The import and the help do without Altair and vl-convert."""
    command = [sys.executable, "-X", "importtime", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    names = set(re.findall(r"^import time: +\d+ \| +\d+ \| +(\w+)", ran.stderr, re.MULTILINE))
    assert "localeval" in names
    assert not DRAWING & names
