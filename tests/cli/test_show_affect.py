"""`localeval run` and `show` of a study by affect alone: texts that systems write about two targets."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from tests.affect_project import FLAGS, evidence, make_study, score

SETTINGS = "targets: [Anna, Ben], elicit: {systems: [judge], wordings: [neutral, evaluative]}"
RULES = (
    evidence("", "brave"),
    FLAGS,
    score("", 7),
    {"match": "", "reply": "She is a brave woman who built the bridge."},
)


def call(*words: str | Path) -> Result:
    """What the command says."""
    return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of a finished run, and what was printed."""
    folder = tmp_path_factory.mktemp("drift")
    result = call("run", make_study(folder, {}, RULES, SETTINGS), "--out", folder / "run")
    assert result.exit_code == 0, result.output
    return folder / "run", result.stdout


def test_a_run_of_affect_alone_prints_profiles_and_answers(ran: tuple[Path, str]) -> None:
    """No empty leaderboard; the same again with `show`; the hint names what there is to show."""
    folder, out = ran
    assert out.startswith("study: 12 texts (elicited) read by judge\n")
    assert "rank  system" not in out
    assert "Do `whole` and `target` differ? " in out
    assert f"localeval show {folder} --method affect" in "".join(out.splitlines()).replace("  ", " ")
    shown = call("show", folder)
    assert shown.exit_code == 0
    assert shown.stdout in out


def test_each_text_can_be_shown(ran: tuple[Path, str]) -> None:
    """Of one target and system; in JSON whole."""
    folder, _ = ran
    lines = call("show", folder, "judge", "--source", "Anna").stdout.splitlines()
    assert [line for line in lines if line.startswith("Anna / judge")] == [
        f"Anna / judge, {wording}, sample {sample}" for wording in ("neutral", "evaluative") for sample in range(3)
    ]
    assert lines.count("  She is a brave woman who built the bridge.") == 6
    assert '     "brave"; as it says' in lines
    rows = json.loads(call("show", folder, "--method", "affect", "--json").stdout)
    assert len(rows["affect"]["texts"]) == 12
    axis = rows["affect"]["texts"][0]["judges"][0]["portraits"][0]["axes"][0]
    assert (axis["evidence"]["phrases"], axis["missing"]) == (["brave"], "")
    assert 0.7 < axis["value"] < 0.75, "between 7 and 4 of 9, nearly 7"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--source", "Ana"), "no source 'Ana' in this run; did you mean 'Anna'?"),
        (("n",), "no system 'n' in this run"),
        (("--method", "quiz"), "no quiz in this run; it has affect"),
    ],
)
def test_unknown_names_are_one_line(ran: tuple[Path, str], words: tuple[str, ...], message: str) -> None:
    """And exit code 2."""
    result = call("show", ran[0], *words)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [f"localeval: {message}"]
