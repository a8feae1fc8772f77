"""`localeval.models.roofline`: seconds from sizes, against sums made by hand."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from localeval.errors import ModelError
from localeval.models.cards import Card, Model, load_card
from localeval.models.devices import Speed, gpu_speed
from localeval.models.roofline import EFFICIENCY, Serving, Work, load_seconds, serving_of, sizes_of, stage_seconds

H100 = gpu_speed("NVIDIA H100 80GB HBM3", 80e9)
CPU = Speed("cpu", "cpu", flops=60e9, bytes_per_s=10e9)


def model_of(name: str, **options: Any) -> Model:
    """A shipped card as vLLM would serve it, without its weights."""
    card = load_card(name)
    return Model(name=name, card=card, engine="vllm", context=card.context, options=options)


def test_the_lab_model_on_two_cores_is_as_slow_as_was_measured() -> None:
    """1.5B parameters in float32: some 20 prompt tokens a second, some 6 to 15 written a second over a batch."""
    card = load_card("qwen2.5-coder-1.5b").model_copy(update={"dtype": "float32"})
    model = Model(name="lab", card=card, engine="vllm", context=card.context)
    sizes, serving = sizes_of(model), serving_of(model, CPU)
    reading = stage_seconds(sizes, serving, Work(1, 2000, 2000, 1))
    whole = stage_seconds(sizes, serving, Work(12, 12 * 500, 0, 12 * 101))
    assert reading is not None
    assert whole is not None
    assert 15 < 2000 / reading < 32
    assert 6 < 12 * 100 / whole < 20


def test_reading_is_operations_over_speed() -> None:
    """One long prompt: twice the parameters a token, and attention to the half of it that stands before on average."""
    sizes, serving = sizes_of(model_of("llama-3.1-8b-instruct")), serving_of(model_of("llama-3.1-8b-instruct"), H100)
    n = 16000
    linear = 2 * (8.03e9 - 2 * 128256 * 4096) * n + 2 * 128256 * 4096
    quadratic = 4 * 32 * 128 * 32 * n * n / 2
    expected = (linear + quadratic) / (989e12 * EFFICIENCY["cuda"])
    assert stage_seconds(sizes, serving, Work(1, n, n, 1)) == pytest.approx(expected, rel=0.01)


def test_one_reply_alone_is_bound_by_reading_the_weights() -> None:
    """Each token after the first reads all weights and the call's own cache."""
    sizes, serving = sizes_of(model_of("llama-3.1-8b-instruct")), serving_of(model_of("llama-3.1-8b-instruct"), H100)
    cache = 2 * 8 * 128 * 32 * 2 * (1000 + 101 / 2)
    expected = 100 * (sizes.weight_bytes + cache) / (3350e9 * EFFICIENCY["cuda"])
    assert stage_seconds(sizes, serving, Work(1, 1000, 0, 101)) == pytest.approx(expected, rel=0.02)
    assert sizes.weight_bytes == pytest.approx(16.06e9, rel=0.01)


def test_replies_together_share_the_weights() -> None:
    """Thirty-two calls at once take far less than thirty-two times one; but twice as many tokens take twice as long."""
    model = model_of("llama-3.1-8b-instruct")
    sizes, serving = sizes_of(model), serving_of(model, H100)
    one = stage_seconds(sizes, serving, Work(1, 500, 0, 101))
    many = stage_seconds(sizes, serving, Work(32, 32 * 500, 0, 32 * 101))
    alone = stage_seconds(sizes, replace(serving, in_flight=1), Work(32, 32 * 500, 0, 32 * 101))
    assert one is not None
    assert many is not None
    assert many < 4 * one
    assert alone == pytest.approx(32 * one)


def test_one_token_answers_write_nothing_more() -> None:
    """The only token comes from reading the prompt."""
    model = model_of("llama-3.1-8b-instruct")
    sizes, serving = sizes_of(model), serving_of(model, H100)
    assert stage_seconds(sizes, serving, Work(10, 5000, 5000, 10)) == stage_seconds(
        sizes, serving, Work(10, 5000, 5000, 0)
    )


