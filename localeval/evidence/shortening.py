"""Where a source has a name shorter or longer than a claim has it: Sam and Samantha, WHO and its three words."""

from collections.abc import Iterator, Sequence

from localeval.evidence.corpus import Corpus, Place
from localeval.evidence.folding import Token, is_han
from localeval.evidence.lexicon import is_closed, is_ordinary
from localeval.evidence.likeness import NAME_THRESHOLD, Like
from localeval.evidence.wordlists import listed

_LEAST_BEGINNING = 3
_LEAST_INITIALS = 3
_MOST_INITIALS = 6
_LEFT_OUT = listed("of the and for и по в на")


def shortened(corpus: Corpus, words: Sequence[Token]) -> Iterator[Like]:
    """Places where one word begins as the other ends up, or the initials of a name stand for it."""
    if len(words) == 1 and not is_han(words[0].text):
        yield from _beginnings(corpus, words[0].key)
        yield from _spelt_out(corpus, words[0])
    else:
        yield from _initials(corpus, words)


def _beginnings(corpus: Corpus, key: str) -> Iterator[Like]:
    """Capitalised words that begin with the whole of a name, or with which it begins."""
    for other, places in corpus.at.items():
        short, long = sorted((key, other), key=len)
        if len(short) < _LEAST_BEGINNING or key == other or not long.startswith(short) or is_ordinary(other):
            continue
        if not corpus.is_cased or corpus.tokens[places[0]].text[0].isupper():
            yield Like(Place(places[0], places[0] + 1), 100.0 * len(short) / len(long))


def _spelt_out(corpus: Corpus, word: Token) -> Iterator[Like]:
    """Where the words begin in a row with the letters of an acronym."""
    if not word.text.isupper() or not _LEAST_INITIALS <= len(word.key) <= _MOST_INITIALS:
        return
    letters, indices = corpus.initials(_LEFT_OUT)
    at = letters.find(word.key)
    while at >= 0:
        place = Place(indices[at], indices[at + len(word.key) - 1] + 1)
        named = corpus.tokens[place.first : place.last]
        is_named = all(token.text[0].isupper() or token.key in _LEFT_OUT for token in named)
        if corpus.is_one(place) and (is_named or not (corpus.is_cased or any(is_closed(token.key) for token in named))):
            yield Like(place, NAME_THRESHOLD)
        at = letters.find(word.key, at + 1)


def _initials(corpus: Corpus, words: Sequence[Token]) -> Iterator[Like]:
    """Where an acronym stands for a name of several words."""
    acronym = "".join(word.key[0] for word in words if word.key not in _LEFT_OUT)
    if len(acronym) < _LEAST_INITIALS or is_ordinary(acronym):
        return
    for index in corpus.at.get(acronym, ())[:1]:
        yield Like(Place(index, index + 1), NAME_THRESHOLD)
