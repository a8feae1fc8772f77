"""`localeval decide`: other rules on a finished run, from its files alone."""

import json
from pathlib import Path
from typing import get_args

import click
import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from localeval.cli.decide import decide as command
from localeval.methods.leaderboard import Measure
from tests.report.judged import judge


def call(*words: object) -> Result:
    return CliRunner().invoke(main, ["decide", *map(str, words)], catch_exceptions=False)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run by quiz, panel and audit."""
    return judge(tmp_path_factory.mktemp("decided"))


def test_without_options_the_runs_own_rules_decide(finished: Path) -> None:
    """The same as decision.json of the run, in sentences; nothing of the run changes."""
    before = {path.name: path.read_bytes() for path in finished.iterdir() if path.suffix == ".json"}
    found = json.loads(call(finished, "--json").stdout)
    assert found["schema"] == "localeval.decision/1"
    assert found["rules"] == []
    assert found == json.loads(before["decision.json"])
    out = call(finished)
    assert out.exit_code == 0
    assert f"Recommended: {found['recommended']}" in out.stdout
    assert {path.name: path.read_bytes() for path in finished.iterdir() if path.suffix == ".json"} == before


def test_other_rules_and_another_best_decide_otherwise(finished: Path) -> None:
    """Each as it is given; a rule that nobody fulfils recommends nobody, which is no error."""
    found = json.loads(call(finished, "--require", "fabrications<=0", "--best", "cap_f1", "--json").stdout)
    assert (found["rules"], found["best"]) == (["fabrications <= 0"], "cap_f1")
    nobody = call(finished, "--require", "consensus > 100")
    assert nobody.exit_code == 0
    assert "Nothing is recommended: no system fulfils every rule." in nobody.stdout
    assert json.loads(call(finished, "--no-rules", "--json").stdout)["rules"] == []


def test_a_mistake_is_one_line(finished: Path, tmp_path: Path) -> None:
    """A rule that is none, a run that is none."""
    for words, told in (
        (
            (finished, "--require", "fabrication <= 0"),
            "--require: no measure 'fabrication'; did you mean 'fabrications'?",
        ),
        ((tmp_path / "nowhere",), "nowhere"),
    ):
        result = call(*words)
        assert result.exit_code == 2
        assert told in result.stderr
        assert len(result.stderr.splitlines()) == 1


def test_the_measures_to_choose_by_are_those_that_rank() -> None:
    """The option lists them by hand, so that the command needs no statistics to say its help."""
    (choices,) = (each.type.choices for each in command.params if isinstance(each.type, click.Choice))
    assert tuple(choices) == get_args(Measure)