def test_devices_quantisation_and_experts_count() -> None:
    """Two devices halve the time, eight bits of weights halve what is read, experts that rest are not read."""
    model = model_of("qwen3-32b")
    work = Work(1, 2000, 1000, 201)
    whole = stage_seconds(sizes_of(model), serving_of(model, H100), work)
    halved = stage_seconds(sizes_of(model), serving_of(model_of("qwen3-32b", tensor_parallel=2), H100), work)
    assert whole is not None
    assert halved == pytest.approx(whole / 2)
    small = model.model_copy(update={"card": model.card.model_copy(update={"quantization": "fp8"})})
    assert sizes_of(small).weight_bytes < 0.6 * sizes_of(model).weight_bytes
    quick = stage_seconds(sizes_of(small), serving_of(small, H100), work)
    assert quick is not None
    assert quick < 0.6 * whole
    experts = model_of("qwen3-30b-a3b-instruct-2507")
    sparse = stage_seconds(sizes_of(experts), serving_of(experts, H100), work)
    assert sparse is not None
    assert sparse < whole / 4


def test_a_window_bounds_what_is_looked_at() -> None:
    """Gemma's layers with a window cost no more in a long prompt than in a short one."""
    model = model_of("gemma-3-12b-it")
    sizes, serving = sizes_of(model), serving_of(model, H100)
    everywhere = replace(sizes, layout=replace(sizes.layout, window=1 << 20))
    work = Work(1, 100_000, 100_000, 1)
    bounded, full = stage_seconds(sizes, serving, work), stage_seconds(everywhere, serving, work)
    assert bounded is not None
    assert full is not None
    assert bounded < 0.6 * full


def test_memory_bounds_how_many_run_together() -> None:
    """On a device that holds the cache of few calls more steps are needed; a device of no known memory has no bound."""
    model = model_of("llama-3.1-8b-instruct")
    sizes = sizes_of(model)
    work = Work(200, 200 * 20_000, 200 * 20_000, 200 * 500)
    roomy = stage_seconds(sizes, serving_of(model, replace(H100, memory_bytes=0.0)), work)
    tight = stage_seconds(sizes, serving_of(model, replace(H100, memory_bytes=24e9)), work)
    assert roomy is not None
    assert tight is not None
    assert tight > roomy


def test_what_is_not_known_is_none_or_an_error() -> None:
    """No speed, no seconds; no call, no time; a card that describes no layers is an error that names the model."""
    model = model_of("llama-3.1-8b-instruct")
    sizes = sizes_of(model)
    unknown = Serving(Speed("NVIDIA New", "cuda"), 8, 512)
    assert stage_seconds(sizes, unknown, Work(1, 10, 10, 10)) is None
    assert stage_seconds(sizes, serving_of(model, H100), Work(0, 0, 0, 0)) == 0.0
    with pytest.raises(ModelError, match="model 'bare': its card has no"):
        sizes_of(Model(name="bare", card=Card(name="bare", family="x"), engine="vllm"))


def test_options_decide_how_a_model_is_served() -> None:
    """Calls in flight and tokens a step as the options say, else the engine's own; transformers answers one by one."""
    assert serving_of(model_of("phi-4", max_in_flight=7, max_batched_tokens=999), CPU) == Serving(CPU, 7, 999)
    assert (serving_of(model_of("phi-4"), CPU).in_flight, serving_of(model_of("phi-4"), H100).in_flight) == (64, 256)
    single = model_of("phi-4").model_copy(update={"engine": "transformers"})
    assert serving_of(single, CPU).in_flight == 1


def test_config_json_goes_before_the_card(tmp_path: Path) -> None:
    """The numbers of the weights that are here count; a load reads them from the disk after the engine's start."""
    config = dict(load_card("smollm2-135m").config) | {"num_hidden_layers": 15}
    (tmp_path / "config.json").write_text(json.dumps(config))
    model = model_of("smollm2-135m").model_copy(update={"folder": str(tmp_path)})
    assert sizes_of(model).layout.full.count == 15
    assert load_seconds(sizes_of(model), CPU) == pytest.approx(15 + sizes_of(model).weight_bytes / 0.5e9)
