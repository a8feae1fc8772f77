"""What the command line does with a judge that its check refuses."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from tests.affect_project import FLAGS, evidence
from tests.checking.registered import GOOD, POOR, register_judges
from tests.report.judged import make_judged
from tests.systems_project import make_selection


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def call(*words: object) -> Result:
    """The command line in this process."""
    return CliRunner(env={"COLUMNS": "200"}).invoke(main, [str(word) for word in words], catch_exceptions=False)


def project(folder: Path, *methods: str) -> Path:
    """The config of an evaluation with two judges."""
    folder.mkdir()
    return make_judged(folder, methods or ("audit", "panel", "quiz"))


def test_run_refuses_with_a_line_a_judge(tmp_path: Path) -> None:
    """Exit code 2 before a folder is made; each line names method, judge, reason and what can be done."""
    config = project(tmp_path / "p")
    register_judges(config, {"audit": POOR, "quiz": GOOD})
    result = call("run", config, "--out", tmp_path / "run")
    assert result.exit_code == 2
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert [re.match(r"localeval: methods\.audit: the judge '(\w+)' is refused", line)[1] for line in lines] == [  # type: ignore[index]
        "big",
        "small",
    ]
    assert all("detection 12 % is below the bar of 50 %" in line and "--force" in line for line in lines)
    assert not (tmp_path / "run").exists()


def test_with_force_it_runs_and_says_so_everywhere(tmp_path: Path) -> None:
    """In the run's own output, in `score`, `show` and `report`; numbers of the other methods are not marked."""
    config = project(tmp_path / "p", "audit", "panel")
    register_judges(config, {"panel": POOR, "audit": GOOD})
    run = tmp_path / "run"
    for words in (("run", config, "--out", run, "--force"), ("score", run), ("show", run)):
        out = call(*words).stdout
        assert "! panel: the judge big is refused by its check of 2026-11-30: detection 12 % is below" in out
        (heading,) = [line for line in out.splitlines() if "rank" in line and "system" in line]
        assert "consensus !" in heading
        assert "fabrications !" not in heading
        assert "not checked" not in out
    assert call("report", run, "--html", tmp_path / "page.html").exit_code == 0
    page = (tmp_path / "page.html").read_text()
    assert '<h2 id="leaderboard">Systems [! judge refused: panel]</h2>' in page
    assert call("decide", run).stdout.count("this rests on a refused judge (panel)") == 1


def test_json_says_which_judges_are_refused(tmp_path: Path) -> None:
    """Scores, decision, and the details of a candidate."""
    config = project(tmp_path / "p", "audit", "panel")
    register_judges(config, {"panel": POOR, "audit": GOOD})
    run = tmp_path / "run"
    scores = json.loads(call("run", config, "--out", run, "--force", "--json").stdout)
    assert [(each["method"], each["model"], each["state"]) for each in scores["judges"]] == [
        ("panel", "big", "refused"),
        ("panel", "small", "refused"),
        ("audit", "big", "passed"),
        ("audit", "small", "passed"),
    ]
    assert {tuple(row["forced"]) for row in scores["leaderboard"]["systems"].values()} == {("panel",)}
    assert list(json.loads(call("decide", run, "--json").stdout)["refused"]) == ["panel"]
    shown = json.loads(call("show", run, "bad", "--method", "panel", "--json").stdout)
    assert {each["state"] for each in shown["judges"]} == {"refused"}


def test_details_of_a_candidate_are_marked_line_by_line(tmp_path: Path) -> None:
    """Those of the refused judge's method, and the heading; those of the others are not."""
    config = project(tmp_path / "p", "audit", "panel")
    register_judges(config, {"panel": POOR, "audit": GOOD})
    call("run", config, "--out", tmp_path / "run", "--force")
    out = call("show", tmp_path / "run", "bad").stdout
    before, audit_and_panel = out.split("audit:\n", 1)
    assert "! panel: the judge big is refused" in before
    audit, panel = audit_and_panel.split("panel [! judge refused: panel]:\n", 1)
    assert "!" not in audit
    assert panel.strip()
    assert all(line.startswith("! ") for line in panel.splitlines() if line.strip())


def test_only_generate_asks_no_judge_and_only_judge_does(tmp_path: Path) -> None:
    """Texts may be written for a judge that is refused; judging them is refused, or marked with --force."""
    config = make_selection(tmp_path, {"long": "a", "short": "b"}, ["b"])
    register_judges(config, {"panel": POOR})
    run = tmp_path / "run"
    assert call("run", config, "--out", run, "--only", "generate").exit_code == 0
    refused = call("run", config, "--out", run, "--only", "judge")
    assert refused.exit_code == 2
    assert "methods.panel: the judge 'b' is refused" in refused.stderr
    assert "consensus !" in call("run", config, "--out", run, "--only", "judge", "--force").stdout


