"""A prefix cache on paper: which prompt tokens an engine would have to compute, call after call."""

from collections import OrderedDict

from localeval.engines.wire import PromptTokens


class PrefixCache:
    """What an engine's prefix cache of `capacity` tokens holds (None: all); the least recently used leaves first.

    Engines keep blocks of tokens and evict the ends of prompts before their beginnings; this keeps the pieces that
    prompts are made of, with the same order of leaving.
    """

    def __init__(self, capacity: int | None = None) -> None:
        self._capacity = capacity
        self._held: OrderedDict[str, int] = OrderedDict()
        self._total = 0

    def compute(self, prompt: PromptTokens) -> int:
        """The tokens of a prompt that are not in the cache; afterwards it holds them all."""
        cached = 0
        for prefix, tokens in prompt.pieces:
            if prefix not in self._held:
                break
            cached += tokens
        for prefix, tokens in reversed(prompt.pieces):  # a prompt's beginning is the last to leave
            if prefix not in self._held:
                self._total += tokens
            self._held[prefix] = tokens
            self._held.move_to_end(prefix)
        while self._capacity is not None and self._total > self._capacity:
            _, tokens = self._held.popitem(last=False)
            self._total -= tokens
        return prompt.prompt - cached
