"""`localeval.models.fit` and `layout`: memory from config.json alone, against what vLLM logged and others publish."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.errors import ModelError
from localeval.models import Card, card_names, load_card
from localeval.models.cards import PathPlace
from localeval.models.check import Wish, check
from localeval.models.fit import GIB, Demand, Device, Numbers, cache_bytes, fit, weights_on_disk
from localeval.models.layout import CacheLayout, Layers, cache_layout, parameters
from tests.models.making import SMOLLM2, model_folder

GEMMA_270M = {
    "model_type": "gemma3_text",
    "num_hidden_layers": 18,
    "num_key_value_heads": 1,
    "head_dim": 256,
    "sliding_window": 512,
}
CPU_BLOCKS = Device(memory_gib=1, block_size=128)


def test_smollm2_costs_what_vllm_logged() -> None:
    """23,040 bytes a token; 1 GiB holds 46,592 tokens in blocks of 128, as vLLM 0.32 logged on a CPU."""
    assert fit(SMOLLM2, Device(24), Demand(1000), Numbers()).cache_per_token == 23_040
    layout = cache_layout(SMOLLM2)
    assert cache_bytes(layout, 46_592, 2, CPU_BLOCKS) <= GIB < cache_bytes(layout, 46_593, 2, CPU_BLOCKS)


def test_sliding_layers_cost_what_vllm_logged() -> None:
    """Gemma 3 270m at 1,024 tokens: vLLM 0.32 logged 52,745 tokens a GiB, fewer than if all layers were full."""
    per_call = cache_bytes(cache_layout(GEMMA_270M), 1024, 2, CPU_BLOCKS)
    assert per_call == 53 * 3 * 128 * 1024
    n_blocks = GIB // (3 * 128 * 1024)
    assert math.floor(n_blocks / 53 * 1024) == 52_745


def test_a_window_bounds_what_a_long_source_costs() -> None:
    """Past window and batch, only the layers that see everything grow: a tenth of Gemma 3 27B's layers do, about."""
    layout = cache_layout(load_card("gemma-3-27b-it").config)
    assert (layout.full.count, layout.sliding.count, layout.window) == (10, 52, 1024)
    device = Device(80)
    grown = cache_bytes(layout, 100_000, 2, device) - cache_bytes(layout, 50_000, 2, device)
    assert grown == 10 * 50_000 * 2 * 16 * 128 * 2


@pytest.mark.parametrize(
    ("name", "numbers"),
    [  # bytes of cache for 60,000 tokens, block rounding aside, as kvfit 0.3.0 gives them for the same config
        ("llama-3.3-70b-instruct", 19_660_800_000),
        ("qwen3-32b", 15_728_640_000),
        ("mistral-nemo-12b-instruct", 9_830_400_000),
        ("prometheus-2-8x7b", 7_864_320_000),
        ("flow-judge-0.1", 23_592_960_000),
        ("gpt-oss-120b", 2_216_558_592),
        ("gemma-3-27b-it", 5_351_407_616),
    ],
)
def test_the_cache_agrees_with_another_program(name: str, numbers: int) -> None:
    """Full layers times tokens plus sliding layers times window, in two bytes: to the byte what kvfit computes."""
    layout = cache_layout(load_card(name).config)
    full = layout.full.count * layout.full.numbers * 60_000
    assert 2 * (full + layout.sliding.count * layout.sliding.numbers * layout.window) == numbers


@pytest.mark.parametrize(
    ("name", "billions"),
    [  # as their publishers count them
        ("qwen2.5-72b-instruct", 72.7),
        ("llama-3.3-70b-instruct", 70.55),
        ("prometheus-2-8x7b", 46.7),
        ("qwen3-30b-a3b-instruct-2507", 30.53),
        ("gpt-oss-20b", 20.91),
        ("gpt-oss-120b", 116.83),
        ("phi-4", 14.66),
    ],
)
def test_layer_sizes_add_up_to_the_published_count(name: str, billions: float) -> None:
    """Dense models and mixtures of experts: the sum over config.json is the published parameter count within 0.2 %."""
    assert sum(parameters(load_card(name).config)) / 1e9 == pytest.approx(billions, rel=0.002)


def test_weights_on_disk_count_exactly(tmp_path: Path) -> None:
    """Where the weights are here, their headers say how many bytes they take, whatever the quantisation."""
    folder = model_folder(tmp_path, weights=b"x" * 5000)
    assert weights_on_disk(folder) == 5100
    card = Card(name="m", family="llama", parameters_b=7, places=(PathPlace(path=str(folder)),))
    result = check(card, Device(24), Demand(1000), Wish())
    assert (result.weights, result.notes) == (5100, ())
    assert check(card, Device(24), Demand(1000), Wish(quantization="fp8")).weights > 7e9


def test_a_published_checkpoint_s_size_is_met() -> None:
    """gpt-oss 20B in MXFP4 takes 13.8 GB on the hub; what is reckoned before the download is within 3 %."""
    card = load_card("gpt-oss-20b")
    assert check(card, Device(80), Demand(1000), Wish()).weights == pytest.approx(13.76e9, rel=0.03)


