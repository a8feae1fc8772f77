"""The parts of the engine `openai` that need no server: requests, replies, outcomes, pace, purse, secrets."""

import json
import math
import random
from collections.abc import Sequence
from email.utils import formatdate
from typing import Any

import pytest

from localeval.engines.backoff import Pace
from localeval.engines.purse import Purse
from localeval.engines.secrets import Scrubber, hidden_names, read_key
from localeval.engines.served_outcomes import (
    Barred,
    Failed,
    Refused,
    outcome_of_error,
    outcome_of_status,
    retry_after,
)
from localeval.engines.served_replies import Rubbish, in_form, reply_of
from localeval.engines.served_requests import request_body, worst_cost
from localeval.engines.served_stream import Assembly
from localeval.errors import ConfigError
from localeval.models import Card, Model
from localeval.models.options import OpenAIOptions
from localeval.outputs import choice_probabilities, closing_probabilities, json_output
from localeval.values import Call, Choice, FreeText, JsonObject, Message, Output, Reply, Sampling
from tests.engines.asking import Verdict

LETTERS = Choice(("A", "B", "C"))
PLAIN = Scrubber([])


def options(**given: object) -> OpenAIOptions:
    """Options of a model behind a server."""
    return OpenAIOptions.model_validate({"base_url": "http://127.0.0.1:1/v1", "served": "tiny", **given})


def call(output: Output, text: str = "Which?", **sampling: Any) -> Call:
    """One question."""
    messages = (Message("system", ("Be careful.",)), Message("user", ("Source.\n\n", text)))
    return Call("m", messages, output, Sampling(**{"max_tokens": 1, **sampling}))


