"""From a chat completion to a reply. Nothing is repaired: a form that was asked for is unwrapped, or the text stays."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from localeval.engines.secrets import Scrubber
from localeval.engines.served_requests import ANSWER
from localeval.values import Choice, Finish, JsonObject, Missing, Output, Reply

Tokens = tuple[tuple[str, float], ...]

_IMPOSSIBLE = -9999.0  # how vLLM writes minus infinity
_OPENING = re.compile(r'\s*\{\s*"' + ANSWER + r'"\s*:\s*(?=")')
_CUT_PROMPT = 12  # characters a token, on the average of a whole prompt: no tokenizer comes near it
_MANY_CHARACTERS = 4000


class Rubbish(Exception):
    """What came is no chat completion; the message says why."""


def reply_of(key: str, body: object, output: Output, is_wrapped: bool, scrub: Scrubber) -> Reply:
    """The reply in a chat completion. Raises Rubbish where it is none.

    `is_wrapped`: a choice was asked for within an object, out of which it is taken, with the log-probabilities of its
    own tokens. A refusal, and a thought without an answer, are missing.
    """
    choice = _mapping(_first(_mapping(body, "the body").get("choices")), "the first of `choices`")
    message = _mapping(choice.get("message"), "`message`")
    content = message.get("content")
    if isinstance(content, Sequence) and not isinstance(content, str):
        missing = Missing("engine error", "the server's answer is in parts, which are not read here")
        return _with_usage(Reply(key, finish="error", missing=missing), body)
    text, thinking = _text(content), _text(message.get("reasoning_content") or message.get("reasoning"))
    positions = _of_text(_positions(choice.get("logprobs")), text, bool(thinking))
    reply = _with_usage(Reply(key, text, thinking=thinking), body)
    reply = replace(reply, logprobs=tuple(tokens for _, tokens in positions))
    if is_wrapped and (span := _answer_span(text)) is not None:
        reply = replace(reply, text=json.loads(text)[ANSWER], logprobs=_of_span(positions, *span))
    reply = _ended(reply, choice.get("finish_reason"), scrub(_text(message.get("refusal"))))
    return _scrubbed(reply, scrub)


def in_form(reply: Reply, output: Output) -> bool | None:
    """Whether a whole reply has the form that was asked for; None where that says nothing of the server's grammars."""
    if reply.missing is not None or (reply.finish == "length" and not reply.text):
        return None
    if isinstance(output, Choice):
        return reply.text in output.options
    if not isinstance(output, JsonObject) or reply.finish == "length":
        return None
    try:
        value = json.loads(reply.text)
    except (ValueError, RecursionError):
        return False
    required = json.loads(output.schema).get("required", ())
    return isinstance(value, dict) and all(name in value for name in required)


def was_cut(n_characters: int, reply: Reply) -> bool:
    """Whether the server read so few tokens that it cannot have read the whole prompt: some cut it and say nothing."""
    return n_characters > _MANY_CHARACTERS and 0 < reply.prompt_tokens * _CUT_PROMPT < n_characters


def _ended(reply: Reply, reason: object, refusal: str) -> Reply:
    if refusal or reason == "content_filter":
        said = refusal or "the server's filter stopped the answer"
        return replace(reply, text="", logprobs=(), finish="error", missing=Missing("refused", said[:300]))
    if reason is None:
        raise Rubbish("the answer has no end")
    if reason not in ("stop", "length"):  # whole and paid for: the same would come back
        missing = Missing("engine error", f"the server ended the answer by {str(reason)[:40]!r}")
        return replace(reply, text="", logprobs=(), finish="error", missing=missing)
    finish: Finish = "length" if reason == "length" else "stop"
    if finish == "stop" and not reply.text and reply.thinking:
        missing = Missing("invalid", "the model thought and gave no answer")
        return replace(reply, finish="error", missing=missing)
    return replace(reply, finish=finish)


