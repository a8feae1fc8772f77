"""Which of several names are one target's: Donald Trump, Trump, Mr. Trump, Donald J. Trump."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from localeval.evidence.folding import is_cyrillic, is_han
from localeval.evidence.lexicon import cases, forms, is_closed, is_ordinary, may_be_name
from localeval.evidence.longer_names import CHINESE_TAIL, DEMONYMS
from localeval.evidence.names import TITLES
from localeval.evidence.text_names import FIRST_IN_PLACES
from localeval.evidence.wordlists import listed
from localeval.evidence.written_names import PARTICLES, Word, written
from localeval.texts import Language

_MAN = listed("mr sir lord г господин")
_WOMAN = listed("mrs ms miss madam lady госпожа")
_LEFT_OUT = listed("of the and for и по в на de")
_LEAST_INITIALS = 3
_SHORT_ACRONYMS = listed("us uk un eu ес цб рф")


@dataclass(frozen=True, slots=True)
class _Named:
    """A name reduced to what is compared: folded words, "jr" or the like, whether Mr or Mrs stood before it."""

    words: tuple[tuple[str, ...], ...]
    generation: str
    gender: str
    is_acronym: bool

    @property
    def is_oblique(self) -> bool:
        """Whether a Russian person's name can be no nominative: Владимира Путина, whatever Путина may be."""
        known = [cases(key) for word in self.words for key in word if cases(key)]
        return bool(known) and not all("nomn" in each for each in known)

    @property
    def letters(self) -> str:
        """All letters in a row."""
        return "".join(key for word in self.words for key in word)


def merge_names(names: Sequence[str], language: Language) -> list[list[int]]:
    """The indices of the names that are one target's together, in the order of their first. Raises nothing.

    One target's are names with the same words (Russian: in any case), titles and company forms aside; a surname and
    a full name that ends with it, if what stands before it may be forenames; full names with the same first and last
    word where one has a middle name or initial that the other lacks, or an initial for a forename; an acronym and
    the words that begin with its letters. Of 安格拉·默克尔 the last part counts as the surname.

    Conservative: two names are put together only if they go with the same others of the list. "George Bush" goes
    with "George W. Bush" alone, but with "George H. W. Bush" in the list too all three stay apart, and so does
    "Clinton" beside Bill and Hillary. Different surnames, generations (Jr.) and Mr. beside Mrs. are never one, nor
    are Петров and Петрова, where either may be a nominative. A name without a letter or digit stays alone.
    """
    named = [_named(name, language) for name in names]
    unique = [one for one in dict.fromkeys(named) if one.words]
    beside = {one: frozenset(other for other in unique if other == one or _go_together(one, other)) for one in unique}
    groups: dict[object, list[int]] = {}
    for index, one in enumerate(named):
        groups.setdefault(beside[one] if one.words else index, []).append(index)
    return list(groups.values())


@lru_cache(maxsize=4096)
def _named(name: str, language: Language) -> _Named:
    parts = written(name)
    core, titles = list(parts.core), set[str]()
    while len(core) > 1 and core[0][0].key in TITLES:
        titles.add(core.pop(0)[0].key)
    words = tuple(_plain(tuple(token.key for token in word)) for word in core)
    gender = "man" if titles & _MAN else "woman" if titles & _WOMAN else ""
    is_acronym = len(core) == 1 and all(token.text.isupper() for token in core[0])
    if language == "ru" or any(is_cyrillic(key) for word in words for key in word):
        words = _forenames_first(core, words)
    return _Named(words, parts.generation, gender, is_acronym)


def _plain(word: tuple[str, ...]) -> tuple[str, ...]:
    """A word, in Chinese without a title after it: 特朗普总统."""
    if not is_han("".join(word)):
        return word
    letters = "".join(word)
    cut = next((at for at in range(2, len(letters)) if CHINESE_TAIL.fullmatch(letters[at:])), len(letters))
    return tuple(letters[:cut])


