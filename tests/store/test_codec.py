"""Values to JSON and back."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.store.codec import (
    dump,
    dump_call,
    dump_candidate,
    dump_reply,
    dump_source,
    load_call,
    load_input,
    load_reply,
)
from localeval.texts import Candidate, Segment, Source
from localeval.values import Call, Choice, FreeText, JsonObject, Message, Missing, Reply, Sampling

TEXT = st.text(st.characters(codec=None), max_size=30)  # any code point, lone surrogates and NUL too
FINITE = st.floats(allow_nan=False, allow_infinity=False)
COUNT = st.integers(0, 10**7)
MISSING = st.builds(
    Missing,
    st.sampled_from(["truncated", "invalid", "refused", "too long", "engine error", "unstable"]),
    TEXT,
    COUNT,
    COUNT,
)
LOGPROBS = st.lists(st.lists(st.tuples(TEXT, FINITE), max_size=4).map(tuple), max_size=4).map(tuple)
REPLY = st.builds(
    Reply,
    key=st.just("k"),
    text=TEXT,
    finish=st.sampled_from(["stop", "length", "error"]),
    logprobs=LOGPROBS,
    prompt_tokens=COUNT,
    cached_tokens=COUNT,
    output_tokens=COUNT,
    seconds=FINITE,
    engine=TEXT,
    missing=st.none() | MISSING,
)
OUTPUT = (
    st.lists(TEXT, min_size=1, max_size=5).map(lambda options: Choice(tuple(options)))
    | st.builds(JsonObject, TEXT)
    | st.builds(FreeText)
)
MESSAGE = st.builds(Message, st.sampled_from(["system", "user", "assistant"]), st.lists(TEXT, max_size=4).map(tuple))
CALL = st.builds(
    Call,
    TEXT,
    st.lists(MESSAGE, max_size=4).map(tuple),
    OUTPUT,
    st.builds(Sampling, COUNT, FINITE, FINITE, COUNT, COUNT),
    TEXT,
)
SEGMENT = st.builds(Segment, COUNT, COUNT, COUNT, st.none() | FINITE, st.none() | FINITE, st.none() | TEXT)
SOURCE = st.builds(
    Source,
    TEXT,
    TEXT,
    st.lists(SEGMENT, max_size=4).map(tuple),
    st.sampled_from(["en", "ru", "zh"]),
    st.none() | TEXT,
    TEXT,
)


@settings(deadline=None)
@given(REPLY)
def test_a_reply_comes_back_exactly(reply: Reply) -> None:
    """Every field survives, log-probabilities as nested tuples, and the text can be encoded as UTF-8."""
    text = dump_reply(reply)
    text.encode()
    assert load_reply("k", text) == reply


@settings(deadline=None)
@given(CALL)
def test_a_call_comes_back_exactly(call: Call) -> None:
    """Parts and schemas go through the reference and come back as they were."""
    kept: list[str] = []

    def reference(text: str) -> str:
        kept.append(text)
        return str(len(kept) - 1)

    body = dump_call(call, reference)
    assert load_call(call.model, call.stage, body, lambda name: kept[int(name)]) == call


@settings(deadline=None)
@given(SOURCE, st.builds(Candidate, TEXT, TEXT, TEXT, TEXT))
def test_inputs_come_back_exactly(source: Source, candidate: Candidate) -> None:
    """A source and a candidate survive, each on one line."""
    for line, value in ((dump_source(source), source), (dump_candidate(candidate), candidate)):
        assert "\n" not in line
        assert load_input(line) == value


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_refused(bad: float) -> None:
    """Neither a log-probability nor a time may be NaN or infinite, on the way in or out."""
    with pytest.raises(ValueError, match="reply abc: a log-probability or time is not a finite number"):
        dump_reply(Reply("abc", logprobs=((("A", bad),),)))
    with pytest.raises(ValueError, match="reply abc"):
        dump_reply(Reply("abc", seconds=bad))
    with pytest.raises(ValueError, match="not a finite number"):
        load_reply("abc", json.dumps({"seconds": bad}))


def test_text_stays_readable_in_json() -> None:
    """Russian and Chinese are not escaped; only what UTF-8 cannot hold is."""
    assert dump("итог 总结") == '"итог 总结"'
    assert json.loads(dump("\ud800я")) == "\ud800я"
    assert dump("\ud800я").isascii()
