"""The words of a text, and the forms under which two spellings of a name are one."""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from localeval.evidence.wordlists import listed

_MARKS = "\u0300-\u036f"
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_WORD = re.compile(rf"[{_HAN}]|(?:[^\W_{_HAN}][{_MARKS}]*)+")
_HAN_ONLY = re.compile(rf"[{_HAN}]+")
_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_APART = re.compile(r"[^\s.\-‐‑'’ʼ`´_/&+@#\"“”„«»‘《》「」]|\n\s*\n|(?<=\s)[-‐‑/](?=\s)")
_ABBREVIATIONS = listed("mr mrs ms dr st jr sr prof rev gen col lt sgt capt inc no vs mt ft г ул им д р проф акад")

_SOUNDS = str.maketrans("aeiouywbfpvcgjkqsxzdtlmnrh", "aaaaaaabbbbccccccccddlmmr ")


class Token(NamedTuple):
    """One word, or one Chinese character: `key` is it folded, `is_apart` says that no name runs across to it.

    `start` and `end` are offsets into the text that was cut. Apart is what follows a comma, the end of a sentence,
    a bracket or a spaced dash; spaces, line ends, hyphens, apostrophes and quotation marks part nothing.
    """

    start: int
    end: int
    text: str
    key: str
    is_apart: bool


def tokens(text: str) -> list[Token]:
    """The words of a text in order; a Chinese character stands alone. What folds to nothing is left out."""
    return list(_tokens(text))


def _tokens(text: str) -> Iterator[Token]:
    before: tuple[int, str] | None = None
    for found in _WORD.finditer(text):
        key = fold(found[0])
        if not key:
            continue
        is_apart = before is None or _parts(text[before[0] : found.start()], before[1])
        yield Token(found.start(), found.end(), found[0], key, is_apart)
        before = (found.end(), found[0])


def _parts(gap: str, word: str) -> bool:
    """Whether what stands between two words parts them."""
    if gap == " ":
        return False
    ends = "." in gap and not gap.endswith(".") and len(word) > 1 and word.casefold() not in _ABBREVIATIONS
    return (ends and any(char.isspace() for char in gap)) or _APART.search(gap) is not None


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A word's letters and digits alone: NFKC, no case, Latin letters without their marks, ё as е."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    if folded.isascii():
        return "".join(char for char in folded if char.isalnum())
    return "".join(_plain(char) for char in unicodedata.normalize("NFC", folded))


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if char == "ё":
        return "е"
    if unicodedata.name(char, "").startswith("LATIN"):
        return "".join(letter for letter in ascii_of(char).lower() if letter.isalnum())
    return char if char.isalnum() else ""


@lru_cache(maxsize=65536)
def ascii_of(word: str) -> str:
    """A word in ASCII letters: Cyrillic and Latin as they are transliterated, Chinese in pinyin."""
    if word.isascii():
        return word
    from anyascii import anyascii

    return anyascii(word)


def is_han(text: str) -> bool:
    """Whether a text is Chinese characters and nothing else."""
    return _HAN_ONLY.fullmatch(text) is not None


def has_han(text: str) -> bool:
    """Whether a text holds a Chinese character."""
    return _HAN_ONLY.search(text) is not None


def is_cyrillic(text: str) -> bool:
    """Whether a text holds a Cyrillic letter."""
    return _CYRILLIC.search(text) is not None


@lru_cache(maxsize=65536)
def sound(key: str) -> str:
    """A word's sound, roughly: the letter classes of Soundex (Russell and Odell, 1918) over its ASCII letters.

    Unlike Soundex neither cut at four nor led by the first letter as it is written; vowels, y and w are one class,
    h is silent, and a class that repeats counts once. "ComFAC" and "Compaq" are one sound, "Ritter" and "Ridder" too.
    """
    classes = ascii_of(key).lower().translate(_SOUNDS).replace(" ", "")
    return "".join(char for index, char in enumerate(classes) if index == 0 or char != classes[index - 1])


def join_sounds(one: str, other: str) -> str:
    """The sound of two words said as one."""
    return one + (other[1:] if one and other and one[-1] == other[0] else other)
