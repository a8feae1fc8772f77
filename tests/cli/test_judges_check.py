"""`localeval judges check` from the shell."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from localeval.cli import main
from tests.checking.check_project import make_check_project

QUICK = ", probes: [], methods: [audit]"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)


def test_a_check_says_who_may_judge_and_a_run_heeds_it(tmp_path: Path) -> None:
    """Exit code 5 for a judge below its bars; the plan says beforehand what is asked; a run then refuses the judge."""
    path = make_check_project(tmp_path / "p", "blunt", 12, QUICK)
    planned = CliRunner().invoke(main, ["judges", "check", str(path), "--plan", "--json"])
    assert planned.exit_code == 0, planned.output
    assert not (tmp_path / "runs").exists(), "a plan writes nothing"
    checked = CliRunner().invoke(main, ["judges", "check", str(path)])
    assert checked.exit_code == 5, checked.output
    assert "audit by blunt is refused: detection 0 % is below the bar of 50 %" in " ".join(checked.output.split())
    folder = tmp_path / "runs" / "meetings.check"
    found = json.loads((folder / "check.json").read_text(encoding="utf-8"))
    assert (folder / "check.html").is_file()
    calls = sum(stage["calls"] for stage in json.loads(planned.stdout)["stages"])
    texts = [row for row in found["texts"] if "audit blunt" in row["verdicts"]]
    assert calls >= len(texts) > 0
    refused = CliRunner().invoke(main, ["run", str(path)])
    assert refused.exit_code == 2, refused.output
    assert "methods.audit: the judge 'blunt' is refused by its check" in refused.output
    assert not (tmp_path / "runs" / "meetings").exists()


def test_a_check_prints_what_it_keeps(tmp_path: Path) -> None:
    """`--json` is check.json, and a judge that passes ends with 0."""
    path = make_check_project(tmp_path / "p", "sharp", 12, QUICK)
    first = CliRunner().invoke(main, ["judges", "check", str(path), "--json", "--out", "c"])
    assert first.exit_code == 0, first.output
    assert json.loads(first.stdout) == json.loads((tmp_path / "c" / "check.json").read_text(encoding="utf-8"))
