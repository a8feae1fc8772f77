"""Further values of the sort of a planted one."""

from collections.abc import Sequence

from localeval.keys import derive_seed

_N_OTHERS = 3


def pick_others(words: Sequence[str], said: str, seed: int) -> tuple[str, ...]:
    """Three of the words that are not in `said`, a text in small letters, by the seed; empty where there are fewer."""
    free = [word for word in dict.fromkeys(words) if word.lower() not in said]
    free.sort(key=lambda word: derive_seed("other", seed, word))
    return tuple(free[:_N_OTHERS]) if len(free) >= _N_OTHERS else ()
