"""Lists of words, written as text."""


def listed(text: str) -> frozenset[str]:
    """The words of a text, split at spaces and line ends."""
    return frozenset(text.split())


def in_order(text: str) -> list[str]:
    """The words of a text in its order."""
    return text.split()
