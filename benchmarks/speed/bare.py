"""The engine alone: the calls of a finished run in one `generate` of vLLM, or one by one as somebody naive would.

Everything is prepared before the clock starts: prompts are token ids, patterns are made, the engine has answered once.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vllm import LLM, SamplingParams
from vllm.sampling_params import StructuredOutputsParams

from benchmarks.speed.calls import by_hand, calls_of, instructions_first, is_valid, spread
from benchmarks.speed.contest import Run
from benchmarks.speed.tokens import Counted, count
from localeval.engines.backend import Prompted
from localeval.engines.grammar import pattern
from localeval.engines.installed import device_for
from localeval.engines.options import vllm_options
from localeval.engines.prompting import Prompter
from localeval.engines.tokenizer import load_tokenizer
from localeval.engines.vllm_backend import engine_args, sampling_params
from localeval.engines.vllm_cpu import keep_seeds_through_prefill
from localeval.models import Model
from localeval.reading import read_evaluation
from localeval.values import Call, Finish


class Bare:
    """vLLM in this process, with the settings that localeval gives it for this model."""

    def __init__(self, model: Model) -> None:
        began = time.monotonic()
        options = vllm_options(model)
        device = device_for("vllm", options.device)
        if device == "cpu":
            keep_seeds_through_prefill()
        self._llm: Any = LLM.from_engine_args(engine_args(model, options, device))
        self._warm()
        self.start_s = time.monotonic() - began
        self._prompter = Prompter(load_tokenizer(model), model.card)
        self.block_size = int(self._llm.llm_engine.vllm_config.cache_config.block_size)

    def counted(self, calls: Sequence[Call]) -> Counted:
        """The prompt tokens of calls, in this order."""
        return count((self._prompter.token_ids(call.messages) for call in calls), self.block_size)

    def generate(self, calls: Sequence[Call], at_once: bool) -> tuple[list[Any], float]:
        """vLLM's outputs for the calls, and the seconds that they took: in one batch, or each after the other."""
        prompts, params = self._prepared(calls)
        began = time.monotonic()
        if at_once:
            outputs = self._llm.generate(prompts, params, use_tqdm=False)
        else:
            pairs = zip(prompts, params, strict=True)
            outputs = [self._llm.generate([one], [how], use_tqdm=False)[0] for one, how in pairs]
        return list(outputs), time.monotonic() - began

    def _prepared(self, calls: Sequence[Call]) -> tuple[list[dict[str, list[int]]], list[SamplingParams]]:
        prompts: list[dict[str, list[int]]] = []
        params: list[SamplingParams] = []
        for number, call in enumerate(calls):
            ids = self._prompter.token_ids(call.messages)
            params.append(sampling_params(Prompted(str(number), ids, pattern(call.output), call.sampling)))
            prompts.append({"prompt_token_ids": ids})
        return prompts, params

    def _warm(self) -> None:
        """Answers once under a grammar, as localeval's self-test has before its clock starts; then forgets it."""
        params = SamplingParams(max_tokens=2, structured_outputs=StructuredOutputsParams(regex="(yes|no)"), seed=0)
        self._llm.generate([{"prompt_token_ids": [1, 2, 3]}], params, use_tqdm=False)
        self._llm.reset_prefix_cache()


def run_raw(config: Path, finished: Path, share: float) -> tuple[Run, dict[str, str]]:
    """All calls of a finished run at once, ordered by hand: the practical limit."""
    calls = by_hand(each.call for each in calls_of(finished))
    return _run(config, calls, True, share)


def run_naive(config: Path, finished: Path, share: float, n_calls: int, turn: int) -> tuple[Run, dict[str, str]]:
    """Some calls of a finished run, one after the other, with their instructions first."""
    calls = by_hand(each.call for each in calls_of(finished))
    chosen = [instructions_first(call) for call in spread(calls, n_calls, turn)]
    return _run(config, chosen, False, share * len(chosen) / len(calls))


def _run(config: Path, calls: Sequence[Call], at_once: bool, share: float) -> tuple[Run, dict[str, str]]:
    (model,) = read_evaluation(config)[1].values()
    bare = Bare(model)
    outputs, wall_s = bare.generate(calls, at_once)
    counted = bare.counted(calls)
    answers = [output.outputs[0] for output in outputs]
    run = Run(
        wall_s=wall_s,
        start_s=bare.start_s,
        calls=len(calls),
        prompt_tokens=counted.prompt,
        cached_tokens=sum(output.num_cached_tokens or 0 for output in outputs),
        unique_tokens=counted.unique,
        rounded_tokens=counted.rounded,
        output_tokens=sum(len(answer.token_ids) for answer in answers),
        invalid=sum(
            not is_valid(call, answer.text, _finish(answer)) for call, answer in zip(calls, answers, strict=True)
        ),
        share=share,
    )
    return run, {"block_size": str(bare.block_size)}


def _finish(answer: Any) -> Finish:
    return answer.finish_reason if answer.finish_reason in ("stop", "length") else "error"
