"""`localeval.engines.verdicts`: calls looked up in a file of verdicts."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from localeval.engines.verdicts import VerdictsEngine, lasting_identity
from localeval.errors import InputError
from localeval.keys import call_key
from localeval.models import Model, resolve
from localeval.values import Call, Choice, FreeText, Message, Output, Reply, Sampling

ROW = {"source": "clinic", "system": "long", "criterion": "owners", "score": 2}


def people(folder: Path, *rows: Mapping[str, object]) -> Model:
    (folder / "people.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return resolve("people", {"engine": "verdicts", "file": "people.jsonl"}, folder)


def call(stage: str, subject: str, item: str = "", seed: int = 0, output: Output | None = None) -> Call:
    asked = (Message("user", ("Yes?",)),)
    return Call("people", asked, output or FreeText(), Sampling(1, seed=seed), stage, subject, item)


def answers(model: Model, *calls: Call) -> list[Reply]:
    with VerdictsEngine(model) as engine:
        engine.submit({str(number): each for number, each in enumerate(calls)})
        return list(engine.replies())


def test_a_panels_call_is_answered_by_what_it_is_about(tmp_path: Path) -> None:
    """Whatever its seed: a verdict that is asked again is the same verdict. Another repeat is another matter."""
    model = people(tmp_path, ROW)
    first, again, repeat, other = answers(
        model,
        call("panel/judge", "clinic/long", "owners"),
        call("panel/judge", "clinic/long", "owners", seed=5),
        call("panel/judge", "clinic/long", "owners#2"),
        call("audit/judge", "clinic/long", "owners"),
    )
    assert first.text == again.text == '{"candidate":"none","source":"none","score":"2"}'
    assert (first.key, again.key, first.engine) == ("0", "1", "verdicts people.jsonl")
    for reply in (repeat, other):
        assert reply.missing is not None
        assert (reply.missing.reason, reply.text) == ("absent", "")


@pytest.mark.parametrize(("score", "text"), [(0, "0"), (2, "2"), ("NA", "N")])
def test_a_call_for_a_score_alone_is_answered_with_it(tmp_path: Path, score: int | str, text: str) -> None:
    """By what it is about, or by its key; what else the row says of it is left."""
    asked = call("panel/judge", "clinic/long", "owners", output=Choice(("0", "1", "2", "N")))
    by_matter = people(tmp_path, ROW | {"score": score, "candidate": "1"})
    assert [each.text for each in answers(by_matter, asked)] == [text]
    key = call_key(asked, lasting_identity(by_matter))
    assert [each.text for each in answers(people(tmp_path, {"key": key, "score": score}), asked)] == [text]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (call("panel/judge", "clinic/terse", "owners"), "no verdict in people.jsonl for clinic/terse, owners"),
        (call("quiz/write", "clinic"), "no verdict in people.jsonl for quiz/write about clinic"),
    ],
)
def test_what_the_file_lacks_is_absent_and_named(tmp_path: Path, asked: Call, told: str) -> None:
    """Never guessed: missing, with the file and the matter."""
    (reply,) = answers(people(tmp_path, ROW), asked)
    assert reply.missing is not None
    assert reply.missing.detail == told


def test_any_call_is_answered_by_key_and_the_key_outlives_the_file(tmp_path: Path) -> None:
    """A key holds the call and the kind of judge, not the file's content: filling the file in changes none."""
    asked = call("quiz/answer", "clinic")
    empty = people(tmp_path)
    key = call_key(asked, lasting_identity(empty))
    filled = people(tmp_path, ROW, {"key": key, "text": "yes"})
    assert filled.identity != empty.identity, "in the store each state of the file has its own replies"
    assert lasting_identity(filled) == lasting_identity(empty)
    assert [reply.text for reply in answers(filled, asked)] == ["yes"]


def test_a_row_by_key_goes_before_one_by_matter(tmp_path: Path) -> None:
    """The key names the very call."""
    asked = call("panel/judge", "clinic/long", "owners")
    key = call_key(asked, lasting_identity(people(tmp_path)))
    assert [reply.text for reply in answers(people(tmp_path, ROW, {"key": key, "text": "no"}), asked)] == ["no"]


def test_a_row_without_an_answer_answers_nothing(tmp_path: Path) -> None:
    """An exported file that is half filled in."""
    asked = call("quiz/answer", "clinic")
    key = call_key(asked, lasting_identity(people(tmp_path)))
    (reply,) = answers(people(tmp_path, {"key": key, "text": ""}), asked)
    assert reply.missing is not None


def test_a_mistake_in_the_file_is_told_at_opening(tmp_path: Path) -> None:
    """With its line, before any call is answered."""
    with pytest.raises(InputError, match=r"people\.jsonl line 2: score: is a number \(5\)"):
        answers(people(tmp_path, ROW, ROW | {"system": "terse", "score": 5}))
