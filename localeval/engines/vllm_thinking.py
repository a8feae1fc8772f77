"""vLLM's own parsers of what reasoning models think, by the names that model cards give them."""

import re
from typing import Any

from vllm.entrypoints.openai.chat_completion.protocol import ChatCompletionRequest
from vllm.reasoning import ReasoningParserManager

from localeval.engines.backend import first_line
from localeval.engines.thinking import (
    ANY,
    Marks,
    Split,
    Splitter,
    control_pattern,
    cut_marked,
    is_harmony,
    is_off,
    splitter,
    thought_in,
)
from localeval.errors import EngineError
from localeval.models.cards import Card

_LEAKS = {"minimax_m2_append_think": "minimax_m2"}
"""Parsers that leave the thought in the answer, and those that do not."""


def check_parser(card: Card) -> None:
    """Raises EngineError where the card's `reasoning_parser` is none of vLLM's: before any weights are loaded."""
    name = card.reasoning_parser
    if name is None:
        return
    known = [each for each in ReasoningParserManager.list_registered() if each not in _LEAKS]
    if name not in known:
        hint = f"; use {_LEAKS[name]}, which parts thought and answer" if name in _LEAKS else ""
        raise EngineError(
            f"model card {card.name!r}: reasoning_parser {name!r} is not one of this vLLM's{hint} "
            f"(known: {', '.join(known)})"
        )


def vllm_splitter(card: Card, prompt_end: str, tokenizer: Any) -> Splitter:
    """Splits as the card's parser does in vLLM's server, told of the card's `chat_options`.

    The thought is put before it whole where the template has opened it; where the template has closed it, or was told
    that there is none, the parser is not asked. Raises EngineError for a parser that does not go with the tokenizer or
    does not split what it should.
    """
    name, control = card.reasoning_parser, tokenizer.all_special_tokens
    if name is None or is_harmony(card):
        return splitter(card, prompt_end, control if name else ())
    check_parser(card)
    silent = Splitter(lambda text: cut_marked(text, ANY), control=control_pattern(control))
    if is_off(card, prompt_end, ANY):
        return silent
    parser = VllmParser(card, tokenizer)
    if parser.marks is None:
        return Splitter(parser, control=silent.control)
    if is_off(card, prompt_end, parser.marks):
        return silent
    split = Splitter(parser, thought_in(prompt_end, parser.marks)[1], silent.control)
    _check(card, split, parser.opening, parser.closing)
    return split


class VllmParser:
    """A parser of vLLM's for whole replies. `opening` and `closing` are its marks, empty where it tells none."""

    def __init__(self, card: Card, tokenizer: Any) -> None:
        """Raises EngineError where the parser finds its marks not among the tokenizer's tokens."""
        name = card.reasoning_parser
        self._kind = ReasoningParserManager.get_reasoning_parser(str(name))
        self._tokenizer = tokenizer
        self._options = dict(card.chat_options)
        self._request = ChatCompletionRequest(model=card.name, messages=[], skip_special_tokens=False)
        try:
            parser = self._new()
        except Exception as error:  # each parser raises what it likes
            reason = f"does not go with the model's tokenizer: {first_line(error)}"
            raise EngineError(f"model card {card.name!r}: reasoning_parser {name!r} {reason}") from error
        self.opening = parser.reasoning_start_str or ""
        self.closing = parser.reasoning_end_str or ""

    @property
    def marks(self) -> Marks | None:
        """The marks as patterns; None where the parser tells none."""
        if not (self.opening and self.closing):
            return None
        return Marks(re.escape(self.opening), re.escape(self.closing))

    def __call__(self, text: str) -> Split:
        """The text as the parser splits it."""
        thinking, answer = self._new().extract_reasoning(text, self._request)
        is_closed = bool(answer) or thinking is None or (bool(self.closing) and self.closing in text)
        return Split(thinking or "", answer or "", is_closed)

    def _new(self) -> Any:
        # a parser keeps what it has read: one a reply, as in vLLM's server
        return self._kind(self._tokenizer, chat_template_kwargs=dict(self._options))


def _check(card: Card, split: Splitter, opening: str, closing: str) -> None:
    """Raises EngineError where the parser does not part thought and answer, or takes an unclosed thought for one."""
    begin = "" if split.opened else opening
    try:
        whole, cut = split(f"{begin}one{closing}two"), split(f"{begin}one")
        parts = (whole.thinking.strip(), whole.answer.strip(), cut.is_closed) == ("one", "two", False)
    except Exception:  # some parsers only work on a stream of tokens
        parts = False
    if not parts:
        raise EngineError(
            f"model card {card.name!r}: reasoning_parser {card.reasoning_parser!r} does not part a whole reply "
            f"{begin}one{closing}two into thought and answer; do the card's chat_options lack what lets it think?"
        )
