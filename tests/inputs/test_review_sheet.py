"""`localeval.inputs.review_sheet` and `reviewing`: the sheet for people, and what comes back from spreadsheets."""

import csv
import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from localeval.errors import InputError
from localeval.inputs.quiz_files import read_quiz, write_items
from localeval.inputs.review_sheet import COLUMNS, Delimiter, proof, read_sheets, write_sheet
from localeval.inputs.reviewing import import_reviews
from localeval.methods.quiz.schemas import QuizItem, quiz_hash
from localeval.texts import Segment, Source
from tests.methods.quiz.helpers import source
from tests.quiz_items import item, review

ITEMS = (item(1), item(2), item(3))


def cells(path: Path, delimiter: str = ",") -> list[dict[str, str]]:
    """The rows of a sheet as a CSV reader sees them."""
    text = path.read_text(encoding="utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


def sheet(folder: Path, *answers: Sequence[str], name: str = "ann.csv", delimiter: str = ",") -> Path:
    """A sheet in which ITEMS were answered in order: the three answers, then maybe a reviewer."""
    path = folder / name
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(["id", "grounded", "one_right_answer", "good_hard_negative", "reviewer"])
        for each, given in zip(ITEMS, answers, strict=False):
            writer.writerow([each.id, *given, *[""] * (4 - len(given))])
    return path


def error_of(*paths: Path) -> str:
    """The one line that reading the sheets raises."""
    with pytest.raises(InputError) as caught:
        read_sheets(paths, ITEMS)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_sheet_for_people(tmp_path: Path) -> None:
    """Each question with its options and proof; the columns to fill are empty; a byte order mark leads."""
    write_sheet(tmp_path / "sheet.csv", ITEMS, [source()])
    assert (tmp_path / "sheet.csv").read_bytes().startswith(b"\xef\xbb\xbfid,source,number,")
    rows = cells(tmp_path / "sheet.csv")
    assert tuple(rows[0]) == COLUMNS
    assert len(rows) == 3
    first = rows[0]
    assert (first["id"], first["source"], first["number"], first["kind"]) == (item(1).id, "s", "1", "entity")
    assert first["question"] == "What grows on plot 1?"
    options = [first[name] for name in ("right_answer", "hard_negative", "wrong_1", "wrong_2", "wrong_3")]
    assert options == list(item(1).options)
    assert first["proof"] == "[2] 0:02 Ann: Plot 1 grows birch."
    assert {first[name] for name in COLUMNS[COLUMNS.index("grounded") :]} == {""}


def test_proof_of_several_segments() -> None:
    """Number, time and speaker of each cited segment where the source has them."""
    text = "Good morning.\nWe start at nine."
    plain = Source("p", text, (Segment(1, 0, 13), Segment(2, 14, 31, 3725.0, None, None)), "en")
    assert proof(item(1, segments=(2, 1)), plain) == "[2] 1:02:05 We start at nine. | [1] Good morning."


@pytest.mark.parametrize(
    "text", ["=1+1", "+7 900", "-5 %", "@SUM(A1)", "\t=1+1", "\n=1+1", "＝1+1", "3/4", "12.05", "0042", "1e5", "12:30"]
)
def test_a_spreadsheet_runs_and_converts_nothing(tmp_path: Path, text: str) -> None:
    """What would be a formula, a date or another number begins with an apostrophe."""
    write_sheet(tmp_path / "sheet.csv", [item(1, question=text, options=[text, *"bcde"])], [source()])
    first = cells(tmp_path / "sheet.csv")[0]
    assert first["question"] == first["right_answer"] == f"'{text.strip()}"


@pytest.mark.parametrize("text", ["42", "5 euros", "a = b", "May 3", "100000000"])
def test_other_cells_are_left_as_they_are(tmp_path: Path, text: str) -> None:
    """Plain numbers and words."""
    write_sheet(tmp_path / "sheet.csv", [item(1, question=text)], [source()])
    assert cells(tmp_path / "sheet.csv")[0]["question"] == text


def test_an_id_of_digits_survives_a_spreadsheet(tmp_path: Path) -> None:
    """An id that a spreadsheet would take for a number is written as text, and read back as the id."""
    number = next(n for n in range(100_000) if re.fullmatch(r"\d+(e\d+)?", item(1, question=f"Q{n}?").id))
    digits = item(1, question=f"Q{number}?")
    write_sheet(tmp_path / "sheet.csv", [digits], [source()])
    assert cells(tmp_path / "sheet.csv")[0]["id"] == f"'{digits.id}"
    filled = (tmp_path / "sheet.csv").read_text(encoding="utf-8").replace(",,,,", ",y,y,n,")
    (tmp_path / "sheet.csv").write_text(filled, encoding="utf-8")
    assert read_sheets([tmp_path / "sheet.csv"], [digits])[0].reviews == (review("sheet", negative=False),)


def test_one_line_a_row_and_no_cell_beyond_what_spreadsheets_hold(tmp_path: Path) -> None:
    """Line ends within a text become spaces; a very long proof is cut with a word about it."""
    long = "so it went\r\non and on " * 5000
    whole = Source("s", long, (Segment(1, 0, len(long)),), "en")
    write_sheet(tmp_path / "sheet.csv", [item(1, segments=(1,), question="One\x00\nline?")], [whole])
    assert (tmp_path / "sheet.csv").read_bytes().count(b"\n") == 2
    first = cells(tmp_path / "sheet.csv")[0]
    assert first["question"] == "One line?"
    assert len(first["proof"]) < 32_767
    assert "cut here" in first["proof"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_filled_sheet_comes_back(tmp_path: Path, delimiter: Delimiter, encoding: str) -> None:
    """Whatever delimiter and encoding a spreadsheet saves with; the words of people; blank rows and a note besides."""
    path = tmp_path / "maria.csv"
    write_sheet(path, ITEMS, [source()], delimiter)
    rows = cells(path, delimiter)
    rows[0] |= {"grounded": "Yes", "one_right_answer": " да ", "good_hard_negative": "是", "note": 'why; =not, "this"?'}
    rows[2] |= {"grounded": "y", "one_right_answer": "НЕТ", "good_hard_negative": "1", "reviewer": "Олег"}
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, [*COLUMNS], delimiter=delimiter)
        writer.writeheader()
        writer.writerows([rows[2], {}, rows[1], rows[0]])
    first, second, third = read_sheets([path], ITEMS)
    assert first.reviews == (review("maria"),)
    assert second.reviews == ()
    assert third.reviews == (review("Олег", one=False),)


@pytest.mark.parametrize(
    ("words", "value"),
    [
        (["yes", "Y", "true", "TRUE", "1", "да", "Д", "ИСТИНА", "是", "对", "Yes.", "'yes", "ｙｅｓ"], True),
        (["no", "N", "false", "FALSE", "0", "нет", "Н", "ЛОЖЬ", "否", "不", "错", " no "], False),
    ],
)
def test_words_for_yes_and_no(tmp_path: Path, words: list[str], value: bool) -> None:
    """English, Russian and Chinese, in any case and width, and what spreadsheets make of TRUE."""
    for word in words:
        (got,) = read_sheets([sheet(tmp_path, ["y", word, "y"])], ITEMS)[0].reviews
        assert got.one_right_answer is value, word


def test_reviews_of_several_people_add_up(tmp_path: Path) -> None:
    """Behind the reviews that an item had, in the order of the sheets."""
    had = (item(1, reviews=(review("eva"),)), *ITEMS[1:])
    paths = [sheet(tmp_path, "yyy", "nyy"), sheet(tmp_path, "yny", name="bo.csv")]
    first, second, third = read_sheets(paths, had)
    assert [each.reviewer for each in first.reviews] == ["eva", "ann", "bo"]
    assert second.reviews == (review("ann", grounded=False),)
    assert third.reviews == ()


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        (["yyy", ["y", "", "n"]], r"ann\.csv row 3: one_right_answer: is blank; answer all three"),
        ([["y", "maybe", "n"]], r"ann\.csv row 2: one_right_answer: is 'maybe'; write yes or no"),
        ([["2", "y", "n"]], r"row 2: grounded: is '2'; "),
        ([["=1", "y", "n"]], r"row 2: grounded: is '=1'; "),
    ],
)
def test_wrong_answers_are_named(tmp_path: Path, answers: list[Sequence[str]], said: str) -> None:
    """A half-filled row and an unknown word: file, row, column, value, fix."""
    assert re.search(said, message := error_of(sheet(tmp_path, *answers))), message


