"""Where a name stands in a source as itself, and what comes near it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from localeval.evidence.chinese_names import is_person, may_end_name
from localeval.evidence.corpus import Corpus, Place
from localeval.evidence.folding import Token, fold, is_cyrillic, is_han, tokens
from localeval.evidence.lexicon import chinese_words, forms, is_closed, is_ordinary
from localeval.evidence.likeness import Like, Windows
from localeval.evidence.measure import Match
from localeval.evidence.number_lexicon import Word, english, russian
from localeval.evidence.shortening import shortened

_PLURAL_ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z]s")
_DIGITS = re.compile(r"(\d+)")
_ADDRESS_SIGNS = {".": " dot ", "@": " at ", "/": " slash ", "-": " dash "}
_AROUND = 8
"""Characters on either side of a Chinese name in which it is seen to be part of a longer one."""
_LONGEST_CHINESE_PERSON = 4
_LEAST_PART = 3
_LONGEST_ACRONYM = 4
"""Letters of an ordinary word in capitals that is taken for an acronym (AIDS); longer ones are shouted."""
_LONGEST_PART = 6


class Located(NamedTuple):
    """What a source has of a name: the best match, where (first places first), and how like it is, 0 to 100."""

    match: Match
    places: Sequence[Place]
    similarity: float


class NameFinder:
    """Looks for names in one source."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._windows = Windows(corpus)
        self._located: dict[str, Located] = {}

    def locate(self, name: str) -> Located:
        """Whether a name stands in the source: exact, near or absent.

        Exact: the same letters and digits in the same order, whatever the case, spaces, hyphens and marks; in
        Russian any case of each word, in either order of two; between the words of a name an initial, a patronymic
        or another capitalised word may stand. Not exact but near is an ordinary word written small (mark for Mark)
        where the source writes names with capitals, words of one name that a comma or full stop parts, a part of a
        longer name, and what is like it by `NAME_THRESHOLD` and its fellows.
        """
        if name not in self._located:
            self._located[name] = self._locate(name)
        return self._located[name]

    def _locate(self, name: str) -> Located:
        words = tokens(name)
        if not words:
            return Located("absent", (), 0.0)
        places = list(dict.fromkeys(self._stretches(name, words)))
        good = [place for place in places if self._corpus.words(place) == name or self._is_said(words, place)]
        if good and not self._is_always_longer(words, good):
            return Located("exact", good, 100.0)
        likes = [Like(place, 100.0) for place in places[:1]]
        likes += [*self._parts(words), *shortened(self._corpus, words)]
        if like := self._windows.most_like("".join(word.key for word in words)):
            likes.append(like)
        if not likes:
            return Located("absent", (), 0.0)
        best = max(likes, key=lambda like: like.similarity)
        return Located("near", self._again(best.place), best.similarity)

    def _again(self, place: Place) -> Sequence[Place]:
        """Every place where the same words stand."""
        joined = "".join(token.key for token in self._corpus.tokens[place.first : place.last])
        return list(self._corpus.stretches(joined))

    def _stretches(self, name: str, words: Sequence[Token]) -> Iterator[Place]:
        for joined in _spellings(name, words):
            yield from self._corpus.stretches(joined)
        if not any(is_han(word.text) for word in words):
            yield from self._in_order(words)
            if len(words) == 2 and all(is_cyrillic(word.key) for word in words):
                yield from self._in_order(words[::-1])

    def _in_order(self, words: Sequence[Token]) -> Iterator[Place]:
        """Where the words stand one after the other, each in any of its forms."""
        for form in sorted(forms(words[0].key)):
            for first in self._corpus.at.get(form, ()):
                last = self._follow(first, words)
                if last:
                    yield Place(first, last)

    def _follow(self, first: int, words: Sequence[Token]) -> int:
        """The index after the last word of a name that begins at a token; 0 where it does not go on."""
        heard, at = self._corpus.tokens, first + 1
        for word in words[1:]:
            may_be = forms(word.key)
            if at + 1 < len(heard) and heard[at].key not in may_be and self._may_stand_between(heard[at]):
                at += 1
            if at >= len(heard) or heard[at].key not in may_be:
                return 0
            at += 1
        return at

    def _may_stand_between(self, token: Token) -> bool:
        """An initial, or a capitalised word, between the given name and the surname."""
        return not token.is_apart and token.text[0].isupper() and not is_closed(token.key)

    def _is_said(self, words: Sequence[Token], place: Place) -> bool:
        """Whether what stands at a place is the name and not a word, or words, that only look like it."""
        if not self._corpus.is_one(place):
            return False
        if is_han(words[0].text):
            return not self._is_within_longer(place)
        heard = self._corpus.tokens[place.first : place.last]
        if len(words) == 1 and len(heard) > 1:
            return self._is_spelt_apart(words[0], place, heard)
        if len(words) > 1 or not is_ordinary(words[0].key):
            return True
        word, said = words[0], heard[0]
        if not any(char.isupper() for char in word.text):
            return True
        if is_closed(word.key):
            is_within = not said.is_apart or (len(said.text) > 1 and said.text.isupper())
            return said.text[0].isupper() and is_within and said.text.isupper() == word.text.isupper()
        if not self._corpus.is_cased:
            return True
        return said.text.isupper() if _is_acronym(word) else any(char.isupper() for char in said.text)

    def _is_always_longer(self, words: Sequence[Token], places: Sequence[Place]) -> bool:
        """Whether the same character follows a Chinese person's name wherever it stands, and makes it another's."""
        if len(words) != 2 or not is_person(words[0].text + words[1].text) or len(places) < 2:
            return False
        heard = self._corpus.tokens
        after = {heard[place.last].text if place.last < len(heard) else "" for place in places}
        is_glued = all(
            heard[place.last - 1].end == heard[place.last].start for place in places if place.last < len(heard)
        )
        return len(after) == 1 and is_glued and may_end_name(after.pop())

    def _is_within_longer(self, place: Place) -> bool:
        """Whether a Chinese name is cut out of a longer person's name: 王明 out of 王明华."""
        start, end = self._corpus.tokens[place.first].start, self._corpus.tokens[place.last - 1].end
        if end - start >= _LONGEST_CHINESE_PERSON:
            return False
        at = max(start - _AROUND, 0)
        for word, tag in chinese_words(self._corpus.text[at : end + _AROUND]):
            is_around = at <= start and end <= at + len(word) and len(word) > end - start
            if is_around and tag.startswith("nr") and len(word) <= _LONGEST_CHINESE_PERSON:
                return True
            at += len(word)
        return False

    def _is_spelt_apart(self, word: Token, place: Place, heard: Sequence[Token]) -> bool:
        """Whether several words are a name of one: not "an and" for Anand, nor "in grid" for Ingrid.

        Function words are only with full stops (A.I.). Where the name has no inner capital or digit to say where it is
        cut (WireGuard, B12), words that the dictionary has are only with a capital, or where the source writes none.
        """
        n_closed = sum(is_closed(token.key) for token in heard)
        if n_closed == len(heard):
            return "." in self._corpus.words(place)
        if any(char.isupper() or char.isdigit() for char in word.text[1:]):
            return True
        is_small = self._corpus.is_cased and not any(char.isupper() for token in heard for char in token.text)
        return not (n_closed or is_small) or not all(is_ordinary(token.key) for token in heard)

    def _parts(self, words: Sequence[Token]) -> Iterator[Like]:
        """Where the most words in a row of a longer name stand: Samantha, for Samantha Lee."""
        if is_han(words[0].text):
            return
        letters = sum(len(word.key) for word in words)
        for length in range(min(len(words) - 1, _LONGEST_PART), 0, -1):
            likes = []
            for first in range(len(words) - length + 1):
                part = words[first : first + length]
                size = sum(len(word.key) for word in part)
                is_weak = 2 * size < letters and all(is_ordinary(word.key) for word in part)
                if size < _LEAST_PART or is_weak or all(is_closed(word.key) for word in part):
                    continue
                place = next((place for place in self._in_order(part) if self._is_said(part, place)), None)
                likes += [Like(place, 100.0 * size / letters)] if place else []
            if likes:
                yield max(likes, key=lambda like: like.similarity)
                return


