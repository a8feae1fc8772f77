"""vLLM in a child process, for real, with the small lab model."""

import pytest

from localeval.engines.child import ChildEngine
from localeval.models import Model
from localeval.outputs import choice_probabilities, read_choice, read_json
from localeval.values import JsonObject, Missing, Sampling
from tests.engines.asking import FREE, LETTERS, SOURCE, VERDICT, WORDS, Verdict, ask, call, in_schema, letters, mass

pytestmark = pytest.mark.engine


def check_outputs(engine: ChildEngine) -> None:
    calls = {
        **letters(2),
        "words": call("Is the budget known?", WORDS),
        "json": call("Give your verdict.", VERDICT, Sampling(max_tokens=80)),
    }
    replies = ask(engine, calls)
    assert set(replies) == set(calls)
    for key in ("letter-0", "letter-1"):
        assert read_choice(replies[key], LETTERS) in LETTERS.options
        assert mass(replies[key]) == pytest.approx(1.0, abs=1e-3)
        assert {token for token, _ in replies[key].logprobs[0]} == set(LETTERS.options)
    assert read_choice(replies["words"], WORDS) in WORDS.options
    in_schema(replies["json"])
    assert isinstance(read_json(replies["json"], Verdict), Verdict)


def test_the_default_backend_constrains(vllm_engine: ChildEngine) -> None:
    """Letters, phrases and JSON come back in schema; the probabilities of a choice sum to one over its options."""
    check_outputs(vllm_engine)


@pytest.mark.parametrize("backend", ["outlines", "guidance"])
def test_the_other_backends_constrain(other_backends: dict[str, ChildEngine], backend: str) -> None:
    """The same patterns hold under outlines and guidance, and the engine says which of them serves."""
    engine = other_backends[backend]
    check_outputs(engine)
    assert engine.info.facts["grammar_backend"] == backend
    assert backend in engine.info.description


def test_the_engine_describes_itself(vllm_engine: ChildEngine, smollm2_model: Model) -> None:
    """Context, size of the prefix cache, capacity and what served are known once it is loaded."""
    info = vllm_engine.info
    assert info.context == smollm2_model.context
    # 0.25 GiB / (2 x 30 layers x 3 heads x 64 numbers x 4 bytes), rounded down to blocks of 32
    assert info.cache_tokens == 0.25 * 2**30 // (46_080 * 32) * 32
    assert vllm_engine.capacity >= 64
    assert info.load_s > 0
    assert list(info.phases) == ["imports", "tokenizer", "weights", "self-test"]
    assert sum(info.phases.values()) == pytest.approx(info.load_s)
    assert all(part in info.description for part in ("vllm", "cpu", "float32", "xgrammar"))


def test_a_prompt_that_does_not_fit_is_refused_with_both_numbers(vllm_engine: ChildEngine) -> None:
    """Nothing is cut: prompt plus answer over the context is `too long`, and the engine goes on."""
    long = call("Which?", LETTERS, source=SOURCE * 12)
    replies = ask(vllm_engine, {"long": long, **letters(1)})
    missing = replies["long"].missing
    assert missing is not None
    assert missing.reason == "too long"
    assert missing.needed > missing.limit == 1024
    assert str(missing.needed) in missing.detail
    assert "1024" in missing.detail
    assert replies["letter-0"].missing is None


def test_the_whole_context_can_be_used(vllm_engine: ChildEngine) -> None:
    """A prompt plus answer that are as long as the context are answered; with one token more they are not."""
    prompt = ask(vllm_engine, letters(1))["letter-0"].prompt_tokens
    room = 1024 - prompt
    question = "Question 0: which?\nA. 42\nB. 24\nC. none"
    replies = ask(
        vllm_engine,
        {
            "fits": call(question, LETTERS, Sampling(max_tokens=room)),
            "over": call(question, LETTERS, Sampling(max_tokens=room + 1)),
        },
    )
    assert replies["fits"].text in LETTERS.options
    assert replies["over"].missing is not None
    assert replies["over"].missing.needed == 1025


def test_calls_keep_their_own_settings_in_one_batch(vllm_engine: ChildEngine) -> None:
    """Grammar, seed, temperature, length and log-probabilities belong to each call, whatever runs beside it."""
    warm = {"temperature": 1.0, "max_tokens": 12}
    replies = ask(
        vllm_engine,
        {
            "one": call("Tell a story.", FREE, Sampling(seed=1, **warm)),
            "again": call("Tell a story.", FREE, Sampling(seed=1, **warm)),
            "two": call("Tell a story.", FREE, Sampling(seed=2, **warm)),
            "short": call("Tell a story.", FREE, Sampling(max_tokens=3, logprobs=2)),
            **letters(1),
        },
    )
    assert replies["one"].text == replies["again"].text != replies["two"].text
    assert (replies["short"].output_tokens, replies["short"].finish) == (3, "length")
    assert [len(position) for position in replies["short"].logprobs] == [2, 2, 2]
    assert replies["one"].logprobs == ()
    assert replies["letter-0"].text in LETTERS.options
    for reply in replies.values():
        for position in reply.logprobs:
            assert [value for _, value in position] == sorted((value for _, value in position), reverse=True)


