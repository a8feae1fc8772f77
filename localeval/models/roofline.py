"""How long a stage takes at least, from the sizes of a model and the speed of a device: pure arithmetic.

Reading a prompt is bounded by the operations that the device does a second, writing a token by the bytes that it
reads a second: the weights once a step, and each call's cache (the roofline of Williams, Waterman and Patterson,
Communications of the ACM 52(4), 2009). No engine reaches either bound: `EFFICIENCY` of the peak is taken.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from localeval.errors import ModelError
from localeval.models.cards import Model
from localeval.models.devices import Speed
from localeval.models.fit import Demand, Device, Numbers, fit, weights_on_disk
from localeval.models.layout import (
    CacheLayout,
    Config,
    cache_layout,
    embedding_parameters,
    head_dim,
    inner_config,
    number_of,
    parameters,
)
from localeval.models.verify import read_json

EFFICIENCY = {"cuda": 0.5, "cpu": 0.9}
"""Share of a device's speed that engines reach: about half of a data sheet's peak, most of what was measured."""

CPU_IN_FLIGHT, GPU_IN_FLIGHT = 64, 256
"""Calls that run together where the model's options do not say."""

CPU_STEP_TOKENS, GPU_STEP_TOKENS = 512, 8192
"""Prompt tokens that one step reads where the options do not say."""

_EIGHT_BIT = frozenset({"fp8", "int8", "w8a8"})
_CACHED_BYTES = {"float32": 4.0, "fp8": 1.0}
_DISK_BYTES_PER_S = 0.5e9
_START_S = {"cuda": 45.0, "cpu": 15.0}  # the process, its imports, the self-test; on a GPU compiled graphs, too


@dataclass(frozen=True, slots=True)
class Sizes:
    """What decides a model's speed.

    `read` parameters are multiplied for each prompt token, `head` more for each token that is written; `weight_bytes`
    is the whole model in the precision in which it runs, `active_share` the part of it that one token passes through.
    `attention` operations each token does for each earlier one in a layer that sees all, and in one with a window.
    """

    read: float
    head: float
    weight_bytes: float
    active_share: float
    layout: CacheLayout
    cached_bytes: float
    attention: float
    is_8bit: bool = False


@dataclass(frozen=True, slots=True)
class Work:
    """The tokens of some calls: those of their prompts, those of them that no cache holds, and those written."""

    calls: float
    prompt_tokens: float
    computed_tokens: float
    output_tokens: float


@dataclass(frozen=True, slots=True)
class Serving:
    """The device, how many calls run on it together, and how many prompt tokens a step reads."""

    speed: Speed
    in_flight: int
    step_tokens: int


def sizes_of(model: Model) -> Sizes:
    """The sizes of a model by its config.json, else by its card's `[config]`.

    Raises ModelError where neither describes it well enough.
    """
    folder = Path(model.folder)
    here = bool(model.folder) and (folder / "config.json").is_file()
    config: Mapping[str, object] = read_json(folder / "config.json") if here else model.card.config
    if not config:
        raise ModelError(f"model {model.name!r}: its card has no [config] and its weights are not here")
    text, card = inner_config(config), model.card
    embedding = embedding_parameters(text)
    total = _parameters(model, config, folder if here else None)
    numbers = Numbers(card.dtype, card.quantization, parameters_b=total / 1e9)
    weights = fit(config, Device(memory_gib=1.0), Demand(tokens=1), numbers).weights
    active = min(total, card.active_parameters_b * 1e9) if card.active_parameters_b else total
    heads = number_of(text, "num_attention_heads")
    return Sizes(
        read=max(active - embedding, 0.0),
        head=float(number_of(text, "vocab_size") * number_of(text, "hidden_size")),
        weight_bytes=float(weights),
        active_share=active / total,
        layout=cache_layout(config),
        cached_bytes=_CACHED_BYTES.get(_cache_type(model), 2.0),
        attention=4.0 * heads * _width(text, heads),
        is_8bit=card.quantization in _EIGHT_BIT,
    )


def serving_of(model: Model, speed: Speed) -> Serving:
    """How a model is served on a device by the engine and the options that the config gives it."""
    options = model.options
    if model.engine == "transformers":
        return Serving(speed, 1, GPU_STEP_TOKENS)
    on_cpu = speed.kind == "cpu"
    flight = options.get("max_in_flight") or (CPU_IN_FLIGHT if on_cpu else GPU_IN_FLIGHT)
    step = options.get("max_batched_tokens") or (CPU_STEP_TOKENS if on_cpu else GPU_STEP_TOKENS)
    count = int(options.get("tensor_parallel", 1))
    return Serving(
        Speed(
            speed.name,
            speed.kind,
            speed.flops * count,
            speed.flops_8bit * count,
            speed.bytes_per_s * count,
            speed.memory_bytes * count,
            count,
        ),
        int(flight),
        int(step),
    )


