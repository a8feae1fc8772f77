"""Content keys: equal keys mean that the same answer would come back."""

import hashlib
import json
from functools import lru_cache
from typing import Any

from localeval.values import Call, Choice, JsonObject, Output

_KEY_VERSION = 1  # raise it when the meaning of a key's parts changes: every stored reply is then asked anew


@lru_cache(maxsize=4096)
def digest(text: str) -> str:
    """SHA-256 of the UTF-8 text, 64 hexadecimal digits. Cached: a long source is hashed once, not once a call."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def canonical(value: Any) -> str:
    """`value` as JSON with sorted keys and no spaces; raises ValueError on NaN and infinities."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


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
    sampling = call.sampling
    return digest(
        canonical(
            [
                _KEY_VERSION,
                identity,
                [[m.role, [digest(part) for part in m.parts]] for m in call.messages],
                output_spec(call.output),
                [sampling.max_tokens, sampling.temperature, sampling.top_p, sampling.seed, sampling.logprobs],
            ]
        )
    )


def derive_seed(*parts: str | int) -> int:
    """A seed in [0, 2**31) that depends on `parts` alone: the same on every machine and in every order of work."""
    return int(hashlib.sha256(canonical(list(parts)).encode()).hexdigest()[:8], 16) >> 1