def _forenames_first(core: Sequence[Word], words: tuple[tuple[str, ...], ...]) -> tuple[tuple[str, ...], ...]:
    """A Russian name with its initials first: Путин В. В. is В. В. Путин."""
    is_inverted = len(core) > 1 and len(words[0][0]) > 1 and all(len(key) == 1 for word in words[1:] for key in word)
    ordered = (*words[1:], words[0]) if is_inverted else words
    if len(ordered) < 2:
        return ordered
    return tuple(part for word in ordered for part in _initials_apart(word))


def _initials_apart(word: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """В.В. as the two words that it is; with the surname joined on, as three."""
    return tuple((key,) for key in word) if len(word) > 1 and len(word[0]) == 1 else (word,)


def _go_together(one: _Named, other: _Named) -> bool:
    """Whether two names may be one target's."""
    if one.generation != other.generation or {one.gender, other.gender} == {"man", "woman"}:
        return False
    short, long = sorted((one, other), key=lambda named: len(named.words))
    is_sure = one.is_oblique or other.is_oblique
    if one.letters == other.letters or _are_alike(one.words, other.words, is_sure):
        return True
    if len(short.words) == 1 and _stands_for(short, long):
        return True
    if short.words[0][0] in PARTICLES and 1 < len(short.words) < len(long.words):
        return _are_alike(short.words, long.words[-len(short.words) :], is_sure)
    if len(long.words) < 2 or not _is_like_person(long) or not _are_alike(short.words[-1:], long.words[-1:], is_sure):
        return False
    if len(short.words) == 1:
        return not short.is_acronym or len(short.letters) > 1
    return _is_like_person(short) and _share_forenames(short.words[:-1], long.words[:-1])


def _are_alike(one: Sequence[tuple[str, ...]], other: Sequence[tuple[str, ...]], is_sure: bool = False) -> bool:
    """Whether the words are the same in a row, in Russian in any case.

    Not two nominatives that differ, unless it is sure that not both are such.
    """
    ours, theirs = ([key for word in words for key in word] for words in (one, other))
    if len(ours) != len(theirs):
        return False
    differ = [(left, right) for left, right in zip(ours, theirs, strict=True) if left != right]
    if not all(forms(left) & forms(right) for left, right in differ):
        return False
    return is_sure or not differ or not all("nomn" in cases(left) and "nomn" in cases(right) for left, right in differ)


def _is_like_person(named: _Named) -> bool:
    """Whether the first word of a name of several may be a forename: not of New York, South Korea, Bank of Russia."""
    if is_han(named.letters):
        return len(named.words[-1]) > 1
    first = named.words[0][0]
    if first in FIRST_IN_PLACES | DEMONYMS or any(_is_link(key) for word in named.words for key in word):
        return False
    if len(first) == 1:
        return True
    if is_cyrillic(first):
        return bool(cases(first)) or not is_ordinary(first)
    return not is_closed(first) and (may_be_name(first) or not is_ordinary(first))


def _is_link(key: str) -> bool:
    return len(key) > 1 and key != "de" and key in _LEFT_OUT


def _share_forenames(short: Sequence[tuple[str, ...]], long: Sequence[tuple[str, ...]]) -> bool:
    """Whether forenames agree: the first ones, and those between as far as both names have them."""
    if not _agree(short[0], long[0]):
        return False
    return len(short) == 1 or (len(short) == len(long) and all(map(_agree, short[1:], long[1:])))


def _agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two forenames are the same, or one is the other's initial."""
    brief, full = sorted(("".join(one), "".join(other)), key=len)
    return (len(brief) == 1 and full.startswith(brief)) or _are_alike([one], [other])


def _stands_for(short: _Named, long: _Named) -> bool:
    """Whether an acronym has the first letters of a longer name; one of two letters may be a person's initials."""
    words = [key for word in long.words for key in word if key not in _LEFT_OUT]
    if not short.is_acronym or len(long.words) < 2 or short.letters != "".join(key[0] for key in words):
        return False
    return len(short.letters) >= _LEAST_INITIALS or short.letters in _SHORT_ACRONYMS
