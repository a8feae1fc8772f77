"""`localeval.engines.served`: one engine against a server on loopback that misbehaves."""

import time
from collections.abc import Callable
from email.utils import formatdate
from itertools import pairwise

import pytest

from localeval.engines.backoff import Pace
from localeval.engines.served import ServedEngine
from localeval.errors import ConfigError, EngineError
from localeval.models import Model
from localeval.outputs import choice_probabilities, read_choice
from localeval.values import Call, Choice, FreeText, JsonObject, Message, Output, Reply, Sampling
from tests.engines.fake_server import FINE, Asked, Behaviour, served_model, serving

LETTERS = Choice(("A", "B", "C"))
OBJECT = JsonObject('{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}')


def call(text: str, output: Output = LETTERS, max_tokens: int = 8) -> Call:
    """One question."""
    return Call("m", (Message("user", (text,)),), output, Sampling(max_tokens, logprobs=3))


def quick(most: int = 8) -> Pace:
    """Waits that a test can afford."""
    return Pace(most, first_wait_s=0.02, longest_wait_s=0.2)


def answers(model: Model, calls: dict[str, Call], pace: Pace | None = None) -> dict[str, Reply]:
    """Every call's reply, by key."""
    with ServedEngine(model, pace=pace or quick()) as engine:
        engine.submit(calls)
        return {reply.key: reply for reply in engine.replies()}


def first_times(n: int, behaviour: Behaviour) -> Callable[[Asked], Behaviour]:
    """A server that does something to the first `n` sendings of each request, and answers the next."""
    return lambda asked: behaviour if asked.time <= n else FINE


@pytest.mark.parametrize("constraint", ["json_schema", "structured_outputs", "prompt"])
def test_choices_objects_and_texts_come_back(constraint: str) -> None:
    """Each kind of output, by each way of asking for its form; a choice's text is the bare option."""
    calls = {
        "choice": call("say B"),
        "free": call("say hello", FreeText()),
        "two": call("say C"),
    } | ({"object": call("say word", OBJECT)} if constraint == "json_schema" else {})
    with serving() as server:
        replies = answers(served_model(server.url, constraint=constraint), calls)
    assert read_choice(replies["choice"], LETTERS) == "B"
    assert read_choice(replies["two"], LETTERS) == "C"
    assert replies["free"].text == "hello"
    assert replies["free"].first_token_s is not None
    assert 0 < replies["free"].first_token_s <= replies["free"].seconds
    assert all(reply.missing is None and reply.prompt_tokens > 0 for reply in replies.values())
    shares = choice_probabilities(replies["two"], LETTERS)
    assert shares is not None
    assert shares["C"] == pytest.approx(0.917, abs=0.001)
    if constraint == "json_schema":
        assert replies["object"].text == '{"word": "word"}'
    description = replies["free"].engine
    assert "tiny" in description
    assert "127.0.0.1" in description
    assert constraint in description


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(429),
        Behaviour(429, headers={"Retry-After": "0"}),
        Behaviour(500),
        Behaviour(503, text="busy, come again"),
        Behaviour(cut=0),
        Behaviour(cut=40),
        Behaviour(raw="\udcff\udcfe not json"),
        Behaviour(raw='{"id": "x"}'),
        Behaviour(raw='{"choices": [{"message": {"content": "A"}, "finish_reason": null}]}'),
        Behaviour(raw='{"error": {"code": 502, "message": "behind"}}'),
    ],
    ids=["429", "429 after", "500", "503", "cut headers", "cut body", "bytes", "no choices", "no end", "error in 200"],
)
def test_what_may_pass_is_sent_again(behaviour: Behaviour) -> None:
    """Every call is answered at the third sending, texts that are streamed as well as choices."""
    calls = {str(n): call(f"say B {n}") for n in range(3)} | {"free": call("say hello", FreeText())}
    with serving(first_times(2, behaviour)) as server:
        replies = answers(served_model(server.url), calls)
        assert {asked.time for asked in server.questions} == {1, 2, 3}
        assert set(server.delivered.values()) == {1}
    assert {reply.text for key, reply in replies.items() if key != "free"} == {"B"}
    assert replies["free"].text == "hello"


