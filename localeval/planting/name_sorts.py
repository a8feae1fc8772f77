"""What sort of thing a name names, as far as its words and what stands around it tell; and the names of a source."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from localeval.evidence.chinese_names import is_person
from localeval.evidence.folding import fold, is_cyrillic, is_han
from localeval.evidence.lexicon import chinese_words, is_ordinary, may_be_name
from localeval.evidence.likeness import NAME_THRESHOLD, similarity
from localeval.evidence.names import TITLES, Name, names
from localeval.evidence.wordlists import in_order
from localeval.planting.invented_names import ENGLISH_BODIES, ENGLISH_FORENAMES, ENGLISH_PLACES, RANKS, Gender
from localeval.planting.persons import persons_of
from localeval.planting.russian_names import russian_name
from localeval.planting.spots import Material, Sentence

Shape = Literal["forename", "surname", "full name", "role", "place", "body", "familiar", "titled", "russian"]

_TITLE = re.compile(r"([^\W\d_]+)\.?\s+$")
_CHINESE_TITLES = in_order("""
    先生 女士 小姐 太太 医生 大夫 护士 老师 教授 博士 经理 总监 主任 主席 院长 校长 局长 部长 处长 科长 书记 律师 法官
    师傅 工程师 市长 省长 会长 队长 董事长 总经理
    """)
_CHINESE_BODIES = ("有限公司", "公司", "集团", "大学", "医院", "银行", "学院", "研究院", "研究所")
_FAMILIAR = "小老大阿"
_PRONOUNS: dict[Gender, re.Pattern[str]] = {
    "masc": re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE),
    "femn": re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE),
}
_MOST_WORDS = 3
_LEAST_PART = 3
_GENDERS: tuple[Gender, ...] = ("femn", "masc")


@dataclass(frozen=True, slots=True)
class Sorted:
    """A name with what it names: only names of one shape may take each other's places."""

    text: str
    shape: Shape
    gender: Gender = ""


@dataclass(frozen=True, slots=True)
class _Seen:
    """A name where it stands: whether a title or a rank stands before it."""

    text: str
    is_titled: bool


