"""`localeval bench judges`: one table, judge by set, on a terminal and as JSON; mistakes in one line."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from tests.public_sets.set_files import write_all, write_lines


def bench(*words: object) -> Result:
    """The finished command."""
    command = ["bench", "judges", *(str(word) for word in words)]
    return CliRunner(env={"COLUMNS": "80"}).invoke(main, command, catch_exceptions=False)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder with every set."""
    return write_all(tmp_path / "data")


def test_stored_verdicts_need_no_model(data: Path) -> None:
    """Each judge with its interval, n and what is published; nothing is asked and no folder is made."""
    result = bench("--data", data)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert "LLMBar: right, % (n of pairs)" in lines
    (natural,) = [line for line in lines if line.startswith("  natural: GPT-4 ")]
    assert re.fullmatch(r"  natural: GPT-4 +100\.0 \[\S+ to 100\.0\] +8 of 4 +95\.5", natural.rstrip())
    assert any(re.match(r"  adversarial: PaLM2 +0\.0 .* 4 of 4, 4 missing", line) for line in lines)
    assert any(re.match(r"  qmsumm: people +- +90\.7", line) for line in lines), "published alone"
    assert "picks the longer" not in result.stdout
    assert all(len(line) <= 80 for line in lines)
    assert not Path("runs/bench-judges").exists()


def test_details_say_how_figures_come_about(data: Path) -> None:
    """Leanings, bias by answerer, raters, kinds of error."""
    result = bench("--data", data, "--details")
    for words in ("picks the longer", "answers of Vicuna:", "rater a", "contradiction", "with turns named"):
        assert words in " ".join(result.stdout.split()), words
    assert "--details" not in result.stdout


def test_sets_can_be_chosen(data: Path) -> None:
    """And one that is not there cannot."""
    result = bench("--data", data, "--set", "elitr_bench")
    assert "ELITR-Bench: r with experts" in result.stdout
    assert "LLMBar" not in result.stdout
    (data / "qmsum" / "queries.jsonl").unlink()
    assert bench("--data", data, "--set", "elitr_bench").exit_code == 0, "what is not wanted is not read"


def test_the_json_form_is_complete(data: Path) -> None:
    """Every set, every row with its score and yardstick, and published figures that have no row."""
    body = json.loads(bench("--data", data, "--json").stdout)
    assert body["schema"] == "localeval.bench.judges/1"
    assert [each["set"] for each in body["sets"]][:2] == ["llmbar", "elitr_bench"]
    (row,) = [
        row
        for row in body["rows"]
        if (row["set"], row["judge"], row["measure"], row["part"]) == ("elitr_bench", "GPT-4", "bias", "")
    ]
    assert row["score"]["value"] == 1.5
    assert (row["score"]["n"], row["score"]["sources"]) == (24, 3)
    assert (row["unit"], row["clusters"], row["published"], row["local"]) == ("points", "meetings", 0.64, False)
    assert {"summedits", "newsmtsc"} == {each["set"] for each in body["published"]}


def test_a_model_is_asked_and_goes_on(data: Path, tmp_path: Path) -> None:
    """Its rows are marked, missing verdicts give exit code 3, and the same command sends nothing a second time."""
    rules = [{"contains": "Which output is better", "reply": "A"}, {"contains": "Rate from 1 to 10", "reply": "many"}]
    write_lines(tmp_path / "mine.jsonl", rules)
    command = ("--data", data, "--set", "llmbar", "--model", tmp_path / "mine.jsonl", "--out", tmp_path / "out")
    first, second = bench(*command), bench(*command)
    assert first.exit_code == second.exit_code == 0, first.output
    assert re.search(r"\* natural: mine +50\.0 ", first.stdout)
    assert "mine: 16 calls sent, 0 from the store" in first.stdout
    assert "mine: 0 calls sent, 16 from the store" in second.stdout
    both = bench(*command, "--set", "elitr_bench")
    assert both.exit_code == 3
    assert "mine on ELITR-Bench: no verdict for 24 invalid" in both.stdout
    rows = json.loads(bench(*command, "--set", "elitr_bench", "--json").stdout)["rows"]
    assert {row["set"] for row in rows if row["local"]} == {"llmbar", "elitr_bench"}


def test_mistakes_are_one_line(data: Path, tmp_path: Path) -> None:
    """No folder, no sets, a set that is not there, a damaged line, an unknown card: exit code 2, no traceback."""
    (tmp_path / "empty").mkdir()
    found = [
        (bench("--data", tmp_path / "nowhere"), "nowhere: is no folder; name one that holds llmbar"),
        (bench("--data", tmp_path / "empty"), "empty: holds none of llmbar"),
        (bench("--data", data, "--model", "no-such-card"), "no-such-card"),
    ]
    (data / "llmbar" / "items.jsonl").write_text('{"id": 3, "label": 1}\n')
    found.append((bench("--data", data), "items.jsonl line 1: id: is a number (3); expected a string"))
    for name in ("items.jsonl", "judge_verdicts.jsonl"):
        (data / "llmbar" / name).unlink()
    (data / "llmbar").rmdir()
    found.append((bench("--data", data, "--set", "llmbar"), "--set llmbar: there is no"))
    for result, words in found:
        assert result.exit_code == 2, result.output
        assert words in result.stderr
        assert result.stderr.count("\n") == 1, result.stderr
    assert bench("--data", data).exit_code == 0, "a set that is not there is left out"
