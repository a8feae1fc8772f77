"""Where a text names one of several targets, and what a program can say about names and copied phrases."""

import re
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from localeval.evidence.alike_names import suggest_names
from localeval.evidence.folding import has_han, is_cyrillic, is_han
from localeval.evidence.lexicon import chinese_words, forms, is_function_word, is_ordinary
from localeval.evidence.longer_names import (
    CHINESE_TAIL,
    Known,
    is_chinese_in_longer,
    is_person_in_longer,
    is_thing_in_longer,
)
from localeval.evidence.name_patterns import Pattern, is_written_as, patterns
from localeval.evidence.quotes import find_quote
from localeval.evidence.same_names import merge_names
from localeval.evidence.text_names import TextNames, text_names
from localeval.evidence.written_names import is_role, keys, level, written
from localeval.texts import Language

__all__ = ["Mention", "find_mentions", "find_quote", "is_mere_name", "merge_names", "suggest_names"]

_DOT = re.compile(r"\s?[·•・‧∙⋅]\s?")
_MOST_FORENAMES = 4
_CHINESE_FUNCTION = ("r", "u", "p", "c", "y", "x", "w")
_CHINESE_COPULAS = "是为等"


@dataclass(frozen=True, slots=True)
class Mention:
    """Where a text names a target: offsets, end exclusive, and which of the names that were looked for stands there."""

    start: int
    end: int
    name: int


def find_mentions(text: str, names: Sequence[str], language: Language, is_person: bool = False) -> tuple[Mention, ...]:
    """Where any of the names stands in a text as itself, in order, none inside another. Raises nothing.

    Names are whole words; folded are case, punctuation within them, marks on Latin letters, curly apostrophes and a
    possessive; Russian words count in any form, Chinese names need no border. A name of one word needs a capital
    where the text has capitals, unless it is given in small letters or no dictionary has it as an ordinary word; a
    function word (May, Will) counts as a name nowhere but with its capital. No mention is a name inside a longer one
    (`localeval.evidence.longer_names`). Of names that overlap the longest counts, then the first given.

    `is_person`: the last word of a name alone is a mention too, with or without title, initials and forenames of its
    own before it, but not after another's forename; not in Chinese, save for the last part of 安格拉·默克尔. A name
    of one word is a surname and may stand after any forename.
    """
    source = text_names(level(text), language)
    found: list[Mention] = []
    first_given = {name: number for number, name in reversed([*enumerate(names)])}
    for name, number in first_given.items():
        for pattern in patterns(name, is_person):
            found += [
                Mention(source.tokens[first].start, source.tokens[last - 1].end, number)
                for first, last in _places(source, pattern, is_person)
            ]
    return tuple(sorted(_longest(found), key=lambda mention: mention.start))


def _longest(found: list[Mention]) -> Iterator[Mention]:
    """The longest mentions of those that overlap."""
    taken: list[tuple[int, int]] = []
    for mention in sorted(set(found), key=lambda one: (one.start - one.end, one.start, one.name)):
        at = bisect_left(taken, (mention.start, mention.end))
        is_free = (at == 0 or taken[at - 1][1] <= mention.start) and (at == len(taken) or taken[at][0] >= mention.end)
        if is_free:
            insort(taken, (mention.start, mention.end))
            yield mention


def _places(text: TextNames, pattern: Pattern, is_person: bool) -> Iterator[tuple[int, int]]:
    """The tokens of each mention after one pattern: the first, and the one after the last."""
    for first, last in {*_in_order(text, pattern), *_joined(text, pattern)}:
        if not is_written_as(text, pattern, first, last):
            continue
        if is_han(pattern.words[0].text):
            if not is_chinese_in_longer(text, first, last):
                yield first, last
        elif not text.is_cased:
            yield _with_forenames(text, pattern, first, last)
        elif is_person:
            begin, end = _with_forenames(text, pattern, first, last)
            if not is_person_in_longer(text, begin, end, _known(pattern, end - begin > last - first)):
                yield begin, end
        elif not is_thing_in_longer(text, first, last):
            yield first, last


def _known(pattern: Pattern, has_forename: bool) -> Known:
    """What stands there of a person's name."""
    if has_forename or (pattern.is_whole and pattern.n_words > 1):
        return "full"
    return "alone" if pattern.is_whole else "surname"


