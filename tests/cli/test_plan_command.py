"""`localeval plan`: what it prints, and how it ends."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from localeval.cli import main
from tests.projects import make_project


def call(*words: object) -> Result:
    """The command line in this process."""
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def test_json_is_the_form_of_plan_json(tmp_path: Path) -> None:
    """With --calibrate it is the file that the run folder keeps, and nothing else on standard output."""
    config = make_project(tmp_path)
    plain = json.loads(call("plan", config, "--out", tmp_path / "run", "--json").stdout)
    assert (plain["schema"], plain["calibrated"], plain["order"]) == ("localeval.plan/1", False, ["m"])
    result = call("plan", config, "--out", tmp_path / "run", "--calibrate", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout) == json.loads((tmp_path / "run" / "plan.json").read_text())


def test_a_calibration_shows_its_progress_and_the_order_of_loads(tmp_path: Path) -> None:
    """What is loaded goes to standard error, the plan to standard output."""
    result = call("plan", make_project(tmp_path), "--out", tmp_path / "run", "--calibrate", "--sources", 2)
    assert "loading m" in result.stderr
    assert "model loads: none" in result.stdout, "all sources were the pilot: nothing is left"
    assert "measured: s0, s1" in result.stdout


def test_sources_without_calibrate_are_a_mistake(tmp_path: Path) -> None:
    """One line with the fix, and no run folder."""
    result = call("plan", make_project(tmp_path), "--out", tmp_path / "run", "--sources", 2)
    assert result.exit_code == 2
    assert "--sources goes with --calibrate" in result.stderr
    assert call("plan", tmp_path / "eval.yaml", "--calibrate", "--sources", 0).exit_code == 2
    assert not (tmp_path / "run").exists()
