"""The first calls to a server: does it answer, and does it keep to the form that it is asked for?

Servers have taken a schema and ignored it. So a model is asked for prose and must answer in form all the same. The two
calls are short (some 200 tokens together) and are sent whatever they cost: a run without them could cost all of it.
"""

from collections.abc import Mapping

from localeval.engines.served_replies import in_form
from localeval.errors import EngineError
from localeval.keys import canonical
from localeval.models.options import OpenAIOptions
from localeval.values import Call, Choice, JsonObject, Message, Reply, Sampling

_BEGGING = (
    "Tell me in plain sentences, as long as you like, of a harbour at night. No JSON, and no single letters, please."
)
_LETTERS = Choice(("A", "B", "C"))
_LIGHT = JsonObject(
    canonical(
        {
            "type": "object",
            "properties": {"light": {"type": "string", "enum": ["red", "green"]}, "lit": {"type": "boolean"}},
            "required": ["light", "lit"],
            "additionalProperties": False,
        }
    )
)
PROBE = "server/test"
"""The stage of these calls."""

_CHOICE, _OBJECT = "the server's test: a choice", "the server's test: an object"


def probes(options: OpenAIOptions) -> dict[str, Call]:
    """The calls, by what is tested. Without a grammar only one, which shows that the server answers."""
    message = (Message("user", (_BEGGING,)),)
    calls = {_CHOICE: Call("", message, _LETTERS, Sampling(max_tokens=8, logprobs=len(_LETTERS.options)), PROBE)}
    if options.constraint != "prompt":
        calls[_OBJECT] = Call("", message, _LIGHT, Sampling(max_tokens=64), PROBE)
    return calls


def judge(server: str, calls: Mapping[str, Call], replies: Mapping[str, Reply]) -> dict[str, str]:
    """What the replies tell of the server. Raises EngineError where it does not answer or ignores the form.

    A reply that was cut before any text came, by a model that thinks first, tells nothing; the real replies will.
    """
    is_constrained = _OBJECT in calls
    verdicts: list[bool | None] = []
    for name, call in calls.items():
        reply = replies[name]
        if reply.missing is not None and reply.missing.reason == "engine error":
            raise EngineError(f"{server}: {name} was not answered: {reply.missing.detail}")
        verdicts.append(in_form(reply, call.output))
        if is_constrained and verdicts[-1] is False:
            raise EngineError(
                f"{server}: {name} came back as {reply.text[:80]!r}: the server does not keep to the form that it is "
                "asked for; set another `constraint` (json_schema, structured_outputs or prompt)"
            )
    tested = "not constrained" if not is_constrained else "passed" if all(verdicts) else "undecided"
    return {"form_test": tested, "logprobs": "given" if replies[_CHOICE].logprobs else "not given"}