class SourceNames:
    """The names of a source and of the trusted text about it, each once, with what they name."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._speakers = persons_of(material.trusted.source)

    @cached_property
    def all(self) -> tuple[Sorted, ...]:
        """The names that are known to be of some sort, in the order in which they first stand."""
        found: dict[str, Sorted] = {}
        for seen in self._seen:
            known = self.sort_of(seen.text, seen.is_titled)
            if known:
                found.setdefault(seen.text, known)
        return tuple(found.values())

    @cached_property
    def whole(self) -> frozenset[str]:
        """All names of the source, of whatever sort, speakers included, as they are written."""
        return frozenset((*self._speakers, *(name.text for name in self._read(self._material.trusted.source.text))))

    def sort_at(self, sentence: Sentence, name: Name) -> Sorted | None:
        """What a name of the trusted text names; the gender of an English person as the pronouns around tell it."""
        known = self.sort_of(name.text, is_titled(sentence.text, name.start))
        if known is None or known.gender or known.shape not in ("forename", "surname", "full name"):
            return known
        said = gender_said(sentence.text) or gender_said(self._material.trusted.candidate.text)
        return replace(known, gender=said)

    def sort_of(self, text: str, is_titled: bool) -> Sorted | None:
        """What a name names; None where that is not sure."""
        if is_han(text):
            return _chinese(text, text in self._speakers)
        if is_cyrillic(text):
            known = russian_name(text)
            return Sorted(text, "russian", known.gender) if known else None
        return self._english(text, is_titled) if text.isascii() else None

    @cached_property
    def _seen(self) -> tuple[_Seen, ...]:
        text = self._material.trusted.candidate.text
        own = [each for each in self._read(text) if self._material.is_said(each.text)]
        speakers = [each for speaker in self._speakers for each in self._read(speaker, is_label=True)]
        return (*speakers, *own, *self._read(self._material.trusted.source.text))

    def _read(self, text: str, is_label: bool = False) -> Iterator[_Seen]:
        found = names(text, self._material.language)
        if is_label and not found:
            yield _Seen(text, False)
        for name in found:
            yield _Seen(name.text, is_titled(text, name.start))

    @cached_property
    def _surnames(self) -> frozenset[str]:
        """Words that stand after a title or after a forename somewhere."""
        found = set()
        for seen in self._seen:
            words = seen.text.split()
            if seen.is_titled or (len(words) > 1 and _gender(words[0])):
                found.add(words[-1])
        return frozenset(found)

    def _english(self, text: str, is_titled: bool) -> Sorted | None:
        words = text.split()
        if not 0 < len(words) <= _MOST_WORDS or not all(word.isalpha() and word[0].isupper() for word in words):
            return None
        if len(words) > 1 and all(is_ordinary(fold(word)) for word in words) and text in self._speakers:
            return Sorted(text, "role")
        if len(words) > 1 and fold(words[-1]) in ENGLISH_BODIES:
            return Sorted(text, "body")
        if text in ENGLISH_PLACES:
            return Sorted(text, "place")
        if len(words) == 1 and (is_titled or (text in self._surnames and not _gender(text))):
            return Sorted(text, "surname")
        if len(words) == 1:
            is_speaker = text in self._speakers and len(text) > 1 and _may_name(fold(text))
            return Sorted(text, "forename", _gender(text)) if _gender(text) or is_speaker else None
        return Sorted(text, "full name", _gender(words[0])) if _gender(words[0]) and not is_titled else None


def is_titled(text: str, start: int) -> bool:
    """Whether a title or a rank stands before a name in a text."""
    before = _TITLE.search(text[:start][-20:])
    return before is not None and fold(before[1]) in TITLES | RANKS


def gender_said(text: str) -> Gender:
    """Of what gender all English pronouns of a text are; empty where they differ or there are none."""
    said = {gender for gender, pronoun in _PRONOUNS.items() if pronoun.search(text)}
    return said.pop() if len(said) == 1 else ""


def _may_name(key: str) -> bool:
    """Whether a speaker's label may be a forename, and is not what the speaker does."""
    return may_be_name(key) or not is_ordinary(key)


def _gender(word: str) -> Gender:
    """Of what gender an English forename is; empty for a word that is none."""
    return next((gender for gender in _GENDERS if word in ENGLISH_FORENAMES[gender]), "")


def _chinese(text: str, is_speaker: bool) -> Sorted | None:
    if len(text) == 2 and text[0] in _FAMILIAR:
        return Sorted(text, "familiar")
    if chinese_title(text):
        return Sorted(text, "titled")
    if text.endswith(_CHINESE_BODIES) and text not in _CHINESE_BODIES:
        return Sorted(text, "body")
    tags = {tag for _, tag in chinese_words(text)}
    if tags == {"ns"} and len(text) == 2:
        return Sorted(text, "place")
    is_full = 2 <= len(text) <= 3 and is_person(text) and (is_speaker or tags == {"nr"})
    return Sorted(text, "full name") if is_full else None


def chinese_title(text: str) -> str:
    """The title after a surname: the 经理 of 王经理; empty where there is none."""
    return next((title for title in _CHINESE_TITLES if text[1:] == title or text[2:] == title), "")


def are_alike(one: str, other: str) -> bool:
    """Whether two names may be taken for one: a word in common, one that begins or sounds nearly as the other's.

    The word that says what a body is does not count: two banks are two. Chinese: one within the other.
    """
    if is_han(one):
        return one in other or other in one
    return any(_is_alike(left, right) for left in _telling(one) for right in _telling(other))


def _telling(name: str) -> list[str]:
    words = [fold(word) for word in name.split()]
    return [word for word in words if len(words) == 1 or word not in ENGLISH_BODIES]


def _is_alike(one: str, other: str) -> bool:
    is_part = min(len(one), len(other)) >= _LEAST_PART and (one.startswith(other) or other.startswith(one))
    return one == other or is_part or similarity(one, other) >= NAME_THRESHOLD
