"""Chinese words with one true opposite."""

from collections.abc import Iterator

from localeval.planting.changes import Change


def chinese_opposites(sentence: str, said: str, seed: int) -> Iterator[Change]:
    """Each word of a Chinese sentence that has a true opposite exchanged for it."""
    yield from ()
