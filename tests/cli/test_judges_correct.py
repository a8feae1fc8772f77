"""`localeval judges sheet` and `localeval judges correct`: from a finished run to corrected means."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.cli import main
from localeval.inputs.judge_labels import blind_id
from tests.comparing.judged_run import FAITHFUL, JudgedRun, make_run
from tests.comparing.label_material import write_labels


def call(*words: object) -> Result:
    return CliRunner().invoke(main, ["judges", *map(str, words)], catch_exceptions=False)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> JudgedRun:
    """A finished run before two judges."""
    return make_run(tmp_path_factory.mktemp("judged"))


def test_correct_prints_a_table_and_json(judged: JudgedRun, tmp_path: Path) -> None:
    """The table names every system, what the judges say and what the labels make of it; JSON has the schema."""
    path = write_labels(tmp_path / "ann.jsonl", judged.labels(judged.some(12)))
    out = call("correct", judged.folder, "--labels", path)
    assert out.exit_code == 0
    for word in ("alpha", "beta", "gamma", "all", "corrected", "1.83", "weights of the judges", "Brier"):
        assert word in out.stdout
    assert "taken for a random sample" in " ".join(out.stdout.split())
    found = json.loads(call("correct", judged.folder, "--labels", path, "--json").stdout)
    assert found["schema"] == "localeval.correct/1"
    other = call("correct", judged.folder, "--labels", path, "--method", "rogan-gladen")
    assert other.exit_code == 0
    assert "sensitivity" in other.stdout


def test_pictures_are_written(judged: JudgedRun, tmp_path: Path) -> None:
    """A reliability diagram of each judge, as PNG and SVG, with words and no user's text in an expression."""
    path = write_labels(tmp_path / "ann.jsonl", judged.labels(judged.some(12)))
    out = call("correct", judged.folder, "--labels", path, "--pictures", tmp_path / "pictures")
    assert out.exit_code == 0
    names = {each.name for each in (tmp_path / "pictures").iterdir()}
    judges = ((1, "sharp"), (2, "kind"))
    assert names == {f"reliability-{n}-{judge}.{end}" for n, judge in judges for end in ("png", "svg")}
    drawn = (tmp_path / "pictures" / "reliability-2-kind.svg").read_text(encoding="utf-8")
    assert "share of labels" in drawn
    assert "isotonic" in drawn
    few = write_labels(tmp_path / "few.jsonl", judged.labels(judged.some(6)))
    none = call("correct", judged.folder, "--labels", few, "--pictures", tmp_path / "none")
    assert none.exit_code == 2
    assert "there is no reliability diagram" in none.stderr
    assert not (tmp_path / "none").exists()


def test_from_sheet_to_correction(tmp_path: Path) -> None:
    """The sheet is written with what to do next; filled in, with semicolons and decimal commas, it corrects."""
    judged = make_run(tmp_path / "made")
    sheet = tmp_path / "ann.csv"
    out = call("sheet", judged.folder, "--budget", 30, "--csv", sheet, "--semicolon")
    assert out.exit_code == 0
    assert "30 rows about 30 texts" in out.stdout
    assert f"localeval judges correct {judged.folder} --labels {sheet}" in " ".join(out.stdout.split())
    by_id = {blind_id(*text, FAITHFUL): grade for text, grade in judged.truth.items()}
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";"))
    for row in rows:
        row["value"] = f"{by_id[row['id'].strip(chr(39))]},0"
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    done = call("correct", judged.folder, "--labels", sheet)
    assert done.exit_code == 0
    assert "stand for themselves alone: picked for doubt" in " ".join(done.stdout.split())


def test_mistakes_are_one_line(judged: JudgedRun, tmp_path: Path) -> None:
    """Too few labels, a file that is not there, a run that is none: no traceback, exit code 2."""
    few = write_labels(tmp_path / "few.jsonl", judged.labels(judged.some(1)))
    for words, told in (
        (("correct", judged.folder, "--labels", few), "nothing can be corrected by these labels"),
        (("correct", judged.folder, "--labels", tmp_path / "none.jsonl"), "none.jsonl"),
        (("correct", tmp_path / "nowhere", "--labels", few), "nowhere"),
        (("sheet", judged.folder, "--budget", 0, "--csv", tmp_path / "x.csv"), "--budget: 0"),
    ):
        out = call(*words)
        assert out.exit_code == 2
        assert told in out.stderr
        assert len(out.stderr.strip().splitlines()) == 1
