"""Where a name stands in a source as itself, and what comes near it."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from localeval.evidence.corpus import Corpus, Place
from localeval.evidence.folding import Token, is_cyrillic, is_han, tokens
from localeval.evidence.lexicon import chinese_words, forms, is_closed, is_ordinary
from localeval.evidence.likeness import Like, Windows
from localeval.evidence.measure import Match

_PLURAL_ACRONYM = re.compile(r"[A-Z][A-Za-z]*[A-Z]s")
_ADDRESS_SIGNS = {".": " dot ", "@": " at ", "/": " slash ", "-": " dash "}
_AROUND = 8
"""Characters on either side of a Chinese name in which it is seen to be part of a longer one."""
_LONGEST_CHINESE_PERSON = 4
_LEAST_PART = 3


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
        if good := [place for place in places if self._is_said(words, place)]:
            return Located("exact", good, 100.0)
        likes = [Like(place, 100.0) for place in places[:1]]
        likes += self._parts(words)
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
        if len(words) > 1 or len(heard) > 1 or not is_ordinary(words[0].key):
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

    def _parts(self, words: Sequence[Token]) -> Iterator[Like]:
        """Where a single word of a longer name stands: Samantha, for Samantha Lee."""
        if len(words) < 2 or is_han(words[0].text):
            return
        letters = sum(len(word.key) for word in words)
        for word in words:
            if len(word.key) < _LEAST_PART or is_closed(word.key):
                continue
            places = (place for place in self._in_order([word]) if self._is_said([word], place))
            if place := next(places, None):
                yield Like(place, 100.0 * len(word.key) / letters)


def _is_acronym(word: Token) -> bool:
    return len(word.text) > 1 and word.text.isupper()


def _spellings(name: str, words: Sequence[Token]) -> Iterator[str]:
    """The folded letters of a name without spaces; an acronym's singular; an address as it is read aloud."""
    yield "".join(word.key for word in words)
    if len(words) == 1 and _PLURAL_ACRONYM.fullmatch(name):
        yield words[0].key[:-1]
    if any(sign in name for sign in "@.") and len(words) > 1:
        spelt = "".join(_ADDRESS_SIGNS.get(char, char) for char in name)
        yield "".join(token.key for token in tokens(spelt))
