"""From a call to the body of a chat completion request, and what that request may cost at most."""

import json
from collections.abc import Mapping, Sequence

from localeval.engines.form_in_words import describe
from localeval.keys import canonical
from localeval.models.options import OpenAIOptions
from localeval.models.prices import call_cost
from localeval.values import Call, Choice, FreeText, JsonObject, Output

Json = None | bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"]

ANSWER = "answer"
"""Field of the object in which a choice is asked for where a server takes JSON schemas alone."""

_WRAPPER_TOKENS = 24  # of that object around the answer, white space included
_WHITE_SPACE = 2  # times the tokens that the same object has without any, which only our own pattern forbids
_MOST_LOGPROBS = 20  # more than that servers refuse
_TEMPLATE_TOKENS = 256  # what a server's template adds to a prompt: roles, a date, a default system text
_MESSAGE_TOKENS = 16
_BOUNDS = ("max_tokens", "max_completion_tokens")


def request_body(call: Call, options: OpenAIOptions) -> dict[str, Json]:
    """The request in the words of OpenAI's chat completions; `extra` has the last word, null takes a field out.

    Free text is streamed, so that the time of its first token is known. Raises what Outlines raises on a schema that
    it cannot turn into a pattern (`structured_outputs`).
    """
    sampling = call.sampling
    messages: list[dict[str, Json]] = [{"role": each.role, "content": each.text} for each in call.messages]
    if options.constraint == "prompt" and messages:
        messages[-1]["content"] = f"{call.messages[-1].text}{describe(call.output)}"
    body: dict[str, Json] = {
        "model": options.served,
        "messages": messages,
        options.max_tokens_field: max_tokens(call, options),
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "seed": sampling.seed,
    }
    if sampling.logprobs and options.logprobs:
        body |= {"logprobs": True, "top_logprobs": min(sampling.logprobs, _MOST_LOGPROBS)}
    if isinstance(call.output, FreeText):
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    body |= _constraint(call.output, options)
    return {name: value for name, value in (body | options.extra).items() if value is not None}


def max_tokens(call: Call, options: OpenAIOptions) -> int:
    """The tokens that the request allows: the call's, and room for a choice's wrapping, white space and thoughts."""
    bound = call.sampling.max_tokens
    if isinstance(call.output, JsonObject) and options.constraint != "structured_outputs":
        bound *= _WHITE_SPACE
    if is_wrapped(call.output, options):
        bound += _WRAPPER_TOKENS
    return bound + options.thinking_room


def is_wrapped(output: Output, options: OpenAIOptions) -> bool:
    """Whether a choice is asked for within an object, since the server takes JSON schemas alone."""
    return isinstance(output, Choice) and options.constraint == "json_schema"


def worst_cost(body: Mapping[str, Json], options: OpenAIOptions) -> float | None:
    """What a request may cost at most, None where prices are not known.

    A token of the prompt is at least one byte of the request, in which a schema counts, too.
    """
    messages = body.get("messages")
    n_messages = len(messages) if isinstance(messages, Sequence) else 0
    prompt = _TEMPLATE_TOKENS + _MESSAGE_TOKENS * n_messages + len(json.dumps(body, ensure_ascii=False).encode())
    bounds = [body.get(name) for name in _BOUNDS]
    answer = sum(bound for bound in bounds if isinstance(bound, int))
    return call_cost(options.model_dump(), prompt, 0, answer)


def is_bounded(options: OpenAIOptions) -> bool:
    """Whether the requests bound an answer's tokens, whatever `extra` makes of them."""
    fields = {options.max_tokens_field: 1} | options.extra
    return any(isinstance(fields.get(name), int) for name in _BOUNDS)


def strict(schema: Json) -> Json:
    """A JSON schema as strict modes want it: every object closed, and all its fields required."""
    if isinstance(schema, Mapping):
        made = {name: strict(part) for name, part in schema.items()}
        fields = made.get("properties")
        if isinstance(fields, Mapping):
            made |= {"additionalProperties": False, "required": list(fields)}
        return made
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return [strict(part) for part in schema]
    return schema


def _constraint(output: Output, options: OpenAIOptions) -> dict[str, Json]:
    if isinstance(output, FreeText) or options.constraint == "prompt":
        return {}
    if options.constraint == "structured_outputs":
        from localeval.engines.grammar import pattern  # Outlines, which the other constraints do without

        return {"structured_outputs": {"regex": pattern(output)}}
    schema = strict(json.loads(_schema_text(output)))
    return {
        "response_format": {"type": "json_schema", "json_schema": {"name": ANSWER, "strict": True, "schema": schema}}
    }


def _schema_text(output: Output) -> str:
    if isinstance(output, JsonObject):
        return output.schema
    if isinstance(output, Choice):
        options: Json = {"type": "string", "enum": list(output.options)}
        return canonical({"type": "object", "properties": {ANSWER: options}})
    return ""
