"""The small lab model, and the engines that several tests share: a load costs seconds, on a busy machine a minute."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager

import pytest

from localeval.engines.child import ChildEngine
from localeval.errors import ModelError
from localeval.models import Model, load_card
from localeval.models.places import fetch, find_weights

CONTEXT = 1024


@pytest.fixture(scope="session")
def smollm2_model() -> Model:
    """SmolLM2-135M in float32 for vLLM, fetched where it is not there yet."""
    card = load_card("smollm2-135m")
    try:
        folder = find_weights(card).folder
    except ModelError:
        folder = fetch(card)
    # float32: exact enough to compare engines, and much faster than bfloat16 on processors that lack it
    return Model(
        name="small",
        card=card.model_copy(update={"dtype": "float32"}),
        engine="vllm",
        folder=str(folder),
        context=CONTEXT,
        options={"cache_gib": 0.25, "max_batched_tokens": 1024},
    )


@pytest.fixture(scope="session")
def transformers_model(smollm2_model: Model) -> Model:
    """The same weights for plain transformers."""
    return smollm2_model.model_copy(update={"engine": "transformers", "options": {}})


@contextmanager
def opened(*models: Model) -> Iterator[list[ChildEngine]]:
    """An engine for each model, loaded at the same time."""
    engines = [ChildEngine(model) for model in models]
    with ExitStack() as stack, ThreadPoolExecutor(len(models)) as pool:
        loading = [pool.submit(engine.__enter__) for engine in engines]
        for engine, load in zip(engines, loading, strict=True):
            stack.push(engine)
            load.result()
        yield engines


@pytest.fixture(scope="session")
def both_engines(smollm2_model: Model, transformers_model: Model) -> Iterator[list[ChildEngine]]:
    """vLLM with the default grammar backend, and Outlines on plain transformers."""
    with opened(smollm2_model, transformers_model) as engines:
        yield engines


@pytest.fixture(scope="session")
def vllm_engine(both_engines: list[ChildEngine]) -> ChildEngine:
    """vLLM with the default grammar backend."""
    return both_engines[0]


@pytest.fixture(scope="session")
def transformers_engine(both_engines: list[ChildEngine]) -> ChildEngine:
    """Outlines on plain transformers."""
    return both_engines[1]


@pytest.fixture(scope="module")
def other_backends(smollm2_model: Model) -> Iterator[dict[str, ChildEngine]]:
    """vLLM with the grammar backends that are not the default, by name."""
    names = ("outlines", "guidance")
    options = [{**smollm2_model.options, "grammar_backend": name} for name in names]
    with opened(*(smollm2_model.model_copy(update={"options": chosen}) for chosen in options)) as engines:
        yield dict(zip(names, engines, strict=True))
