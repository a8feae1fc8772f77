"""Whether a model with a long source fits a device: from config.json alone, before anything is downloaded.

The cache is counted as vLLM counts it (vllm/v1/kv_cache_interface.py and kv_cache_utils.py, version 0.32): in blocks,
layers of one kind in groups of equal size, a sliding layer holding its window and one batch of prompt tokens.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from localeval.errors import ModelError
from localeval.models.layout import (
    CacheLayout,
    Config,
    cache_layout,
    embedding_parameters,
    inner_config,
    number_of,
    parameters,
)
from localeval.models.verify import tensor_bytes, weight_files

GIB = 1 << 30

_BOUND = "the cache is an upper bound: some layers of this architecture keep less than the rest"

NumberType = Literal["bfloat16", "float16", "float32", "auto"]

_BYTES = {"bfloat16": 2.0, "float16": 2.0, "auto": 2.0, "float32": 4.0, "fp8": 1.0}
_QUANTIZED_BYTES = {
    "fp8": 1.0,
    "int8": 1.0,
    "w8a8": 1.0,
    "awq": 0.58,
    "gptq": 0.58,
    "w4a16": 0.58,
    "mxfp4": 0.58,
    "nvfp4": 0.58,
}
"""Bytes a parameter with scales, and with the layers that stay unquantised; embeddings stay at two bytes."""
_BATCHED = 8192  # prompt tokens that vLLM computes in one step on a large GPU
_SEQUENCES = 256  # replies that it extends in one step
_FIXED_RESERVE = int(1.5 * GIB)  # driver context, captured graphs, communication buffers


@dataclass(frozen=True, slots=True)
class Device:
    """What the model is to run on: `count` equal devices of `memory_gib`, of which the engine may use `share`."""

    memory_gib: float
    count: int = 1
    share: float = 0.9
    block_size: int = 16


@dataclass(frozen=True, slots=True)
class Demand:
    """What is asked of it: `tokens` of prompt and answer, in `concurrency` calls at once that share nothing."""

    tokens: int
    concurrency: int = 1


@dataclass(frozen=True, slots=True)
class Numbers:
    """How numbers are kept. `weight_bytes`: the exact size of the weights where it is known."""

    dtype: NumberType = "bfloat16"
    quantization: str | None = None
    kv_dtype: Literal["auto", "bfloat16", "fp8"] = "auto"
    parameters_b: float | None = None
    weight_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Fit:
    """Bytes are per device, except `weights`, which is the whole model.

    `cache_per_token` counts every layer as if it kept every token: what each further token costs at most. `longest`
    is the longest prompt plus answer that memory and context allow, `limited_by` which of them; 0 where not even the
    weights fit. `context` is the model's own limit, 0 where it names none.
    """

    weights: int
    weights_per_device: int
    reserve: int
    cache: int
    cache_per_token: int
    needed: int
    fits: bool
    longest: int
    limited_by: Literal["memory", "context"]
    context: int
    notes: tuple[str, ...] = field(default=())


def fit(config: Config, device: Device, demand: Demand, numbers: Numbers, context: int = 0) -> Fit:
    """Whether weights, reserve and cache for `demand` fit `device`, and the longest source that would.

    `context` limits further what config.json allows (0: no further limit). Raises ModelError when the architecture
    is not known or a field that the sum needs is missing: it never guesses.
    """
    layout = cache_layout(config)
    weights, how = _weights(config, numbers)
    per_device = math.ceil(weights / device.count)
    reserve = _reserve(config, device.count)
    cache = max(0, int(device.memory_gib * GIB * device.share) - per_device - reserve)
    token_bytes = _BYTES[numbers.dtype if numbers.kv_dtype == "auto" else numbers.kv_dtype]
    sizes = _Sizes(layout, token_bytes, device)
    limit = _limit(config, context)
    by_memory = _longest(sizes, cache // max(1, demand.concurrency), limit or 1 << 24)
    needed = demand.concurrency * sizes.of(demand.tokens)
    is_short = bool(limit) and by_memory >= limit
    return Fit(
        weights=weights,
        weights_per_device=per_device,
        reserve=reserve,
        cache=cache,
        cache_per_token=sizes.per_token,
        needed=needed,
        fits=needed <= cache and cache > 0 and (not limit or demand.tokens <= limit),
        longest=min(by_memory, limit) if limit else by_memory,
        limited_by="context" if is_short else "memory",
        context=limit,
        notes=tuple(note for note in (how, _BOUND if layout.is_bound else "") if note),
    )


def cache_bytes(layout: CacheLayout, tokens: int, number_bytes: float, device: Device) -> int:
    """Bytes of cache that one call of `tokens` occupies on each device."""
    full, sliding, block = layout.full, layout.sliding, device.block_size
    size = _group_size(full.count, sliding.count)
    blocks = math.ceil(full.count / size) * math.ceil(tokens / block)
    total = size * blocks * block * full.token_bytes(number_bytes, device.count)
    if sliding.count:
        held = math.ceil(min(tokens, layout.window - 1 + _BATCHED) / block) + 1
        groups = math.ceil(sliding.count / size)
        total += size * groups * held * block * sliding.token_bytes(number_bytes, device.count)
    return math.ceil(total) + layout.state_bytes


def weights_on_disk(folder: Path) -> int:
    """Exact bytes of the tensors in a folder's safetensors, from their headers."""
    return sum(tensor_bytes(path) for path in weight_files(folder))


