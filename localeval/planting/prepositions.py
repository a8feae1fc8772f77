"""Russian prepositions, which take a vowel before some words: "в четверг", but "во вторник"."""

import re
from collections.abc import Sequence

_BEFORE = re.compile(r"(?<![^\W_])([ВвСсКк])(о?)\s$")
_WITH_VOWEL = {
    "в": re.compile(r"втор|2-[йя]|2 (?:янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)"),
    "с": re.compile(r"втор|сред|ст[оа]\b|2-[йя]|100\b|2 (?:янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)"),
    "к": re.compile(r"втор|2-[йя]|2 (?:янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)"),
}


def with_prepositions(text: str, start: int, before: str, variants: Sequence[str]) -> tuple[int, str, list[str]]:
    """Where the change begins, what stands there, and the variants, with the preposition if any of them changes it."""
    found = _BEFORE.search(text[:start])
    if found is None:
        return start, before, list(variants)
    said = [found[1] + ("о" if _needs_vowel(found[1], variant) else "") for variant in variants]
    if all(each == found[1] + found[2] for each in said):
        return start, before, list(variants)
    return found.start(), found[0] + before, [f"{each} {variant}" for each, variant in zip(said, variants, strict=True)]


def _needs_vowel(letter: str, variant: str) -> bool:
    return _WITH_VOWEL[letter.lower()].match(variant.lower()) is not None
