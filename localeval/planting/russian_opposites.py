"""Russian words with one true opposite."""

from collections.abc import Iterator

from localeval.planting.changes import Change


def russian_opposites(sentence: str, said: str, seed: int) -> Iterator[Change]:
    """Each word of a Russian sentence that has a true opposite exchanged for it, in the same form."""
    yield from ()
