"""What became of one request: answered, refused, failed for now, or no hope for any; and which of them it was."""

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from localeval.engines.secrets import Scrubber
from localeval.values import Missing, Reply

_NO_ACCESS = (401, 402, 403)
_BUSY = (408, 409, 425, 429)
_LOST_BEHIND = (502, 504)  # a gateway's: the server behind it may have answered
_NO_QUOTA = "insufficient_quota"
_TOO_LONG = frozenset({"context_length_exceeded", "exceed_context_size_error", "context_exceeded"})
_TOO_LONG_WORDS = re.compile(r"context (length|size|window)|maximum context|prompt is too long", re.IGNORECASE)
_LIMIT = re.compile(r"(?:context (?:length|size|window)(?: is| of)?|maximum|> ?|\()\s*\(?(\d{3,})", re.IGNORECASE)
_NUMBER = re.compile(r"\d{3,}")


@dataclass(frozen=True, slots=True)
class Answered:
    """A whole reply."""

    reply: Reply


@dataclass(frozen=True, slots=True)
class Refused:
    """The server does not take this one call, and will not take it again."""

    missing: Missing


@dataclass(frozen=True, slots=True)
class Failed:
    """It may go better next time.

    `is_billed`: the answer may have been made and lost. `is_busy`: the server is asked too much. `is_narrowing`: fewer
    requests at once may help. `retry_after` in seconds, where the server names it.
    """

    why: str
    is_billed: bool = False
    is_busy: bool = False
    is_narrowing: bool = False
    is_unreachable: bool = False
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Barred:
    """No call will be taken: the key or the account is refused."""

    why: str


Outcome = Answered | Refused | Failed | Barred


def outcome_of_status(
    status: int, headers: Mapping[str, str], text: str, answer_tokens: int, scrub: Scrubber
) -> Refused | Failed | Barred:
    """What a status other than success means, with the server's reason. `answer_tokens`: what the call allowed."""
    error = _error_in(text)
    said = _line(_reason(error, text), scrub)
    why = scrub(f"HTTP {status}: {said}" if said else f"HTTP {status}")
    too_long = None if status in _BUSY else _too_long(error, said, answer_tokens, why)
    if too_long is not None:
        return Refused(too_long)
    if status in _NO_ACCESS or _NO_QUOTA in (error.get("code"), error.get("type")):
        return Barred(why)
    if status in _BUSY or status >= 500:
        after = retry_after(headers, time.time())
        is_busy = status == 429 or after is not None
        is_narrowing = status == 429 or status >= 500
        return Failed(why, status in _LOST_BEHIND, is_busy, is_narrowing, retry_after=after)
    return Refused(Missing("engine error", why))


def outcome_of_error(error: object, answer_tokens: int, scrub: Scrubber) -> Refused | Failed | Barred:
    """What an error means that came with a status of success, as some servers send it, also within a stream."""
    code = error.get("code") if isinstance(error, Mapping) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return outcome_of_status(status, {}, json.dumps({"error": error}, ensure_ascii=False), answer_tokens, scrub)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait as the headers name them, as a number or as a date; None where they do not."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if re.fullmatch(r"\d+(\.\d+)?", value):
            return float(value) * unit
    try:
        then = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    with suppress(KeyError, ValueError, TypeError, OverflowError):  # the server's own clock, where it tells it
        now = parsedate_to_datetime(headers["date"]).timestamp()
    return max(0.0, then - now)


def _error_in(text: str) -> Mapping[str, object]:
    """The `error` of a body, or its own fields; nothing where the body is no JSON."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    error = body.get("error", body) if isinstance(body, dict) else {}
    return error if isinstance(error, dict) else {"message": error}


def _reason(error: Mapping[str, object], text: str) -> str:
    """The server's reason."""
    for name in ("message", "detail", "msg"):
        if value := error.get(name):
            return str(value)
    return text


def _line(text: str, scrub: Scrubber) -> str:
    """The text on one line, cut where it is long: without secrets before that, or a part of one would be left."""
    return scrub(" ".join(text.split()))[:300]


def _too_long(error: Mapping[str, object], said: str, answer_tokens: int, why: str) -> Missing | None:
    """`too long` where that is the reason, with what is needed and the limit as far as the server tells them."""
    if not {error.get("code"), error.get("type")} & _TOO_LONG and not _TOO_LONG_WORDS.search(said):
        return None
    prompt, limit = error.get("n_prompt_tokens"), error.get("n_ctx")
    if isinstance(prompt, int) and isinstance(limit, int):
        return Missing("too long", why, prompt + answer_tokens, limit)
    found = _LIMIT.search(said)
    if found is None:
        return Missing("too long", why)
    limit = int(found[1])
    others = [int(number) for number in _NUMBER.findall(said)]
    most = max(others)
    needed = most if most > limit else max((n for n in others if n != limit), default=limit) + answer_tokens
    return Missing("too long", why, needed, limit) if needed > limit else Missing("too long", why)
