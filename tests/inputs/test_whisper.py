import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.errors import InputError
from localeval.inputs.passages import Passage
from localeval.inputs.whisper import read_whisper

GOOD = {"start": 0, "end": 2.5, "text": " Hello there."}


def test_segments_of_an_object_and_of_a_bare_list_are_the_same():
    """Both forms are read; other fields are ignored; speaker is optional; segments without words are left out."""
    segments = [
        GOOD,
        {"start": 2.5, "end": 2.5, "text": " "},
        {"start": 3, "end": 4, "text": "Да.", "speaker": "SPEAKER_01", "words": [1]},
        {"start": 5, "end": 6, "text": "Нет.", "speaker": None},
    ]
    passages = [
        Passage(" Hello there.", 0.0, 2.5),
        Passage("Да.", 3.0, 4.0, "SPEAKER_01"),
        Passage("Нет.", 5.0, 6.0),
    ]
    assert read_whisper(json.dumps({"text": "x", "segments": segments}), "a.json") == (passages, None)
    assert read_whisper(json.dumps(segments), "a.json") == (passages, None)


@pytest.mark.parametrize(("written", "read"), [("ru", "ru"), ("Chinese", "zh"), ("de", None), (7, None), (None, None)])
def test_the_language_that_whisper_heard_is_used(written, read):
    """Code or English name; a language without prompts is left to the script count."""
    assert read_whisper(json.dumps({"language": written, "segments": [GOOD]}), "a.json")[1] == read


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": None}, "a.json: segments[1].start: is null; expected seconds as a number"),
        ({"start": "0"}, "a.json: segments[1].start: is a string ('0'); expected seconds as a number"),
        ({"start": True}, "a.json: segments[1].start: is true or false (True); expected seconds as a number"),
        ({"start": -1}, "a.json: segments[1].start: is -1; expected seconds, 0 or more"),
        ({"end": float("nan")}, "a.json: segments[1].end: is nan; expected seconds, 0 or more"),
        ({"end": 10**400}, "a.json: segments[1].end: is 1000"),
        ({"start": 3}, "a.json: segments[1].end: is 2.5, before `start` 3.0; correct the times"),
        ({"text": 5}, "a.json: segments[1].text: is a number (5); expected a string"),
        ({"text": "a\ud800"}, "a.json: segments[1].text: holds half a character (\\ud800); remove it"),
        ({"text": "a\0"}, "a.json: segments[1].text: holds a NUL character (\\x00); remove it"),
        ({"speaker": 1}, "a.json: segments[1].speaker: is a number (1); expected a string"),
    ],
)
def test_a_bad_field_is_named(change, message):
    """File, index of the segment, field, value and fix stand in one line."""
    with pytest.raises(InputError) as caught:
        read_whisper(json.dumps({"segments": [GOOD, GOOD | change]}), "a.json")
    assert str(caught.value).startswith(message)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", ["start", "end", "text"])
def test_a_missing_field_is_named(name):
    """None of the three fields has a default."""
    segment = {key: value for key, value in GOOD.items() if key != name}
    with pytest.raises(InputError, match=rf"^a\.json: segments\[0\]\.{name}: is missing; add "):
        read_whisper(json.dumps([segment]), "a.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"segments": [\n{"start": 1,}]}', "a.json line 2: is not JSON ("),
        ('{"segments"', "a.json column 12: is not JSON ("),
        ("[" * 100_000, "a.json: is nested too deep to be read as JSON; "),
        ("9" * 5000, "a.json: cannot be read (Exceeds the limit"),
        ("5", "a.json: is a number (5); expected an object with `segments`"),
        ('{"text": "all of it"}', "a.json: segments: is missing; "),
        ('{"segments": {}}', "a.json: segments: is an object; expected a list"),
        ("[]", "a.json: segments: has no words; "),
        ("[5]", "a.json: segments[0]: is a number (5); expected an object in braces"),
        ('[{"start": 0, "end": 1, "text": " "}]', "a.json: segments: has no words; "),
    ],
)
def test_a_file_of_another_shape_is_refused(text, message):
    """What is wrong is named, whatever JSON the file holds."""
    with pytest.raises(InputError) as caught:
        read_whisper(text, "a.json")
    assert str(caught.value).startswith(message)


_VALUES = st.sampled_from([None, True, 0, 1, -1, 2.5, float("inf"), 10**400, "", " ", "hi", [], {}, [1]])
_SEGMENTS = st.dictionaries(st.sampled_from(["start", "end", "text", "speaker"]), _VALUES) | _VALUES


@settings(max_examples=60)
@given(st.lists(_SEGMENTS | st.just(GOOD), max_size=3) | _VALUES, st.booleans())
def test_any_json_gives_passages_or_an_input_error(value, is_bare):
    """No shape of JSON leads to another exception."""
    text = json.dumps(value if is_bare else {"segments": value})
    try:
        passages, _ = read_whisper(text, "a.json")
    except InputError as error:
        text = str(error)
        passages = [Passage(text)]
    assert all(passage.text.strip() for passage in passages)
    assert len(text.splitlines()) == 1
