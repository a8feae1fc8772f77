"""From a reply to a verdict: the one place where a reply's text is believed or not.

Nothing is repaired here. A reply that cannot be parsed is `Missing`, and asking again is a new call.
"""

import json
import math
from collections.abc import Iterator, Mapping
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from localeval.values import Choice, JsonObject, Missing, Reply

Model = TypeVar("Model", bound=BaseModel)


def json_output(model: type[BaseModel], patterns: Mapping[str, str] | None = None) -> JsonObject:
    """The output type of a pydantic model, fields in the order in which they are declared.

    `patterns` narrows what text fields may hold: by a field's name, a regular expression without anchors.
    """
    # not sorted: the grammar follows the order of the properties
    schema = model.model_json_schema()
    if patterns:
        for part in (schema, *schema.get("$defs", {}).values()):
            for name, field in part.get("properties", {}).items():
                if name in patterns:
                    field["pattern"] = f"^{patterns[name]}$"
    return JsonObject(json.dumps(schema, ensure_ascii=False, separators=(",", ":")))


def cited_pattern(last: int, most: int = 4) -> str:
    """A regular expression for up to `most` numbers from 1 to `last`, parted by spaces, or "none": what may be cited.

    A number that does not exist cannot be written.
    """
    if last < 1:
        return "none"
    number = f"({'|'.join(_up_to(last))})"
    return f"(none|{number}( {number}){{0,{most - 1}}})"


def read_cited(text: str) -> tuple[int, ...]:
    """The numbers in a text that `cited_pattern` allows, in ascending order, each once."""
    return () if text == "none" else tuple(sorted({int(number) for number in text.split()}))


def _up_to(last: int) -> Iterator[str]:
    """Alternatives that together match 1 to `last` and nothing else."""
    digits = str(last)
    for length in range(1, len(digits)):  # all shorter numbers
        yield "[1-9]" + "[0-9]" * (length - 1)
    for place, digit in enumerate(digits):  # as long, equal up to a place and less there
        least = 1 if place == 0 else 0
        if int(digit) > least:
            yield f"{digits[:place]}[{least}-{int(digit) - 1}]" + "[0-9]" * (len(digits) - place - 1)
    yield digits


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