def test_one_call_that_always_fails_is_one_missing() -> None:
    """After `attempts` sendings it is missing with the server's reason, and the others are answered."""
    with serving(lambda asked: Behaviour(500) if "bad" in asked.prompt else FINE) as server:
        calls = {"bad": call("bad"), "good": call("say B")}
        replies = answers(served_model(server.url, attempts=3), calls)
        assert sum("bad" in asked.prompt for asked in server.questions) == 3
    assert replies["good"].text == "B"
    missing = replies["bad"].missing
    assert missing is not None
    assert (missing.reason, missing.detail) == ("engine error", "HTTP 500: as told; sent 3 times")


@pytest.mark.parametrize("status", [400, 404, 422])
def test_what_the_server_does_not_take_is_missing_at_once(status: int) -> None:
    """Such a call is sent once, and the reason is the server's."""
    told = Behaviour(status, text='{"error": {"message": "no such thing"}}')
    with serving(lambda asked: told if "bad" in asked.prompt else FINE) as server:
        replies = answers(served_model(server.url), {"bad": call("bad"), "good": call("say B")})
        assert len(server.questions) == 2
    assert replies["bad"].missing is not None
    assert replies["bad"].missing.detail == f"HTTP {status}: no such thing"
    assert replies["good"].text == "B"


def test_a_hang_is_ended_by_the_timeout() -> None:
    """A request without an answer is given up after `timeout_s` and sent again."""
    with serving(first_times(1, Behaviour(hang=True))) as server:
        begin = time.monotonic()
        replies = answers(served_model(server.url, timeout_s=0.5), {"a": call("say B")})
        assert 0.5 < time.monotonic() - begin < 5
    assert replies["a"].text == "B"


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_holds_for_the_whole_engine(form: str) -> None:
    """No request at all is sent before the time that the server names."""
    wait = "1" if form == "seconds" else formatdate(time.time() + 2.0, usegmt=True)
    told = Behaviour(429, headers={"Retry-After": wait})
    with serving(lambda asked: told if asked.time == 1 and "say A0" in asked.prompt else FINE) as server:
        model = served_model(server.url, max_in_flight=1)
        calls = {f"{n}": call(f"say A{n}", FreeText()) for n in range(3)}
        replies = answers(model, calls, quick(1))
        times = [asked.at for asked in server.questions]
    assert [replies[f"{n}"].text for n in range(3)] == ["A0", "A1", "A2"]
    assert times[1] - times[0] > 0.9


def test_a_busy_server_is_asked_less_at_once() -> None:
    """A server that takes two at a time answers everything, and the requests at once come down to what it takes."""

    def busy(asked: Asked) -> Behaviour:
        return Behaviour(429) if server.n_open > 2 else Behaviour(delay_s=0.02)

    with serving(busy) as server:
        model = served_model(server.url, max_in_flight=16, attempts=20)
        replies = answers(model, {str(n): call(f"say B {n}") for n in range(60)}, quick(16))
        refused = len(server.questions) - 60
        late = [asked for asked in server.questions if asked.time > 1]
    assert {reply.text for reply in replies.values()} == {"B"}
    assert len(replies) == 60
    assert refused == len(late)
    assert refused < 60


