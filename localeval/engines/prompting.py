"""From messages to token ids: chat rendering, tokenising, and cutting where parts end.

A prompt is rendered by the tokenizer's own chat template and cut where template and contents meet and where a
message's parts end. Each piece is encoded by itself, the shared ones once. So a shared part has the same tokens in
every call, whatever follows it, and a 150,000-character source is tokenised once and not once a question.
Contents are encoded as plain text: a control token that is spelt out in a text under test stays text.

The tokens are those of the prompt encoded whole, as long as a part ends with a line or the next begins one: a probe at
load finds out whether this tokenizer may be cut where parts end, behind all their line ends (tokenizers like Qwen's),
or before the white space that ends them (the GPT-2 kind), or not at all (SentencePiece ones that put a space before
every text). Then prompts are encoded whole, and one in which a text spells out a
control token is refused.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any, Literal, Protocol

from localeval.engines.wire import PromptTokens
from localeval.errors import EngineError
from localeval.keys import digest
from localeval.models.cards import Card
from localeval.values import Message, Role

Cut = Literal["at part ends", "before white space", "nowhere"]

_LINE_ENDS = re.compile(r"\s*[\r\n]")
"""White space up to the last line end in it."""
_FIXED_DAY = datetime(2025, 1, 1)
_PROBE = (
    Message("system", ("You are careful.",)),
    Message("user", ("One, 2: three.\n\nЧетыре и пять. 六和七。\n\n", "Question 8: what (now)?\n", "A. ten\nB. 'no'")),
)


class Tokenizer(Protocol):
    """What is used of a transformers tokenizer."""

    chat_template: Any
    all_special_ids: list[int]
    unk_token_id: int | None

    def apply_chat_template(self, conversation: list[dict[str, str]], **kwargs: Any) -> Any: ...

    def __call__(self, text: str, **kwargs: Any) -> Any: ...


class PromptRefused(Exception):
    """This prompt cannot be made; the reason is the message."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a rendered prompt. `is_content` tells texts from template, `is_shared` what other calls may repeat."""

    text: str
    is_content: bool
    is_shared: bool = True


class Prompter:
    """Makes the token ids of a prompt for one model."""

    def __init__(self, tokenizer: Tokenizer, card: Card) -> None:
        """Raises EngineError where the tokenizer has no chat template, or one that takes no system message."""
        if not tokenizer.chat_template:
            raise EngineError(
                f"model card {card.name!r}: its tokenizer has no chat template; use an instruction-tuned model"
            )
        self._tokenizer = tokenizer
        self._card = card
        self._control = frozenset(tokenizer.all_special_ids) - {tokenizer.unk_token_id}
        self._frame = lru_cache(maxsize=64)(self._frame_of)
        self._encode_shared = lru_cache(maxsize=128)(self._encode)
        self.cut: Cut = "nowhere"
        try:
            self._find_cut()
        except PromptRefused as error:
            raise EngineError(
                f"model card {card.name!r}: {error}; if it takes no system message, set system_role: false"
            ) from error

    @property
    def end(self) -> str:
        """What the template writes behind the last message: where the reply goes on, a thought opened or closed."""
        return (self._frame(tuple(message.role for message in _as_chat(_PROBE, self._card.system_role))) or ("",))[-1]

    def token_ids(self, messages: Sequence[Message]) -> list[int]:
        """The prompt's tokens. Raises PromptRefused where the template or the tokenizer cannot make it."""
        pieces = self.pieces(messages)
        if self.cut == "nowhere" or len(pieces) == 1:
            return self._whole(messages)
        ids = array("i")
        for piece in pieces:
            ids += self._tokens(piece)
        return ids.tolist()

    def count(self, messages: Sequence[Message]) -> PromptTokens:
        """The prompt's tokens, by piece. Where prompts are encoded whole, a piece's count may be off by one or two."""
        counted: list[tuple[str, int]] = []
        so_far = ""
        for piece in self.pieces(messages):
            so_far = digest(so_far + digest(piece.text))
            counted.append((so_far, len(self._tokens(piece))))
        total = len(self._whole(messages)) if self.cut == "nowhere" else sum(tokens for _, tokens in counted)
        return PromptTokens(total, tuple(counted))

    def pieces(self, messages: Sequence[Message]) -> list[Piece]:
        """The rendered prompt in pieces; one piece where the template altered the contents.

        A template that strips a message's outer white space is followed. The last part of the last message is
        what no other call repeats.
        """
        chat = _as_chat(messages, self._card.system_role)
        rendered = self._render([(message.role, message.text) for message in chat])
        frame = self._frame(tuple(message.role for message in chat))
        for parts in ([message.parts for message in chat], [_strip(message.parts) for message in chat]):
            pieces = _lay(frame, parts)
            if "".join(piece.text for piece in pieces) == rendered:
                if self.cut == "before white space":
                    pieces = _shift(pieces)
                elif self.cut == "at part ends":
                    pieces = _close(pieces)
                return [piece for piece in pieces if piece.text]
        return [Piece(rendered, is_content=False, is_shared=False)]

    def _find_cut(self) -> None:
        whole = self._whole(_PROBE)
        for self.cut in ("at part ends", "before white space", "nowhere"):
            if self.token_ids(_PROBE) == whole:
                return

    def _whole(self, messages: Sequence[Message]) -> list[int]:
        chat = _as_chat(messages, self._card.system_role)
        ids = self._encode(self._render([(message.role, message.text) for message in chat]), False)
        frame = self._frame(tuple(message.role for message in chat))
        expected = sum(self._n_control(self._encode_shared(text, False)) for text in frame)
        if frame and self._n_control(ids) > expected:
            raise PromptRefused("a text spells out a control token of the model, which its tokenizer would obey")
        return ids.tolist()

    def _tokens(self, piece: Piece) -> "array[int]":
        encode = self._encode_shared if piece.is_shared else self._encode
        return encode(piece.text, piece.is_content)

    def _encode(self, text: str, is_content: bool) -> "array[int]":
        # no special tokens are added: the template writes the one that begins a text where the model wants it
        encoded = self._tokenizer(text, add_special_tokens=False, split_special_tokens=is_content, verbose=False)
        return array("i", encoded["input_ids"])

    def _n_control(self, ids: "array[int]") -> int:
        return sum(token in self._control for token in ids)

    def _render(self, chat: Sequence[tuple[Role, str]]) -> str:
        try:
            text = self._tokenizer.apply_chat_template(
                [{"role": role, "content": content} for role, content in chat],
                tokenize=False,
                add_generation_prompt=True,
                # a template that writes today's date would make every day's answers different
                strftime_now=_FIXED_DAY.strftime,
                **self._card.chat_options,
            )
        except Exception as error:  # templates raise what they like, jinja's errors and plain ones
            raise PromptRefused(f"the chat template refuses the messages: {error}") from error
        return str(text)

    def _frame_of(self, roles: tuple[Role, ...]) -> tuple[str, ...]:
        """What the template writes before, between and after the contents; empty where that cannot be told."""
        marks = [f"\ue000{number}\ue001" for number in range(len(roles))]
        rest = self._render(list(zip(roles, marks, strict=True)))
        frame: list[str] = []
        for mark in marks:
            before, found, rest = rest.partition(mark)
            if not found:
                return ()
            frame.append(before)
        return (*frame, rest)


