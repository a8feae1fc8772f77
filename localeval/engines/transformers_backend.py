"""Outlines on plain transformers, one call at a time: for machines without vLLM, and to check vLLM against.

The decoding loop is our own and short, so that seeds belong to calls, log-probabilities are read behind the mask
and before the temperature (as vLLM reads them), and the key-value cache of a shared prefix is kept from call to call.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal

import outlines
import torch
from outlines.backends.outlines_core import OutlinesCoreBackend
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache
from transformers import __version__ as transformers_version
from transformers.cache_utils import DynamicLayer

from localeval.engines.backend import BackendFacts, CallRefused, Prompted, first_line
from localeval.engines.installed import package_version
from localeval.engines.options import transformers_options
from localeval.engines.thinking import splitter, without_thought
from localeval.errors import EngineError
from localeval.models.cards import Model
from localeval.values import Finish, Reply

_CAPACITY = 8  # one call runs; the others wait here and not in the driver
_PREFILL_CHUNK = 1024

Mask = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
TopTokens = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call, what constrains it (None: nothing), and when it was added."""

    call: Prompted
    mask: Any
    added: float


@dataclass(slots=True)
class Written:
    """What a call has written so far; `first_s` runs from its adding to its first token."""

    tokens: list[int] = field(default_factory=list)
    logprobs: list[TopTokens] = field(default_factory=list)
    finish: Finish = "length"
    first_s: float = 0.0


class TransformersBackend:
    """A causal language model of transformers, and Outlines to constrain it."""

    def __init__(self, model: Model, device: Literal["cpu", "cuda"], prompt_end: str) -> None:
        """Loads the model, whose chat template ends with `prompt_end`.

        Raises what transformers raises, and EngineError where the context is beyond the model or the card's
        reasoning_parser is not known here.
        """
        transformers_options(model)
        self._device = device
        self._tokenizer: Any = AutoTokenizer.from_pretrained(model.folder, local_files_only=True)
        self._keeps_control = model.card.reasoning_parser is not None
        control = self._tokenizer.all_special_tokens if self._keeps_control else ()
        self._split = splitter(model.card, prompt_end, control)
        self._model: Any = AutoModelForCausalLM.from_pretrained(
            model.folder, dtype=model.card.dtype, local_files_only=True, use_safetensors=True
        )
        self._model = self._model.to(device).eval()
        self._stops = _stop_tokens(self._model, self._tokenizer)
        self._grammars = OutlinesCoreBackend(outlines.from_transformers(self._model, self._tokenizer))
        self._mask = lru_cache(maxsize=64)(self._compile)
        self._prefix = PrefixCache(self._model, device)
        self._waiting: deque[Waiting] = deque()
        self.facts = self._facts(model)

    @property
    def in_flight(self) -> int:
        """Calls added and not yet returned."""
        return len(self._waiting)

    def add(self, call: Prompted) -> None:
        """Queues a call. Raises CallRefused where Outlines cannot compile its pattern."""
        try:
            mask = self._mask(call.pattern) if call.pattern is not None else None
        except Exception as error:  # outlines_core raises its own and plain ones
            raise CallRefused(first_line(error)) from error
        self._waiting.append(Waiting(call, mask, time.monotonic()))

    def step(self) -> Sequence[Reply]:
        """Answers the next call whole."""
        with torch.inference_mode():
            return [self._answer(self._waiting.popleft())]

    def _answer(self, waiting: Waiting) -> Reply:
        call = waiting.call
        logits = self._prefix.extend_to(call.token_ids)
        cached = self._prefix.reused
        written = self._write(waiting, logits)
        is_free = call.pattern is None
        said = written.tokens[:-1] if written.finish == "stop" else written.tokens
        reply = Reply(
            key=call.key,
            text=self._decode(said, keeps_control=is_free and self._keeps_control),
            finish=written.finish,
            logprobs=tuple(written.logprobs) if call.sampling.logprobs else (),
            prompt_tokens=len(call.token_ids),
            cached_tokens=cached,
            output_tokens=len(written.tokens),
            first_token_s=written.first_s if is_free else None,
        )
        return without_thought(reply, said, self._split, self._decode) if is_free else reply

    def _write(self, waiting: Waiting, logits: torch.Tensor) -> Written:
        """Tokens one by one, from the logits behind the prompt on."""
        call, mask = waiting.call, waiting.mask
        if mask is not None:
            mask.reset()
        draw = Draw(call, self._device)
        written = Written()
        last = call.token_ids[-1]
        while True:
            if mask is not None:
                logits = mask(torch.tensor([[last]], device=self._device), logits)
            last = draw(logits)
            written.tokens.append(last)
            written.logprobs.append(self._top(logits, call.sampling.logprobs))
            if len(written.tokens) == 1:
                written.first_s = time.monotonic() - waiting.added
            if last in self._stops:
                written.finish = "stop"
                return written
            if len(written.tokens) == call.sampling.max_tokens:
                return written
            logits = self._prefix.append(last)

    def _decode(self, ids: Sequence[int], keeps_control: bool = True) -> str:
        return str(self._tokenizer.decode(list(ids), skip_special_tokens=not keeps_control))

    def close(self) -> None:
        """Nothing was started that the process's end does not end."""

    def _compile(self, pattern: str) -> Any:
        return self._grammars.get_regex_logits_processor(pattern)

    def _top(self, logits: torch.Tensor, count: int) -> TopTokens:
        if not count:
            return ()
        values, ids = torch.log_softmax(logits[0].float(), dim=-1).topk(count)
        return tuple(
            (self._tokenizer.decode([token]), value)
            for value, token in zip(values.tolist(), ids.tolist(), strict=True)
            if value > float("-inf")
        )

    def _facts(self, model: Model) -> BackendFacts:
        longest = int(getattr(self._model.config.get_text_config(), "max_position_embeddings", 0) or 0)
        if longest and model.context > longest:
            raise EngineError(f"context is {model.context} but the model ends at {longest}; set context: {longest}")
        dtype = str(self._model.dtype).removeprefix("torch.")
        versions = f"transformers {transformers_version}, outlines {package_version('outlines')}"
        return BackendFacts(
            description=f"{versions}, {self._device}, {dtype}",
            context=model.context or longest,
            capacity=_CAPACITY,
            facts={
                "engine": f"transformers {transformers_version}",
                "device": self._device,
                "dtype": dtype,
                "grammar_backend": f"outlines {package_version('outlines')}",
                "torch": torch.__version__,
                "prefix_reuse": str(self._prefix.is_croppable),
            },
        )


