"""What a model's config.json says of its cache and of its size: pure arithmetic, no torch."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from localeval.errors import ModelError

Config = Mapping[str, object]

_WRAPPERS = ("text_config", "language_config", "llm_config")

_FULL = (
    "llama mistral mixtral qwen2 qwen2_moe qwen3 qwen3_moe phi phi3 gemma glm glm4 glm4_moe granite granitemoe cohere "
    "olmo2 starcoder2 smollm3 seed_oss ernie4_5 ernie4_5_moe minimax_m2 qwen2_vl_text qwen2_5_vl_text qwen3_vl_text "
    "ministral3 exaone hunyuan_v1_dense internlm3 arcee apertus"
)
_SLIDING_PATTERN = {"gemma2": 2, "gemma3": 6, "gemma3_text": 6, "gpt_oss": 2, "cohere2": 4, "olmo3": 4}
"""Every so many layers one that sees everything, where config.json does not list the layers itself."""
_LATENT = frozenset({"deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe_lite"})
_HYBRID = frozenset({"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "granitemoehybrid", "falcon_h1", "jamba"})
"""Some layers keep a state of fixed size instead of a cache. Counted as if all kept a cache: never too little."""


@dataclass(frozen=True, slots=True)
class CacheLayout:
    """How many layers keep a cache over everything and over a window, and the bytes that one token costs in a layer.

    `layer_numbers` are the cached numbers per token and layer on the whole model, `heads` into how many equal shares
    tensor parallelism can divide them (1: each device keeps all).
    """

    full_layers: int
    sliding_layers: int
    window: int
    layer_numbers: int
    heads: int

    def per_layer(self, number_bytes: float, devices: int) -> float:
        """Bytes of one token in one layer on one device."""
        share = math.ceil(self.heads / devices) / self.heads  # a head is not cut in two
        return self.layer_numbers * number_bytes * share


def inner_config(config: Config) -> Config:
    """The part that describes the language model: config.json itself, or its text part in a model that also sees."""
    for name in _WRAPPERS:
        inner = config.get(name)
        if isinstance(inner, Mapping) and "num_hidden_layers" in inner:
            return inner
    return config


def number_of(config: Config, field: str) -> int:
    """A positive whole number from a config; raises ModelError that names the field where it is missing."""
    value = config.get(field)
    if isinstance(value, bool) or not isinstance(value, int) or value <= 0:
        raise ModelError(
            f"config.json lacks a usable `{field}` (found {value!r}); the memory cannot be told without it"
        )
    return value


def cache_layout(config: Config) -> CacheLayout:
    """How the model's cache is laid out.

    Raises ModelError for a `model_type` whose cache is not known here, or when a field that the sum needs is missing.
    """
    text = inner_config(config)
    kind = str(text.get("model_type", config.get("model_type", "")))
    layers = number_of(text, "num_hidden_layers")
    if kind in _LATENT:
        numbers = number_of(text, "kv_lora_rank") + number_of(text, "qk_rope_head_dim")
        return CacheLayout(layers, 0, 0, numbers, heads=1)
    heads = number_of(text, "num_key_value_heads")
    numbers = 2 * heads * head_dim(text)
    if kind in _HYBRID:
        return CacheLayout(layers, 0, 0, numbers, heads)
    if kind in _SLIDING_PATTERN:
        full = _full_layers(text, layers, _SLIDING_PATTERN[kind])
        return CacheLayout(full, layers - full, number_of(text, "sliding_window"), numbers, heads)
    if kind not in _FULL.split():
        raise ModelError(f"config.json: `model_type` is {kind!r}, whose cache localeval does not know")
    window = text.get("sliding_window")
    # Qwen writes a window that it does not use
    if isinstance(window, int) and window > 0 and text.get("use_sliding_window", True) and kind in ("mistral", "phi3"):
        return CacheLayout(0, layers, window, numbers, heads)
    return CacheLayout(layers, 0, 0, numbers, heads)


def head_dim(text: Config) -> int:
    """Numbers in one head: the config's own, else the hidden size shared among the heads."""
    if text.get("head_dim") is not None:
        return number_of(text, "head_dim")
    return number_of(text, "hidden_size") // number_of(text, "num_attention_heads")


def parameters(config: Config) -> tuple[int, int]:
    """(embedding parameters, all other parameters) of a decoder with gated feed-forward layers, dense or of experts.

    Within 2 % for the architectures that `cache_layout` knows, except hybrid ones and those with a latent cache, for
    which it raises ModelError, as it does when a field is missing. A vision part is not counted.
    """
    text = inner_config(config)
    kind = str(text.get("model_type", ""))
    if kind in _LATENT | _HYBRID:
        raise ModelError(f"the size of a {kind!r} model cannot be told from config.json; give its parameter count")
    hidden, layers = number_of(text, "hidden_size"), number_of(text, "num_hidden_layers")
    heads, kv_heads = number_of(text, "num_attention_heads"), number_of(text, "num_key_value_heads")
    attention = hidden * head_dim(text) * 2 * (heads + kv_heads)
    tables = 1 if text.get("tie_word_embeddings", kind.startswith("gemma")) else 2
    embedding = tables * number_of(text, "vocab_size") * hidden
    return embedding, layers * attention + _feed_forward(text, hidden, layers)


def _feed_forward(text: Config, hidden: int, layers: int) -> int:
    experts = next((text[name] for name in _EXPERTS if isinstance(text.get(name), int)), 0)
    if not isinstance(experts, int) or experts <= 1:
        return layers * 3 * hidden * number_of(text, "intermediate_size")
    width = number_of(text, "moe_intermediate_size" if "moe_intermediate_size" in text else "intermediate_size")
    dense = text.get("first_k_dense_replace", 0)
    n_dense = dense if isinstance(dense, int) else 0
    shared = text.get("n_shared_experts", 0)
    n_all = experts + (shared if isinstance(shared, int) else 0)
    wide = n_dense * 3 * hidden * number_of(text, "intermediate_size") if n_dense else 0
    return wide + (layers - n_dense) * hidden * (3 * width * n_all + experts)


_EXPERTS = ("num_local_experts", "num_experts", "n_routed_experts")


def _full_layers(text: Config, layers: int, pattern: int) -> int:
    """How many layers see everything: as listed in config.json, else one in `pattern`."""
    listed = text.get("layer_types")
    if isinstance(listed, list) and len(listed) == layers:
        return sum(1 for kind in listed if kind != "sliding_attention")
    own = text.get("sliding_window_pattern")
    return layers // (own if isinstance(own, int) and own > 0 else pattern)
