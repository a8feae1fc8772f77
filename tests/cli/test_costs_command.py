"""`localeval costs`: the bill of a finished run, and what it says of mistakes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from localeval.store.folder import RunFolder
from localeval.values import Reply
from tests.bill.billing import billed, call, ledger, loaded


def costs(*words: object) -> Result:
    return CliRunner().invoke(main, ["costs", *(str(word) for word in words)], catch_exceptions=False)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """The folder of a run with a bill."""
    answers = [
        (call("small"), Reply("a", "x", prompt_tokens=5210, cached_tokens=3000, output_tokens=80, device_s=41.2))
    ]
    with RunFolder.create_or_open(tmp_path / "run") as folder:
        folder.save_ledger(ledger(billed(answers), {"small": loaded()}, candidates=12))
    return tmp_path / "run"


def test_the_bill_is_printed(run: Path) -> None:
    """What it cost, in words and as it stands in ledger.json."""
    result = costs(run)
    assert result.exit_code == 0
    assert "small  local" in result.stdout
    assert "0.0612" in result.stdout  # a thousandth for each of 41.2 + 20 s
    as_json = costs(run, "--json")
    assert json.loads(as_json.stdout) == json.loads((run / "ledger.json").read_text(encoding="utf-8"))


def test_mistakes_are_one_line(run: Path, tmp_path: Path) -> None:
    """No run, no bill, a bill of another version, a damaged plan: each says what to do, without a traceback."""
    (run / "plan.json").write_text("{}", encoding="utf-8")
    found = [(costs(run), 1, "plan.json is damaged")]
    (run / "plan.json").unlink()
    (run / "ledger.json").write_text('{"schema": "localeval.ledger/9"}', encoding="utf-8")
    found.append((costs(run), 1, "this localeval reads 'localeval.ledger/1': make it anew with `localeval score"))
    (run / "ledger.json").unlink()
    found.append((costs(run), 1, "no ledger.json: if the run is finished, make it anew with `localeval score"))
    found.append((costs(tmp_path / "none"), 2, "does not exist: name the folder that `localeval run` made"))
    for result, code, words in found:
        assert result.exit_code == code
        assert words in result.stderr
        assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("edit", [{"currency": None}, {"total": {"money": "lots"}}, {"models": 3}])
def test_a_bill_edited_by_hand_is_damaged(run: Path, edit: dict[str, object]) -> None:
    """What cannot be printed of ledger.json is told in one line with the file's name."""
    path = run / "ledger.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | edit), encoding="utf-8")
    result = costs(run)
    assert result.exit_code == 1
    assert "ledger.json is damaged" in result.stderr
    assert len(result.stderr.splitlines()) == 1
