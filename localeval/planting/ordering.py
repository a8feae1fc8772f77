"""What comes first and what follows, cause and effect: exchanged within one sentence or between two."""

import re
from collections.abc import Iterator
from itertools import pairwise

from localeval.planting.changes import Change, is_kept, kept_spans
from localeval.planting.order_words import (
    CAUSES,
    FIRST,
    NOT_TIME,
    PAIRS,
    POINTS_BACK,
    THEN,
    TIMES,
    TURNED,
    WEAK_BECAUSE,
)
from localeval.planting.schemas import Edit, Trusted
from localeval.texts import Language

_LEAST_WORDS = 2


def swapped(sentence: str, language: Language) -> Iterator[Change]:
    """Each pair of events whose order in time, or as cause and effect, is turned around within one sentence."""
    if "?" in sentence or "？" in sentence:
        return
    yield from _times(sentence, language)
    yield from _causes(sentence, language)
    yield from _pairs(sentence, language)


def swapped_sentences(trusted: Trusted) -> Iterator[Edit]:
    """Two sentences of which the second says that it came later ("Then ..."), one in the other's place."""
    text, language, segments = trusted.candidate.text, trusted.source.language, trusted.candidate.segments
    for first, second in pairwise(segments):
        gap, follower = text[first.end : second.start], trusted.candidate.words_of(second)
        then = THEN[language].match(follower)
        if then is None or "\n" in gap:
            continue
        later = follower[then.end() :]
        opener = FIRST[language].match(trusted.candidate.words_of(first))
        earlier = trusted.candidate.words_of(first)[opener.end() if opener else 0 :]
        if THEN[language].match(earlier) or POINTS_BACK.search(later[:30]) or "?" in earlier:
            continue
        after = _capital(later) + gap + then[0] + _small(earlier, language)
        yield Edit("swapped order", second.number, first.start, second.end, text[first.start : second.end], after)


def _times(sentence: str, language: Language) -> Iterator[Change]:
    """ "before" as "after", and the other way round, where an event or a time follows."""
    for pattern in TIMES[language]:
        for found in pattern.finditer(sentence):
            word = found["word"]
            if language != "en" or not NOT_TIME.search(sentence[: found.start("word")]):
                turned = TURNED[" ".join(word.lower().replace(",", "").split())]
                yield Change(found.start("word"), found.end("word"), _capital(turned) if word[0].isupper() else turned)


def _causes(sentence: str, language: Language) -> Iterator[Change]:
    """ "because" as "so", and the other way round, where the sentence has one of them."""
    found = [(match, swap.after) for swap in CAUSES[language] for match in swap.pattern.finditer(sentence)]
    if len(found) != 1 or (language == "en" and WEAK_BECAUSE.search(sentence[: found[0][0].start()])):
        return
    match, after = found[0]
    if language == "en" and len(sentence[: match.start()].split()) < _LEAST_WORDS:
        return  # "But because he was late, ..."
    yield Change(match.start(), match.end(), after)


def _pairs(sentence: str, language: Language) -> Iterator[Change]:
    """ "moves from Tuesday to Friday", "first the roof, then the stairs": one in the place of the other."""
    for pattern in PAIRS[language]:
        for found in pattern.finditer(sentence):
            one, two, middle = found["one"], found["two"], sentence[found.end("one") : found.start("two")]
            if not POINTS_BACK.search(two) and one != two:
                yield Change(found.start("one"), found.end("two"), two + middle + one)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(sentence: str, language: Language) -> str:
    """A sentence as it goes on behind a word: its capital stays where a name begins it."""
    is_name = is_kept(0, 1, kept_spans(sentence, language)) or re.match(r"I\b|[A-Z]{2}|[A-Z]\w*['’]s\b", sentence)
    return sentence if is_name else sentence[:1].lower() + sentence[1:]
