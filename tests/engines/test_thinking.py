"""`localeval.engines.thinking`: thoughts are split off answers and never taken for them."""

import pytest

from localeval.engines.thinking import Split, Splitter, cut_channels, splitter, without_thought
from localeval.errors import EngineError
from localeval.models import Card
from localeval.values import Missing, Reply

ASK = "<|im_end|>\n<|im_start|>assistant\n"
HARMONY = "<|end|><|start|>assistant"


def card(parser: str | None, **chat_options: str | bool) -> Card:
    return Card(name="c", family="f", reasoning_parser=parser, chat_options=chat_options)


def letters(ids: list[int]) -> str:
    """Tokens that are letters, one each."""
    return "".join(map(chr, ids))


def split_reply(split: Splitter, text: str, finish: str = "stop") -> Reply:
    """A reply of `text` after its thought is split off, in a tokenizer whose tokens are letters."""
    reply = Reply("k", text, finish, output_tokens=len(text))  # type: ignore[arg-type]
    return without_thought(reply, [ord(letter) for letter in text], split, letters)


@pytest.mark.parametrize(
    ("parser", "text"),
    [
        ("deepseek_r1", "<think>hm\n</think>\n\nyes"),
        ("qwen3", "\n<think>\nhm</think>yes"),
        ("glm45", "hm</think>yes"),
        ("seed_oss", "<seed:think>hm</seed:think>yes"),
        ("gemma4", "<|channel>thought\nhm<channel|>yes"),
        ("mistral", "[THINK]hm[/THINK]yes"),
        ("granite", "Here is my thought process: hm Here's my response:yes"),
        ("openai_gptoss", "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>yes"),
    ],
)
def test_each_family_is_cut_at_its_own_marks(parser: str, text: str) -> None:
    """The thought and the answer come apart, without marks and without the white space between them."""
    reply = split_reply(splitter(card(parser), ASK), text)
    assert (reply.thinking, reply.text, reply.missing) == ("hm", "yes", None)
    assert reply.thinking_tokens == len(text.removesuffix("yes").rstrip())


@pytest.mark.parametrize(
    ("parser", "text", "end"),
    [
        ("deepseek_r1", "<think>hm", ASK),
        ("deepseek_r1", "no mark at all, for the template may have opened the thought", ASK),
        ("gemma4", "<|channel>thought\nhm", ASK),
        ("mistral", "hm", f"{ASK}[THINK]"),
        ("granite", "Here is my thought process: hm", ASK),
        ("openai_gptoss", "<|channel|>analysis<|message|>hm<|end|>", HARMONY),
        ("openai_gptoss", "<|channel|>analy", HARMONY),
        (None, "<think>hm", ASK),
        (None, "hm", f"{ASK}<think>\n"),
    ],
)
@pytest.mark.parametrize("finish", ["length", "stop"])
def test_an_unclosed_thought_is_missing(parser: str | None, text: str, end: str, finish: str) -> None:
    """Cut off or ended by the model itself, it is never an answer: also where the card names no parser."""
    reply = split_reply(splitter(card(parser), end), text, finish)
    assert reply.missing == Missing("truncated", f"the thought was not closed after {len(text)} tokens")
    assert (reply.text, reply.thinking_tokens) == ("", len(text))
    assert reply.thinking or parser == "openai_gptoss"


@pytest.mark.parametrize(
    ("chat_options", "end"),
    [({}, f"{ASK}<think>\n\n</think>\n\n"), ({"enable_thinking": False}, ASK), ({"thinking": False}, ASK)],
)
def test_a_thought_that_is_switched_off_is_not_looked_for(chat_options: dict[str, bool], end: str) -> None:
    """The template has closed it, or was told that there is none: the reply is the answer, as it is."""
    split = splitter(card("deepseek_r1", **chat_options), end)
    assert split_reply(split, "\n\nno mark").text == "\n\nno mark"
    assert split_reply(split, "a</think>b").text == "a</think>b"
    thought_all_the_same = split_reply(split, "<think>hm</think>yes")
    assert (thought_all_the_same.thinking, thought_all_the_same.text) == ("hm", "yes")


