"""Calls and schemas that the engine tests share."""

import json
import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from localeval.engines.child import ChildEngine
from localeval.outputs import json_output
from localeval.values import Call, Choice, FreeText, Message, Output, Reply, Sampling

LETTERS = Choice(("A", "B", "C"))
WORDS = Choice(("yes", "no", "cannot be determined", "3.5 (about)"))
SOURCE = (
    "Anna: the budget is 42,000 euros. Boris: we meet again on Tuesday at nine. Anna: fine, I will book room 4. " * 4
)


class Colour(StrEnum):
    """Named values."""

    RED = "red"
    GREEN = "green"


class Verdict(BaseModel):
    """An enum, a string with a pattern, a list and a choice of numbers: what methods ask for."""

    colour: Colour
    code: Annotated[str, Field(pattern=r"^[A-Z]{2}-[0-9]{3}$")]
    segments: Annotated[list[Literal[1, 2, 3]], Field(max_length=2)]
    sure: bool


VERDICT = json_output(Verdict)
FREE = FreeText()


def call(question: str, output: Output, sampling: Sampling | None = None, source: str = SOURCE) -> Call:
    """One question about a source."""
    if sampling is None:
        sampling = Sampling(max_tokens=1 if output == LETTERS else 64, logprobs=5)
    messages = (Message("system", ("You are careful.",)), Message("user", (source + "\n\n", question)))
    return Call("small", messages, output, sampling)


def letters(count: int, **sampling: int) -> dict[str, Call]:
    """Questions that a letter answers."""
    drawn = Sampling(max_tokens=1, logprobs=5, **sampling)
    return {f"letter-{n}": call(f"Question {n}: which?\nA. 42\nB. 24\nC. none", LETTERS, drawn) for n in range(count)}


def ask(engine: ChildEngine, calls: Mapping[str, Call]) -> dict[str, Reply]:
    """Every call's reply, by key."""
    engine.submit(calls)
    return {reply.key: reply for reply in engine.replies()}


def mass(reply: Reply, position: int = 0) -> float:
    """The probability that the returned tokens of a position hold together."""
    return sum(math.exp(logprob) for _, logprob in reply.logprobs[position])


def in_schema(reply: Reply) -> Verdict:
    """The reply as a verdict; raises where it is not one, or is not compact."""
    verdict = Verdict.model_validate_json(reply.text)
    assert reply.text == json.dumps(json.loads(reply.text), separators=(",", ":"), ensure_ascii=False)
    return verdict
