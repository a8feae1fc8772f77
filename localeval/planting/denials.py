"""Statements that become their denials, and denials that become statements."""

from collections.abc import Iterator

from localeval.planting.changes import Change
from localeval.planting.chinese_denials import chinese_denials
from localeval.planting.english_denials import english_denials
from localeval.planting.russian_denials import russian_denials
from localeval.texts import Language


def denials(sentence: str, language: Language) -> Iterator[Change]:
    """Every change of a sentence by which one statement is denied, or one denial taken back; none is doubled."""
    return {"en": english_denials, "ru": russian_denials, "zh": chinese_denials}[language](sentence)