class PrefixCache:
    """The key-value cache of the last call, cut back to what the next call shares with it."""

    def __init__(self, model: Any, device: str) -> None:
        self._model = model
        self._device = device
        self._cache: Any = DynamicCache(config=model.config)
        self._tokens: list[int] = []
        # other kinds of layers (sliding windows, linear attention) forget, and cannot be cut back exactly
        self.is_croppable = all(type(layer) is DynamicLayer for layer in self._cache.layers)
        self.reused = 0
        """Tokens of the last prompt that were not computed again."""

    def extend_to(self, prompt: list[int]) -> torch.Tensor:
        """Logits after `prompt`, shape (1, vocabulary). At least its last token is computed."""
        self.reused = min(_n_shared(self._tokens, prompt), len(prompt) - 1) if self.is_croppable else 0
        if self.reused == 0:
            self._cache = DynamicCache(config=self._model.config)
        elif len(self._tokens) > self.reused:
            self._cache.crop(self.reused - len(self._tokens))
        self._tokens = prompt[: self.reused]
        return self._forward(prompt[self.reused :])

    def append(self, token: int) -> torch.Tensor:
        """Logits after one more token, shape (1, vocabulary)."""
        return self._forward([token])

    def _forward(self, tokens: list[int]) -> torch.Tensor:
        logits = torch.empty(0)
        # in chunks: the activations of a long source need not all be held at once
        for begin in range(0, len(tokens), _PREFILL_CHUNK):
            chunk = tokens[begin : begin + _PREFILL_CHUNK]
            output = self._model(
                input_ids=torch.tensor([chunk], device=self._device),
                past_key_values=self._cache,
                use_cache=True,
                logits_to_keep=1,
            )
            logits = output.logits[:, -1]
            self._tokens.extend(chunk)
        return logits


class Draw:
    """Draws tokens as one call's sampling says: the likeliest, or by its own seeded generator."""

    def __init__(self, call: Prompted, device: str) -> None:
        self._sampling = call.sampling
        self._generator = torch.Generator(device=device).manual_seed(call.sampling.seed)

    def __call__(self, logits: torch.Tensor) -> int:
        """The next token for logits of shape (1, vocabulary)."""
        if self._sampling.temperature == 0.0:
            return int(logits[0].argmax())
        shares = torch.softmax(logits[0].float() / self._sampling.temperature, dim=-1)
        values, ids = shares.sort(descending=True)
        # a token is kept while those before it hold less than top_p, so that one is always left
        values[values.cumsum(dim=-1) - values >= self._sampling.top_p] = 0.0
        return int(ids[torch.multinomial(values, 1, generator=self._generator)])


def _n_shared(first: list[int], second: list[int]) -> int:
    """How many tokens two sequences have in common at their heads."""
    longest = min(len(first), len(second))
    if first[:longest] == second[:longest]:
        return longest
    return next(index for index in range(longest) if first[index] != second[index])


def _stop_tokens(model: Any, tokenizer: Any) -> frozenset[int]:
    configured = model.generation_config.eos_token_id
    ends = configured if isinstance(configured, list) else [configured]
    return frozenset(token for token in [*ends, tokenizer.eos_token_id] if token is not None)