@pytest.mark.parametrize(("quantization", "share"), [(None, 1.0), ("fp8", 0.55), ("awq", 0.38)])
def test_quantisation_shrinks_the_weights_but_not_the_embeddings(quantization: str | None, share: float) -> None:
    """The layers take the quantised width, the embeddings two bytes."""
    config = load_card("qwen3-8b").config
    whole = fit(config, Device(80), Demand(1000), Numbers()).weights
    assert fit(config, Device(80), Demand(1000), Numbers(quantization=quantization)).weights == pytest.approx(
        share * whole, rel=0.06
    )


def test_config_json_says_how_weights_are_quantised() -> None:
    """`quantization_config` counts where nobody says otherwise; a method that is not known is not guessed."""
    base = {**load_card("qwen3-8b").config}
    plain = fit(base, Device(80), Demand(1000), Numbers()).weights
    gptq = fit({**base, "quantization_config": {"quant_method": "gptq"}}, Device(80), Demand(1000), Numbers()).weights
    assert gptq < 0.5 * plain
    for method, message in (("strange", "quantization 'strange'"), (None, "lacks `quant_method`")):
        entry = {} if method is None else {"quant_method": method}
        with pytest.raises(ModelError, match=message):
            fit({**base, "quantization_config": entry}, Device(80), Demand(1000), Numbers())


def test_devices_share_weights_and_heads() -> None:
    """Four devices hold a quarter of the weights each and a quarter of the cache; past the number of heads no less."""
    config = load_card("llama-3.3-70b-instruct").config
    one, four, sixteen = (fit(config, Device(80, n), Demand(8000), Numbers()) for n in (1, 4, 16))
    assert four.weights_per_device == math.ceil(one.weights / 4)
    assert four.cache_per_token == one.cache_per_token / 4
    assert sixteen.cache_per_token == one.cache_per_token / 8
    assert not one.fits
    assert four.fits


def test_three_heads_on_two_devices_are_not_cut() -> None:
    """A head stays whole: the fuller device holds two of three."""
    layers = Layers(1, 3, 3)
    assert layers.token_bytes(2, 2) == 4
    assert layers.token_bytes(2, 3) == layers.token_bytes(2, 8) == 2


def test_a_latent_cache_is_on_every_device() -> None:
    """Latent attention keeps one vector for all heads: no factor of two, and nothing to share among devices."""
    layout = cache_layout(load_card("glm-4.7-flash").config)
    assert layout.full == Layers(47, 512 + 64, 1)
    assert layout.full.token_bytes(2, 8) == layout.full.token_bytes(2, 1) == 1152


def test_layers_with_heads_of_their_own_count_apart() -> None:
    """Gemma 4's layers that see everything have four heads of 512, the others sixteen of 256."""
    layout = cache_layout(load_card("gemma-4-31b-it").config)
    assert layout.full == Layers(10, 2 * 4 * 512, 4)
    assert layout.sliding == Layers(50, 2 * 16 * 256, 16)


def test_a_hybrid_without_its_numbers_is_bounded_from_above() -> None:
    """Where config.json does not describe the state, every layer counts as if it kept a cache, and a note says so."""
    config = load_card("qwen3.5-27b").config
    bare = {key: value for key, value in config.items() if not key.startswith("linear_")}
    known = fit(config, Device(80), Demand(60_000), Numbers(parameters_b=27.8))
    bounded = fit(bare, Device(80), Demand(60_000), Numbers(parameters_b=27.8))
    assert bounded.cache_per_token == 4 * known.cache_per_token == 64 * 4 * 256 * 2 * 2
    assert known.needed < bounded.needed / 3
    for result in (known, bounded):
        assert any("upper bound" in note for note in result.notes)


def test_an_fp8_cache_takes_half() -> None:
    """One byte a number instead of two."""
    config = load_card("qwen3-8b").config
    plain, small = (fit(config, Device(80), Demand(8192), Numbers(kv_dtype=k)) for k in ("auto", "fp8"))  # type: ignore[arg-type]
    assert small.needed == plain.needed / 2


def test_concurrent_calls_need_their_own_cache() -> None:
    """Four calls at once need four times the cache, and leave each a quarter of it."""
    config = load_card("llama-3.1-8b-instruct").config
    one, four = (fit(config, Device(24), Demand(8192, n), Numbers()) for n in (1, 4))
    assert four.needed == 4 * one.needed
    assert four.longest < one.longest
    assert (one.limited_by, four.limited_by) == ("memory", "memory")


def test_the_context_limits_what_memory_would_allow() -> None:
    """60,000 tokens fit the memory of a large card but not the context of 8,192; a lower limit of the card's counts."""
    result = fit(SMOLLM2, Device(80), Demand(60_000), Numbers())
    assert (result.fits, result.longest, result.limited_by, result.context) == (False, 8192, "context", 8192)
    assert fit(SMOLLM2, Device(80), Demand(5000), Numbers(), context=4096).longest == 4096


