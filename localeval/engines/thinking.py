"""What a reasoning model thinks before it answers: split off the answer, and never taken for it.

Families mark their thoughts with tags or with phrases. Where vLLM serves, its own parser of the family splits
(`localeval.engines.vllm_thinking`); here are the same cuts for the families whose marks are plain, and what holds for
both: a thought that the chat template has opened, one that it has closed already, one that never ends.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from localeval.engines.backend import first_line
from localeval.errors import EngineError
from localeval.models.cards import Card
from localeval.values import Missing, Reply

Decode = Callable[[Sequence[int]], str]
"""Token ids to text, control tokens included."""


@dataclass(frozen=True, slots=True)
class Split:
    """A reply cut in two. Not `is_closed`: the thought does not end, and there is no answer."""

    thinking: str
    answer: str
    is_closed: bool = True


@dataclass(frozen=True, slots=True)
class Marks:
    """Patterns of what opens and closes a family's thoughts.

    `is_assumed`: a reply is a thought from its beginning, whether or not it opens one, as in families whose chat
    template may have opened it.
    """

    opening: str
    closing: str
    is_assumed: bool = True


_THINK = Marks("<think>", "</think>")
_HARMONY = "openai_gptoss"
_MARKS = {
    "deepseek_r1": _THINK,
    "qwen3": _THINK,
    "glm45": _THINK,
    "glm47": _THINK,
    "minimax_m2": _THINK,
    "seed_oss": Marks("<seed:think>", "</seed:think>"),
    "gemma4": Marks(r"<\|channel>(?:thought\b)?", r"<channel\|>", is_assumed=False),
    "mistral": Marks(r"\[THINK\]", r"\[/THINK\]", is_assumed=False),
    "granite": Marks(r"Here(?:'s| is) my thought process:", r"Here(?:'s| is) my response:", is_assumed=False),
}
ANY = Marks(
    r"<think(?:ing)?>|<seed:think>|\[THINK\]|<\|channel>thought\b|<\|START_THINKING\|>|"
    r"Here(?:'s| is) my thought process:",
    r"</think(?:ing)?>|</seed:think>|\[/THINK\]|<channel\|>|<\|END_THINKING\|>|Here(?:'s| is) my response:",
    is_assumed=False,
)
"""The marks of all families: what is looked for where there should be no thought."""
_CHANNEL = re.compile(
    r"<\|channel\|>\s*(\w+)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>(.*?)"
    r"(?=<\|(?:end|return|call|start|channel)\|>|\Z)",
    re.DOTALL,
)
_SWITCHES = ("enable_thinking", "thinking")
"""Variables with which chat templates let a model think or not."""


@dataclass(frozen=True, slots=True)
class Splitter:
    """Splits the replies of one model.

    `cut` splits a text that holds the whole thought. `opened` is what the chat template has written of it before the
    reply begins. `control` matches the model's control tokens, which are no part of what is said.
    """

    cut: Callable[[str], Split]
    opened: str = ""
    control: re.Pattern[str] | None = None

    def __call__(self, text: str) -> Split:
        """The reply's thought and answer. An answer that begins with a thought's mark is an unclosed thought."""
        found = self.cut(self.opened + text)
        if found.is_closed and re.match(rf"\s*(?:{ANY.opening})", found.answer):
            return Split(found.answer, "", is_closed=False)
        return found

    def said(self, text: str) -> str:
        """The text without control tokens."""
        return self.control.sub("", text) if self.control else text


def splitter(card: Card, prompt_end: str, control: Sequence[str] = ()) -> Splitter:
    """Splits as the card's `reasoning_parser` says; `prompt_end` is what the chat template writes last.

    Where the template has closed the thought, or was told that there is none, a reply is an answer, unless it begins
    a thought all the same. Raises EngineError where the parser is not one of those that are known here.
    """
    name = card.reasoning_parser
    pattern = control_pattern(control)
    if name == _HARMONY:
        return Splitter(cut_channels, prompt_end[prompt_end.rfind("<|start|>") :], pattern)
    if name is not None and name not in _MARKS:
        known = ", ".join(sorted([*_MARKS, _HARMONY]))
        raise EngineError(
            f"model card {card.name!r}: reasoning_parser {name!r} is known to vLLM alone, if at all; "
            f"give engine: vllm, or one of {known}"
        )
    marks = ANY if name is None else _MARKS[name]
    _, opened = thought_in(prompt_end, marks)
    if is_off(card, prompt_end, marks):
        marks = ANY
    return Splitter(lambda text: cut_marked(text, marks), opened, pattern)


def is_harmony(card: Card) -> bool:
    """Whether the model speaks in channels (gpt-oss): vLLM's parser of that name tells the end of a thought alone."""
    return card.reasoning_parser == _HARMONY


