"""What comes first and what follows, cause and effect: exchanged."""

import re
from collections.abc import Iterator

from localeval.planting.changes import Change
from localeval.texts import Language

_EVENT = (
    r"(?:the|a|an|his|her|their|its|that|this)\s+\w+|\w+ing\b|lunch|dinner|breakfast|noon|midnight|christmas|easter"
)
_DATE = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|\d{1,2}(?:st|nd|rd|th)?\s+(?:january|february|march|april|may|june|july|august|september|october|november|december)|\d{1,2}:\d{2})"
_TIME_WORD = re.compile(
    rf"\b(?P<word>before|after)(?=\s+(?:{_EVENT}|{_DATE}|(?:he|she|they|it|we)\s+\w+|[A-Z]\w+\s+(?:has|had|is|was|\w+s|\w+ed)\b))",
    re.I,
)
_NOT_TIME = re.compile(
    r"\b(?:look(?:s|ed|ing)?|named?|soon|long|day|year|week|month|shortly|one|time|just|right|only|immediately|minutes?|hours?|days?|weeks?|months?|years?|not|until)\s+$"
    r"|\d\s+$",
    re.I,
)
_PLACE = re.compile(r"\s+the\s+(?:committee|court|board|house|council|jury|judge|others?|door|fact)\b", re.I)
_BECAUSE = re.compile(r",?\s+because\s+(?!of\b)")
_SO = re.compile(r",\s+so\s+(?=(?:the|a|an|he|she|they|it|we|this|these|his|her|their|its|[A-Z]\w+)\b)")


def swapped(sentence: str, language: Language) -> Iterator[Change]:
    """Each pair of events whose order in time, or as cause and effect, is turned around within one sentence."""
    if language == "en":
        yield from _english(sentence)


def _english(sentence: str) -> Iterator[Change]:
    if "?" in sentence:
        return
    for found in _TIME_WORD.finditer(sentence):
        if not _NOT_TIME.search(sentence[: found.start()]) and not _PLACE.match(sentence, found.end()):
            after = {"before": "after", "after": "before", "Before": "After", "After": "Before"}.get(found["word"])
            if after:
                yield Change(found.start(), found.end(), after)
    if not re.search(
        r"\bnot\b|n['’]t\b|\bmainly\b|\bpartly\b|\bonly\b|\bsimply\b|\bjust\b", sentence[: _at(_BECAUSE, sentence)]
    ):
        for found in _BECAUSE.finditer(sentence):
            yield Change(found.start(), found.end(), ", so ")
    for found in _SO.finditer(sentence):
        yield Change(found.start(), found.end(), " because ")


def _at(pattern: re.Pattern[str], sentence: str) -> int:
    found = pattern.search(sentence)
    return found.start() if found else 0
