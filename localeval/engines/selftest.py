"""The test that an engine must pass before it answers: grammars really constrain it.

Published engines have accepted a grammar and ignored it (renamed options, schemas that never activate). So a model
is asked for prose, twice, and must answer in schema all the same.
"""

import json
import math

from localeval.engines.backend import Backend, CallRefused, Prompted
from localeval.engines.grammar import pattern
from localeval.engines.prompting import Prompter
from localeval.errors import EngineError
from localeval.values import Choice, JsonObject, Message, Output, Reply, Sampling

_PROSE = "Write a long story about a lighthouse and its keeper. Plain sentences only; no JSON, no single letters."
_OPTIONS = Choice(("A", "B", "C"))
_COLOURS = ("red", "green")
_OBJECT = JsonObject(
    json.dumps(
        {
            "type": "object",
            "properties": {"colour": {"enum": list(_COLOURS)}, "sure": {"type": "boolean"}},
            "required": ["colour", "sure"],
            "additionalProperties": False,
        }
    )
)
_MAX_STEPS = 20_000


def check_grammar(backend: Backend, prompter: Prompter) -> None:
    """Returns when a choice and a JSON object came back in schema; else raises EngineError with what came back."""
    choice = _ask(backend, prompter, _OPTIONS, Sampling(max_tokens=1, logprobs=len(_OPTIONS.options)))
    if choice.text not in _OPTIONS.options:
        raise _refusal(backend, "one letter of A, B, C", choice)
    mass = sum(math.exp(logprob) for _, logprob in choice.logprobs[0]) if choice.logprobs else 0.0
    if abs(mass - 1.0) > 0.02:
        raise _refusal(backend, f"probabilities of the choice that sum to 1, not {mass:.3f}", choice)
    reply = _ask(backend, prompter, _OBJECT, Sampling(max_tokens=48))
    if reply.finish != "stop" or not _is_in_schema(reply.text):
        raise _refusal(backend, "a JSON object with colour and sure", reply)


def _ask(backend: Backend, prompter: Prompter, output: Output, sampling: Sampling) -> Reply:
    ids = prompter.token_ids((Message("user", (_PROSE,)),))
    try:
        backend.add(Prompted("self-test", ids, pattern(output), sampling))
    except CallRefused as error:
        raise EngineError(f"self-test of {backend.facts.description}: the engine refused the call: {error}") from error
    for _ in range(_MAX_STEPS):
        for reply in backend.step():
            return reply
    raise EngineError(f"self-test of {backend.facts.description}: no reply came")


def _is_in_schema(text: str) -> bool:
    try:
        value = json.loads(text)
    except ValueError:
        return False
    return (
        isinstance(value, dict)
        and list(value) == ["colour", "sure"]
        and value["colour"] in _COLOURS
        and isinstance(value["sure"], bool)
    )


def _refusal(backend: Backend, wanted: str, reply: Reply) -> EngineError:
    why = f" ({reply.missing.detail})" if reply.missing else ""
    return EngineError(
        f"self-test of {backend.facts.description}: grammars do not constrain this engine: "
        f"asked for {wanted}, came back {reply.text[:80]!r}, finish {reply.finish}{why}"
    )