def _in_order(text: TextNames, pattern: Pattern) -> Iterator[tuple[int, int]]:
    """Where the words of a pattern stand one after the other, each in any of its forms."""
    for form in sorted(forms(pattern.words[0].key)):
        for first in text.at.get(form, ()):
            last = _follow(text, pattern, first)
            if last and text.tokens[last - 1].key not in pattern.never:
                yield first, last


def _follow(text: TextNames, pattern: Pattern, first: int) -> int:
    """The index after the last word of a pattern that begins at a token; 0 where it does not go on."""
    at = first
    for wanted in pattern.words[1:]:
        at += 1
        if at >= len(text.tokens) or text.tokens[at].key not in forms(wanted.key):
            return 0
        if text.tokens[at].is_apart and not wanted.is_apart and not _DOT.fullmatch(text.gap(at)):
            return 0
    return at + 1


def _joined(text: TextNames, pattern: Pattern) -> Iterator[tuple[int, int]]:
    """Where a name stands that is written together here and with hyphens or full stops there: US and U.S."""
    letters = "".join(word.key for word in pattern.words)
    if has_han(letters) or not pattern.is_whole or len(letters) < 2:
        return
    if len(pattern.words) > 1:
        yield from ((first, first + 1) for first in text.at.get(letters, ()))
    for first, last in text.spelt_apart(letters):
        gaps = [text.gap(index) for index in range(first + 1, last)]
        if last - first != len(pattern.words) and not any(any(c.isspace() or c in "'’" for c in gap) for gap in gaps):
            yield first, last


def _with_forenames(text: TextNames, pattern: Pattern, first: int, last: int) -> tuple[int, int]:
    """A surname with the person's own forenames and initials before it, and in Russian after it.

    One other capitalised word or any initial may stand between them: George Walker Bush.
    """
    if not pattern.forenames:
        return first, last
    own, surname = _forms_of(pattern.forenames), _forms_of(tuple(word.key for word in pattern.words))
    begin, at, is_passed = first, first, False
    while at > 0 and first - at < _MOST_FORENAMES and not text.tokens[at].is_apart:
        at -= 1
        token = text.tokens[at]
        is_initial = token.text.isupper() and any(token.key == key[0] for key in pattern.forenames)
        if is_initial or (token.key in own and (token.text[0].isupper() or not text.is_cased)):
            begin = at
        elif len(token.key) > 1:
            if is_passed or not token.text[0].isupper() or token.key in surname:
                break
            is_passed = True
    end = last
    while begin == first and end < len(text.tokens) and is_cyrillic(text.tokens[end].key):
        if text.tokens[end].key not in own or text.tokens[end].is_apart:
            break
        end += 1
    return begin, end


@lru_cache(maxsize=4096)
def _forms_of(keys: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form for key in keys for form in forms(key))


def is_mere_name(phrase: str, names: Sequence[str], language: Language) -> bool:
    """Whether a phrase holds nothing but a target's name, titles and function words: no evidence for a score.

    A name counts in any form, a person's by its surname or forename too; true for a phrase without a letter or
    digit. Raises nothing.
    """
    text = text_names(level(phrase), language)
    left = set(range(len(text.tokens)))
    for name in names:
        for pattern in patterns(name, True):
            for first, last in (*_in_order(text, pattern), *_joined(text, pattern)):
                left -= set(range(first, last))
        own = _forms_of(keys(written(name).core))
        left -= {index for index in left if text.tokens[index].key in own and not is_ordinary(text.tokens[index].key)}
    if any(not is_han(text.tokens[index].text) and not _is_empty(text.tokens[index].key) for index in left):
        return False
    return all(map(_is_empty_chinese, _runs(text, sorted(left))))


def _is_empty(key: str) -> bool:
    """Whether a word that is no part of a name adds nothing to it: "the", "Mr.", an initial, the s of a possessive."""
    return is_function_word(key) or is_role(key) or (len(key) == 1 and not key.isdigit())


def _runs(text: TextNames, indices: Sequence[int]) -> Iterator[str]:
    """The stretches of Chinese among some tokens."""
    run = ""
    for before, index in zip((None, *indices), indices, strict=False):
        token = text.tokens[index]
        if run and before is not None and (before + 1 != index or text.gap(index)):
            yield run
            run = ""
        run += token.text if is_han(token.text) else ""
    if run:
        yield run


def _is_empty_chinese(run: str) -> bool:
    return CHINESE_TAIL.fullmatch(run) is not None or all(
        tag.startswith(_CHINESE_FUNCTION) or word in _CHINESE_COPULAS or CHINESE_TAIL.fullmatch(word)
        for word, tag in chinese_words(run)
    )