def test_a_judge_that_nobody_checked_is_told_once(tmp_path: Path) -> None:
    """One line that says how to check it; nothing is refused and no number marked."""
    result = call("run", project(tmp_path / "p"), "--out", tmp_path / "run")
    assert result.exit_code in (0, 3)
    told = "judges not checked: quiz by small; panel by big, small; audit by big, small."
    assert f"{told} Check them: localeval judges check CONFIG" in " ".join(result.stdout.split())
    assert result.stdout.count("not checked") == 1
    assert "!" not in result.stdout


def test_plan_says_beforehand_who_would_be_refused(tmp_path: Path) -> None:
    """With the reason, also as JSON; a plan itself is not refused."""
    config = project(tmp_path / "p", "audit", "panel")
    register_judges(config, {"panel": POOR})
    result = call("plan", config, "--out", tmp_path / "run")
    assert result.exit_code == 0
    out = " ".join(result.stdout.split())
    assert "would be refused: panel: the judge big is refused by its check of 2026-11-30: detection 12 %" in out
    assert "judges not checked: audit by big, small" in out
    plan = json.loads(call("plan", config, "--out", tmp_path / "run", "--json").stdout)
    assert {(each["method"], each["state"]) for each in plan["judges"]} == {
        ("panel", "refused"),
        ("audit", "unchecked"),
    }


def test_a_calibration_is_no_run_and_leaves_the_gate_closed(tmp_path: Path) -> None:
    """A pilot measures time with a refused judge, too; the run that follows is refused all the same."""
    config = project(tmp_path / "p", "panel")
    register_judges(config, {"panel": POOR})
    result = call("plan", config, "--out", tmp_path / "run", "--calibrate")
    assert result.exit_code == 0
    assert "would be refused: panel" in " ".join(result.stdout.split())
    assert json.loads((tmp_path / "run" / "run.json").read_text())["judges"][0]["state"] == "refused"
    assert call("run", config, "--out", tmp_path / "run").exit_code == 2


def test_a_judge_that_was_forced_keeps_its_mark_when_the_texts_are_written_anew(tmp_path: Path) -> None:
    """A later sitting without --force does not wash the numbers clean."""
    config = make_selection(tmp_path, {"long": "a", "short": "b"}, ["b"])
    register_judges(config, {"panel": POOR})
    run = tmp_path / "run"
    call("run", config, "--out", run, "--force")
    assert call("run", config, "--out", run, "--only", "generate").exit_code == 0
    assert "consensus !" in call("show", run).stdout
    assert "consensus !" in call("score", run).stdout


def test_a_damaged_registry_does_not_stop_a_run(tmp_path: Path) -> None:
    """One line names the file; the judge counts as unchecked."""
    config = project(tmp_path / "p", "panel")
    for judge in register_judges(config, {"panel": POOR}):
        (tmp_path / "cache" / "localeval" / "judges" / f"{judge.key}.json").write_text("{")
    result = call("run", config, "--out", tmp_path / "run")
    assert result.exit_code in (0, 3)
    assert result.stderr.count("is damaged") == 2
    assert "Traceback" not in result.stderr
    assert "judges not checked: panel by big, small" in " ".join(result.stdout.split())


def test_affect_of_one_text_is_marked_and_not_refused(tmp_path: Path) -> None:
    """Nothing is compared there: the judge judges, its numbers are marked, and the passport says why."""
    words = ("good", "pleasant", "frantic", "intense", "much", "confident")
    rules = [FLAGS, evidence("", "praised"), *({"match": f"{word}\\?", "reply": word} for word in words)]
    (tmp_path / "rules.jsonl").write_text("".join(json.dumps(rule) + "\n" for rule in rules))
    (tmp_path / "report.txt").write_text("Everyone praised Anna Weber for her speech.")
    run = tmp_path / "run"
    command = ("affect", tmp_path / "report.txt", "--target", "Anna Weber", "--judge", tmp_path / "rules.jsonl")
    before = call(*command, "--out", run)
    assert before.exit_code == 0, before.output
    assert "!" not in before.stdout
    register_judges(run / "config.yaml", {"affect": POOR})
    after = call(*command, "--out", run)
    assert after.exit_code == 0, after.output
    assert "! affect: the judge judge is refused by its check of 2026-11-30" in after.stdout
    assert "how each target is portrayed, 0 to 1 with 95 % intervals [! judge refused: affect]" in after.stdout
    (judge,) = json.loads((run / "passport.json").read_text())["judges"]
    assert (judge["state"], judge["forced"], judge["reasons"][0]) == (
        "refused",
        True,
        "detection 12 % is below the bar of 50 %",
    )
