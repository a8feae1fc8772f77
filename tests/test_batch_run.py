"""`mode: batch` from end to end: plan, run, show and report of the demo's texts in three languages, with its rules."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from localeval.evaluation import run
from localeval.planning import plan

DEMO = Path(__file__).resolve().parent.parent / "demo"


def call(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


def config(folder: Path, mode: str) -> Path:
    """Twelve texts about four meetings, before one scripted judge."""
    path = folder / f"{mode}.yaml"
    places = [DEMO, DEMO / "ru", DEMO / "zh"]
    sources = [{"path": str(place / "transcripts" / "*"), "category": "meeting"} for place in places]
    candidates = [{"path": str(place / "summaries" / "{source}" / "{system}.md")} for place in places]
    judge = {"engine": "scripted", "script": str(DEMO / "dry-run.jsonl")}
    whole = {
        "name": mode,
        "sources": sources,
        "candidates": candidates,
        "models": {"judge": judge},
        "methods": {"panel": {"judges": ["judge"], "mode": mode}},
    }
    path.write_text(json.dumps(whole), encoding="utf-8")  # JSON is YAML
    return path


def test_a_batch_goes_through_every_command(tmp_path: Path) -> None:
    """Nothing is missing; a second run sends nothing; the sheets and the page are there as of any panel."""
    path, folder = config(tmp_path, "batch"), tmp_path / "run"
    assert call("plan", path, "--out", folder).exit_code == 0
    done = call("run", path, "--out", folder)
    assert done.exit_code == 0
    assert "12 texts judged in line-ups of one call each by judge" in " ".join(done.output.split())
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))["methods"]["panel"]
    assert scores["missing"] == 0
    assert {system["consensus"]["value"] for system in scores["systems"].values()} == {0.5}
    assert scores["systems"]["faithful"]["expected"]["reason"] == "no verdict came with probabilities"
    assert run(path, folder).ledger.accounts["judge"].sent == 0
    sheet = call("show", folder, "faithful")
    assert sheet.exit_code == 0
    assert "Tasks agreed in the meeting are given" in " ".join(sheet.output.split())
    assert call("report", folder).exit_code == 0
    assert call("score", folder).exit_code == 0


def test_a_batch_asks_a_tenth_and_says_the_same(tmp_path: Path) -> None:
    """The plan counts one call a source in place of one a text and criterion, and far fewer tokens; the scores of a
    judge that grades alike are alike."""
    scores, stages = {}, {}
    for mode in ("pointwise", "batch"):
        path = config(tmp_path, mode)
        (stages[mode],) = plan(path).stages
        outcome = run(path, tmp_path / f"run-{mode}")
        assert outcome.ledger.accounts["judge"].sent == stages[mode].calls
        scores[mode] = outcome.scores
    assert (stages["pointwise"].calls, stages["batch"].calls) == (12 * 7, 4)
    assert stages["batch"].prompt_tokens < stages["pointwise"].prompt_tokens / 10
    assert stages["batch"].unique_tokens < stages["pointwise"].unique_tokens
    assert stages["batch"].output_tokens < stages["pointwise"].output_tokens / 2
    assert scores["batch"]["leaderboard"] == scores["pointwise"]["leaderboard"]


def test_a_batch_that_does_not_fit_is_missing_and_told_before(tmp_path: Path) -> None:
    """Truthfulness rule 1: the plan names the source with both numbers, the run asks nothing of it, and smaller
    batches fit."""
    path = config(tmp_path, "batch")
    table = json.loads(path.read_text(encoding="utf-8"))
    (stage,) = plan(path).stages
    table["models"]["judge"]["context"] = stage.prompt_tokens // 4 + stage.output_tokens // 4 - 300
    path.write_text(json.dumps(table), encoding="utf-8")
    too_long = plan(path).too_long
    assert too_long
    for each in too_long:
        assert each.needed > each.limit == table["models"]["judge"]["context"]
    scores = run(path, tmp_path / "run").scores["methods"]["panel"]
    assert scores["judges"]["judge"]["missing_reasons"] == {"too long": len(too_long) * 3 * 7}
    table["methods"]["panel"]["batch_candidates"] = 2
    path.write_text(json.dumps(table), encoding="utf-8")
    assert len(plan(path).too_long) < len(too_long)


@pytest.mark.parametrize("mode", ["lineup", "batch"])
def test_a_leaning_to_the_first_place_is_measured_in_both(mode: str, tmp_path: Path) -> None:
    """The judge that always gives candidate A more shows it in a batch as in a line-up."""
    criteria = ("faithfulness", "decisions", "action_items", "open_questions", "figures", "reasons", "topics")

    def cell(score: str) -> dict[str, str]:
        return {"candidate": "1", "source": "1", "score": score}

    sheets = {letter: dict.fromkeys(criteria, cell("2" if letter == "A" else "1")) for letter in "ABC"}
    rules = [
        {"match": "Criterion [a-z_]+:|Критерий [a-z_]+:|标准 [a-z_]+：", "reply": json.dumps(sheets)},
        {
            "match": "Judge candidate A|Оцени кандидата A|请评判候选文本 A",
            "reply": json.dumps(cell("2")),
        },
        {"reply": json.dumps(cell("1"))},
    ]
    script = tmp_path / "rules.jsonl"
    script.write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    path = config(tmp_path, mode)
    table = json.loads(path.read_text(encoding="utf-8"))
    table["models"]["judge"]["script"] = str(script)
    path.write_text(json.dumps(table), encoding="utf-8")
    health = run(path, tmp_path / "run").scores["methods"]["panel"]["health"]["judges"]["judge"]["position"]
    assert health["first_half"]["value"] > 0
    assert health["place"]["value"] < 0
