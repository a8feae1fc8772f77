"""What vLLM 0.32's CPU build lacks to keep its promises, mended in our own process."""

from functools import wraps
from typing import Any

import numpy as np
from vllm.v1.worker.gpu_model_runner import GPUModelRunner


def keep_seeds_through_prefill() -> None:
    """Lets calls with a seed and a temperature run while a long prompt is read in several steps.

    A step that ends inside a prompt samples a token that is thrown away, and vLLM then winds the call's generator
    back by an offset, which generators on a CPU do not have: RuntimeError, and the engine is gone. Here the
    generator is set to its seed again instead, the same thing, since nothing that was kept has been drawn before a
    prompt ends. (Not after a preemption, when it repeats its first draws.) Safe to call twice.
    """
    original = GPUModelRunner._bookkeeping_sync
    if hasattr(original, "__wrapped__"):
        return

    @wraps(original)
    def mended(runner: Any, *args: Any, **options: Any) -> Any:
        batch = runner.input_batch
        inside_prompt = np.nonzero(runner.discard_request_mask.np[: batch.num_reqs])[0].tolist()
        held = {place: batch.generators.pop(place) for place in inside_prompt if place in batch.generators}
        for generator in held.values():
            generator.manual_seed(generator.initial_seed())
        try:
            return original(runner, *args, **options)
        finally:
            batch.generators.update(held)

    GPUModelRunner._bookkeeping_sync = mended
