"""`localeval quiz`: a run's quiz out, people's reviews in, and the reviewed quiz in the next run."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from localeval.assets import asset_folder
from localeval.cli import main
from localeval.evaluation import run
from localeval.inputs.quiz_files import read_quiz

DEMO = asset_folder("prompts").parent / "demo"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run over two sources, its replies from the demo's dry-run rules."""
    folder = tmp_path_factory.mktemp("quiz")
    run(english(folder), folder / "run")
    return folder / "run"


def english(folder: Path) -> Path:
    """The dry run's config for the two English meetings alone, in a folder of its own."""
    for name in ("transcripts", "summaries", "dry-run.jsonl"):
        (folder / name).symlink_to(DEMO / name)
    lines = (DEMO / "dry-run.yaml").read_text(encoding="utf-8").splitlines(keepends=True)
    config = folder / "english.yaml"
    config.write_text("".join(line for line in lines if '"ru/' not in line and '"zh/' not in line), encoding="utf-8")
    return config


def localeval(*arguments: object) -> Result:
    """What the command line answers; an exception that is no exit fails the test."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments], catch_exceptions=False)


def export(finished: Path, folder: Path) -> tuple[Path, Path]:
    """The quiz of the run as JSONL and as a sheet."""
    quiz, sheet = folder / "quiz.jsonl", folder / "sheet.csv"
    done = localeval("quiz", "export", finished, "--jsonl", quiz, "--csv", sheet)
    assert done.exit_code == 0
    assert done.stdout == ""
    return quiz, sheet


def fill(sheet: Path, to: Path, *answers: str) -> Path:
    """A copy of a sheet with the answers to its first questions, three letters each."""
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig"), newline="")))
    for row, answer in zip(rows, answers, strict=False):
        row["grounded"], row["one_right_answer"], row["good_hard_negative"] = answer
    with to.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows(rows)
    return to


def test_export_prints_the_quiz_of_the_run(finished: Path, tmp_path: Path) -> None:
    """Without options the quiz goes to standard output, the same bytes as to a file."""
    quiz, sheet = export(finished, tmp_path)
    printed = localeval("quiz", "export", finished)
    assert printed.exit_code == 0
    assert printed.stdout == quiz.read_text(encoding="utf-8")
    assert {item.source for item in read_quiz(quiz)} == {"clinic", "ferry"}
    text = sheet.read_text(encoding="utf-8-sig")
    assert all(item.id in text for item in read_quiz(quiz))


def test_export_of_one_source(finished: Path) -> None:
    """--source leaves the others out; one that is not there is named with what was meant, exit code 2."""
    printed = localeval("quiz", "export", finished, "--source", "ferry")
    assert {json.loads(line)["source"] for line in printed.stdout.splitlines()} == {"ferry"}
    wrong = localeval("quiz", "export", finished, "--source", "fery")
    assert wrong.exit_code == 2
    assert wrong.stdout == ""
    assert wrong.stderr.startswith("localeval: --source: the run has no source 'fery'; did you mean 'ferry'?")
    assert wrong.stderr.count("\n") == 1


def test_export_says_which_source_has_no_quiz(tmp_path: Path) -> None:
    """A source that did not fit the model is named on standard error; the others are exported."""
    (tmp_path / "short.txt").write_text("The pier opens at nine. The fare is two euros. Boats leave hourly.")
    (tmp_path / "long.txt").write_text("The pier opens at nine and closes at six. " * 2000)
    (tmp_path / "short.md").write_text("The pier opens at nine.")
    rules = (DEMO / "dry-run.jsonl").read_text(encoding="utf-8")
    (tmp_path / "rules.jsonl").write_text(rules, encoding="utf-8")
    config = """
