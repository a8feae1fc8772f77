"""`localeval.inputs.quiz_files`: a quiz as JSONL, there and back, and every way in which it can be wrong."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.errors import InputError
from localeval.inputs.quiz_files import dump_items, items_of, read_items, read_quiz, without_items, write_items
from localeval.methods.quiz.schemas import QuizItem, SourceQuiz, quiz_hash
from localeval.values import Missing
from tests.methods.quiz.helpers import source
from tests.quiz_items import item, review, reviewed

Row = dict[str, object]


def row(plot: int = 1, **changes: object) -> Row:
    """The row of the item about a plot, without its id."""
    return {**item(plot).model_dump(mode="json"), **changes}


def write(folder: Path, *rows: Mapping[str, object] | str) -> Path:
    path = folder / "quiz.jsonl"
    lines = [each if isinstance(each, str) else json.dumps(each) for each in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def error_of(path: Path) -> str:
    """The one line that reading the file raises."""
    with pytest.raises(InputError) as caught:
        read_items(path, [source(), source(id="seminar")])
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_there_and_back(tmp_path: Path) -> None:
    """What is written is read as the same items, reviews included, in the same order; nothing else is left behind."""
    items = (item(3), reviewed(1, True, False), item(1, source="seminar"), item(2, question="Что «растёт»\u2028здесь?"))
    write_items(tmp_path / "quiz.jsonl", items)
    assert read_items(tmp_path / "quiz.jsonl", [source(), source(id="seminar")]) == items
    assert quiz_hash(read_quiz(tmp_path / "quiz.jsonl")) == quiz_hash(items)
    assert [path.name for path in tmp_path.iterdir()] == ["quiz.jsonl"]


def test_same_items_give_the_same_bytes_over_what_was_there(tmp_path: Path) -> None:
    """Writing again replaces the file whole."""
    path = tmp_path / "quiz.jsonl"
    write_items(path, [item(1), item(2), item(3)])
    write_items(path, [item(1)])
    assert path.read_text(encoding="utf-8") == dump_items([item(1)])
    assert json.loads(path.read_text(encoding="utf-8"))["id"] == item(1).id


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    """Writing through a link changes what it points to."""
    (tmp_path / "real.jsonl").write_text("old")
    (tmp_path / "link.jsonl").symlink_to("real.jsonl")
    write_items(tmp_path / "link.jsonl", [item()])
    assert (tmp_path / "link.jsonl").is_symlink()
    assert read_quiz(tmp_path / "real.jsonl") == (item(),)


@given(
    st.lists(
        st.builds(
            lambda number, question, tail: item(
                number, question=f"Q{number} {question}", options=[*"abcd", "e" + tail]
            ),
            st.integers(1, 9),
            st.text(st.characters(exclude_categories=["Cs"])),
            st.text(st.characters(exclude_categories=["Cs"])),
        ),
        min_size=1,
        unique_by=lambda item: item.number,
    )
)
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, items: list[QuizItem]) -> None:
    """Whatever characters a model wrote into a question come back."""
    path = tmp_path_factory.mktemp("quiz") / "quiz.jsonl"
    write_items(path, items)
    assert read_quiz(path) == tuple(items)


def test_id_may_be_absent_and_blank_lines_and_bom_do_not_matter(tmp_path: Path) -> None:
    """A quiz that was written by hand."""
    path = write(tmp_path, row(1), "", "  ", row(2))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_items(path, [source()]) == (item(1), item(2))


def test_edited_text_with_its_old_id_is_refused_until_the_id_goes(tmp_path: Path) -> None:
    """The message names the line and the fix; following it helps."""
    edited = row(2, id=item(2).id, question="What grows on the second plot?")
    message = error_of(write(tmp_path, row(1), edited))
    assert "quiz.jsonl line 2: id: " in message
    assert "remove `id`" in message
    del edited["id"]
    assert read_items(write(tmp_path, row(1), edited), [source()])[1].question == edited["question"]


def test_source_is_matched_in_any_unicode_form(tmp_path: Path) -> None:
    """An id typed on a system that writes accents apart is the same source."""
    path = write(tmp_path, row(source="cafe\u0301"))
    assert read_items(path, [source(id="caf\u00e9")])[0].source == "caf\u00e9"


FIVE = item(1).options
WRONG: list[tuple[str, Callable[[Row], object], str]] = [
    ("missing", lambda row: row.pop("kind"), r'kind: is missing; add `"kind": …`'),
    ("unknown", lambda row: row.update(kinds=row.pop("kind")), r"kinds: is not a field.*did you mean 'kind'\?"),
    ("kind", lambda row: row.update(kind="colour"), r"kind: is 'colour'; expected 'entity', .* or 'reference'"),
    ("language", lambda row: row.update(language="de"), r"language: is 'de'; expected 'en', 'ru' or 'zh'"),
    ("number text", lambda row: row.update(number="1"), r"number: is '1'; expected a integer"),
    ("number true", lambda row: row.update(number=True), r"number: is true or false \(True\); expected a integer"),
    ("number 0", lambda row: row.update(number=0), r"number: is 0; expected greater than or equal to 1"),
    ("number nan", lambda row: row.update(number=float("nan")), r"number: is nan; "),
    ("question", lambda row: row.update(question=" \t"), r"question: is ' \\t'; write the question"),
    ("question none", lambda row: row.update(question=None), r"question: is null"),
    (
        "source",
        lambda row: row.update(source="seminer"),
        r"source: there is no source 'seminer'; did you mean .*'seminar'\?",
    ),
    ("source number", lambda row: row.update(source=7), r"source: is 7; expected a string"),
    ("four", lambda row: row.update(options=FIVE[:4]), r"options: has 4 entries; expected 5"),
    ("six", lambda row: row.update(options=[*FIVE, "x"]), r"options: has 6 entries; expected 5"),
    ("options text", lambda row: row.update(options="abcde"), r"options: is 'abcde'; "),
    (
        "same",
        lambda row: row.update(options=["Elm", *FIVE[:3], "elm."]),
        r"options\.4: 'elm\.' says nothing, or the same",
    ),
    ("bare", lambda row: row.update(options=[*FIVE[:4], "!"]), r"options\.4: '!' says nothing"),
    ("option", lambda row: row.update(options=[*FIVE[:4], ""]), r"options\.4: is ''; "),
    ("no segment", lambda row: row.update(segments=[]), r"segments: has 0 entries; expected 1 or more"),
    ("segment 0", lambda row: row.update(segments=[1, 0]), r"segments: there is no segment 0; segments count from 1"),
    (
        "segment 11",
        lambda row: row.update(segments=[10, 11]),
        r"segment 11 in source 's'; expected numbers from 1 to 10",
    ),
    ("segment text", lambda row: row.update(segments=["3"]), r"segments\.0: is '3'; expected a integer"),
    ("surrogate", lambda row: row.update(question="\ud83d"), r"question: holds half a character"),
    ("deep", lambda row: row.update(question=json.loads("[" * 300 + "]" * 300)), r"line 2: "),
    ("id number", lambda row: row.update(id=3), r"id: is a number \(3\), but .* remove `id`"),
    (
        "review",
        lambda row: row.update(reviews=[{"reviewer": "ann", "grounded": "yes"}]),
        r"reviews\.0\.grounded: is 'yes'",
    ),
    ("review no", lambda row: row.update(reviews=[{"reviewer": "ann"}]), r"reviews\.0\.grounded: is missing"),
    (
        "same reviewer",
        lambda row: row.update(reviews=[review("Ann").model_dump(), review("ann").model_dump()]),
        r"reviews\.1\.reviewer: 'ann' reviewed the question before",
    ),
    ("no reviewer", lambda row: row.update(reviews=[review(" ").model_dump()]), r"reviews\.0\.reviewer: is ' '"),
]


@pytest.mark.parametrize(("spoil", "said"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_wrong_row_is_named(tmp_path: Path, spoil: Callable[[Row], object], said: str) -> None:
    """One line with the file, the line, the field and the fix."""
    second = row(2)
    spoil(second)
    message = error_of(write(tmp_path, row(1), second))
    assert "quiz.jsonl line 2: " in message
    assert re.search(said, message), message


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (("{",), "line 1 column 2: is not JSON"),
        (("[1]",), "line 1: is a list; expected an object in braces"),
        ((row(1), row(1, number=5)), "line 2: id: .* is the question of .*line 1; remove one"),
        ((row(1), row(2, number=1)), "line 2: number: 1 is also the number of .*line 1 for source 's'"),
        (("",), "is empty"),
        (("﻿", " "), "is empty"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, rows: tuple[Row | str, ...], said: str) -> None:
    """Rows that are no objects, that repeat another one, or none at all."""
    assert re.search(said, error_of(write(tmp_path, *rows)))


def test_the_same_number_in_two_sources_is_no_repeat(tmp_path: Path) -> None:
    """Numbers count within a source."""
    path = write(tmp_path, row(1), row(2, number=1, source="seminar"))
    assert len(read_items(path, [source(), source(id="seminar")])) == 2


def test_files_that_are_not_there(tmp_path: Path) -> None:
    """Reading what does not exist, and writing where nothing can stand, are one line."""
    assert "cannot be read" in error_of(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match="cannot be written"):
        write_items(tmp_path / "none" / "quiz.jsonl", [item()])
    with pytest.raises(InputError, match="is not a file"):
        write_items(tmp_path, [item()])
    assert not list(tmp_path.iterdir())


def test_items_of_a_run() -> None:
    """All sources or some, in the run's order; a source without items says why."""
    quizzes = {
        "a": SourceQuiz("a", (item(1, source="a"), item(2, source="a"))),
        "b": SourceQuiz("b", (), missing=Missing("too long", "needs 9000 of 8192 tokens")),
        "c": SourceQuiz("c", (item(1, source="c"),)),
    }
    assert [(each.source, each.number) for each in items_of(quizzes)] == [("a", 1), ("a", 2), ("c", 1)]
    assert [each.source for each in items_of(quizzes, ["c", "b"])] == ["c"]
    assert without_items(quizzes) == {"b": "too long: needs 9000 of 8192 tokens"}
    assert without_items(quizzes, ["a"]) == {}


def test_items_of_a_run_that_has_none() -> None:
    """An unknown source, a source without a quiz and a run without one are told apart."""
    quizzes = {
        "budget": SourceQuiz("budget", (), missing=Missing("too long", "9 of 8 tokens")),
        "x": SourceQuiz("x", ()),
    }
    with pytest.raises(InputError, match="no source 'buget'; did you mean 'budget'"):
        items_of(quizzes, ["buget"])
    with pytest.raises(InputError, match="budget: too long: 9 of 8 tokens; x: every question was dropped"):
        items_of(quizzes)
    with pytest.raises(InputError, match="ran no quiz"):
        items_of({})
