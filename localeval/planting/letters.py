"""The sound with which an English word or number begins."""

import re

_VOWEL_SOUND = re.compile(r"[aeio]|8|1[18](?![0-9]{2}(?![0-9]))|un(?!i)|hour|honest", re.IGNORECASE)
_CONSONANT_SOUND = re.compile(r"eu|on[ce]|one\b", re.IGNORECASE)


def begins_with_vowel(text: str) -> bool:
    """Whether "an" stands before a text in English, and not "a"."""
    return _VOWEL_SOUND.match(text) is not None and _CONSONANT_SOUND.match(text) is None
