"""vLLM's own parsers on whole replies, with the lab model's tokenizer and the marks of each family added to it."""

import sys
from pathlib import Path

import pytest

from localeval.engines.thinking import Splitter, without_thought
from localeval.errors import EngineError
from localeval.models import Card, Model
from localeval.values import Missing, Reply

pytestmark = pytest.mark.engine

ASK = "<|im_end|>\n<|im_start|>assistant\n"
MARKS = ["<think>", "</think>", "<|channel>", "<channel|>", "[THINK]", "[/THINK]", "[TOOL_CALLS]", "<tool_call>"]


@pytest.fixture(scope="module")
def thinking():  # type: ignore[no-untyped-def]
    """The module that holds vLLM's parsers."""
    yield pytest.importorskip("localeval.engines.vllm_thinking")
    # vLLM brings distutils, and then setuptools warns whoever looks for pip, as tests of packages do
    for name in [each for each in sys.modules if each.split(".")[0] == "distutils"]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def tokenizer(smollm2_model: Model):  # type: ignore[no-untyped-def]
    """The lab model's tokenizer that knows the marks of several families."""
    from localeval.engines.tokenizer import load_tokenizer

    found = load_tokenizer(smollm2_model)
    found.add_tokens(MARKS)  # type: ignore[attr-defined]
    return found


def card(parser: str | None, **chat_options: str | bool) -> Card:
    return Card(name="c", family="f", reasoning_parser=parser, chat_options=chat_options)


def split_reply(split: Splitter, tokenizer, text: str) -> Reply:  # type: ignore[no-untyped-def]
    """The reply after its thought is split off, of the tokens that the text has."""
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    reply = Reply("k", text, output_tokens=len(ids))
    return without_thought(reply, ids, split, lambda some: str(tokenizer.decode(some, skip_special_tokens=False)))


THINKERS = {
    "deepseek_r1": "<think>\none two</think>\n\nyes, no",
    "qwen3": "<think>\none two\n</think>\n\nyes, no",
    "glm45": "\n<think>one two</think>\nyes, no",
    "glm47": "one two</think>yes, no",
    "minimax_m2": "one two</think>yes, no",
    "kimi_k2": "<think>one two</think>yes, no",
    "gemma4": "<|channel>thought\none two<channel|>yes, no",
    "mistral": "[THINK]one two[/THINK]yes, no",
    "olmo3": "<think>one two</think>yes, no",
    "granite": "Here's my thought process: one two Here is my response: yes, no",
}


@pytest.mark.parametrize("parser", THINKERS)
def test_thought_and_answer_come_apart(thinking, tokenizer, parser: str) -> None:  # type: ignore[no-untyped-def]
    """Both as they were written; the thought's tokens are those up to its closing mark."""
    reply = split_reply(thinking.vllm_splitter(card(parser), ASK, tokenizer), tokenizer, THINKERS[parser])
    assert (reply.thinking, reply.text, reply.missing) == ("one two", "yes, no", None)
    thought = THINKERS[parser].removesuffix("yes, no").rstrip()
    assert reply.thinking_tokens == len(tokenizer(thought, add_special_tokens=False)["input_ids"])


@pytest.mark.parametrize("parser", THINKERS)
def test_a_thought_without_an_end_is_missing(thinking, tokenizer, parser: str) -> None:  # type: ignore[no-untyped-def]
    """Whichever parser it is: two of vLLM's take an unclosed thought for the answer, and are not believed."""
    text = THINKERS[parser][: THINKERS[parser].index("two") + 3]
    reply = split_reply(thinking.vllm_splitter(card(parser), ASK, tokenizer), tokenizer, text)
    assert reply.missing == Missing("truncated", f"the thought was not closed after {reply.output_tokens} tokens")
    assert (reply.text, reply.thinking_tokens) == ("", reply.output_tokens)
    assert reply.thinking.endswith("one two")


@pytest.mark.parametrize("parser", ["deepseek_r1", "qwen3", "glm45", "mistral"])
def test_a_template_opens_the_thought(thinking, tokenizer, parser: str) -> None:  # type: ignore[no-untyped-def]
    """Then the reply has no opening mark: split all the same, also by parsers that wait for one."""
    opening, closing = ("[THINK]", "[/THINK]") if parser == "mistral" else ("<think>", "</think>")
    split = thinking.vllm_splitter(card(parser), f"{ASK}{opening}\n", tokenizer)
    closed, unclosed = (split_reply(split, tokenizer, text) for text in (f"one{closing}yes", "one"))
    assert (closed.thinking, closed.text) == ("one", "yes")
    assert unclosed.missing is not None


