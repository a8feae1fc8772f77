"""Content keys: equal keys mean that the same answer would come back."""

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from localeval.values import Call, Choice, JsonObject, Message, Output, Sampling

_KEY_VERSION = 1  # raise it when the meaning of a key's parts changes: every stored reply is then asked anew

# kept: json.dumps makes an encoder for every call that is not all defaults
_encode: Callable[[Any], str] = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode

_string: Callable[[str], str] = encode_basestring
"""A text as canonical JSON."""


@lru_cache(maxsize=4096)
def digest(text: str) -> str:
    """SHA-256 of the UTF-8 text, 64 hexadecimal digits. Cached: a long source is hashed once, not once a call."""
    return _sha256(text)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def canonical(value: Any) -> str:
    """`value` as JSON with sorted keys and no spaces; raises ValueError on NaN and infinities."""
    return _encode(value)


def output_spec(output: Output) -> dict[str, Any]:
    """The output type as plain JSON: what the key and the store hold of it."""
    if isinstance(output, Choice):
        return {"choice": list(output.options)}
    if isinstance(output, JsonObject):
        return {"schema": output.schema}
    return {}


def call_key(call: Call, identity: str) -> str:
    """64 hexadecimal digits over everything that decides the answer.

    `identity` stands for the model: its revision and the engine options that change what it says. The rendered
    messages, the output type and the sampling with its seed follow. Who asked (`stage`) and what the config calls
    the model are left out, so that methods, runs and machines share replies.
    """
    # the canonical JSON of a list of the five, put together from pieces: a run has a million calls, and most pieces of
    # a call are those of many others
    messages = messages_json(call.messages, digest)
    return _sha256(
        f"[{_KEY_VERSION},{_quoted(identity)},{messages},{_output_json(call.output)},{sampling_json(call.sampling)}]"
    )


def messages_json(messages: Sequence[Message], reference: Callable[[str], str]) -> str:
    """Messages as canonical JSON, [[role, [reference of each part]]]; `reference` gives what JSON need not escape."""
    return f"[{','.join([_message_json(message, reference) for message in messages])}]"


def _message_json(message: Message, reference: Callable[[str], str]) -> str:
    references = '","'.join(map(reference, message.parts))
    return f'[{_quoted(message.role)},["{references}"]]' if message.parts else f"[{_quoted(message.role)},[]]"


def sampling_json(sampling: Sampling) -> str:
    """Sampling as canonical JSON; raises ValueError where a number is not finite."""
    temperature, top_p = sampling.temperature, sampling.top_p
    if not (math.isfinite(temperature) and math.isfinite(top_p)):
        raise ValueError(f"temperature {temperature} and top_p {top_p} must be finite")
    return f"[{sampling.max_tokens},{temperature!r},{top_p!r},{sampling.seed},{sampling.logprobs}]"


@lru_cache(maxsize=256)
def _quoted(text: str) -> str:
    return canonical(text)


@lru_cache(maxsize=1024)
def _output_json(output: Output) -> str:
    return canonical(output_spec(output))


def derive_seed(*parts: str | int) -> int:
    """A seed in [0, 2**31) that depends on `parts` alone: the same on every machine and in every order of work."""
    # canonical JSON, put together from pieces; what is exactly a str or an int needs no encoder (True is an int, too)
    body = ",".join([_string(p) if type(p) is str else str(p) if type(p) is int else canonical(p) for p in parts])
    return int(hashlib.sha256(f"[{body}]".encode()).hexdigest()[:8], 16) >> 1
