"""Writing: one call as production makes it, post-processed as production does; a cut text is never taken for whole."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import pytest

from localeval.keys import call_key
from localeval.methods.generate.flow import read_text, without_fence, without_thoughts, write
from localeval.methods.generate.method import generate_flows
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.generate.schemas import GeneratedText
from localeval.values import Call, FreeText, Missing, Reply
from tests.methods.generate.generate_systems import meeting, plain, system

FILES = {"user.jinja": "{{ text }}\nSum up.", "system.jinja": "Be brief."}
GOOD = Reply("k", "It opens.", output_tokens=7, prompt_tokens=40, seconds=1.5, first_token_s=0.2, thinking_tokens=2)
CUT = Reply("k", "It op", finish="length", output_tokens=99)


def written(pipeline: Pipeline, replies: Sequence[Reply]) -> tuple[list[Call], GeneratedText]:
    """The calls of a flow that is sent these replies, and what it comes to."""
    flow = write(meeting(), pipeline, 1)
    calls = list(next(flow))
    for reply in replies:
        try:
            calls += flow.send([reply])
        except StopIteration as stop:
            return calls, stop.value
    raise AssertionError("the flow asks for more")


def test_one_call_as_production_makes_it() -> None:
    """The rendered messages, the system's own sampling, no form imposed; who writes about what is told."""
    pipeline = system(FILES, tokens=99, temperature=0.3, top_p=0.9)
    (call,), text = written(pipeline, [GOOD])
    assert call.messages == pipeline.render(meeting())
    assert call.output == FreeText()
    assert (call.sampling.max_tokens, call.sampling.temperature, call.sampling.top_p) == (99, 0.3, 0.9)
    assert (call.model, call.stage, call.subject, call.item) == ("small", "generate/write", "m", "terse")
    assert text == GeneratedText("m", "terse", "It opens.", "stop", 1, 40, 7, 2, 1.5, 0.2)


def test_a_name_changes_no_key() -> None:
    """Another name of the system asks the same; another source, seed or prompt does not."""

    def key(pipeline: Pipeline, seed: int = 1) -> str:
        return call_key(next(write(meeting(), pipeline, seed))[0], "identity")

    assert key(system(FILES)) == key(system(FILES, "other", incumbent=True))
    assert key(system(FILES)) != key(system(FILES), seed=2)
    assert key(system(FILES)) != key(system(FILES | {"system.jinja": "Be long."}))
    seeds = {next(write(source, system(FILES), 1))[0].sampling.seed for source in (meeting("a"), meeting("b"))}
    assert len(seeds) == 2


@pytest.mark.parametrize(
    ("reply", "missing"),
    [
        (CUT, Missing("truncated", "cut after 99 tokens")),
        (replace(GOOD, text=" \n\u200b"), Missing("invalid", "the system wrote nothing")),
        (replace(GOOD, text="<think>Hm, it"), Missing("truncated", "a thought that is not closed")),
        (replace(GOOD, text="<think>Hm.</think>\n\n"), Missing("invalid", "the system wrote nothing")),
        (replace(GOOD, missing=Missing("engine error", "timeout")), Missing("engine error", "timeout")),
        (replace(GOOD, finish="error"), Missing("engine error", "the engine ended the text with an error")),
    ],
)
def test_what_is_no_whole_text_is_missing(reply: Reply, missing: Missing) -> None:
    """At once, as production does not ask again; where it does, it is asked anew as a new call with its own seed, as
    often as the system's `retries` say, and the last asking counts."""
    calls, text = written(system(FILES), [reply])
    assert (len(calls), text.text, text.asked, text.finish) == (1, missing, 1, reply.finish)
    calls, text = written(system(FILES, retries=1), [reply, GOOD])
    assert len({call_key(call, "i") for call in calls}) == 2
    assert (text.text, text.asked, text.finish, text.output_tokens) == ("It opens.", 2, "stop", 7)
    calls, text = written(system(FILES, retries=2), [reply, reply, reply])
    assert len({call_key(call, "i") for call in calls}) == 3
    assert (text.text, text.asked, text.finish) == (missing, 3, reply.finish)


def test_what_does_not_fit_is_not_asked_anew() -> None:
    """Nothing could change it."""
    too_long = Missing("too long", "", needed=9000, limit=8192)
    assert written(system(FILES, retries=3), [replace(GOOD, missing=too_long)])[1].text == too_long


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<think>\nHm.\n</think>\n\nIt opens.", "\n\nIt opens."),
        ("It <think>a</think>opens<think>b</think>.", "It opens."),
        ("Hm, it says so.\n</think>\nIt opens.", "\nIt opens."),
        ("<think>a <think>b</think> c</think>It opens.", "It opens."),
        ("It opens.", "It opens."),
    ],
)
def test_thoughts_are_taken_off(text: str, answer: str) -> None:
    """Also one that the prompt had opened, so that only its end stands in the text."""
    assert without_thoughts(text) == answer


@pytest.mark.parametrize("text", ["<think>Hm.", "It opens. <think>Or", "<think>a</think>It<think>opens."])
def test_a_thought_that_is_not_closed_is_no_answer(text: str) -> None:
    """Nobody knows where it ends."""
    assert without_thoughts(text) == Missing("truncated", "a thought that is not closed")


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("```\nIt opens.\n```", "It opens."),
        ("```markdown\n# Bridge\n\nIt opens.\n```", "# Bridge\n\nIt opens."),
        ("~~~\nIt opens.\n~~~", "It opens."),
        ("````md\n```\ncode\n```\n````", "```\ncode\n```"),
        ("```\na\n```\nand\n```\nb\n```", "```\na\n```\nand\n```\nb\n```"),
        ("```\nIt opens.\n```\nThat is all.", "```\nIt opens.\n```\nThat is all."),
        ("```\nIt opens.", "```\nIt opens."),
        ("`It` opens.", "`It` opens."),
        ("```It opens.```", "```It opens.```"),
    ],
)
def test_a_fence_is_taken_off_where_it_holds_the_whole(text: str, inner: str) -> None:
    """One that holds a part of the text is the text's own."""
    assert without_fence(text) == inner


@pytest.mark.parametrize(
    ("strip", "text"),
    [
        ((), "<think>Hm.</think>\n```\nIt opens.\n```"),
        (("reasoning",), "```\nIt opens.\n```"),
        (("fence",), "<think>Hm.</think>\n```\nIt opens.\n```"),
        (("fence", "reasoning"), "It opens."),
    ],
)
def test_only_what_the_system_says_is_stripped(strip: tuple[Literal["reasoning", "fence"], ...], text: str) -> None:
    """Outer white space always is; thoughts go before the fence, in whatever order they are named."""
    assert read_text(replace(GOOD, text="  <think>Hm.</think>\n```\nIt opens.\n```\n"), strip) == text


def test_every_system_writes_about_every_source() -> None:
    """Source by source, so that systems of one model share a long text."""
    pipelines = {name: system(FILES, name) for name in ("a", "b")}
    flows = dict(generate_flows((plain("x"), plain("y")), pipelines, 1))
    assert list(flows) == [("x", "a"), ("x", "b"), ("y", "a"), ("y", "b")]
    assert [(call.subject, call.item) for flow in flows.values() for call in next(flow)] == list(flows)
