"""The small lab model, and the engines that several tests share: a load costs seconds, on a busy machine a minute."""

from collections.abc import Iterator
from pathlib import Path

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
        options={"cache_gib": 0.25},
    )


@pytest.fixture(scope="session")
def transformers_model(smollm2_model: Model) -> Model:
    """The same weights for plain transformers."""
    return smollm2_model.model_copy(update={"engine": "transformers", "options": {}})


@pytest.fixture(scope="session")
def vllm_engine(smollm2_model: Model, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChildEngine]:
    """vLLM with the default grammar backend."""
    log: Path = tmp_path_factory.mktemp("vllm") / "engine.log"
    with ChildEngine(smollm2_model, log) as engine:
        yield engine


@pytest.fixture(scope="session")
def transformers_engine(transformers_model: Model) -> Iterator[ChildEngine]:
    """Outlines on plain transformers."""
    with ChildEngine(transformers_model) as engine:
        yield engine
