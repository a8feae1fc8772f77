"""An engine's options as its process reads them; names, types and ranges stand in `localeval.models.options`."""

from localeval.errors import ConfigError
from localeval.models.cards import Model
from localeval.models.options import TransformersOptions, VllmOptions, check_options


def vllm_options(model: Model) -> VllmOptions:
    """The model's options for vLLM. Raises ConfigError that names the model, the option and the fix."""
    return VllmOptions.model_validate(check_options(f"models.{model.name}", "vllm", model.options))


def transformers_options(model: Model) -> TransformersOptions:
    """The model's options for transformers. Raises ConfigError that names the model, the option and the fix."""
    return TransformersOptions.model_validate(check_options(f"models.{model.name}", "transformers", model.options))


def engine_options(model: Model) -> VllmOptions | TransformersOptions:
    """The options of the model's engine. Raises ConfigError, also for an engine that no process of its own serves."""
    if model.engine == "vllm":
        return vllm_options(model)
    if model.engine == "transformers":
        return transformers_options(model)
    raise ConfigError(f"models.{model.name}.engine: {model.engine} is not one of vllm, transformers")
