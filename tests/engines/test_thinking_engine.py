"""Both local engines with a model that thinks, for real: thoughts, times and shares of the device's time."""

import time
from collections.abc import Iterator

import pytest

from localeval.engines.child import ChildEngine
from localeval.models import Model
from localeval.values import Reply, Sampling
from tests.engines.asking import FREE, VERDICT, ask, call, in_schema, letters
from tests.engines.conftest import opened
from tests.engines.thinking_model import CLOSING, OPENING, dressed

pytestmark = pytest.mark.engine

STORY = "Tell a short story about a lighthouse."
CALLS = {
    "closed": call(STORY, FREE, Sampling(max_tokens=24, logprobs=1)),
    "cut": call(STORY, FREE, Sampling(max_tokens=3)),
    "json": call("Give your verdict.", VERDICT, Sampling(max_tokens=80)),
    **letters(2),
}
ENGINES = ("vllm", "transformers")


@pytest.fixture(scope="module")
def thinker(smollm2_model: Model, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A model whose chat template opens a thought, and that closes it where it would write " writer"."""
    return dressed(smollm2_model, tmp_path_factory.mktemp("thinker"), "Ġwriter")


@pytest.fixture(scope="module")
def engines(thinker: Model) -> Iterator[dict[str, ChildEngine]]:
    """The thinking model in both engines."""
    with opened(thinker, thinker.model_copy(update={"engine": "transformers", "options": {}})) as both:
        yield dict(zip(ENGINES, both, strict=True))


@pytest.fixture(scope="module")
def answers(engines: dict[str, ChildEngine]) -> dict[str, tuple[dict[str, Reply], float]]:
    """Replies of each engine, and how long they took altogether."""
    found = {}
    for name, engine in engines.items():
        begin = time.monotonic()
        found[name] = (ask(engine, CALLS), time.monotonic() - begin)
    return found


Answers = dict[str, tuple[dict[str, Reply], float]]


@pytest.mark.parametrize("name", ENGINES)
def test_a_closed_thought_is_split_off(answers: Answers, name: str) -> None:
    """The answer begins behind the mark, in either engine at the same token; the counts hold both parts."""
    reply = answers[name][0]["closed"]
    assert reply.missing is None
    assert reply.text
    assert reply.thinking
    assert CLOSING not in reply.text.split()[0] + reply.thinking
    assert 0 < reply.thinking_tokens < reply.output_tokens == 24
    assert len(reply.logprobs) == 24
    written = [position[0][0] for position in reply.logprobs]
    assert written[reply.thinking_tokens - 1] == CLOSING
    thought = "".join(written[: reply.thinking_tokens - 1])
    assert thought.replace("<|im_start|>", "").strip() == reply.thinking  # a control token is no part of what is said
    assert "".join(written[reply.thinking_tokens :]).strip() == reply.text.strip()


def test_both_engines_split_alike(answers: Answers) -> None:
    """vLLM by its own parser, transformers by the tags: the same weights say and think the same."""
    ours, theirs = (answers[name][0]["closed"] for name in ENGINES)
    assert (ours.thinking, ours.text, ours.thinking_tokens) == (theirs.thinking, theirs.text, theirs.thinking_tokens)


@pytest.mark.parametrize("name", ENGINES)
def test_an_unclosed_thought_is_no_answer(answers: Answers, name: str) -> None:
    """Cut by max_tokens inside the thought: missing, with the tokens that were spent on it."""
    reply = answers[name][0]["cut"]
    assert reply.missing is not None
    assert (reply.missing.reason, reply.missing.detail) == ("truncated", "the thought was not closed after 3 tokens")
    assert (reply.text, reply.finish, reply.thinking_tokens, reply.output_tokens) == ("", "length", 3, 3)


@pytest.mark.parametrize("name", ENGINES)
def test_verdicts_have_no_thought(answers: Answers, name: str) -> None:
    """Constrained from the first token, though the template has opened a thought."""
    replies = answers[name][0]
    in_schema(replies["json"])
    for key in ("json", "letter-0", "letter-1"):
        assert (replies[key].thinking, replies[key].thinking_tokens) == ("", 0)
        assert replies[key].first_token_s is None


@pytest.mark.parametrize("name", ENGINES)
def test_device_seconds_add_up_to_the_time(answers: Answers, name: str) -> None:
    """Nothing of the working time is lost and nothing counted twice; every call has a share."""
    replies, took = answers[name]
    total = sum(reply.device_s or 0.0 for reply in replies.values())
    assert all(reply.device_s for reply in replies.values())
    assert 0.9 * took - 0.5 <= total <= took


@pytest.mark.parametrize("name", ENGINES)
def test_the_first_token_comes_before_the_last(answers: Answers, name: str) -> None:
    """Of free text; with 24 tokens to write the last is well behind it."""
    reply = answers[name][0]["closed"]
    assert reply.first_token_s is not None
    assert 0 < reply.first_token_s < 0.9 * reply.seconds


def test_one_call_at_a_time_pays_for_itself_alone(answers: Answers) -> None:
    """In transformers a letter that waited for a story has not worked as long as the story."""
    replies = answers["transformers"][0]
    assert replies["letter-1"].seconds > (replies["closed"].device_s or 0.0)
    assert (replies["letter-1"].device_s or 0.0) < 0.5 * (replies["closed"].device_s or 0.0)


def test_a_switched_off_thought_leaves_the_reply_whole(thinker: Model) -> None:
    """The card's chat_options close the thought in the template: what comes is the answer, marks in it or not."""
    card = thinker.card.model_copy(update={"chat_options": {"enable_thinking": False}})
    model = thinker.model_copy(update={"engine": "transformers", "options": {}, "card": card})
    with ChildEngine(model) as engine:
        reply = ask(engine, {"story": call(STORY, FREE, Sampling(max_tokens=6))})["story"]
    assert reply.missing is None
    assert (reply.thinking, reply.thinking_tokens) == ("", 0)
    assert reply.text
    assert OPENING not in reply.text


def test_a_call_that_is_refused_has_only_its_own_time(engines: dict[str, ChildEngine]) -> None:
    """Too long for the context: what it took to find that out, and no share of any step."""
    long = call("Go on.", FREE, Sampling(max_tokens=2000))
    reply = ask(engines["transformers"], {"long": long})["long"]
    assert reply.missing is not None
    assert reply.missing.reason == "too long"
    assert reply.device_s is not None
    assert reply.device_s < 0.5
    assert reply.first_token_s is None