def test_where_the_weights_do_not_fit_nothing_does() -> None:
    """A 70B model on one small device: no cache, longest source 0, limited by memory."""
    result = fit(load_card("llama-3.3-70b-instruct").config, Device(24), Demand(1), Numbers())
    assert (result.fits, result.cache, result.longest, result.limited_by) == (False, 0, 0, "memory")


@given(st.sampled_from(card_names()), st.integers(1, 400), st.integers(1, 8), st.integers(1, 8))
def test_the_longest_source_is_the_longest(name: str, memory: int, devices: int, concurrency: int) -> None:
    """What is called longest fits, and one token more does not, for every card and device."""
    card = load_card(name)
    device = Device(memory, devices)
    numbers = Numbers(card.dtype, card.quantization, "auto", card.parameters_b)
    longest = fit(card.config, device, Demand(1, concurrency), numbers, card.context).longest
    if longest:
        assert fit(card.config, device, Demand(longest, concurrency), numbers, card.context).fits
    assert not fit(card.config, device, Demand(longest + 1, concurrency), numbers, card.context).fits


@given(st.integers(1, 60), st.integers(0, 60), st.integers(1, 8192), st.integers(1, 300_000), st.integers(1, 300_000))
def test_more_tokens_never_need_less(full: int, sliding: int, window: int, some: int, more: int) -> None:
    """The cache grows with the tokens, whatever the mixture of layers."""
    layout = CacheLayout(Layers(full, 1024, 4), Layers(sliding, 1024, 4), window)
    few, many = sorted((some, more))
    assert cache_bytes(layout, few, 2, Device(80)) <= cache_bytes(layout, many, 2, Device(80))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"model_type": "mamba9"}, r"`model_type` is 'mamba9', whose cache localeval does not know"),
        ({"num_key_value_heads": None}, r"lacks a usable `num_key_value_heads` \(found None\)"),
        ({"num_hidden_layers": "30"}, r"lacks a usable `num_hidden_layers` \(found '30'\)"),
        ({"vocab_size": True}, r"lacks a usable `vocab_size`"),
        ({"model_type": "gemma3_text"}, r"lacks a usable `sliding_window`"),
        ({"model_type": "deepseek_v3"}, r"lacks a usable `kv_lora_rank`"),
    ],
)
def test_what_is_not_known_is_not_guessed(change: dict[str, object], message: str) -> None:
    """An unknown architecture or a missing field raises ModelError that names the field."""
    with pytest.raises(ModelError, match=message):
        fit({**SMOLLM2, **change}, Device(24), Demand(1000), Numbers())


def test_the_text_part_of_a_model_that_sees_is_read() -> None:
    """A config.json with a text_config gives the same as its text part alone, layer kinds listed or by pattern."""
    text = {**GEMMA_270M, "hidden_size": 640, "intermediate_size": 2048, "vocab_size": 262_144}
    listed = ["full_attention" if (n + 1) % 6 == 0 else "sliding_attention" for n in range(18)]
    wrapped = {"model_type": "gemma3", "vision_config": {}, "text_config": {**text, "layer_types": listed}}
    numbers = Numbers(weight_bytes=10**9)
    assert fit(wrapped, Device(24), Demand(9000), numbers) == fit(text, Device(24), Demand(9000), numbers)


def test_a_window_over_all_layers() -> None:
    """Mistral 7B v0.1 limits every layer to its window; Qwen names a window that it does not use."""
    mistral = {**SMOLLM2, "model_type": "mistral", "sliding_window": 4096}
    assert cache_layout(mistral).sliding.count == 30
    assert cache_layout({**mistral, "sliding_window": None}).full.count == 30
    assert cache_layout({**mistral, "model_type": "qwen2", "use_sliding_window": False}).full.count == 30


def test_a_config_of_the_user_s_own_is_checked(tmp_path: Path) -> None:
    """--config: that file's numbers and size count, not the card's."""
    folder = model_folder(tmp_path)
    card = load_card("qwen3-32b").model_copy(update={"config": {}})
    result = check(card, Device(24), Demand(1000), Wish(), folder / "config.json")
    assert result.cache_per_token == 23_040
    assert result.weights == pytest.approx(0.269e9, rel=0.01)
    with pytest.raises(ModelError, match=r"qwen3-32b: the card has no \[config\].*give --config FILE"):
        check(card, Device(24), Demand(1000), Wish())


def test_a_smaller_share_of_the_device_leaves_less() -> None:
    """`share` is what the engine may use: the rest stays free."""
    config = load_card("qwen3-8b").config
    whole = fit(config, Device(48, share=0.9), Demand(1000), Numbers())
    half = fit(config, replace(Device(48), share=0.5), Demand(1000), Numbers())
    assert whole.cache - half.cache == pytest.approx(0.4 * 48 * GIB, abs=2)
