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
_SLIDING_PATTERN = {
    "gemma2": 2,
    "gemma3": 6,
    "gemma3_text": 6,
    "gemma4_text": 6,
    "gemma4_unified_text": 6,
    "gpt_oss": 2,
    "cohere2": 4,
    "olmo3": 4,
}
"""Every so many layers one that sees everything, where config.json does not list the layers itself."""
_LATENT = frozenset({"deepseek_v2", "deepseek_v3", "kimi_k2", "glm4_moe_lite", "mistral4"})
_HYBRID = frozenset({"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text", "granitemoehybrid", "falcon_h1", "jamba"})
"""Some layers keep a state of fixed size instead of a cache."""
_STATE_COPIES = 4  # what vLLM holds of a state while a call runs and its prefix is being cached, with one to spare


@dataclass(frozen=True, slots=True)
class Layers:
    """`count` layers that each cache `numbers` numbers a token, in `heads` shares that devices can divide (1: none)."""

    count: int
    numbers: int
    heads: int

    def token_bytes(self, number_bytes: float, devices: int) -> float:
        """Bytes of one token in one of these layers on one of `devices` devices."""
        share = math.ceil(self.heads / devices) / self.heads  # a head is not cut in two
        return self.numbers * number_bytes * share


@dataclass(frozen=True, slots=True)
class CacheLayout:
    """The layers that cache every token, and those that cache a window of `window` tokens.

    `state_bytes` are held once a call, whatever its length. `is_bound`: the model needs less than this says, how much
    less depends on the engine.
    """

    full: Layers
    sliding: Layers = Layers(0, 0, 1)
    window: int = 0
    state_bytes: int = 0
    is_bound: bool = False


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
        return CacheLayout(Layers(layers, numbers, heads=1))
    heads = number_of(text, "num_key_value_heads")
    numbers = 2 * heads * head_dim(text)
    if kind in _HYBRID:
        return _hybrid(text, Layers(layers, numbers, heads))
    if kind in _SLIDING_PATTERN:
        return _mixed(text, Layers(layers, numbers, heads), _SLIDING_PATTERN[kind])
    if kind not in _FULL.split():
        raise ModelError(f"config.json: `model_type` is {kind!r}, whose cache localeval does not know")
    window = text.get("sliding_window")
    if kind in ("mistral", "phi3") and isinstance(window, int) and window > 0:  # Qwen writes one that it does not use
        return CacheLayout(Layers(0, 0, 1), Layers(layers, numbers, heads), window)
    return CacheLayout(Layers(layers, numbers, heads))


def head_dim(text: Config) -> int:
    """Numbers in one head: the config's own, else the hidden size shared among the heads."""
    if text.get("head_dim") is not None:
        return number_of(text, "head_dim")
    return number_of(text, "hidden_size") // number_of(text, "num_attention_heads")


def parameters(config: Config) -> tuple[int, int]:
    """(embedding parameters, all other parameters) of a decoder with gated feed-forward layers, dense or of experts.

    Within 2 % for the architectures that `cache_layout` knows, except hybrid ones, those with a latent cache and
    Gemma 4, for which it raises ModelError, as it does when a field is missing. A vision part is not counted.
    """
    text = inner_config(config)
    kind = str(text.get("model_type", ""))
    if kind in _LATENT | _HYBRID or kind.startswith("gemma4"):
        raise ModelError(f"the size of a {kind!r} model cannot be told from config.json; give its parameter count")
    hidden, layers = number_of(text, "hidden_size"), number_of(text, "num_hidden_layers")
    heads, kv_heads = number_of(text, "num_attention_heads"), number_of(text, "num_key_value_heads")
    attention = hidden * head_dim(text) * 2 * (heads + kv_heads)
    return embedding_parameters(text), layers * attention + _feed_forward(text, hidden, layers)


def embedding_parameters(text: Config) -> int:
    """Parameters of the tables from tokens to numbers and back: one table where the two are tied."""
    tied = text.get("tie_word_embeddings", str(text.get("model_type", "")).startswith("gemma"))
    return (1 if tied else 2) * number_of(text, "vocab_size") * number_of(text, "hidden_size")


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


def _hybrid(text: Config, layers: Layers) -> CacheLayout:
    """The layout where some layers keep a state: as if all kept a cache where config.json does not describe the state.

    A state is a matrix for each value head, and the last few inputs of a convolution, in four bytes. Each of the
    other layers may lose as much to blocks that vLLM makes as large as a state.
    """
    fields = ("num_key_heads", "num_value_heads", "key_head_dim", "value_head_dim", "conv_kernel_dim")
    if any(not isinstance(text.get(f"linear_{field}"), int) for field in fields):
        return CacheLayout(layers, is_bound=True)
    key_heads, value_heads, key, value, kernel = (number_of(text, f"linear_{field}") for field in fields)
    n_full = _full_layers(text, layers.count, number_of(text, "full_attention_interval"))
    state = 4 * (value_heads * key * value + kernel * (2 * key_heads * key + value_heads * value))
    total = state * (_STATE_COPIES * (layers.count - n_full) + n_full)
    return CacheLayout(Layers(n_full, layers.numbers, layers.heads), state_bytes=total, is_bound=True)


def _mixed(text: Config, layers: Layers, pattern: int) -> CacheLayout:
    """The layout where some layers see everything and some a window."""
    n_full = _full_layers(text, layers.count, pattern)
    window = number_of(text, "sliding_window")
    full = Layers(n_full, layers.numbers, layers.heads)
    if text.get("global_head_dim") is not None:  # Gemma 4: the layers that see everything have heads of their own
        own = text.get("num_global_key_value_heads") if text.get("attention_k_eq_v") else None
        heads = own if isinstance(own, int) and own > 0 else layers.heads
        full = Layers(n_full, 2 * heads * number_of(text, "global_head_dim"), heads)
    shared = text.get("num_kv_shared_layers", 0)
    sliding = Layers(layers.count - n_full, layers.numbers, layers.heads)
    return CacheLayout(full, sliding, window, is_bound=bool(shared))


def _full_layers(text: Config, layers: int, pattern: int) -> int:
    """How many layers see everything: as listed in config.json, else one in `pattern`."""
    listed = text.get("layer_types")
    if isinstance(listed, list) and len(listed) == layers:
        return sum(1 for kind in listed if kind not in ("sliding_attention", "linear_attention"))
    own = text.get("sliding_window_pattern")
    return layers // (own if isinstance(own, int) and own > 0 else pattern)