def _group_size(full: int, sliding: int) -> int:
    """Layers in one group: as many as the rarer kind has, unless the two are near (then padding costs less)."""
    few, many = sorted((full, sliding))
    return many if few == 0 or many < 1.5 * few else few


@dataclass(frozen=True, slots=True)
class _Sizes:
    """The cache of one call on one device, for any number of tokens."""

    layout: CacheLayout
    number_bytes: float
    device: Device

    def of(self, tokens: int) -> int:
        return cache_bytes(self.layout, tokens, self.number_bytes, self.device)

    @property
    def per_token(self) -> int:
        kinds = (self.layout.full, self.layout.sliding)
        return math.ceil(sum(kind.count * kind.token_bytes(self.number_bytes, self.device.count) for kind in kinds))


def _longest(sizes: _Sizes, cache: int, limit: int) -> int:
    """The most tokens whose cache fits, at most `limit`; by halving, since more tokens never need less."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if sizes.of(middle) <= cache:
            low = middle
        else:
            high = middle - 1
    return low


def _weights(config: Config, numbers: Numbers) -> tuple[int, str]:
    """Bytes of the whole model, and a note where they are reckoned and not read."""
    if numbers.weight_bytes is not None:
        return numbers.weight_bytes, ""
    if numbers.parameters_b is None:
        embedding, rest = parameters(config)
        how = "weights reckoned from the layer sizes in config.json"
    else:
        embedding = embedding_parameters(inner_config(config))
        rest = round(numbers.parameters_b * 1e9) - embedding
        how = "weights reckoned from the parameter count"
    full = _BYTES[numbers.dtype]
    width = _quantized_bytes(numbers.quantization, config)
    return math.ceil(embedding * full + rest * (full if width is None else width)), how


def _quantized_bytes(method: str | None, config: Config) -> float | None:
    """Bytes a parameter under a quantisation, named or as config.json says; None where there is none."""
    if method is None:
        entry = config.get("quantization_config")
        if entry is None:
            return None
        if not isinstance(entry, Mapping) or "quant_method" not in entry:
            raise ModelError("config.json: `quantization_config` lacks `quant_method`; the weights' size is not known")
        method = str(entry["quant_method"])
    if method not in _QUANTIZED_BYTES:
        known = ", ".join(sorted(_QUANTIZED_BYTES))
        raise ModelError(
            f"quantization {method!r}: bytes a parameter are not known (known: {known}); fetch the weights"
        )
    return _QUANTIZED_BYTES[method]


def _reserve(config: Config, devices: int) -> int:
    """Bytes to keep free on a device: a fixed part, and the largest step's activations and logits.

    A batch of prompt tokens holds, in two bytes, the gated feed-forward layer's two halves and four rows of the hidden
    size; each reply's logits are held twice in four bytes.
    """
    text = inner_config(config)
    hidden = number_of(text, "hidden_size")
    wide = text.get("intermediate_size")
    feed = wide if isinstance(wide, int) else 4 * hidden
    activations = _BATCHED * 2 * (2 * feed // devices + 4 * hidden)
    logits = _SEQUENCES * 2 * 4 * number_of(text, "vocab_size")
    return _FIXED_RESERVE + activations + logits


def _limit(config: Config, context: int) -> int:
    own = inner_config(config).get("max_position_embeddings")
    limits = [n for n in (context, own) if isinstance(n, int) and n > 0]
    return min(limits, default=0)