def _is_acronym(word: Token) -> bool:
    return 1 < len(word.text) <= _LONGEST_ACRONYM and word.text.isupper()


def _spellings(name: str, words: Sequence[Token]) -> Iterator[str]:
    """The folded letters of a name without spaces; an acronym's singular; an address or a digit as it is read aloud."""
    joined = "".join(word.key for word in words)
    yield joined
    if len(words) == 1 and _PLURAL_ACRONYM.fullmatch(name):
        yield words[0].key[:-1]
    if any(sign in name for sign in "@.") and len(words) > 1:
        spelt = "".join(_ADDRESS_SIGNS.get(char, char) for char in name)
        yield "".join(token.key for token in tokens(spelt))
    if any(char.isdigit() for char in joined) and not joined.isdigit():
        for read in _read_aloud():
            yield "".join(read.get(part, part) for part in _DIGITS.split(joined))


@lru_cache(maxsize=1)
def _read_aloud() -> tuple[Mapping[str, str], ...]:
    """The numbers from 0 to 99 as they are read aloud, without spaces, in English and in Russian."""
    return tuple(_below_hundred(words) for words in (english(), russian()))


def _below_hundred(words: Mapping[str, Word]) -> dict[str, str]:
    """The first word listed for each number, tens and units put together."""
    named: dict[int, str] = {}
    for word, meant in words.items():
        if not meant.is_ordinal and meant.role in ("unit", "teen", "tens", "whole") and meant.value.denominator == 1:
            named.setdefault(int(meant.value), fold(word))
    for number in range(21, 100):
        tens, unit = number // 10 * 10, number % 10
        if tens in named and unit in named:
            named.setdefault(number, named[tens] + named[unit])
    return {str(number): word for number, word in named.items() if number < 100}