def _as_chat(messages: Sequence[Message], system_role: bool) -> list[Message]:
    """The messages; without `system_role` the system's text heads the first user message."""
    if system_role or not messages or messages[0].role != "system":
        return list(messages)
    head, *rest = messages
    if not rest or rest[0].role != "user":
        return [Message("user", head.parts), *rest]
    return [Message("user", (*head.parts, "\n\n", *rest[0].parts)), *rest[1:]]


def _lay(frame: Sequence[str], contents: Sequence[tuple[str, ...]]) -> list[Piece]:
    """The template's texts and the parts of the contents in turn."""
    pieces: list[Piece] = []
    if not frame:
        return pieces
    for before, parts in zip(frame[:-1], contents, strict=True):
        pieces.append(Piece(before, is_content=False))
        pieces.extend(Piece(part, is_content=True) for part in parts)
    if contents and contents[-1]:
        pieces[-1] = Piece(contents[-1][-1], is_content=True, is_shared=False)
    return [*pieces, Piece(frame[-1], is_content=False)]


def _shift(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with the white space that ends each put at the head of the next."""
    shifted: list[Piece] = []
    carried = ""
    for piece in pieces[:-1]:
        text = carried + piece.text
        kept = text.rstrip()
        carried = text[len(kept) :]
        shifted.append(replace(piece, text=kept))
    return [*shifted, replace(pieces[-1], text=carried + pieces[-1].text)]


def _close(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with the line ends that begin each put at the end of the one before: two in a row are one token."""
    closed: list[Piece] = []
    for piece in pieces:
        begun = _LINE_ENDS.match(piece.text) if closed else None
        if begun is None:
            closed.append(piece)
            continue
        closed[-1] = replace(closed[-1], text=closed[-1].text + begun.group())
        if rest := piece.text[begun.end() :]:
            closed.append(replace(piece, text=rest))
    return closed


def _strip(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The parts without the white space at the two ends of the text that they make."""
    text = "".join(parts)
    begin, end = len(text) - len(text.lstrip()), len(text.rstrip())
    stripped: list[str] = []
    position = 0
    for part in parts:
        stripped.append(text[max(position, begin) : min(position + len(part), end)])
        position += len(part)
    return tuple(stripped)