OFF = [
    ("deepseek_r1", {}, "<think>\n\n</think>\n\n"),
    ("deepseek_r1", {"thinking": False}, "</think>"),
    ("deepseek_v3", {}, "</think>"),
    ("minimax_m3", {"thinking": False}, ""),
    ("qwen3", {"enable_thinking": False}, "<think>\n\n</think>\n\n"),
    ("qwen3", {"my_switch": False}, "<think>\n\n</think>\n\n"),
    ("glm45", {"enable_thinking": False}, "<think></think>\n"),
    ("glm45", {"enable_thinking": False}, ""),
    ("gemma4", {}, "<|channel>thought\n<channel|>"),
    ("gemma4", {"enable_thinking": False}, ""),
]


@pytest.mark.parametrize(("parser", "chat_options", "end"), OFF)
def test_nothing_is_split_where_thinking_is_off(  # type: ignore[no-untyped-def]
    thinking, tokenizer, parser: str, chat_options: dict[str, bool], end: str
) -> None:
    """The template closed the thought before the reply, by whatever variable: the reply is the answer, and not missing.

    A parser that were asked would take all of it for an unclosed thought. One that thinks all the same is split.
    """
    split = thinking.vllm_splitter(card(parser, **chat_options), f"{ASK}{end}", tokenizer)
    reply = split_reply(split, tokenizer, "yes, no")
    assert (reply.text, reply.thinking, reply.thinking_tokens, reply.missing) == ("yes, no", "", 0, None)
    assert split_reply(split, tokenizer, "<think>one</think>yes").text in ("yes", "")


def test_a_parser_that_is_on_by_an_option_is_told(thinking, tokenizer) -> None:  # type: ignore[no-untyped-def]
    """The card's chat_options reach the parser as they reach the template."""
    split = thinking.vllm_splitter(card("deepseek_v3", thinking=True), f"{ASK}<think>", tokenizer)
    assert split_reply(split, tokenizer, "one</think>yes").text == "yes"
    assert split_reply(split, tokenizer, "one").missing is not None


def test_gpt_oss_is_split_by_its_channels(thinking, tokenizer) -> None:  # type: ignore[no-untyped-def]
    """vLLM's parser of that name splits no text; ours does."""
    split = thinking.vllm_splitter(card("openai_gptoss"), "<|end|><|start|>assistant", tokenizer)
    text = "<|channel|>analysis<|message|>one<|end|><|start|>assistant<|channel|>final<|message|>yes"
    assert split_reply(split, tokenizer, text).text == "yes"


@pytest.mark.parametrize(
    ("parser", "message"),
    [
        ("qwen_3", r"model card 'c': reasoning_parser 'qwen_3' is not one of this vLLM's \(known: .*qwen3"),
        ("minimax_m2_append_think", "use minimax_m2, which parts thought and answer"),
        ("minimax_m3", "reasoning_parser 'minimax_m3' does not go with the model's tokenizer: .*could not locate"),
        ("cohere_command3", "reasoning_parser 'cohere_command3' does not part a whole reply .*into thought and answer"),
    ],
)
def test_a_parser_that_cannot_serve_is_refused(thinking, tokenizer, parser: str, message: str) -> None:  # type: ignore[no-untyped-def]
    """Unknown, leaving the thought in the answer, without its marks in the vocabulary, or blind to them: one line."""
    with pytest.raises(EngineError, match=message) as caught:
        thinking.vllm_splitter(card(parser), ASK, tokenizer)
    assert "\n" not in str(caught.value)


def test_an_unknown_parser_costs_no_load(smollm2_model: Model, tmp_path: Path) -> None:
    """The engine says so before it reads any weights: here there are none."""
    from localeval.engines.child import ChildEngine

    origin = Path(smollm2_model.folder)
    for path in origin.iterdir():
        if path.suffix != ".safetensors":
            (tmp_path / path.name).symlink_to(path)
    strange = smollm2_model.card.model_copy(update={"reasoning_parser": "qwen_3"})
    with (
        pytest.raises(EngineError, match=r"engine vllm did not start: model card .*'qwen_3' is not one of"),
        ChildEngine(smollm2_model.model_copy(update={"card": strange, "folder": str(tmp_path)})),
    ):
        pass
