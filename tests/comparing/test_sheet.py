"""`localeval.comparing.sheet`: which texts are asked for, what people see, and how it comes back."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from localeval.comparing.correcting import correct
from localeval.comparing.draws import SHEETS, read_draws
from localeval.comparing.sheet import COLUMNS, Wanted, doubts, make_sheet
from localeval.errors import ConfigError, StoreError
from localeval.inputs.judge_labels import JudgeLabel, blind_id
from tests.comparing.judged_run import FAITHFUL, SYSTEMS, JudgedRun, make_run


@pytest.fixture
def judged(tmp_path: Path) -> JudgedRun:
    """A finished run before two judges, with no sheet yet."""
    return make_run(tmp_path / "made")


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a sheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def fill(path: Path, judged: JudgedRun, rater: str = "Ann") -> Path:
    """The sheet with what a person who knows the truth says; ids come as the sheet wrote them."""
    by_id = {blind_id(*text, FAITHFUL): grade for text, grade in judged.truth.items()}
    rows = rows_of(path)
    for row in rows:
        row["value"], row["rater"] = str(by_id[row["id"].strip("'")]), rater
    filled = path.with_name("filled.csv")
    with filled.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return filled


def test_a_sheet_is_blind(judged: JudgedRun, tmp_path: Path) -> None:
    """It has the text, the question with its levels and an id; no system's name, no reason, no judge's word."""
    made = make_sheet(judged.folder, tmp_path / "sheet.csv", Wanted(12))
    assert (made.texts, made.rows, made.left, made.items) == (12, 12, 60, (FAITHFUL,))
    assert 0 < made.doubt <= 6
    rows = rows_of(made.path)
    assert tuple(rows[0]) == COLUMNS
    assert {row["question"] for row in rows} == {"Everything in the text is grounded in the source."}
    assert {row["levels"] for row in rows} == {"0: No.; 1: Nearly.; 2: Yes."}
    assert {(row["rater"], row["value"]) for row in rows} == {("", "")}
    # the texts of this run hold their system's name, as no real one would
    for row in rows:
        told = {name: cell for name, cell in row.items() if name != "text"}
        assert not any(word in json.dumps(told) for word in (*SYSTEMS, "doubt", "random", "sharp"))
    assert len({row["id"] for row in rows}) == 12


def test_a_filled_sheet_corrects_the_run(judged: JudgedRun, tmp_path: Path) -> None:
    """Ids find their texts; what was picked for doubt is weighed less, so that the intervals hold the truth."""
    make_sheet(judged.folder, tmp_path / "sheet.csv", Wanted(36))
    found = correct(judged.folder, [fill(tmp_path / "sheet.csv", judged)])
    (item,) = found["items"]
    assert item["labels"] == 36
    assert 0 < found["picked"] <= 18
    for system, part in item["systems"].items():
        true = np.mean([grade for (_, name), grade in judged.truth.items() if name == system])
        assert part["corrected"]["low"] <= true <= part["corrected"]["high"]


def test_the_run_keeps_what_was_drawn(judged: JudgedRun, tmp_path: Path) -> None:
    """Each text with its reason, probability and doubt; a second sheet holds others, a last one all that are left."""
    make_sheet(judged.folder, tmp_path / "first.csv", Wanted(20))
    make_sheet(judged.folder, tmp_path / "second.csv", Wanted(20))
    draws = read_draws(judged.folder)
    texts = [[(each["source"], each["system"]) for each in draw["texts"]] for draw in draws]
    assert [len(each) for each in texts] == [20, 20]
    assert not set(texts[0]) & set(texts[1])
    for each in (text for draw in draws for text in draw["texts"]):
        assert each["why"] in ("doubt", "random")
        assert 0 < each["chance"] <= 1
        assert (each["why"] == "doubt") <= (each["doubt"] > 0)
    last = make_sheet(judged.folder, tmp_path / "third.csv", Wanted(1000))
    assert (last.texts, last.left) == (32, 0)
    with pytest.raises(ConfigError, match="all 72 texts stood on a sheet before"):
        make_sheet(judged.folder, tmp_path / "fourth.csv", Wanted(1))
    assert not (tmp_path / "fourth.csv").exists()


def test_too_few_for_a_system_are_named(judged: JudgedRun, tmp_path: Path) -> None:
    """Nine texts of three systems leave none enough; then sheets add up."""
    assert make_sheet(judged.folder, tmp_path / "a.csv", Wanted(9)).few == SYSTEMS
    assert make_sheet(judged.folder, tmp_path / "b.csv", Wanted(36)).few == ()


def test_the_same_run_gives_the_same_sheet(judged: JudgedRun, tmp_path: Path) -> None:
    """The config's seed decides."""
    make_sheet(judged.folder, tmp_path / "a.csv", Wanted(12))
    (judged.folder / SHEETS).unlink()
    make_sheet(judged.folder, tmp_path / "b.csv", Wanted(12))
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()


