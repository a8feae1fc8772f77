"""From a reply to a verdict: the one place where a reply's text is believed or not.

Nothing is repaired here. A reply that cannot be parsed is `Missing`, and asking again is a new call.
"""

import json
import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Annotated, TypeVar

from pydantic import BaseModel, StringConstraints, ValidationError

from localeval.values import Choice, JsonObject, Missing, Reply

Model = TypeVar("Model", bound=BaseModel)

Cited = Annotated[str, StringConstraints(pattern=r"^(none|[1-9][0-9]{0,6}( [1-9][0-9]{0,6}){0,3})$")]
"""Numbers of segments in a reply: up to four, parted by spaces, or "none". `cited_pattern` leaves those that exist."""

_MOST_LOST = 0.05
"""Share of the probability that may lie on tokens which begin several options."""

_CLOSING = 4
"""Tokens at the end of a JSON reply among which its last value is looked for."""


@lru_cache(maxsize=4096)
def json_output(model: type[BaseModel], patterns: tuple[tuple[str, str], ...] = ()) -> JsonObject:
    """The output type of a pydantic model, fields in the order in which they are declared.

    `patterns` narrows what text fields may hold: (field, regular expression without anchors).
    """
    # not sorted: the grammar follows the order of the properties
    schema = model.model_json_schema()
    for part in (schema, *schema.get("$defs", {}).values()):
        fields = part.get("properties", {})
        for name, pattern in patterns:
            if name in fields:
                fields[name]["pattern"] = f"^{pattern}$"
    return JsonObject(json.dumps(schema, ensure_ascii=False, separators=(",", ":")))


@lru_cache(maxsize=1024)
def cited_pattern(last: int, most: int = 4, or_none: bool = True) -> str:
    """A regular expression for up to `most` numbers from 1 to `last`, parted by spaces, or "none": what may be cited.

    A number that does not exist cannot be written. Raises ValueError where nothing at all could be.
    """
    if last < 1:
        if not or_none:
            raise ValueError("there is nothing to cite")
        return "none"
    number = f"({'|'.join(_up_to(last))})"
    return f"({'none|' if or_none else ''}{number}( {number}){{0,{most - 1}}})"


def read_cited(cited: str, last: int) -> tuple[int, ...] | Missing:
    """The numbers that a `Cited` holds, ascending, each once; Missing where one is above `last`, which no grammar
    offers."""
    numbers = tuple(sorted({int(number) for number in cited.split()})) if cited != "none" else ()
    if numbers and numbers[-1] > last:
        return Missing("invalid", f"cites {numbers[-1]}; there are {last}")
    return numbers


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

    An option that no returned token begins gets 0. A token counts for the one option that it begins. Exact under a
    choice grammar where each option's first token begins no other; None as well where much of the probability lies on
    tokens that begin several, which say nothing.
    """
    return _shares(reply.logprobs[0], choice) if reply.logprobs else None


def closing_probabilities(reply: Reply, choice: Choice) -> dict[str, float] | None:
    """The same from the token with which a JSON reply gives its last value, one of `choice`; None where no token does.

    Behind that value only what closes the object follows, and a tokenizer may join the two ends: hence the few tokens
    that are looked at, from the last.
    """
    for tokens in reversed(reply.logprobs[-_CLOSING:]):
        if tokens and tokens[0][0] in choice.options:
            return _shares(tokens, choice)
    return None


def _shares(tokens: Sequence[tuple[str, float]], choice: Choice) -> dict[str, float] | None:
    mass = dict.fromkeys(choice.options, 0.0)
    lost = 0.0
    for token, logprob in tokens:
        begun = [token] if token in mass else [each for each in choice.options if token and each.startswith(token)]
        if len(begun) == 1:
            mass[begun[0]] += math.exp(logprob)
        elif begun:
            lost += math.exp(logprob)
    total = sum(mass.values())
    if total <= 0.0 or lost > _MOST_LOST * (total + lost):
        return None
    return {option: share / total for option, share in mass.items()}