def test_one_bad_call_is_one_missing(vllm_engine: ChildEngine) -> None:
    """A pattern with look-around, a schema that is none and too many log-probabilities fail alone."""
    ahead = JsonObject('{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)y"}},"required":["a"]}')
    replies = ask(
        vllm_engine,
        {
            "look-around": call("Go on.", ahead),
            "no schema": call("Go on.", JsonObject('{"type":"nonsense"}')),
            "no json": call("Go on.", JsonObject("{")),
            "logprobs": call("Go on.", LETTERS, Sampling(max_tokens=1, logprobs=1000)),
            **letters(2),
        },
    )
    for key in ("look-around", "no schema", "no json", "logprobs"):
        missing = replies[key].missing
        assert missing is not None, key
        assert missing.reason == "engine error"
        assert missing.detail
    assert replies["letter-0"].missing is replies["letter-1"].missing is None


def test_a_shared_prefix_is_computed_once(vllm_engine: ChildEngine) -> None:
    """Calls on one source read its tokens from the cache, and the replies say how many."""
    source = "Vera counts the boxes in hall seven and writes the sum down twice. " * 12
    calls = {str(n): call(f"Question {n}?", LETTERS, source=source) for n in range(6)}
    replies = ask(vllm_engine, calls)
    cached = sorted(reply.cached_tokens for reply in replies.values())
    assert cached[0] < cached[1]
    assert all(reply.prompt_tokens - reply.cached_tokens < 64 for reply in replies.values() if reply.cached_tokens > 64)
    assert sum(tokens > 100 for tokens in cached) == 5


def test_calls_can_join_while_replies_are_read(vllm_engine: ChildEngine) -> None:
    """A reply may lead to the next call, and `replies` goes on until that one is answered too."""
    vllm_engine.submit(letters(1))
    seen = []
    for reply in vllm_engine.replies():
        seen.append(reply.key)
        assert reply.seconds > 0
        if len(seen) < 4:
            vllm_engine.submit({f"next-{len(seen)}": call(f"Question {len(seen)}?", LETTERS)})
    assert seen == ["letter-0", "next-1", "next-2", "next-3"]
    assert list(vllm_engine.replies()) == []


def test_a_reader_that_stops_early_loses_nothing(vllm_engine: ChildEngine) -> None:
    """Replies that were not read are yielded the next time, each once."""
    vllm_engine.submit(letters(5))
    first = next(vllm_engine.replies())
    rest = [reply.key for reply in vllm_engine.replies()]
    assert sorted([first.key, *rest]) == sorted(letters(5))


def test_a_cut_reply_is_truncated_and_not_repaired(vllm_engine: ChildEngine) -> None:
    """JSON that max_tokens ended is reported as it is: a beginning, finish `length`."""
    reply = ask(vllm_engine, {"cut": call("Give your verdict.", VERDICT, Sampling(max_tokens=4))})["cut"]
    assert reply.finish == "length"
    assert reply.text.startswith('{"colour')
    cut = read_json(reply, Verdict)
    assert isinstance(cut, Missing)
    assert cut.reason == "truncated"


def test_probabilities_do_not_depend_on_the_temperature(vllm_engine: ChildEngine) -> None:
    """Log-probabilities are the model's own, before the temperature flattens them."""
    question = "Question 0: which?\nA. 42\nB. 24\nC. none"
    replies = ask(
        vllm_engine,
        {
            "cold": call(question, LETTERS, Sampling(max_tokens=1, logprobs=3)),
            "hot": call(question, LETTERS, Sampling(max_tokens=1, logprobs=3, temperature=2.0, seed=3)),
        },
    )
    cold, hot = (choice_probabilities(replies[key], LETTERS) for key in ("cold", "hot"))
    assert cold is not None
    assert hot == pytest.approx(cold, abs=1e-3)


def test_seeds_hold_while_long_prompts_are_read_in_several_steps(vllm_engine: ChildEngine) -> None:
    """More prompt tokens than one step takes, drawn with a temperature: every call is answered, as it is alone."""
    drawn = Sampling(max_tokens=6, temperature=1.0, seed=5)
    calls = {f"long-{i}": call("Go on.", FREE, drawn, source=f"Report {i}. " + SOURCE * 5) for i in range(4)}
    together = ask(vllm_engine, calls)
    assert sum(reply.prompt_tokens for reply in together.values()) > 1024, "one step would take them all"
    assert not any(reply.missing for reply in together.values())
    alone = [ask(vllm_engine, {f"alone-{key}": calls[key]})[f"alone-{key}"] for key in ("long-1", "long-3")]
    assert [reply.text for reply in alone] == [together["long-1"].text, together["long-3"].text]
