"""Statements that become their denials, and denials that become statements."""

from collections.abc import Iterator

from localeval.planting.changes import Change
from localeval.planting.english_denials import english_denials
from localeval.texts import Language


def denials(sentence: str, language: Language) -> Iterator[Change]:
    """Every change of a sentence by which one statement is denied, or one denial taken back; none is doubled."""
    if language == "en":
        yield from english_denials(sentence)
