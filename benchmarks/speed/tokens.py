"""Prompt tokens on paper: how many there are, how many of them an engine must compute at least."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counted:
    """Tokens of prompts: all, those of their prefix tree, and those that a cache of whole blocks has to compute."""

    prompt: int
    unique: int
    rounded: int


def count(prompts: Iterable[Sequence[int]], block_size: int) -> Counted:
    """The sums over prompts, each as its token ids, in the order in which they are sent.

    Unique: tokens with the same tokens before them are counted once. Rounded: with an endless cache of blocks.
    """
    tokens, blocks = BlockCache(1), BlockCache(block_size)
    total = rounded = 0
    for ids in prompts:
        tokens.compute(ids)
        total += len(ids)
        rounded += blocks.compute(ids)
    return Counted(total, tokens.held, rounded)


class BlockCache:
    """An endless prefix cache of whole blocks, as vLLM has one: a block is found where all before it are found too.

    The last token of a prompt is always computed, since the first token of the answer comes from it. So a prompt
    takes `length - block_size * hits` with `hits <= (length - 1) // block_size`.
    """

    def __init__(self, block_size: int) -> None:
        self._size = block_size
        self._blocks: dict[tuple[int, tuple[int, ...]], int] = {}  # (the block before, its tokens): its number

    @property
    def held(self) -> int:
        """How many different blocks it holds; of blocks of one token: the tokens of the prefix tree."""
        return len(self._blocks)

    def compute(self, ids: Sequence[int]) -> int:
        """The tokens of a prompt that are not in the cache; afterwards it holds the whole blocks of the prompt."""
        size, before, hits, is_hit = self._size, 0, 0, True
        for end in range(size, len(ids) + 1, size):
            block = (before, tuple(ids[end - size : end]))
            found = self._blocks.get(block)
            is_hit = is_hit and found is not None and end < len(ids)
            hits += is_hit
            before = self._blocks.setdefault(block, len(self._blocks) + 1) if found is None else found
        return len(ids) - hits * size