def stage_seconds(sizes: Sizes, serving: Serving, work: Work) -> float | None:
    """Seconds of a device for some calls, all of one kind; None where the device's speed is not known."""
    if not serving.speed.is_known:
        return None
    if work.calls <= 0:
        return 0.0
    return _reading_s(sizes, serving, work) + _writing_s(sizes, serving, work)


def load_seconds(sizes: Sizes, speed: Speed) -> float:
    """A guess at the seconds of one load: the engine's start, and the weights from a disk at 0.5 GB a second."""
    return _START_S[speed.kind] + sizes.weight_bytes / _DISK_BYTES_PER_S


def _reading_s(sizes: Sizes, serving: Serving, work: Work) -> float:
    """The prompt tokens that no cache holds. They stand at the end of their prompts, so each sees all before it."""
    computed = work.computed_tokens
    seen = (work.prompt_tokens - computed / 2) / work.calls
    operations = computed * (2 * sizes.read + _looking(sizes, seen)) + work.calls * 2 * sizes.head
    steps = computed / serving.step_tokens
    return max(operations / _flops(sizes, serving), steps * sizes.weight_bytes / _bytes_per_s(serving))


def _writing_s(sizes: Sizes, serving: Serving, work: Work) -> float:
    """The tokens after the first, which reading the prompt gives."""
    steps = work.output_tokens - work.calls
    if steps <= 0:
        return 0.0
    seen = (work.prompt_tokens + work.output_tokens / 2) / work.calls
    together = max(1.0, min(work.calls, serving.in_flight, _held(sizes, serving, work)))
    operations = together * (2 * (sizes.read + sizes.head) + _looking(sizes, seen))
    # of a mixture of experts each call reads its own: together they soon need them all
    weights = sizes.weight_bytes * (1 - math.pow(1 - sizes.active_share, together))
    moved = weights + together * _cache_bytes(sizes, seen)
    step_s = max(operations / _flops(sizes, serving), moved / _bytes_per_s(serving))
    return steps / together * step_s


def _held(sizes: Sizes, serving: Serving, work: Work) -> float:
    """How many calls the device's memory has room for, with what they share held once; no bound where it is not
    known."""
    room = 0.9 * serving.speed.memory_bytes - sizes.weight_bytes
    own = _cache_bytes(sizes, (work.computed_tokens + work.output_tokens) / work.calls)
    return room / own if serving.speed.memory_bytes and own and room > 0 else math.inf


def _looking(sizes: Sizes, seen: float) -> float:
    """Operations of one token's attention to `seen` earlier ones, over all layers."""
    layout = sizes.layout
    return sizes.attention * (layout.full.count * seen + layout.sliding.count * min(seen, layout.window))


def _cache_bytes(sizes: Sizes, tokens: float) -> float:
    layout = sizes.layout
    full = layout.full.count * layout.full.numbers * tokens
    return sizes.cached_bytes * (full + layout.sliding.count * layout.sliding.numbers * min(tokens, layout.window))


def _flops(sizes: Sizes, serving: Serving) -> float:
    speed = serving.speed
    return (speed.flops_8bit if sizes.is_8bit and speed.flops_8bit else speed.flops) * EFFICIENCY[speed.kind]


def _bytes_per_s(serving: Serving) -> float:
    return serving.speed.bytes_per_s * EFFICIENCY[serving.speed.kind]


def _parameters(model: Model, config: Config, folder: Path | None) -> float:
    """All parameters: as the card says, else by the layers, else by the weights at two bytes each."""
    if model.card.parameters_b is not None:
        return model.card.parameters_b * 1e9
    try:
        return float(sum(parameters(config)))
    except ModelError:
        if folder is None:
            raise
        return weights_on_disk(folder) / 2


def _width(text: Config, heads: int) -> float:
    """Numbers in a head of the queries; with a latent cache those of its two parts."""
    if text.get("qk_nope_head_dim") is not None:
        return float(number_of(text, "qk_nope_head_dim") + number_of(text, "qk_rope_head_dim"))
    if text.get("head_dim") is None and number_of(text, "hidden_size") < heads:
        raise ModelError("config.json: fewer numbers in a layer than heads; the speed cannot be told")
    return float(head_dim(text))


def _cache_type(model: Model) -> str:
    chosen = str(model.options.get("kv_cache_dtype", "auto"))
    return model.card.dtype if chosen == "auto" else chosen
