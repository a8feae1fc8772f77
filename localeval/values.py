"""The frozen values that travel between flows, driver, engines and store."""

from dataclasses import dataclass
from typing import Literal

Role = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "error"]
MissingReason = Literal[
    "truncated",
    "invalid",
    "refused",
    "too long",
    "engine error",
    "unstable",
    "not covered",
    "no evidence",
    "mismatch",
    "absent",
]


@dataclass(frozen=True, slots=True)
class Message:
    """One chat message. Its text is the parts joined without anything between them.

    Parts run from what most calls share to what this call alone says. Where one ends the tokenizer is cut, so
    that a shared part is tokenised once and its tokens are the same in every call: the prefix cache is hit.
    """

    role: Role
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """The message as one string."""
        return "".join(self.parts)


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a reply is drawn. `logprobs` asks for the so many most likely tokens at each position (0: none)."""

    max_tokens: int
    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    logprobs: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """The reply is exactly one of `options`."""

    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class JsonObject:
    """The reply is one compact JSON object that satisfies `schema`, a JSON schema in canonical JSON text."""

    schema: str


@dataclass(frozen=True, slots=True)
class FreeText:
    """The reply is not constrained."""


Output = Choice | JsonObject | FreeText


@dataclass(frozen=True, slots=True)
class Call:
    """One request to one model.

    `model` is the name that the config gives the model, `stage` says who asks ("quiz/write"), `subject` about what
    ("source" or "source/system"), `item` which of several calls about it: a criterion, or the system that writes. None
    of the four is part of the key, which holds the model's identity instead.
    """

    model: str
    messages: tuple[Message, ...]
    output: Output
    sampling: Sampling
    stage: str = ""
    subject: str = ""
    item: str = ""


@dataclass(frozen=True, slots=True)
class Missing:
    """Why there is no verdict. Takes the verdict's place; never a number, never None.

    For reason "too long", `needed` and `limit` are tokens: prompt plus answer, and the model's context.
    """

    reason: MissingReason
    detail: str = ""
    needed: int = 0
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back for one call.

    `logprobs` holds, for each output token, the most likely tokens as (text, natural log-probability), most likely
    first; empty where none were asked for. Under a choice grammar they are already renormalised over the choice.
    `missing` is set by an engine that could not answer; whether the text is a valid verdict is for the reader of
    the reply to say (`localeval.outputs`). `seconds` runs from submission to the last token, `first_token_s` to the
    first, None where the engine does not tell. `device_s` is the call's share of its model's working time: a step's
    time is divided equally among the calls in flight, so that the shares add up to the time; None where nobody
    measures it. `thinking` is what a reasoning model thought before it answered: never part of `text`, its
    `thinking_tokens` are some of the `output_tokens`.
    """

    key: str
    text: str = ""
    finish: Finish = "stop"
    logprobs: tuple[tuple[tuple[str, float], ...], ...] = ()
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    engine: str = ""
    missing: Missing | None = None
    first_token_s: float | None = None
    device_s: float | None = None
    thinking: str = ""
    thinking_tokens: int = 0
