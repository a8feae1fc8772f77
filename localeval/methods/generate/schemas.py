"""What generation is made of: the systems of a config, and the texts that they write."""

from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from localeval.methods.settings import Frozen
from localeval.values import Finish, Missing

GENERIC = "generic"
"""The prompt that comes with localeval: nobody's production, and marked as such everywhere."""

Scalar = str | bool | int | float
Strip = Literal["reasoning", "fence"]


class SystemSettings(Frozen):
    """One entry of `systems`: a model with its production prompt. The model writes one text about every source."""

    model: str
    prompt: str = GENERIC
    """A folder of templates: user.jinja, user.CATEGORY.jinja where a category has its own, system.jinja where there is
    a system prompt, variables.yaml; or "generic"."""
    incumbent: bool = False
    """The system that is deployed now."""
    variables: dict[str, Scalar] = Field(default_factory=dict)
    """What the templates need besides the source; goes before the folder's variables.yaml."""
    tokens: int = Field(default=1024, ge=16, le=131072)
    """Longest text, thoughts included; one that is cut there is missing."""
    temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    top_p: float = Field(default=1.0, gt=0.0, le=1.0)
    strip: tuple[Strip, ...] = ("reasoning",)
    """What is taken off a text as production does: thoughts between <think> tags that the engine left in it, a code
    fence around the whole."""
    retries: int = Field(default=0, ge=0, le=5)
    """How often a text that is cut, empty or failed is asked again, as a new call, drawn at a temperature of 0.5 or
    more. Default: never, since production would not either."""


@dataclass(frozen=True, slots=True)
class GeneratedText:
    """What one system wrote about one source, and what it took: of the asking that counts, the last.

    `text` is Missing where no asking gave a whole text. `seconds` and `first_token_s` run from the submission of the
    call, among all others that were in flight; None where the engine does not tell. `asked` counts the askings.
    """

    source: str
    system: str
    text: str | Missing
    finish: Finish = "stop"
    asked: int = 1
    prompt_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    seconds: float = 0.0
    first_token_s: float | None = None