def test_a_switch_that_the_template_does_not_know_switches_nothing_off() -> None:
    """It has opened a thought, whatever the card tells it: what the reply begins with is that thought."""
    split = splitter(card("glm45", enable_thinking=False), f"{ASK}<think>")
    assert split_reply(split, "hm</think>yes").text == "yes"
    assert split_reply(split, "hm").missing is not None


def test_a_card_without_a_parser_changes_no_answer() -> None:
    """Not even one that speaks of thoughts; but what the chat template has opened is a thought."""
    split = splitter(card(None), ASK)
    text = " The log says <think> twice.</think> "
    assert split_reply(split, text).text == text
    opened = split_reply(splitter(card(None), f"{ASK}<think>\n"), "hm</think>yes")
    assert (opened.thinking, opened.text) == ("hm", "yes")


def test_thinking_tokens_are_counted_up_to_the_answer() -> None:
    """Marks count as thought; an answer whose words the thought has said already is found behind it."""
    split = splitter(card("qwen3"), ASK)
    assert split_reply(split, "<think>yes, yes</think>\n\nyes").thinking_tokens == len("<think>yes, yes</think>")
    assert split_reply(split, "<think></think>yes").thinking_tokens == len("<think></think>")


def test_an_empty_answer_is_one() -> None:
    """A thought that was closed and nothing after it: no text, and not an unclosed thought."""
    reply = split_reply(splitter(card("qwen3"), ASK), "<think>hm</think>")
    assert (reply.text, reply.thinking, reply.missing) == ("", "hm", None)
    assert reply.thinking_tokens == reply.output_tokens


def test_control_tokens_are_no_words() -> None:
    """Those that came with the text so that marks could be seen are in neither part."""
    split = splitter(card("gemma4"), ASK, ["<|channel>", "<channel|>", "<|turn>", "<|turn>x"])
    reply = split_reply(split, "<|channel>thought\nhm<|turn><channel|>yes<|turn>x")
    assert (reply.thinking, reply.text) == ("hm", "yes")
    assert split_reply(split, "plain<|turn>").text == "plain"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", Split("", "plain")),
        ("<|channel|>final<|message|>yes<|return|>", Split("", "yes")),
        ("<|channel|>commentary to=x<|message|>a<|end|><|channel|>final<|message|>yes", Split("a", "yes")),
        ("<|channel|>final <|constrain|>json<|message|>{}", Split("", "{}")),
        ("<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>", Split("a", "")),
    ],
)
def test_channels(text: str, expected: Split) -> None:
    """What is said in `final` is the answer; all other channels are thoughts; a text without channels is an answer."""
    assert cut_channels(text) == expected


def test_a_template_may_open_the_final_channel() -> None:
    """Then there is no thought, and the reply is the answer."""
    assert split_reply(splitter(card("openai_gptoss"), f"{HARMONY}<|channel|>final<|message|>"), "yes").text == "yes"


def test_the_last_mark_of_the_prompt_counts() -> None:
    """An earlier turn's closed thought does not close the one that was opened for this reply."""
    marks = splitter(card("qwen3"), "<think>a</think>x<think>")
    assert marks.opened == "<think>"
    assert not marks("hm").is_closed


def test_a_parser_that_breaks_costs_one_reply() -> None:
    """Its error is that reply's, in one line, with no text that could be taken for an answer."""

    def breaks(text: str) -> Split:
        raise RuntimeError(f"no such\ntag: {text}")

    reply = split_reply(Splitter(breaks), "hm")
    assert reply.missing == Missing("engine error", "reasoning_parser failed: RuntimeError: no such")
    assert (reply.text, reply.finish) == ("", "error")


def test_a_reply_that_is_missing_stays_as_it_is() -> None:
    """An engine's own failure is not looked into."""
    reply = Reply("k", "<think>", "error", missing=Missing("engine error", "x"))
    assert without_thought(reply, [], splitter(card("qwen3"), ASK), letters) is reply


def test_a_parser_of_vllms_alone_is_refused_elsewhere() -> None:
    """In one line that names the card, the parser and those that are known."""
    with pytest.raises(
        EngineError, match=r"model card 'c': reasoning_parser 'kimi_k3' .* engine: vllm, or one of deep"
    ):
        splitter(card("kimi_k3"), ASK)
