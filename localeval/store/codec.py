"""Replies, calls and inputs as JSON text and back, exactly; non-finite numbers are refused.

Fields that equal their defaults are left out: most replies are one letter, and a run holds a hundred thousand.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

from localeval.keys import messages_json, output_spec, sampling_json
from localeval.texts import Candidate, Segment, Source
from localeval.values import Call, Choice, FreeText, JsonObject, Message, Missing, Output, Reply, Sampling

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

_SIMPLE = ("prompt_tokens", "cached_tokens", "output_tokens", "seconds", "engine", "thinking", "thinking_tokens")
_simple_of: Callable[[Reply], tuple[int | float | str, ...]] = attrgetter(*_SIMPLE)
_SEGMENT_FIELDS = tuple(field.name for field in fields(Segment))

# kept: json.dumps and json.loads make theirs anew for every call that is not all defaults
_encode: Callable[[Json], str] = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def dump(value: Json, indent: int | None = None) -> str:
    """`value` as JSON text that UTF-8 can hold; raises ValueError on NaN and infinities.

    Characters stay as they are, except that a text with lone surrogates (broken subtitle files have them) is
    escaped throughout, since UTF-8 has no bytes for those.
    """
    text = _encode(value) if indent is None else json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        separators = (",", ":") if indent is None else None
        return json.dumps(value, separators=separators, indent=indent, allow_nan=False)
    return text


def dump_reply(reply: Reply) -> str:
    """A reply as JSON text, without its key; raises ValueError that names the key where a number is not finite."""
    body: dict[str, Json] = {}
    if reply.text:
        body["text"] = reply.text
    if reply.finish != "stop":
        body["finish"] = reply.finish
    if reply.logprobs:
        body["logprobs"] = reply.logprobs
    for name, value in zip(_SIMPLE, _simple_of(reply), strict=True):
        if value:
            body[name] = value
    if reply.first_token_s is not None:  # 0 is not unknown
        body["first_token_s"] = reply.first_token_s
    if reply.device_s is not None:
        body["device_s"] = reply.device_s
    if reply.missing is not None:
        body["missing"] = _missing_body(reply.missing)
    try:
        return dump(body)
    except ValueError as error:
        raise ValueError(f"reply {reply.key}: a log-probability or time is not a finite number ({error})") from None


def load_reply(key: str, text: str) -> Reply:
    """The reply that `dump_reply` wrote; raises ValueError, TypeError, KeyError or AttributeError on other text."""
    body = _decode(text)
    missing = body.pop("missing", None)
    logprobs = body.pop("logprobs", ())
    seconds = float(body.pop("seconds", 0.0))
    return Reply(
        key,
        logprobs=tuple(tuple((token, float(value)) for token, value in position) for position in logprobs),
        seconds=seconds,
        missing=None if missing is None else Missing(**missing),
        **body,
    )


def _missing_body(missing: Missing) -> dict[str, Json]:
    body: dict[str, Json] = {"reason": missing.reason}
    for name in ("detail", "needed", "limit"):
        if value := getattr(missing, name):
            body[name] = value
    return body


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a finite number")


_decode: Callable[[str], Any] = json.JSONDecoder(parse_constant=_refuse_constant).decode


def dump_call(call: Call, reference: Callable[[str], str]) -> str:
    """A call as JSON text in which each message part and schema is only a reference: what `reference` gives for it."""
    wanted = call.output
    output = dump({"schema": reference(wanted.schema)}) if isinstance(wanted, JsonObject) else _dump_output(wanted)
    messages, sampling = messages_json(call.messages, reference), sampling_json(call.sampling)
    return f'{{"messages":{messages},"output":{output},"sampling":{sampling}}}'


@lru_cache(maxsize=1024)
def _dump_output(output: Output) -> str:
    return dump(output_spec(output))


def load_call(model: str, stage: str, text: str, resolve: Callable[[str], str]) -> Call:
    """The call that `dump_call` wrote; `resolve` turns references back into texts. Raises as `load_reply` does."""
    body = json.loads(text)
    messages = tuple(Message(role, tuple(resolve(part) for part in parts)) for role, parts in body["messages"])
    return Call(model, messages, _load_output(body["output"], resolve), Sampling(*body["sampling"]), stage)


def _load_output(spec: Mapping[str, Any], resolve: Callable[[str], str]) -> Output:
    if "choice" in spec:
        return Choice(tuple(spec["choice"]))
    if "schema" in spec:
        return JsonObject(resolve(spec["schema"]))
    return FreeText()


def dump_source(source: Source) -> str:
    """A source as JSON text; segments are rows, since a long transcript has thousands."""
    return dump(
        {
            "source": source.id,
            "language": source.language,
            "category": source.category,
            "path": source.path,
            "text": source.text,
            "segments": _rows(source.segments),
        }
    )


def dump_candidate(candidate: Candidate) -> str:
    """A candidate as JSON text."""
    return dump(
        {
            "candidate": candidate.source_id,
            "system": candidate.system,
            "path": candidate.path,
            "text": candidate.text,
            "segments": _rows(candidate.segments),
        }
    )


def _rows(segments: Sequence[Segment]) -> list[Json]:
    return [[getattr(segment, name) for name in _SEGMENT_FIELDS] for segment in segments]


def load_input(line: str) -> Source | Candidate:
    """The source or candidate that `dump_source` or `dump_candidate` wrote. Raises as `load_reply` does."""
    body = json.loads(line)
    segments = tuple(Segment(*row) for row in body.get("segments", ()))  # the first runs kept candidates uncut
    if "candidate" in body:
        return Candidate(body["candidate"], body["system"], body["text"], body["path"], segments)
    return Source(body["source"], body["text"], segments, body["language"], body["category"], body["path"])
