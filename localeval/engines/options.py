"""The options of an engine, as a config or a card gives them: checked once, unknown ones refused by name."""

from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from localeval.errors import ConfigError
from localeval.models.cards import Model

GrammarBackend = Literal["xgrammar", "outlines", "guidance"]
Device = Literal["auto", "cpu", "cuda"]


class _Options(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    device: Device = "auto"


class VllmOptions(_Options):
    """What `engine: vllm` takes. Names that say how fast, not what: `localeval.models.cards.SPEED_ONLY`."""

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
    kv_cache_dtype: Literal["auto", "fp8", "bfloat16"] = "auto"


class TransformersOptions(_Options):
    """What `engine: transformers` takes. It answers one call at a time."""


Parsed = TypeVar("Parsed", bound=_Options)


def vllm_options(model: Model) -> VllmOptions:
    """The model's options for vLLM. Raises ConfigError that names the model, the option and the fix."""
    return _parse(VllmOptions, model)


def transformers_options(model: Model) -> TransformersOptions:
    """The model's options for transformers. Raises ConfigError that names the model, the option and the fix."""
    return _parse(TransformersOptions, model)


def engine_options(model: Model) -> VllmOptions | TransformersOptions:
    """The options of the model's engine. Raises ConfigError, also for an engine that no child process serves."""
    if model.engine == "vllm":
        return vllm_options(model)
    if model.engine == "transformers":
        return transformers_options(model)
    raise ConfigError(f"model {model.name!r}: engine {model.engine!r} is not one of vllm, transformers")


def _parse(kind: type[Parsed], model: Model) -> Parsed:
    try:
        return kind.model_validate(model.options)
    except ValidationError as error:
        raise ConfigError(_explain(error, kind, model)) from None


def _explain(error: ValidationError, kind: type[_Options], model: Model) -> str:
    first: Any = error.errors(include_url=False)[0]
    name = ".".join(str(step) for step in first["loc"])
    if first["type"] == "extra_forbidden":
        fix = f"engine {model.engine} knows {', '.join(kind.model_fields)}"
    else:
        fix = f"is {first['input']!r}: {first['msg']}"
    return f"model {model.name!r}: option {name!r} {fix}"
