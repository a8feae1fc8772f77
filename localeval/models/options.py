"""What each engine can be told in a config or on a card: names, types and ranges, checked before anything is loaded."""

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from localeval.errors import ConfigError
from localeval.models.cards import EngineKind, suggestion

GrammarBackend = Literal["xgrammar", "outlines", "guidance"]
Device = Literal["auto", "cpu", "cuda"]


class EngineOptions(BaseModel):
    """Base of the engines' options: what a model's work costs, in the currency of the config's `prices`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    price_per_hour: float | None = Field(default=None, ge=0)
    """For each hour that the model is loaded, all its devices together. None: `prices: device_hour`, for local ones."""
    price_in: float | None = Field(default=None, ge=0)
    """For a million prompt tokens."""
    price_cached_in: float | None = Field(default=None, ge=0)
    """For a million prompt tokens that the server had in its cache. None: as `price_in`."""
    price_out: float | None = Field(default=None, ge=0)
    """For a million tokens written, thoughts included."""


class VllmOptions(EngineOptions):
    """What `engine: vllm` takes. Names that say how fast, not what: `localeval.models.cards.SPEED_ONLY`."""

    device: Device = "auto"
    grammar_backend: GrammarBackend = "xgrammar"
    """What enforces the patterns. `outlines` is slow inside long strings, and takes 5 s at most to compile one."""
    cache_gib: float | None = Field(default=None, gt=0)
    """GiB of prefix cache. None: 2 on a CPU; on a GPU what `gpu_memory_utilization` leaves."""
    gpu_memory_utilization: float = Field(default=0.9, gt=0, le=1)
    tensor_parallel: int = Field(default=1, ge=1)
    block_size: int | None = Field(default=None, ge=1)
    """Tokens a cache block. None: 32 on a CPU, vLLM's own choice on a GPU."""
    max_in_flight: int | None = Field(default=None, ge=1)
    """Calls that run together. None: 64 on a CPU, vLLM's own choice for the device on a GPU."""
    max_batched_tokens: int | None = Field(default=None, ge=256)
    """Prompt tokens that one step reads at most. None: 512 on a CPU, vLLM's own choice on a GPU. Fewer bring first
    replies earlier."""
    kv_cache_dtype: Literal["auto", "fp8", "bfloat16"] = "auto"
    threads: int | None = Field(default=None, ge=1)
    """Threads that compute on a CPU. None: one for each core, or what OMP_NUM_THREADS says."""


class TransformersOptions(EngineOptions):
    """What `engine: transformers` takes. It answers one call at a time."""

    device: Device = "auto"
    threads: int | None = Field(default=None, ge=1)
    """Threads that compute on a CPU. None: one for each core, or what OMP_NUM_THREADS says."""


class ScriptedOptions(EngineOptions):
    """What `engine: scripted` takes, besides `script` and `context`."""

    calls_per_second: float | None = Field(default=None, gt=0)
    """A ceiling on calls started a second. None: no ceiling."""
    cache_tokens: int | None = Field(default=None, ge=1)
    """Tokens that its prefix cache on paper holds. None: all."""
    log: str | None = None
    """A file that gets one line for each call that is served."""


class OpenAIOptions(EngineOptions):
    """What `engine: openai` takes: any server that speaks OpenAI's chat completions."""

    base_url: str = Field(min_length=1)
    """Where the server is, for example http://127.0.0.1:8000/v1."""
    served: str = Field(min_length=1)
    """The model's name there."""
    key_env: str | None = Field(default=None, min_length=1)
    """Name of the environment variable that holds the key. None: no key is sent."""
    constraint: Literal["json_schema", "structured_outputs", "prompt"] = "json_schema"
    """How the form of a reply is asked for: OpenAI's `response_format`, vLLM's `structured_outputs` with the very
    pattern that local engines use, or in words at the end of the prompt, where a server can do neither."""
    logprobs: bool = True
    """Whether the server gives log-probabilities."""
    max_in_flight: int = Field(default=8, ge=1)
    """Requests at once, at most; fewer while the server says that it is too much."""
    timeout_s: float = Field(default=600.0, gt=0)
    """Of one request."""
    attempts: int = Field(default=6, ge=1)
    """How often one request is sent before it is an engine error, where the server is busy, fails or cuts it off."""
    calls_per_minute: float | None = Field(default=None, gt=0)
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the server calls the bound on an answer's tokens."""
    thinking_room: int = Field(default=0, ge=0)
    """Tokens that every call is given besides its own, for a model that thinks before it answers."""
    extra: dict[str, JsonValue] = Field(default_factory=dict)
    """Further fields of the request's body, as the server takes them; null leaves out a field that is sent else."""


class CommandOptions(EngineOptions):
    """What `engine: command` takes: a program that reads the prompt on standard input and prints the answer."""

    command: tuple[str, ...] = Field(min_length=1)
    """Program and arguments; run without a shell."""
    unset: tuple[str, ...] = ()
    """Environment variables that the program must not see."""
    timeout_s: float = Field(default=600.0, gt=0)
    max_in_flight: int = Field(default=1, ge=1)
    calls_per_minute: float | None = Field(default=None, gt=0)
    attempts: int = Field(default=2, ge=1)
    """How often the program is run for one call before that is an engine error."""


class VerdictsOptions(EngineOptions):
    """What `engine: verdicts` takes: verdicts that were made elsewhere, by people or by another machine."""

    file: str = Field(min_length=1)
    """JSONL of verdicts by key or by source, system and criterion; relative to the config."""


OPTIONS: dict[EngineKind, type[EngineOptions]] = {
    "vllm": VllmOptions,
    "transformers": TransformersOptions,
    "scripted": ScriptedOptions,
    "openai": OpenAIOptions,
    "command": CommandOptions,
    "verdicts": VerdictsOptions,
}

LOCAL: frozenset[EngineKind] = frozenset({"vllm", "transformers"})
"""Engines that occupy a device of this machine."""


def option_names(engine: EngineKind) -> list[str]:
    """The names of an engine's options, sorted."""
    return sorted(OPTIONS[engine].model_fields)


def engine_of(place: str, chosen: object) -> EngineKind:
    """`chosen` as an engine's name; raises ConfigError that names `place` and the engines there are."""
    for kind in OPTIONS:
        if chosen == kind:
            return kind
    hint = suggestion(str(chosen), list(OPTIONS))
    raise ConfigError(f"{place}: {chosen!r} is not one of {', '.join(OPTIONS)}{hint}")


def check_options(place: str, engine: EngineKind, given: Mapping[str, object]) -> dict[str, object]:
    """Those options that are given, each of the right type; what is not given stays out, so that defaults can improve.

    Raises ConfigError that names `place`, the option, the value and what is expected.
    """
    try:
        return OPTIONS[engine].model_validate(dict(given)).model_dump(exclude_unset=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "extra_forbidden":
        known = option_names(engine)
        hint = suggestion(name, known)
        raise ConfigError(f"{place}.{name}: unknown with engine {engine}{hint} (known: {', '.join(known)})")
    raise ConfigError(f"{place}.{name}: {first['msg']}, got {first['input']!r}")