def test_a_request_says_what_the_call_says() -> None:
    """Whole messages, sampling and seed; log-probabilities only where asked for and given; free text as a stream."""
    body = request_body(call(FreeText(), max_tokens=9, temperature=0.5, top_p=0.9, seed=3, logprobs=64), options())
    assert body == {
        "model": "tiny",
        "messages": [
            {"role": "system", "content": "Be careful."},
            {"role": "user", "content": "Source.\n\nWhich?"},
        ],
        "max_tokens": 9,
        "temperature": 0.5,
        "top_p": 0.9,
        "seed": 3,
        "logprobs": True,
        "top_logprobs": 20,
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert "logprobs" not in request_body(call(FreeText(), logprobs=3), options(logprobs=False))
    assert "logprobs" not in request_body(call(FreeText()), options())


def test_a_choice_has_room_in_each_form() -> None:
    """Bare under vLLM's grammar, an enum within an object under a schema, in words where a server can do neither."""
    schema = request_body(call(LETTERS), options())
    wanted = schema["response_format"]
    assert isinstance(wanted, dict)
    assert wanted["json_schema"]["strict"] is True
    assert wanted["json_schema"]["schema"] == {
        "type": "object",
        "properties": {"answer": {"type": "string", "enum": ["A", "B", "C"]}},
        "additionalProperties": False,
        "required": ["answer"],
    }
    assert isinstance(schema["max_tokens"], int)
    assert schema["max_tokens"] > 1
    grammar = request_body(call(LETTERS), options(constraint="structured_outputs"))
    assert grammar["max_tokens"] == 1
    assert grammar["structured_outputs"] == {"regex": "(A|B|C)"}
    words = request_body(call(LETTERS), options(constraint="prompt"))
    assert "response_format" not in words
    assert isinstance(words["messages"], list)
    assert words["messages"][-1]["content"].startswith("Source.\n\nWhich?\n\n")
    assert words["messages"][-1]["content"].endswith("\nA\nB\nC")


def test_white_space_has_room_where_nothing_forbids_it() -> None:
    """Twice the tokens for an object whose form is a schema or words; the very bound where our own pattern is sent."""
    bounds = {
        constraint: request_body(call(json_output(Verdict), max_tokens=60), options(constraint=constraint))[
            "max_tokens"
        ]
        for constraint in ("json_schema", "structured_outputs", "prompt")
    }
    assert bounds == {"json_schema": 120, "structured_outputs": 60, "prompt": 120}


def test_a_schema_is_strict_all_the_way_down() -> None:
    """Every object within the schema is closed and requires its fields, which keep their order."""
    form = request_body(call(json_output(Verdict)), options())["response_format"]
    assert isinstance(form, dict)
    schema = form["json_schema"]["schema"]
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["colour", "code", "segments", "sure"] == list(schema["properties"])


def test_further_fields_have_the_last_word() -> None:
    """`extra` adds, replaces, and takes out by null; a model that thinks gets room; the bound has the server's name."""
    extra = {"chat_template_kwargs": {"enable_thinking": False}, "seed": None, "top_p": 0.5}
    chosen = options(extra=extra, thinking_room=100, max_tokens_field="max_completion_tokens", constraint="prompt")
    body = request_body(call(LETTERS), chosen)
    assert body["max_completion_tokens"] == 101
    assert body["top_p"] == 0.5
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    assert not {"seed", "max_tokens"} & body.keys()


def test_the_worst_cost_is_above_any_tokenizer() -> None:
    """Each byte of the request may be a token, and each token of the answer may be written."""
    priced = options(price_in=2.0, price_out=8.0, price_cached_in=0.5)
    body = request_body(call(FreeText(), text="слово " * 100, max_tokens=50), priced)
    worst = worst_cost(body, priced)
    assert worst is not None
    assert worst > (len(("слово " * 100).encode()) * 2.0 + 50 * 8.0) / 1e6
    assert worst_cost(body, options()) is None


def completion(
    content: str | None, tokens: Sequence[tuple[str, dict[str, float]]] = (), **message: Any
) -> dict[str, Any]:
    """A chat completion."""
    places = [
        {
            "token": token,
            "logprob": likely[token],
            "top_logprobs": [{"token": other, "logprob": value} for other, value in likely.items()],
        }
        for token, likely in tokens
    ]
    choice = {"message": {"content": content, **message}, "finish_reason": "stop", "logprobs": {"content": places}}
    return {"choices": [choice], "usage": {"prompt_tokens": 5, "completion_tokens": len(tokens)}}


SURE = {"A": math.log(0.6), "B": math.log(0.2), "x": math.log(0.2)}


@pytest.mark.parametrize(
    "tokens",
    [
        [('{"', {'{"': 0.0}), ("answer", {"answer": 0.0}), ('":"', {'":"': 0.0}), ("A", SURE), ('"}', {'"}': 0.0})],
        [('{"answer":', {'{"answer":': 0.0}), ('"A"', {f'"{t}"': p for t, p in SURE.items()}), ("}", {"}": 0.0})],
        [('{"answer":"', {'{"answer":"': 0.0}), ('A"}', {f'{t}"}}': p for t, p in SURE.items()})],
    ],
    ids=["alone", "in quotes", "with the end"],
)
def test_the_probabilities_of_a_wrapped_choice_are_found(tokens: list[tuple[str, dict[str, float]]]) -> None:
    """However a tokenizer cuts the object, the option's own token is read, its quotes left out."""
    reply = reply_of("k", completion('{"answer":"A"}', tokens), LETTERS, True, PLAIN)
    assert reply.text == "A"
    shares = choice_probabilities(reply, LETTERS)
    assert shares == pytest.approx({"A": 0.75, "B": 0.25, "C": 0.0})


@pytest.mark.parametrize("text", ['{"answer": "A", "why": "b"}', '{"answer": 1}', "A", '```json\n{"answer":"A"}\n```'])
def test_nothing_else_is_unwrapped(text: str) -> None:
    """What is not the object that was asked for stays as it came, and is then no option."""
    assert reply_of("k", completion(text), LETTERS, True, PLAIN).text == text


def test_probabilities_of_an_object_are_all_there() -> None:
    """So that its last value can be read; impossible tokens, and what a server calls positive, do no harm."""
    tokens = [('{"s":', {'{"s":': 0.0}), ("A", {"A": 1e-9, "B": -9999.0, "C": -20.0}), ("}", {"}": 0.0})]
    reply = reply_of("k", completion('{"s":A}', tokens), json_output(Verdict), False, PLAIN)
    assert len(reply.logprobs) == 3
    assert reply.logprobs[1] == (("A", 0.0), ("C", -20.0))
    shares = closing_probabilities(reply, LETTERS)
    assert shares is not None
    assert shares["A"] == pytest.approx(1.0)


def test_the_tokens_of_a_thought_are_not_the_answer_s() -> None:
    """Where a server lists both, the first position is the answer's."""
    tokens = [("Hm", {"Hm": 0.0}), ("</t>", {"</t>": 0.0}), ("A", SURE)]
    reply = reply_of("k", completion("A", tokens, reasoning_content="Hm"), LETTERS, False, PLAIN)
    assert (reply.text, reply.thinking, len(reply.logprobs)) == ("A", "Hm", 1)
    assert reply.logprobs[0][0][0] == "A"


def test_thoughts_that_only_the_total_counts_are_output() -> None:
    """Some servers leave them out of the answer's tokens."""
    body = completion("A") | {"usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 40}}
    assert reply_of("k", body, LETTERS, False, PLAIN).output_tokens == 35


@pytest.mark.parametrize(
    "body",
    [
        [],
        {},
        {"choices": []},
        {"choices": ["A"]},
        {"choices": [{"message": {"content": {}}, "finish_reason": "stop"}]},
        {"choices": [{"message": {"content": "A"}, "finish_reason": None}]},
        {"choices": [{"message": {"content": "A"}, "finish_reason": "stop", "logprobs": {"content": [{"token": 1}]}}]},
    ],
)
def test_rubbish_is_called_rubbish(body: object) -> None:
    """Whatever is no chat completion is refused, not guessed at."""
    with pytest.raises(Rubbish):
        reply_of("k", body, LETTERS, False, PLAIN)


def test_an_answer_of_another_kind_is_missing_and_paid_once() -> None:
    """One that ended for a reason of its own, or came in parts, would come again: it is not asked for again."""
    whole = completion("A")
    called = {**whole, "choices": [{"message": {"content": "A"}, "finish_reason": "tool_calls"}]}
    parts = {**whole, "choices": [{"message": {"content": [{"type": "text"}]}, "finish_reason": "stop"}]}
    for body in (called, parts):
        reply = reply_of("k", body, LETTERS, False, PLAIN)
        assert reply.missing is not None
        assert (reply.missing.reason, reply.text, reply.prompt_tokens) == ("engine error", "", 5)


def test_a_stream_is_put_together() -> None:
    """Texts and log-probabilities are joined; usage may come last and alone; before the end there is no answer."""
    assembly = Assembly()
    piece = {"token": "a", "logprob": -0.5, "top_logprobs": []}
    assembly.add({"choices": [{"delta": {"role": "assistant", "content": ""}}]}, 1.0)
    assert assembly.first_at is None
    assembly.add({"choices": [{"delta": {"content": "a"}, "logprobs": {"content": [piece]}}]}, 2.0)
    assembly.add({"choices": [{"delta": {"content": "b"}, "logprobs": None}]}, 3.0)
    with pytest.raises(Rubbish, match="ended before the answer"):
        assembly.completion()
    assembly.add({"choices": [{"delta": {}, "finish_reason": "length"}]}, 4.0)
    assembly.add({"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 2}}, 5.0)
    reply = reply_of("k", assembly.completion(), FreeText(), False, PLAIN)
    assert assembly.first_at == 2.0
    assert (reply.text, reply.finish, reply.prompt_tokens, reply.output_tokens) == ("ab", "length", 3, 2)
    assert reply.logprobs == ((("a", -0.5),),)


@pytest.mark.parametrize(
    ("text", "needed", "limit"),
    [
        (
            "This model's maximum context length is 8192 tokens. However, you requested 8554 tokens (7554 in the "
            "messages, 1000 in the completion).",
            8554,
            8192,
        ),
        (
            "This model's maximum context length is 1024 tokens. However, your prompt contains 1020 input tokens.",
            1120,
            1024,
        ),
        ("prompt is too long: 208310 tokens > 200000 maximum", 208310, 200000),
        ("the request exceeds the available context size", 0, 0),
    ],
)
def test_a_context_that_is_too_short_is_understood(text: str, needed: int, limit: int) -> None:
    """What is needed and the limit, as far as the server's words tell them."""
    body = json.dumps({"error": {"message": text, "code": "context_length_exceeded"}})
    outcome = outcome_of_status(400, {}, body, 100, PLAIN)
    assert isinstance(outcome, Refused)
    assert (outcome.missing.reason, outcome.missing.needed, outcome.missing.limit) == ("too long", needed, limit)


def test_each_status_has_its_meaning() -> None:
    """Busy, failing, closed, not taken; only what a gateway lost may have been billed."""
    failed = {status: outcome_of_status(status, {}, "", 1, PLAIN) for status in (408, 429, 500, 502, 503, 504, 529)}
    assert all(isinstance(outcome, Failed) for outcome in failed.values())
    assert {s for s, o in failed.items() if isinstance(o, Failed) and o.is_billed} == {502, 504}
    assert {s for s, o in failed.items() if isinstance(o, Failed) and o.is_busy} == {429}
    assert all(isinstance(outcome_of_status(status, {}, "", 1, PLAIN), Barred) for status in (401, 402, 403))
    assert all(isinstance(outcome_of_status(status, {}, "", 1, PLAIN), Refused) for status in (301, 400, 404, 413, 422))
    quota = '{"error": {"code": "insufficient_quota", "message": "pay first"}}'
    assert outcome_of_status(429, {}, quota, 1, PLAIN) == Barred("HTTP 429: pay first")
    limited = '{"error": {"message": "Rate limit: tokens of your context window a minute"}}'
    assert isinstance(outcome_of_status(429, {}, limited, 1, PLAIN), Failed)
    assert isinstance(outcome_of_error({"code": 429, "message": "slow"}, 1, PLAIN), Failed)
    assert isinstance(outcome_of_error("odd", 1, PLAIN), Failed)


def test_retry_after_is_read_in_every_form() -> None:
    """Seconds, milliseconds, and a date by the server's own clock; nonsense is nothing."""
    assert retry_after({"retry-after": "7"}, 0.0) == 7.0
    assert retry_after({"retry-after-ms": "1500", "retry-after": "2"}, 0.0) == 1.5
    then = formatdate(1_000_030.0, usegmt=True)
    assert retry_after({"retry-after": then}, 1_000_000.0) == pytest.approx(30.0)
    assert retry_after({"retry-after": then, "date": formatdate(1_000_020.0, usegmt=True)}, 0.0) == pytest.approx(10.0)
    assert retry_after({"retry-after": then}, 2_000_000.0) == 0.0
    assert retry_after({"retry-after": "soon"}, 0.0) is None
    assert retry_after({}, 0.0) is None


def test_the_pace_halves_once_a_wave_and_grows_by_one_a_round() -> None:
    """Refusals of requests that were sent before the last halving do not halve again."""
    pace = Pace(8, random=random.Random(1))
    for _ in range(8):
        pace.refused(sent_at=0.0, now=1.0, retry_after=None)
    assert pace.limit == 4
    for _ in range(4):
        pace.succeeded()
    assert pace.limit == 4
    pace.succeeded()
    assert pace.limit == 5
    for now in range(2, 9):
        pace.refused(sent_at=now - 0.5, now=float(now), retry_after=None)
    assert pace.limit == 1
    for _ in range(200):
        pace.succeeded()
    assert pace.limit == 8


def test_waits_double_with_jitter_and_a_named_time_is_kept() -> None:
    """Between half and all of a wait that doubles up to the longest; Retry-After to the second."""
    pace = Pace(8, first_wait_s=1.0, longest_wait_s=10.0, random=random.Random(1))
    for n, longest in ((1, 1.0), (2, 2.0), (4, 8.0), (5, 10.0), (5000, 10.0)):
        drawn = {pace.delay(n) for _ in range(50)}
        assert longest / 2 <= min(drawn) < max(drawn) <= longest
        assert len(drawn) > 10
    pace.refused(0.0, 100.0, retry_after=30.0)
    assert pace.wait(100.0) == 30.0
    pace.refused(0.0, 101.0, retry_after=None)
    assert pace.wait(101.0) == 29.0
    assert pace.wait(131.0) == 0.0


def test_a_rate_is_kept_by_spacing() -> None:
    """At 30 a minute the next request is due two seconds after the last."""
    pace = Pace(8, per_minute=30)
    pace.sent(10.0)
    assert pace.wait(10.5) == 1.5
    assert pace.wait(12.0) == 0.0


def test_a_purse_promises_no_more_than_it_holds() -> None:
    """What is reserved counts as spent until it is settled; without a budget there is no end."""
    purse = Purse(1.0, spent=0.1)
    assert purse.reserve(0.6)
    assert not purse.reserve(0.4)
    purse.settle(0.6, 0.2)
    assert (purse.spent, purse.reserved) == (pytest.approx(0.3), pytest.approx(0.0))
    assert purse.reserve(0.7)
    assert not purse.reserve(0.0001)
    assert Purse(None).reserve(1e9)


def test_keys_come_from_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the variable's name; errors name it and never its value."""
    monkeypatch.setenv("LAB_KEY", " sk-1 ")
    assert read_key("m", "LAB_KEY") == "sk-1"
    assert read_key("m", None) is None
    for value in ("", "   ", "sk 1", "sk-\u0436", "a\x01b"):
        monkeypatch.setenv("LAB_KEY", value)
        with pytest.raises(ConfigError, match=r"^models\.m\.key_env: .*LAB_KEY") as caught:
            read_key("m", "LAB_KEY")
        assert not value.strip() or value not in str(caught.value)


def test_secrets_are_scrubbed_in_every_form() -> None:
    """As they are and as they stand in an address; the longer one first. What is short guards nothing and stays."""
    scrub = Scrubber(["abcdefgh/1", "abcdefgh", ""])
    assert scrub("x abcdefgh/1 abcdefgh%2F1 abcdefgh y") == "x [key] [key] [key] y"
    assert Scrubber(["", "1", "EMPTY"])('{"score":"1"} EMPTY') == '{"score":"1"} EMPTY'


def test_no_part_of_a_secret_is_left_where_a_reason_is_cut() -> None:
    """A long reason is cut behind the scrubbing, in whichever way the server says it."""
    key, scrub = "sk-0123456789abcdef", Scrubber(["sk-0123456789abcdef"])
    for n in range(270, 320):
        said = f"{'x' * n} {key}"
        bodies = (said, f'{{"error": {{"message": "{said}"}}}}')
        reasons = [outcome.missing.detail for body in bodies if isinstance(outcome := status_400(body, scrub), Refused)]
        refused = {"choices": [{"message": {"content": "", "refusal": said}, "finish_reason": "stop"}]}
        missing = reply_of("k", refused, LETTERS, False, scrub).missing
        assert missing is not None
        for reason in (*reasons, missing.detail):
            assert len(reason) > 250
            assert "sk-" not in reason


def status_400(body: str, scrub: Scrubber) -> object:
    return outcome_of_status(400, {}, body, 1, scrub)


def test_nesting_without_an_end_is_told_like_other_nonsense() -> None:
    """A body or an answer that nests too deeply to be read is no fault of ours that would end the run."""
    deep = "[" * 100_000
    assert isinstance(outcome_of_status(500, {}, deep, 1, PLAIN), Failed)
    assert in_form(Reply("k", deep), JsonObject("{}")) is False
    assert reply_of("k", completion(deep), LETTERS, True, PLAIN).text == deep


def test_a_probability_that_is_no_number_is_left_out() -> None:
    """Neither certain nor impossible: nothing."""
    place = {"token": "A", "logprob": float("nan"), "top_logprobs": [{"token": "B", "logprob": -1.0}]}
    body = {**completion("A"), "choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]}
    body["choices"][0]["logprobs"] = {"content": [place]}
    assert reply_of("k", body, LETTERS, False, PLAIN).logprobs == ((("B", -1.0),),)


def test_what_engines_may_not_see_is_collected() -> None:
    """The keys of all models of a run, and what `unset` names."""
    card = Card(name="m", family="unknown")
    models = [
        Model(name="a", card=card, engine="openai", options={"key_env": "A_KEY"}),
        Model(name="b", card=card, engine="command", options={"unset": ("B_KEY", "C_KEY")}),
        Model(name="c", card=card, engine="vllm"),
    ]
    assert hidden_names(models) == {"A_KEY", "B_KEY", "C_KEY"}