def test_one_person_twice_is_refused(tmp_path: Path) -> None:
    """In one sheet, over two sheets whatever the case of the name, and against reviews that the quiz brings."""
    ann = sheet(tmp_path, "yyy")
    twice = tmp_path / "twice.csv"
    twice.write_text(ann.read_text(encoding="utf-8") + f"{ITEMS[0].id},y,y,y,\n", encoding="utf-8")
    assert re.search(r"twice\.csv row 3: reviewer: 'twice' reviewed question \w+ before", error_of(twice))
    again = sheet(tmp_path, [*"yyy", "ANN"], name="b.csv")
    assert "b.csv row 2: reviewer: 'ANN' reviewed question" in error_of(ann, again)
    with pytest.raises(InputError, match=r"ann\.csv row 2: reviewer"):
        read_sheets([ann], [item(1, reviews=(review("Ann"),)), *ITEMS[1:]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id,grounded,one_right,good_hard_negative\n", "no column 'one_right_answer'; did you mean 'one_right'"),
        ("just words\n", "row 1: there is no column 'id'"),
        ("id,grounded,one_right_answer,good_hard_negative,grounded\n", "the column 'grounded' stands twice"),
        ("id,grounded,one_right_answer,good_hard_negative\n123456789012,y,y,y\n", "row 2: id: no question has the id"),
        ("id,grounded,one_right_answer,good_hard_negative\n,y,y,y\n", "row 2: id: no question has the id ''"),
        ("id,grounded,one_right_answer,good_hard_negative\nx,y,y,y,z\n", "row 2: has 5 cells under 4 columns"),
        ('id,grounded,one_right_answer,good_hard_negative\n\n"x,y,y,y\n', "row 3: is not CSV"),
        ("", "is empty"),
    ],
)
def test_wrong_sheets_are_named(tmp_path: Path, text: str, said: str) -> None:
    """Missing and repeated columns, unknown ids, rows that do not fit, broken CSV."""
    (tmp_path / "s.csv").write_text(text, encoding="utf-8")
    assert f"s.csv{' ' if said != 'is empty' else ': '}" in (message := error_of(tmp_path / "s.csv"))
    assert said in message