@pytest.mark.parametrize("status", [401, 402, 403])
def test_no_access_ends_the_engine_after_what_is_under_way(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replies under way are delivered first; the error names the variable, and does not hold the key."""
    key = "sk-very-secret-0123"
    monkeypatch.setenv("LAB_KEY", key)
    told = Behaviour(status, text=f'{{"error": {{"message": "the key {key} is not valid"}}}}', delay_s=0.05)
    with serving(lambda asked: told if "bad" in asked.prompt else Behaviour(delay_s=0.3)) as server:
        model = served_model(server.url, key_env="LAB_KEY")
        seen: list[Reply] = []
        with ServedEngine(model, pace=quick()) as engine:
            engine.submit({"a": call("say A"), "bad": call("bad"), "b": call("say B")})
            with pytest.raises(EngineError, match="LAB_KEY holds the right key") as caught:
                seen.extend(engine.replies())
            with pytest.raises(EngineError):
                list(engine.replies())
        assert sorted(reply.key for reply in seen) == ["a", "b"]
        assert {asked.headers["authorization"] for asked in server.asked} == {f"Bearer {key}"}
    assert key not in str(caught.value)
    assert "[key]" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_that_is_echoed_is_taken_out_of_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither text nor log-probabilities nor the reason of a refusal holds the key, escaped or not."""
    key = "sk/very+secret-0123"
    monkeypatch.setenv("LAB_KEY", key)
    escaped = '{"choices": [{"message": {"content": "key sk\\u002fvery+secret-0123"}, "finish_reason": "stop"}]}'
    plans = {
        "say": FINE,
        "escaped": Behaviour(raw=escaped),
        "refuse": Behaviour(400, text=f"what is {key} and sk%2Fvery%2Bsecret-0123?"),
    }
    with serving(lambda asked: plans[asked.prompt.split()[0]]) as server:
        model = served_model(server.url, key_env="LAB_KEY", constraint="prompt")
        calls = {name: call(f"{name} {key}", FreeText()) for name in plans if name != "escaped"}
        calls["escaped"] = call("escaped", OBJECT)
        replies = answers(model, calls)
    assert replies["say"].text == "[key]"
    assert replies["escaped"].text == "key [key]"
    assert replies["refuse"].missing is not None
    assert "secret" not in repr(replies)


def test_too_long_names_both_numbers() -> None:
    """The server's words are understood, whether they name tokens in a sentence or in fields."""
    told = {
        "vllm": "This model's maximum context length is 4096 tokens. However, your prompt contains at least 5000 input "
        "tokens, which exceeds this limit even without any output tokens.",
        "other": "the request exceeds the available context size",
    }
    fields = '{"error": {"code": 400, "message": "%s", "n_prompt_tokens": 5000, "n_ctx": 4096}}'
    texts = {"vllm": f'{{"error": {{"message": "{told["vllm"]}"}}}}', "other": fields % told["other"]}
    with serving(lambda asked: Behaviour(400, text=texts[asked.prompt])) as server:
        replies = answers(served_model(server.url), {name: call(name) for name in texts})
    for name in texts:
        missing = replies[name].missing
        assert missing is not None
        assert (missing.reason, missing.limit) == ("too long", 4096)
        assert missing.needed >= 5000


def test_a_prompt_that_the_server_cut_is_too_long() -> None:
    """A reply to a prompt that cannot have been read whole, or that exceeds the stated context, is no verdict."""
    usage = {"usage": {"prompt_tokens": 100, "completion_tokens": 1}}
    with serving(lambda asked: Behaviour(completion=usage)) as server:
        cut = answers(served_model(server.url), {"a": call("word " * 3000)})["a"]
        full = answers(served_model(server.url, context=104), {"a": call("say B")})["a"]
        fits = answers(served_model(server.url, context=108), {"a": call("say B")})["a"]
    assert cut.missing is not None
    assert cut.missing.reason == "too long"
    assert cut.text == ""
    assert full.missing is not None
    assert (full.missing.needed, full.missing.limit) == (108, 104)
    assert fits.text == "B"


def test_refusals_filters_and_thoughts() -> None:
    """A refusal and a filtered answer are missing; a thought is split off and counted; alone it is missing, too."""

    def answer(message: dict[str, object], reason: str = "stop") -> Behaviour:
        usage = {
            "prompt_tokens": 9,
            "completion_tokens": 7,
            "prompt_tokens_details": {"cached_tokens": 4},
            "completion_tokens_details": {"reasoning_tokens": 5},
        }
        choice = {"message": {"content": None, **message}, "finish_reason": reason}
        return Behaviour(completion={"choices": [choice], "usage": usage})

    plans = {
        "refusal": answer({"refusal": "I will not"}),
        "filter": answer({"content": "half"}, "content_filter"),
        "thought": answer({"reasoning": "Hm.", "content": "Yes."}),
        "only": answer({"reasoning": "Hm."}),
        "long": answer({"reasoning": "Hm"}, "length"),
    }
    with serving(lambda asked: plans[asked.prompt]) as server:
        replies = answers(served_model(server.url), {name: call(name, FreeText()) for name in plans})
    reasons = {name: reply.missing.reason if reply.missing else "" for name, reply in replies.items()}
    assert reasons == {"refusal": "refused", "filter": "refused", "thought": "", "only": "invalid", "long": ""}
    thought = replies["thought"]
    assert (thought.text, thought.thinking, thought.output_tokens, thought.thinking_tokens) == ("Yes.", "Hm.", 7, 5)
    assert thought.cached_tokens == 4
    assert replies["long"].finish == "length"


def test_a_server_that_ignores_the_form_is_refused() -> None:
    """At opening, and, where a test of two calls does not show it, at the first replies: all that came is delivered."""
    prose = {"choices": [{"message": {"content": "Once upon a time"}, "finish_reason": "stop"}]}
    with serving(lambda asked: Behaviour(completion=prose)) as server:
        with ServedEngine(served_model(server.url), pace=quick()) as engine:
            engine.submit({str(n): call(f"say B {n}") for n in range(20)})
            seen: list[Reply] = []
            with pytest.raises(EngineError, match=r"its first 5 replies are out of the form.*json_schema"):
                seen.extend(engine.replies())
        assert 5 <= len(seen) < 20
        asked = len(server.questions)
        assert asked == len(seen)
        replies = answers(served_model(server.url, constraint="prompt"), {str(n): call(f"{n}") for n in range(9)})
        assert len(replies) == 9  # without a grammar nothing was promised
    with serving(opening=lambda asked: Behaviour(completion=prose)) as server:
        with pytest.raises(EngineError, match=r"a choice came back as 'Once upon a time': .*set another `constraint`"):
            ServedEngine(served_model(server.url), pace=quick()).__enter__()
        assert not server.questions


def test_a_server_that_is_not_there_is_an_error() -> None:
    """The error says so after `attempts` tries, and what to do."""
    with serving() as server:
        url = server.url
    with (
        pytest.raises(EngineError, match=r"no connection: .*2 times in a row; see whether the server runs"),
        ServedEngine(served_model(url, attempts=2), pace=quick()),
    ):
        pass


def test_calls_per_minute_spaces_the_requests() -> None:
    """At 600 a minute a request is sent every tenth of a second, however fast the server is."""
    with serving() as server:
        model = served_model(server.url, calls_per_minute=600)
        answers(model, {str(n): call(f"say B {n}") for n in range(5)}, Pace(8, 600))
        times = sorted(asked.at for asked in server.questions)
    assert all(later - earlier > 0.07 for earlier, later in pairwise(times))


def test_calls_may_come_while_replies_are_read() -> None:
    """A call that is submitted between two replies is answered in the same reading, and none twice."""
    with serving() as server, ServedEngine(served_model(server.url), pace=quick()) as engine:
        first = call("say A")
        engine.submit({"0": first})
        engine.submit({"0": first})
        seen = []
        for reply in engine.replies():
            seen.append(reply.key)
            if len(seen) < 10:
                engine.submit({str(len(seen)): call(f"say A {len(seen)}")})
        assert seen == [str(n) for n in range(10)]
        assert len(server.questions) == 10


def test_leaving_does_not_wait_for_the_server() -> None:
    """What is under way is dropped at once."""
    with serving(lambda asked: Behaviour(hang=True)) as server:
        with ServedEngine(served_model(server.url), pace=quick()) as engine:
            engine.submit({"a": call("say A")})
            while not server.questions:
                time.sleep(0.01)
            begin = time.monotonic()
        assert time.monotonic() - begin < 2


def test_mistakes_are_told_before_anything_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that is not set, or cannot be one, and an address with a password are errors that name no secret."""
    monkeypatch.delenv("LAB_KEY", raising=False)
    with serving() as server:
        model = served_model(server.url, key_env="LAB_KEY")
        with pytest.raises(ConfigError, match=r"models\.m\.key_env: the environment variable LAB_KEY is not set"):
            ServedEngine(model).__enter__()
        monkeypatch.setenv("LAB_KEY", "two words")
        with pytest.raises(ConfigError, match="LAB_KEY holds is no key") as caught:
            ServedEngine(model).__enter__()
        assert "two words" not in str(caught.value)
        with pytest.raises(ConfigError, match=r"base_url: holds a user name or a password") as caught:
            ServedEngine(served_model("http://me:hunter2@127.0.0.1/v1"))
        assert "hunter2" not in str(caught.value)
        assert not server.asked
