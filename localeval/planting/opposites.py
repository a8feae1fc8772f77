"""Words that are exchanged for their opposites."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from localeval.keys import derive_seed
from localeval.planting.changes import Change, in_case_of, is_kept, kept_spans
from localeval.planting.chinese_opposites import chinese_opposites
from localeval.planting.english_opposites import fixed_phrases, opposites, sorts
from localeval.planting.picking import pick_others
from localeval.planting.russian_opposites import russian_opposites
from localeval.texts import Language

_FROM_TO = re.compile(r"\s+(?:[\w’'-]+\s+){0,3}?(?:from\s\S.{0,30}?\sto|by\s\S+\s+to)\s", re.I)
_WITH_OBJECT = frozenset({"accepted", "accepts", "rejected", "rejects"})
_OBJECT = re.compile(r"\s+(?:an?|the|his|her|its|their|our|this|these|all|both|\w+s)\b", re.I)
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being|got)\s+(?:\w+ly\s+)?$", re.I)
_A_BEFORE = re.compile(r"\b(?P<article>an?)\s+$", re.I)
_VOWELS = "aeiou"


def antonyms(sentence: str, language: Language, said: str, seed: int) -> Iterator[Change]:
    """Each word of a sentence that has a true opposite exchanged for it.

    Not inside names, titles and fixed phrases, nor where the opposite stands in the same sentence. `said` is the
    source's text in small letters: the three further values, other words of the same form, are not in it.
    """
    if language == "en":
        yield from _english(sentence, said, seed)
    elif language == "ru":
        yield from russian_opposites(sentence, said, seed)
    else:
        yield from chinese_opposites(sentence, said, seed)


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(opposites(), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w’'-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-])", re.I)


def _english(sentence: str, said: str, seed: int) -> Iterator[Change]:
    kept = (*kept_spans(sentence, "en"), *fixed_phrases(sentence))
    lowered = sentence.lower()
    for found in _pattern().finditer(sentence):
        word = found[0].lower()
        other = opposites()[word]
        is_there = re.search(rf"\b{re.escape(other)}\b", lowered)
        if is_kept(found.start(), found.end(), kept) or is_there or found[0].isupper():
            continue
        if _FROM_TO.match(sentence, found.end()) or (word in _WITH_OBJECT and not _has_object(sentence, found)):
            continue
        start, after = _with_article(sentence, found.start(), in_case_of(other, found[0]))
        yield Change(start, found.end(), after, _others(word, other, said, seed))


def _has_object(sentence: str, found: re.Match[str]) -> bool:
    """Whether a verb has an object, behind it or as its subject."""
    return bool(_OBJECT.match(sentence, found.end()) or _PASSIVE.search(sentence[: found.start()]))


def _with_article(sentence: str, start: int, after: str) -> tuple[int, str]:
    """Where the change begins and what comes in: with "a" or "an" before it where that has to change."""
    article = _A_BEFORE.search(sentence, 0, start)
    if article is None:
        return start, after
    fitting = "an" if after[0] in _VOWELS else "a"
    if article["article"].lower() == fitting:
        return start, after
    return article.start(), f"{in_case_of(fitting, article['article'])} {after}"


def _others(word: str, other: str, said: str, seed: int) -> tuple[str, ...]:
    """Three words of the same form that the source does not have; empty where there are fewer."""
    alike = _alike(sorts(), word)
    return pick_others([one for one in alike if one not in {word, other}], said, derive_seed(seed, word))


def _alike(by_word: Mapping[str, str], word: str) -> Sequence[str]:
    return [one for one, sort in sorted(by_word.items()) if sort == by_word.get(word)]