def test_a_sheet_in_another_encoding_is_named(tmp_path: Path) -> None:
    """An old Russian code page is not guessed at."""
    (tmp_path / "s.csv").write_bytes("id;grounded;да\n".encode("cp1251"))
    assert "s.csv line 1: " in error_of(tmp_path / "s.csv")


def quiz_of(folder: Path, items: Sequence[QuizItem] = ITEMS) -> Path:
    write_items(folder / "quiz.jsonl", items)
    return folder / "quiz.jsonl"


def test_import_writes_what_the_reviewers_accept(tmp_path: Path) -> None:
    """Rejected items leave, others keep their numbers and carry their reviews, and the hash is that of what stays."""
    sheets = [sheet(tmp_path, "yyy", "yyy"), sheet(tmp_path, "yyy", "nyy", name="bo.csv")]
    found = import_reviews(quiz_of(tmp_path), sheets, tmp_path / "reviewed.jsonl")
    kept = read_quiz(tmp_path / "reviewed.jsonl")
    assert kept == found.items
    assert [(each.number, len(each.reviews)) for each in kept] == [(1, 2), (3, 0)]
    assert [each.number for each in found.rejected] == [2]
    assert found.quiz_hash == quiz_hash((item(1), item(3)))
    assert (found.summary.n_accepted, found.summary.n_rejected, found.summary.n_unreviewed) == (1, 1, 1)


def test_import_writes_nothing_where_all_are_rejected(tmp_path: Path) -> None:
    """An empty quiz is no quiz."""
    with pytest.raises(InputError, match=r"reject all 3 questions"):
        import_reviews(quiz_of(tmp_path), [sheet(tmp_path, "nyy", "yny", "yyn")], tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_import_writes_nothing_where_a_sheet_is_wrong(tmp_path: Path) -> None:
    """A mistake in the last sheet leaves the file of an earlier import as it was."""
    (tmp_path / "out.jsonl").write_text("before")
    sheets = [sheet(tmp_path, "yyy"), sheet(tmp_path, "y?y", name="bo.csv")]
    with pytest.raises(InputError, match=r"bo\.csv row 2"):
        import_reviews(quiz_of(tmp_path), sheets, tmp_path / "out.jsonl")
    assert (tmp_path / "out.jsonl").read_text() == "before"
