"""From a reply to a verdict: the one place where a reply's text is believed or not.

Nothing is repaired here. A reply that cannot be parsed is `Missing`, and asking again is a new call.
"""

import json
import math
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from localeval.values import Choice, JsonObject, Missing, Reply

Model = TypeVar("Model", bound=BaseModel)


def json_output(model: type[BaseModel]) -> JsonObject:
    """The output type of a pydantic model, fields in the order in which they are declared."""
    # not sorted: the grammar follows the order of the properties
    return JsonObject(json.dumps(model.model_json_schema(), ensure_ascii=False, separators=(",", ":")))


def read_json(reply: Reply, model: type[Model]) -> Model | Missing:
    """The reply as `model`, or why not: the engine failed, the text was cut, or it is not valid."""
    if reply.missing is not None:
        return reply.missing
    if reply.finish == "length":
        return Missing("truncated", f"cut after {reply.output_tokens} tokens")
    try:
        return model.model_validate_json(reply.text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"]) or "reply"
        return Missing("invalid", f"{place}: {first['msg']}")


def read_choice(reply: Reply, choice: Choice) -> str | Missing:
    """The chosen option, or why there is none.

    A text outside the choice is a broken protocol, not a wrong answer: it is missing.
    """
    if reply.missing is not None:
        return reply.missing
    if reply.text in choice.options:  # a complete option counts even when max_tokens ended it
        return reply.text
    if reply.finish == "length":
        return Missing("truncated", f"cut after {reply.output_tokens} tokens")
    return Missing("invalid", f"{reply.text[:40]!r} is not one of {', '.join(choice.options)}")


def choice_probabilities(reply: Reply, choice: Choice) -> dict[str, float] | None:
    """Probability of each option from the first output token, summing to 1; None where no log-probabilities came.

    An option that is not among the returned tokens gets 0. Exact for one-token options under a choice grammar.
    """
    if not reply.logprobs:
        return None
    mass = dict.fromkeys(choice.options, 0.0)
    for token, logprob in reply.logprobs[0]:
        if token in mass:
            mass[token] += math.exp(logprob)
    total = sum(mass.values())
    if total <= 0.0:
        return None
    return {option: share / total for option, share in mass.items()}
