"""`localeval.inputs.answer_forms`: what a method would read passes, what it would not is told."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from localeval.inputs.answer_forms import fault_of
from localeval.methods.panel.schemas import GradedOrNot
from localeval.methods.quiz.schemas import WrittenQuestion
from localeval.outputs import cited_pattern, json_output
from localeval.values import Choice, FreeText, JsonObject

GRADED = json_output(GradedOrNot, (("candidate", cited_pattern(3)), ("source", cited_pattern(9))))
FINE = {"candidate": "1 3", "source": "none", "score": "2"}


def test_a_choice_is_one_of_its_options() -> None:
    """To the letter."""
    assert fault_of(Choice(("A", "B")), "B") == ""
    assert fault_of(Choice(("A", "B")), "b") == "'b' is not one of A, B"


def test_free_text_says_something() -> None:
    """Anything that can be seen."""
    assert fault_of(FreeText(), "x") == ""
    assert fault_of(FreeText(), " \n") == "is blank"


@pytest.mark.parametrize("value", [FINE, FINE | {"score": "NA", "lacks": "owners"}])
def test_a_verdict_of_either_form_passes(value: dict[str, str]) -> None:
    """Alternatives, with spaces in the JSON too: who wrote it by hand is read all the same."""
    assert fault_of(GRADED, json.dumps(value, indent=1)) == ""


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("yes", "is not JSON (Expecting value, column 1)"),
        ("[1]", "it is a list, expected object"),
        ('{"a": NaN}', "cannot be read as JSON (NaN is no number)"),
        (json.dumps({"source": "none", "score": "2"}), "candidate is missing"),
        (json.dumps(FINE | {"score": 2}), "score is 2, expected one of 0, 1, 2"),
        (json.dumps(FINE | {"score": "3"}), "score is '3', expected one of 0, 1, 2"),
        (json.dumps(FINE | {"more": 1}), "more is not a field"),
        (json.dumps(FINE | {"candidate": "4"}), "candidate is '4', which does not match ^(none|([1-2]|3)"),
        (json.dumps(FINE | {"score": "NA", "lacks": ""}), "lacks has 0 characters, expected 1 or more"),
    ],
)
def test_what_could_not_be_read_is_told_with_its_place(text: str, told: str) -> None:
    """By the alternative that comes nearest."""
    assert fault_of(GRADED, text).startswith(told)


SCHEMA = JsonObject(
    json.dumps(
        {
            "type": "object",
            "properties": {
                "n": {"type": "integer", "minimum": 0, "maximum": 5},
                "x": {"type": "number"},
                "flag": {"type": "boolean"},
                "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "null"}], "minItems": 2},
                "many": {"type": "array", "items": {"enum": ["a", "b", 1]}, "maxItems": 2},
            },
        }
    )
)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"n": 5, "x": 0.5, "flag": True, "pair": ["s", None], "many": ["a", 1]}, ""),
        ({"n": 6}, "n is 6, expected 5 or less"),
        ({"n": 1.5}, "n is a number (1.5), expected integer"),
        ({"n": True}, "n is true or false (True), expected integer"),
        ({"flag": 1}, "flag is a number (1), expected boolean"),
        ({"pair": ["s"]}, "pair has 1 entries, expected 2 or more"),
        ({"pair": ["s", 1]}, "pair.1 is a number (1), expected null"),
        ({"many": ["a", "c"]}, "many.1 is 'c', expected one of a, b, 1"),
        ({"many": [True]}, "many.0 is True, expected one of a, b, 1"),
        ({"many": ["a", "a", "a"]}, "many has 3 entries, expected 2 or less"),
    ],
)
def test_numbers_lists_and_bounds(value: dict[str, object], told: str) -> None:
    """What a schema may say besides."""
    assert fault_of(SCHEMA, json.dumps(value)) == told


WORDS = st.sampled_from(["", " ", "none", "1", "1 2", "3 4", "0", "NA", "2", "owners"])


@given(st.dictionaries(st.sampled_from([*FINE, "lacks", "more"]), WORDS | st.integers(0, 3)))
def test_it_agrees_with_the_reader(value: dict[str, object]) -> None:
    """Whatever is given: what passes can be read, and what cannot be read does not pass."""
    output, text = json_output(GradedOrNot), json.dumps(value)
    try:
        GradedOrNot.model_validate_json(text)
    except ValidationError:
        readable = False
    else:
        readable = True
    blank_lacks = value.get("lacks") == " "  # pydantic strips it first, which no schema can say
    assert (fault_of(output, text) == "") == readable or blank_lacks


def test_a_written_question_passes() -> None:
    """A schema with lists, as the quiz asks for it."""
    question = {
        "segments": "1 2",
        "question": "What was agreed on?",
        "answer": "a plan",
        "hard_negative": "a budget",
        "wrong": ["a party", "a date", "a name"],
    }
    WrittenQuestion.model_validate_json(json.dumps(question))
    assert fault_of(json_output(WrittenQuestion), json.dumps(question)) == ""
    assert fault_of(json_output(WrittenQuestion), json.dumps(question | {"wrong": ["a"]})) != ""
