"""In which ways a target may be named, and whether words of a text are written as one of them is."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from localeval.evidence.folding import Token, is_cyrillic, is_han
from localeval.evidence.lexicon import cases, is_closed, is_ordinary
from localeval.evidence.text_names import TextNames
from localeval.evidence.wordlists import listed
from localeval.evidence.written_names import PARTICLES, Word, written

_MONTHS = listed("march april may june august")
_BEFORE_MONTH = listed("in since until till during last next early late mid this")
_AFTER_VERB = listed("i we you he she it they the this that these those there god all your our his her their my a an")
_LONGEST_ACRONYM = 4
_LONGEST_YEAR = 4


class Pattern(NamedTuple):
    """One way to name a target: words in a row, each in any form.

    `is_whole`: all of the name as it was given, its title and the like aside, and not the surname alone; `forenames`
    are the folded ones of a surname alone. `never`: what the last word is not, though it looks like a form of it:
    Петров for Анна Петрова.
    """

    words: tuple[Token, ...]
    n_words: int
    is_whole: bool = True
    forenames: tuple[str, ...] = ()
    never: frozenset[str] = frozenset()

    @property
    def letters(self) -> str:
        """The folded letters and digits in a row."""
        return "".join(word.key for word in self.words)

    @property
    def is_acronym(self) -> bool:
        """Whether it is a few letters, all capitals."""
        is_loud = all(word.text.isupper() for word in self.words)
        return is_loud and 1 < sum(len(word.key) for word in self.words) <= _LONGEST_ACRONYM


@lru_cache(maxsize=4096)
def patterns(name: str, is_person: bool) -> tuple[Pattern, ...]:
    """The ways to name a target; none for a name without a letter or digit."""
    found = {tuple(word.key for word in pattern.words): pattern for pattern in reversed([*_patterns(name, is_person)])}
    return tuple(found.values())


def _patterns(name: str, is_person: bool) -> Iterator[Pattern]:
    """The whole name, then shorter ways to write it, the least sure last."""
    parts = written(name)
    core = parts.person if is_person else parts.core
    for words in (parts.whole, parts.core, core):
        if words and (words == parts.whole or not parts.generation):
            yield Pattern(_flat(words), len(words))
    if not is_person or parts.generation or len(core) < 2:
        return
    forenames = tuple(token.key for word in core[: parts.n_forenames] for token in word)
    if is_han(core[-1][0].text):
        if len(core[-1]) > 1:
            yield Pattern(core[-1], 1, is_whole=False)
        return
    surname = core[parts.n_forenames :]
    never = _mens_forms(forenames, surname[-1][-1].key)
    yield Pattern(_flat(surname), len(surname), is_whole=False, forenames=forenames, never=never)
    last = core[-1]
    while len(last) > 1 and last[0].key in PARTICLES:
        last = last[1:]
    yield Pattern(last, 1, is_whole=False, forenames=forenames)


def _mens_forms(forenames: tuple[str, ...], surname: str) -> frozenset[str]:
    """The forms of a man's surname that a woman's seems to have, where all of her name is a nominative."""
    if not surname.endswith("а") or not all("nomn" in cases(key) for key in (*forenames, surname)):
        return frozenset()
    return frozenset(surname[:-1] + ending for ending in ("", "ым", "е"))


def _flat(words: tuple[Word, ...]) -> tuple[Token, ...]:
    return tuple(token for word in words for token in word)


def is_written_as(text: TextNames, pattern: Pattern, first: int, last: int) -> bool:
    """Whether words that read like a name are capitalised as it is: not "may" for May, nor "us" for U.S."""
    wanted, heard = pattern.words, text.tokens[first:last]
    if is_han(wanted[0].text) or not any(_has_capital(word) for word in wanted):
        return True
    if pattern.n_words == 1:
        return _is_one_word(text, pattern, first, last)
    if not text.is_cased:
        return True
    if len(heard) == len(wanted):
        for word, said in zip(wanted, heard, strict=True):
            if is_closed(word.key) and _has_capital(word) and not is_cyrillic(word.key) and not _has_capital(said):
                return False
    return any(map(_has_capital, heard)) or not all(is_ordinary(word.key) for word in wanted)


def _is_one_word(text: TextNames, pattern: Pattern, first: int, last: int) -> bool:
    heard, letters = text.tokens[first:last], pattern.letters
    if not text.is_cased:
        return not is_closed(letters)
    if not any(map(_has_capital, heard)):
        is_plain = is_ordinary(letters) or (len(heard) == 1 and is_ordinary(heard[0].key))
        return not is_plain and not all(is_ordinary(word.key) for word in pattern.words)
    if pattern.is_acronym and is_ordinary(letters):
        return all(word.text.isupper() for word in heard)
    may_mislead = (is_closed(letters) or letters in _MONTHS) and not pattern.is_acronym
    return not (may_mislead and _is_verb_or_month(text, letters, first))


def _is_verb_or_month(text: TextNames, letters: str, at: int) -> bool:
    """Whether a capital May, Will or March opens a question or a wish, or is the month."""
    before = text.tokens[at - 1] if at and not text.tokens[at].is_apart else None
    after = text.tokens[at + 1] if at + 1 < len(text.tokens) else None
    if after and text.begins_sentence(at) and after.key in _AFTER_VERB:
        return True
    if letters not in _MONTHS:
        return False
    if before and (before.key in _BEFORE_MONTH or before.key.isdigit()):
        return True
    is_near = after is not None and text.gap(at + 1).strip() in ("", ",")
    return is_near and after is not None and after.key[:1].isdigit() and len(after.key) <= _LONGEST_YEAR


def _has_capital(word: Token) -> bool:
    return any(char.isupper() for char in word.text)
