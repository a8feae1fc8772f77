"""Outlines on plain transformers in a child process, and vLLM against it on the same weights."""

import pytest

from localeval.engines.child import ChildEngine
from localeval.outputs import choice_probabilities, read_choice, read_json
from localeval.values import JsonObject, Sampling
from tests.engines.asking import FREE, LETTERS, SOURCE, VERDICT, WORDS, Verdict, ask, call, in_schema, letters, mass

pytestmark = pytest.mark.engine


def test_outlines_constrains(transformers_engine: ChildEngine) -> None:
    """Letters, phrases and JSON come back in schema; the probabilities of a choice sum to one over its options."""
    calls = {
        **letters(2),
        "words": call("Is the budget known?", WORDS),
        "json": call("Give your verdict.", VERDICT, Sampling(max_tokens=80)),
    }
    replies = ask(transformers_engine, calls)
    for key in ("letter-0", "letter-1"):
        assert read_choice(replies[key], LETTERS) in LETTERS.options
        assert mass(replies[key]) == pytest.approx(1.0, abs=1e-4)
    assert read_choice(replies["words"], WORDS) in WORDS.options
    in_schema(replies["json"])
    assert isinstance(read_json(replies["json"], Verdict), Verdict)


def test_a_kept_prefix_changes_nothing(transformers_engine: ChildEngine) -> None:
    """Questions on one source compute its tokens once, and answer as if they had been asked alone."""
    aside = call("Aside?", LETTERS, source="Something else entirely. ")
    first = ask(transformers_engine, {"aside": aside, "alone": call("Which?\nA. 1\nB. 2", LETTERS)})["alone"]
    again = ask(transformers_engine, {"other": call("Who?", LETTERS), "shared": call("Which?\nA. 1\nB. 2", LETTERS)})
    shared = again["shared"]
    assert first.cached_tokens < 20
    assert shared.cached_tokens > 100
    assert again["other"].cached_tokens > 100
    assert dict(shared.logprobs[0]) == pytest.approx(dict(first.logprobs[0]), abs=1e-4)


def test_the_same_prompt_twice_is_answered_alike(transformers_engine: ChildEngine) -> None:
    """A prompt that is cached whole still computes its last token."""
    long = call("Tell a story.", FREE, Sampling(max_tokens=8))
    first = ask(transformers_engine, {"first": long})["first"]
    second = ask(transformers_engine, {"second": long})["second"]
    assert first.text == second.text
    assert second.cached_tokens == second.prompt_tokens - 1


def test_seeds_belong_to_calls(transformers_engine: ChildEngine) -> None:
    """One seed gives one text, another seed another; a tiny top_p leaves the likeliest token alone."""
    warm = {"temperature": 1.0, "max_tokens": 10}
    replies = ask(
        transformers_engine,
        {
            "one": call("Tell a story.", FREE, Sampling(seed=1, **warm)),
            "again": call("Tell a story.", FREE, Sampling(seed=1, **warm)),
            "two": call("Tell a story.", FREE, Sampling(seed=2, **warm)),
            "cold": call("Tell a story.", FREE, Sampling(max_tokens=10)),
            "narrow": call("Tell a story.", FREE, Sampling(seed=5, top_p=1e-6, **warm)),
        },
    )
    assert replies["one"].text == replies["again"].text != replies["two"].text
    assert replies["narrow"].text == replies["cold"].text


def test_bad_and_long_calls_fail_alone(transformers_engine: ChildEngine) -> None:
    """A pattern that Outlines cannot compile and a prompt that does not fit are one missing each."""
    ahead = JsonObject('{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)y"}},"required":["a"]}')
    replies = ask(
        transformers_engine,
        {"bad": call("Go on.", ahead), "long": call("Which?", LETTERS, source=SOURCE * 12), **letters(1)},
    )
    bad, long = replies["bad"].missing, replies["long"].missing
    assert bad is not None
    assert long is not None
    assert (bad.reason, long.reason, long.limit) == ("engine error", "too long", 1024)
    assert replies["letter-0"].text in LETTERS.options


def test_both_engines_give_the_same_probabilities(vllm_engine: ChildEngine, transformers_engine: ChildEngine) -> None:
    """In float32 the two agree on every choice to three digits, and write the same JSON."""
    calls = {**letters(4), "json": call("Give your verdict.", VERDICT, Sampling(max_tokens=80))}
    ours, theirs = ask(transformers_engine, calls), ask(vllm_engine, calls)
    for key in letters(4):
        expected = choice_probabilities(theirs[key], LETTERS)
        assert expected is not None
        assert choice_probabilities(ours[key], LETTERS) == pytest.approx(expected, abs=1e-3)
        assert ours[key].text == theirs[key].text
        assert ours[key].prompt_tokens == theirs[key].prompt_tokens
    assert ours["json"].text == theirs["json"].text
    assert ours["json"].output_tokens == theirs["json"].output_tokens