def _with_usage(reply: Reply, body: object) -> Reply:
    usage = _or_empty(body, "usage")
    prompt, output = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    # some servers leave thoughts out of the tokens of the answer, but not out of the total
    output = max(output, _count(usage.get("total_tokens")) - prompt)
    cached = _or_empty(usage, "prompt_tokens_details").get("cached_tokens") or usage.get("prompt_cache_hit_tokens")
    thinking = _or_empty(usage, "completion_tokens_details").get("reasoning_tokens")
    return replace(
        reply,
        prompt_tokens=prompt,
        cached_tokens=min(prompt, _count(cached)),
        output_tokens=output,
        thinking_tokens=min(output, _count(thinking)),
    )


def _positions(logprobs: object) -> list[tuple[str, Tokens]]:
    """For each output token its text, and the most likely tokens there, most likely first."""
    content = logprobs.get("content") if isinstance(logprobs, Mapping) else None
    positions: list[tuple[str, Tokens]] = []
    for place in content if isinstance(content, Sequence) and not isinstance(content, str) else ():
        given = _mapping(place, "a token")
        likely = given.get("top_logprobs")
        others = [_token(each) for each in (likely if isinstance(likely, Sequence) else ())]
        drawn = _token(given)
        tokens = others if drawn[0] in {text for text, _ in others} else [drawn, *others]
        able = [token for token in tokens if math.isfinite(token[1]) and token[1] > _IMPOSSIBLE]
        positions.append((drawn[0], tuple(sorted(able, key=lambda token: -token[1]))))
    return positions


def _token(given: object) -> tuple[str, float]:
    fields = _mapping(given, "a token")
    text, logprob = fields.get("token"), fields.get("logprob")
    if not isinstance(text, str) or not isinstance(logprob, int | float):
        raise Rubbish("a token lacks its text or its log-probability")
    return text, min(float(logprob), 0.0)  # in this order what is not a number stays that, and is left out


def _of_text(positions: list[tuple[str, Tokens]], text: str, after_thought: bool) -> list[tuple[str, Tokens]]:
    """The positions of the answer alone, where the server lists those of a thought before it, too."""
    if not after_thought or not positions:
        return positions
    start = "".join(token for token, _ in positions).rfind(text)
    if start < 0 or not text:
        return []
    kept, at = [], 0
    for token, tokens in positions:
        if at >= start:
            kept.append((token, tokens))
        at += len(token)
    return kept


def _answer_span(text: str) -> tuple[int, int] | None:
    """Where the answer stands in an object that holds it and nothing else, its quotes left out."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    opening = _OPENING.match(text)
    if opening is None or not isinstance(value, dict) or list(value) != [ANSWER] or not isinstance(value[ANSWER], str):
        return None
    _, end = json.JSONDecoder().raw_decode(text, opening.end())
    return opening.end() + 1, end - 1


def _of_span(positions: list[tuple[str, Tokens]], start: int, end: int) -> tuple[Tokens, ...]:
    """The positions of the tokens that make a span of the text, cut to it: tokens may hold quotes beside an answer."""
    kept: list[Tokens] = []
    at = 0
    for drawn, tokens in positions:
        before = drawn[: max(0, start - at)]
        if at < end and at + len(drawn) > start:
            cut = [(text[len(before) :].split('"')[0], value) for text, value in tokens if text.startswith(before)]
            kept.append(tuple(token for token in cut if token[0]))
        at += len(drawn)
    return tuple(kept)


def _scrubbed(reply: Reply, scrub: Scrubber) -> Reply:
    text, thinking = scrub(reply.text), scrub(reply.thinking)
    if (text, thinking) != (reply.text, reply.thinking):  # then its tokens may spell the key out
        reply = replace(reply, text=text, thinking=thinking, logprobs=())
    if reply.missing is not None:
        reply = replace(reply, missing=replace(reply.missing, detail=scrub(reply.missing.detail)))
    return reply


def _mapping(value: object, what: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise Rubbish(f"{what} is not an object")
    return value


def _or_empty(value: object, name: str) -> Mapping[str, object]:
    inner = value.get(name) if isinstance(value, Mapping) else None
    return inner if isinstance(inner, Mapping) else {}


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else None


def _text(value: object) -> str:
    if value is not None and not isinstance(value, str):
        raise Rubbish("a text is not a string")
    return value or ""


def _count(value: object) -> int:
    return max(0, value) if isinstance(value, int) and not isinstance(value, bool) else 0
