import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.errors import InputError
from localeval.inputs.jsonl import CandidateRow, SourceRow, read_candidate_rows, read_source_rows
from localeval.inputs.passages import Passage


def lines(*rows: object) -> str:
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def test_source_rows_hold_text_or_segments():
    """Blank lines are skipped and counted; unknown fields are ignored."""
    text = lines(
        {"id": "a", "text": "One\u2028two.", "language": "zh", "category": "call", "extra": 1},
        {"id": "b", "segments": [{"start": 0, "end": 1, "text": "Hi.", "speaker": "Anna"}], "language": None},
    ).replace("\n", "\n\n")
    assert read_source_rows(text, "s.jsonl") == [
        SourceRow("s.jsonl line 1", "a", "One\u2028two.", (), "zh", "call"),
        SourceRow("s.jsonl line 3", "b", None, (Passage("Hi.", 0.0, 1.0, "Anna"),), None, None),
    ]


def test_candidate_rows_take_what_they_lack_from_the_config():
    """A field in the row goes before the one beside the path."""
    text = lines({"source": "a", "system": "x", "text": "T"}, {"source": "b", "text": "U"})
    assert read_candidate_rows(text, "c.jsonl", None, "fixed") == [
        CandidateRow("c.jsonl line 1", "a", "x", "T"),
        CandidateRow("c.jsonl line 2", "b", "fixed", "U"),
    ]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": "x"}, 's.jsonl line 2: id: is missing; add `"id": "…"`'),
        ({"id": 3, "text": "x"}, "s.jsonl line 2: id: is a number (3); expected a string"),
        ({"id": " ", "text": "x"}, "s.jsonl line 2: id: is empty; fill it in or remove the row"),
        ({"id": "a"}, "s.jsonl line 2: `text` is missing; give `text`, or `segments`"),
        ({"id": "a", "text": "x", "segments": []}, "s.jsonl line 2: both `text` and `segments` are given; "),
        ({"id": "a", "text": ""}, "s.jsonl line 2: text: is empty; "),
        ({"id": "a", "text": ["x"]}, "s.jsonl line 2: text: is a list; expected a string"),
        ({"id": "a", "segments": [{"start": 0}]}, "s.jsonl line 2: segments[0].end: is missing; "),
        ({"id": "a", "text": "x", "language": "de"}, "s.jsonl line 2: language: is 'de'; expected en, ru, zh"),
        ({"id": "a", "text": "x", "category": 1}, "s.jsonl line 2: category: is a number (1); expected a string"),
        ({"id": "first", "text": "x"}, "s.jsonl line 2: id: 'first' is also the id in s.jsonl line 1; "),
        ([], "s.jsonl line 2: is a list; expected an object in braces"),
    ],
)
def test_a_bad_source_row_is_named(row, message):
    """File, line, field, value and fix; duplicate ids name both lines."""
    with pytest.raises(InputError) as caught:
        read_source_rows(lines({"id": "first", "text": "x"}, row), "s.jsonl")
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize("name", ["source", "system", "text"])
@pytest.mark.parametrize(("value", "what"), [(None, "is null"), (1, "is a number"), (" ", "is empty")])
def test_a_bad_candidate_field_is_named(name, value, what):
    """All three fields are required and are strings with words in them."""
    row = {"source": "a", "system": "x", "text": "T"}
    with pytest.raises(InputError, match=rf"^c\.jsonl line 1: {name}: {what}"):
        read_candidate_rows(lines(row | {name: value}), "c.jsonl", None, None)
    del row[name]
    with pytest.raises(InputError, match=rf"^c\.jsonl line 1: {name}: is missing; add"):
        read_candidate_rows(lines(row), "c.jsonl", None, None)


def test_a_line_that_is_no_json_is_named_with_its_column():
    """A cut last line is found."""
    with pytest.raises(InputError, match=r"^c\.jsonl line 2 column \d+: is not JSON \("):
        read_candidate_rows(
            lines({"source": "a", "system": "x", "text": "T"}) + '\n{"source": "b", "te', "c.jsonl", None, None
        )


_GOOD = lines({"id": "a", "text": "Hello."}, {"id": "b", "segments": [{"start": 0, "end": 1, "text": "Hi."}]})


@given(st.integers(0, len(_GOOD)), st.integers(0, 4), st.text(max_size=4))
def test_a_damaged_file_gives_rows_or_an_input_error(at, length, put):
    """Characters removed or put in anywhere lead to no other exception."""
    text = _GOOD[:at] + put + _GOOD[at + length :]
    try:
        rows = read_source_rows(text, "s.jsonl")
    except InputError as error:
        assert str(error).startswith("s.jsonl line ")  # noqa: PT017 - either outcome is right
        rows = []
    assert all(row.id.strip() for row in rows)