name: two
sources: [{path: "*.txt"}]
candidates: [{path: short.md, source: short, system: a}]
models: {judge: {engine: scripted, script: rules.jsonl, context: 4000}}
methods: {quiz: {writer: judge, answerer: judge, questions: 2}}
"""
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    run(tmp_path / "config.yaml", tmp_path / "run")
    printed = localeval("quiz", "export", tmp_path / "run")
    assert printed.exit_code == 0
    assert {json.loads(line)["source"] for line in printed.stdout.splitlines()} == {"short"}
    assert re.search(r"^no questions of long: too long: .*\d+", printed.stderr)
    assert localeval("quiz", "export", tmp_path / "run", "--source", "long").exit_code == 2


def test_sheet_with_semicolons(finished: Path, tmp_path: Path) -> None:
    """--delimiter is for spreadsheets that do not split at commas."""
    assert localeval("quiz", "export", finished, "--csv", tmp_path / "s.csv", "--delimiter", "semicolon").exit_code == 0
    assert (tmp_path / "s.csv").read_text(encoding="utf-8-sig").startswith("id;source;number;")


def test_import_prints_who_stays_and_how_far_people_agree(finished: Path, tmp_path: Path) -> None:
    """Counts, the rejected questions, the coefficients or why there are none, and the hash."""
    quiz, sheet = export(finished, tmp_path)
    sheets = [
        fill(sheet, tmp_path / f"{name}.csv", *answers)
        for name, answers in [
            ("ann", ["yyy", "nyy", "yyy", "yny"]),
            ("bo", ["yyy", "nyy", "yyy", "yyy"]),
            ("cy", ["yyy"]),
        ]
    ]
    done = localeval("quiz", "import", quiz, *sheets, "--out", tmp_path / "out.jsonl")
    assert done.exit_code == 0
    first, second = read_quiz(quiz)[1], read_quiz(quiz)[3]
    assert done.stdout.startswith("2 accepted, 2 rejected, 8 not reviewed (they stay); reviewed by ann, bo, cy\n")
    assert f"rejected by 2 of 2: {first.question} (clinic, question {first.number})" in done.stdout
    assert f"rejected by 1 of 2: {second.question}" in done.stdout
    assert "agreement on the 4 questions that two or more people reviewed:" in done.stdout
    lines = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert lines["grounded"].split()[1] == "1.00"
    assert lines["one_right_answer"].split()[1] == "0.75"
    assert "- (all ratings are the same)" in lines["good_hard_negative"]
    assert lines["overall"].endswith("6 of 9")
    assert done.stdout.splitlines()[-2] == f"10 questions written to {tmp_path / 'out.jsonl'}"
    assert {first.id, second.id}.isdisjoint(item.id for item in read_quiz(tmp_path / "out.jsonl"))


def test_import_as_json(finished: Path, tmp_path: Path) -> None:
    """The same as numbers, undefined ones null with their reason."""
    quiz, sheet = export(finished, tmp_path)
    sheets = [fill(sheet, tmp_path / f"{name}.csv", "yyy", "nyy") for name in ("ann", "bo")]
    done = localeval("quiz", "import", quiz, *sheets, "--out", tmp_path / "out.jsonl", "--json")
    found = json.loads(done.stdout)
    assert (found["accepted"], found["rejected"], found["unreviewed"]) == (1, 1, 10)
    assert found["agreement"]["grounded"]["ac1"]["value"] == 1.0
    assert found["agreement"]["good_hard_negative"]["alpha"]["value"] is None
    assert found["agreement"]["good_hard_negative"]["alpha"]["reason"]
    assert len(found["quiz"]) == 64


def test_a_mistake_in_a_sheet_is_one_line(finished: Path, tmp_path: Path) -> None:
    """File, row, column, value and fix on standard error, exit code 2, and nothing is written."""
    quiz, sheet = export(finished, tmp_path)
    wrong = localeval("quiz", "import", quiz, fill(sheet, tmp_path / "a.csv", "yyy", "y?y"), "--out", tmp_path / "out")
    assert wrong.exit_code == 2
    assert "a.csv row 3: one_right_answer: is '?'; write yes or no" in wrong.stderr
    assert wrong.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_reviewed_quiz_is_the_quiz_of_the_next_run(finished: Path, tmp_path: Path) -> None:
    """Its hash, as import prints it, is the hash in the results of a run that is given it."""
    quiz, sheet = export(finished, tmp_path)
    filled = fill(sheet, tmp_path / "ann.csv", "nyy", "yyy")
    done = localeval("quiz", "import", quiz, filled, "--out", tmp_path / "reviewed.jsonl", "--json")
    config = english(tmp_path).read_text(encoding="utf-8")
    config = config.replace("writer: judge, ", "").replace("questions: 6", "items: reviewed.jsonl")
    (tmp_path / "config.yaml").write_text(config, encoding="utf-8")
    scores = run(tmp_path / "config.yaml", tmp_path / "again").scores
    assert scores["methods"]["quiz"]["quiz"]["hash"] == json.loads(done.stdout)["quiz"]
    assert scores["methods"]["quiz"]["quiz"]["items"] == 11