def test_where_judges_disagree_there_is_doubt() -> None:
    """Two judges: their distance on the scale, NA a whole scale away. One judge: what it leaves to other grades."""
    labels = [
        JudgeLabel("s", "a", FAITHFUL, "one", 2.0),
        JudgeLabel("s", "a", FAITHFUL, "two", 1.0),
        JudgeLabel("s", "b", FAITHFUL, "one", 2.0),
        JudgeLabel("s", "b", FAITHFUL, "two", 2.0),
        JudgeLabel("s", "c", FAITHFUL, "one", "NA"),
        JudgeLabel("s", "c", FAITHFUL, "two", 0.0),
        JudgeLabel("s", "d", FAITHFUL, "one", 2.0),
        JudgeLabel("s", "a", "audit", "one", "faithful"),
        JudgeLabel("s", "a", "audit", "two", "unfaithful"),
    ]
    chances = {
        "one": {("s", "d", FAITHFUL): np.array([0.1, 0.2, 0.7]), ("s", "a", FAITHFUL): np.array([0.5, 0.0, 0.5])}
    }
    texts = [("s", "a"), ("s", "b"), ("s", "c"), ("s", "d"), ("s", "e")]
    assert doubts(labels, chances, texts, [FAITHFUL]) == pytest.approx([0.5, 0.0, 1.0, 0.3, 0.0])
    assert doubts(labels, chances, texts[:1], [FAITHFUL, "audit"]) == pytest.approx([0.75])


def test_one_judge_is_asked_about_its_own_doubt(tmp_path: Path) -> None:
    """A judge that is .9 sure everywhere leaves .1 of doubt everywhere, so that half is picked by it all the same."""
    alone = make_run(tmp_path / "alone", ["sharp"])
    assert make_sheet(alone.folder, tmp_path / "sheet.csv", Wanted(12)).doubt == 6


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        (Wanted(0), "--budget: 0 is no number of texts"),
        (Wanted(5, ("panel/faithfulnes",)), "did you mean 'panel/faithfulness'"),
        (Wanted(5, random_share=0.0), "--random: 0.0 is no share"),
    ],
)
def test_what_cannot_be_asked(judged: JudgedRun, tmp_path: Path, wanted: Wanted, told: str) -> None:
    """One line each, and no sheet."""
    with pytest.raises(ConfigError, match=told):
        make_sheet(judged.folder, tmp_path / "sheet.csv", wanted)
    assert not (tmp_path / "sheet.csv").exists()


def test_a_sheet_that_is_there_stays(judged: JudgedRun, tmp_path: Path) -> None:
    """Somebody may have filled it in: it is not written over, and nothing is drawn."""
    path = tmp_path / "sheet.csv"
    path.write_text("filled in", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"sheet\.csv: is there already, and may hold labels; name another file"):
        make_sheet(judged.folder, path, Wanted(5))
    assert path.read_text(encoding="utf-8") == "filled in"
    assert read_draws(judged.folder) == ()


def test_a_damaged_record_is_told(judged: JudgedRun, tmp_path: Path) -> None:
    """What was drawn decides what a mean is: it is never guessed."""
    (judged.folder / SHEETS).write_text('{"draws": [{"texts": [{}]}]}', encoding="utf-8")
    with pytest.raises(StoreError, match=r"sheets\.json: is damaged"):
        make_sheet(judged.folder, tmp_path / "sheet.csv", Wanted(5))
