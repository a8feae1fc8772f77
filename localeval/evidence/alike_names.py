"""The names of a text that are most like one that it lacks: misspelt, in another script, shorter or longer."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from localeval.evidence.folding import is_cyrillic, is_han
from localeval.evidence.lexicon import forms, is_closed, is_ordinary
from localeval.evidence.likeness import FOREIGN_THRESHOLD, NAME_THRESHOLD, similarity
from localeval.evidence.text_names import TextNames, text_names
from localeval.evidence.written_names import PARTICLES, ROLES, level, written
from localeval.texts import Language

_PART = 0.95
"""What a likeness of one word of two names is worth beside a likeness of the whole."""
_ACRONYM = 80.0
_LEAST_LETTERS = 3
_WORTH_INFLECTING = 50.0


def suggest_names(text: str, name: str, language: Language, limit: int = 3) -> tuple[str, ...]:
    """The names in a text that are most like a name, best first, at most `limit`; empty where none is like it.

    Like is by `localeval.evidence.likeness.similarity` in spelling and sound, over ASCII letters in every script,
    for the whole names or for the last word of the one and any of the other; Russian names in any form; an acronym
    is like the words that it stands for. Of the forms of one name the best is returned, as it stands in the text,
    spaces aside. Raises nothing.
    """
    wanted = _words(name)
    if not wanted or limit < 1:
        return ()
    source = text_names(level(text), language)
    scored = [(_likeness(wanted, words), found) for found in _candidates(source) if (words := _words(found))]
    best: list[str] = []
    for score, found in sorted(scored, key=lambda pair: (-pair[0], len(pair[1]))):
        if score < _threshold(wanted, _words(found)) or len(best) == limit:
            break
        if not any(_is_form(_words(found), _words(other)) for other in best):
            best.append(found)
    return tuple(best)


def _candidates(text: TextNames) -> Iterator[str]:
    """The names of a text with single spaces, each once; in one without capitals the words that are not ordinary."""
    found = dict.fromkeys(" ".join(name.split()) for name in text.found)
    if not text.is_cased:
        odd = [i for i, token in enumerate(text.tokens) if len(token.key) >= _LEAST_LETTERS and not is_han(token.text)]
        odd = [i for i in odd if not is_closed(text.tokens[i].key)]
        found |= dict.fromkeys(text.tokens[i].text for i in odd if not is_ordinary(text.tokens[i].key))
    yield from found


@lru_cache(maxsize=8192)
def _words(name: str) -> tuple[str, ...]:
    """The folded words of a name, titles aside, each without its inner hyphens."""
    return tuple("".join(token.key for token in word) for word in written(name).person)


def _likeness(wanted: tuple[str, ...], found: tuple[str, ...]) -> float:
    """How like two names are, 0 to 100."""
    whole = _inflected_likeness("".join(wanted), "".join(found))
    initials = {"".join(word[0] for word in words) for words in (wanted, found) if len(words) >= _LEAST_LETTERS}
    if initials & {*(wanted if len(wanted) == 1 else ()), *(found if len(found) == 1 else ())}:
        whole = max(whole, _ACRONYM)
    if len(wanted) == len(found) == 1:
        return whole
    parts = [_inflected_likeness(one, other) for one in [*_telling(wanted)][-1:] for other in _telling(found)]
    return max([whole, *(_PART * part for part in parts)])


def _telling(words: tuple[str, ...]) -> Iterator[str]:
    """The words of a name by which it may be known, and two in a row of three or more: Le Pen."""
    if len(words) > 2:
        yield from ("".join(pair) for pair in pairwise(words))
    for word in words:
        is_small = word in PARTICLES or word in ROLES or is_closed(word)
        if not is_small and (len(word) >= _LEAST_LETTERS or (is_han(word) and len(word) > 1)):
            yield word


@lru_cache(maxsize=65536)
def _inflected_likeness(one: str, other: str) -> float:
    """The likeness of two words, a Russian one in whichever form is most like the other."""
    plain = similarity(one, other)
    if plain < _WORTH_INFLECTING or not (is_cyrillic(one) or is_cyrillic(other)):
        return plain
    return max(similarity(left, right) for left in forms(one) for right in forms(other))


def _threshold(wanted: tuple[str, ...], found: tuple[str, ...]) -> float:
    ours, theirs = "".join(wanted), "".join(found)
    is_foreign = is_cyrillic(ours) != is_cyrillic(theirs) or is_han(ours) != is_han(theirs)
    return FOREIGN_THRESHOLD if is_foreign else NAME_THRESHOLD


def _is_form(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two names are the same words, in Russian in any form."""
    return len(one) == len(other) and all(forms(left) & forms(right) for left, right in zip(one, other, strict=True))