def is_off(card: Card, prompt_end: str, marks: Marks) -> bool:
    """Whether a reply holds no thought: the chat template has closed it, or was told not to let the model think.

    A template that opens a thought all the same knows no such switch.
    """
    state, _ = thought_in(prompt_end, marks)
    return state == "closed" or (state == "none" and any(card.chat_options.get(name) is False for name in _SWITCHES))


def control_pattern(tokens: Sequence[str]) -> re.Pattern[str] | None:
    """Matches any of the control tokens; None where there are none."""
    return re.compile("|".join(re.escape(token) for token in sorted(tokens, key=len, reverse=True))) if tokens else None


def thought_in(prompt_end: str, marks: Marks) -> tuple[Literal["open", "closed", "none"], str]:
    """How the prompt's end leaves the thought, and its text from the opening mark on where it is open."""
    opened = [match.start() for match in re.finditer(marks.opening, prompt_end)]
    closed = [match.start() for match in re.finditer(marks.closing, prompt_end)]
    if closed and (not opened or closed[-1] > opened[-1]):
        return "closed", ""
    return ("open", prompt_end[opened[-1] :]) if opened else ("none", "")


def cut_marked(text: str, marks: Marks) -> Split:
    """A text cut at its family's marks."""
    opening = re.match(rf"\s*(?:{marks.opening})", text)
    if opening is None and not marks.is_assumed:
        return Split("", text)
    begin = opening.end() if opening else 0
    closing = re.compile(marks.closing).search(text, begin)
    if closing is None:
        return Split(text[begin:], "", is_closed=False)
    return Split(text[begin : closing.start()], text[closing.end() :])


def cut_channels(text: str) -> Split:
    """A text in OpenAI's harmony format: the answer is what the channel `final` says, everything else is thought."""
    channels = _CHANNEL.findall(text)
    if "<|channel|>" not in text:
        return Split("", text.removeprefix("<|start|>assistant"))
    final = [said for channel, said in channels if channel == "final"]
    thought = "\n".join(said for channel, said in channels if channel != "final")
    return Split(thought, "".join(final), is_closed=bool(final))


def without_thought(reply: Reply, ids: Sequence[int], split: Splitter, decode: Decode) -> Reply:
    """The reply, whose text is everything that was written, with the thought apart.

    `ids` are its output tokens. An unclosed thought is missing, whatever ended it. White space between a thought and
    its answer belongs to neither.
    """
    if reply.missing is not None:
        return reply
    try:
        found = split(reply.text)
    except Exception as error:  # a parser of vLLM's, on a text that it did not expect: one reply, not the batch
        why = f"reasoning_parser failed: {type(error).__name__}: {first_line(error)}"
        return replace(reply, text="", finish="error", missing=Missing("engine error", why))
    thinking = split.said(found.thinking).strip()
    if not found.is_closed:
        missing = Missing("truncated", f"the thought was not closed after {reply.output_tokens} tokens")
        return replace(reply, text="", missing=missing, thinking=thinking, thinking_tokens=reply.output_tokens)
    if found.answer == reply.text:
        return replace(reply, text=split.said(reply.text))
    count = _tokens_before(_answer_begins(reply.text, found.answer), ids, decode)
    return replace(reply, text=split.said(found.answer).lstrip(), thinking=thinking, thinking_tokens=count)


def _answer_begins(text: str, answer: str) -> int:
    """Where the answer begins in the text; behind the closing mark where a parser left something of it out."""
    begin = text.rfind(answer) if answer else len(text)
    if begin >= 0:
        return begin
    closing = re.search(ANY.closing, text)
    return closing.end() if closing else len(text) - len(answer)


def _tokens_before(position: int, ids: Sequence[int], decode: Decode) -> int:
    """How many of the tokens it takes to write the text up to `position`, in a few decodings."""
    return bisect_left(range(len(ids)), position, key=lambda count: len(decode(ids[:count])))
