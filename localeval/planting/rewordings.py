"""What may be said in other words without saying anything else."""

import re
from collections.abc import Sequence
from functools import lru_cache

from localeval.evidence.wordlists import in_order
from localeval.planting.changes import Change, in_case_of, is_kept, kept_spans
from localeval.texts import Language

_WORDS = {
    "instead of": "rather than",
    "in order to": "so as to",
    "due to": "because of",
    "owing to": "because of",
    "because of": "owing to",
    "approximately": "about",
    "such as": "for example",
    "therefore": "thus",
    "however": "nevertheless",
    "nevertheless": "however",
    "although": "even though",
    "though": "although",
    "whereas": "while",
    "in addition": "besides",
    "furthermore": "moreover",
    "moreover": "furthermore",
    "stated that": "said that",
    "believed that": "thought that",
    "thought that": "believed that",
    "proposed that": "suggested that",
    "suggested that": "proposed that",
    "purchased": "bought",
    "bought": "purchased",
    "purchase": "buy",
    "commence": "begin",
    "commenced": "began",
    "started to": "began to",
    "began to": "started to",
    "starts to": "begins to",
    "begins to": "starts to",
    "until": "till",
    "whole": "entire",
    "entire": "whole",
    "a year": "per year",
    "a month": "per month",
    "a week": "per week",
    "a day": "per day",
    "per year": "a year",
    "per month": "a month",
    "per week": "a week",
    "per day": "a day",
    "twice": "two times",
    "immediately": "at once",
    "frequently": "often",
    "often": "frequently",
    "big": "large",
    "quickly": "fast",
    "discussed": "talked about",
    "demonstrated": "showed",
    "assisted": "helped",
    "obtained": "got",
    "required": "needed",
    "allows": "lets",
    "receive": "get",
    "receives": "gets",
    "received": "got",
    "inform": "tell",
    "informed": "told",
    "informs": "tells",
    "currently": "at present",
    "at present": "currently",
    "afterwards": "later",
    "also": "too",
}
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_ONES = in_order(
    """
    two three four five six seven eight nine ten eleven twelve
    """
)
_FORMS: Sequence[tuple[re.Pattern[str], str]] = (
    (re.compile(rf"\b(?P<day>\d{{1,2}}) (?P<month>{_MONTHS})\b(?! ?\d|,? \d{{4}})"), r"\g<month> \g<day>"),
    (re.compile(rf"\b(?P<month>{_MONTHS}) (?P<day>\d{{1,2}})\b(?!\d|,|:| \d)"), r"\g<day> \g<month>"),
    (re.compile(r"(?<=\d)%"), " per cent"),
    (re.compile(r"(?<=\d) per ?cent\b"), "%"),
    (re.compile(r"£(?P<sum>\d+(?:,\d{3})*)(?![\d.,]*\d|\s*(?:million|billion|thousand|m|k|bn)\b)"), r"\g<sum> pounds"),
    (
        re.compile(r"(?<!US)\$(?P<sum>\d+(?:,\d{3})*)(?![\d.,]*\d|\s*(?:million|billion|thousand|m|k|bn)\b)"),
        r"\g<sum> dollars",
    ),
    (re.compile(r"\b(?P<verb>does|do|did|is|are|was|were|has|have|had|would|could|should) not\b"), r"\g<verb>n't"),
    (re.compile(r"\b(?P<verb>does|do|did|is|are|was|were|has|have|had|would|could|should)n['’]t\b"), r"\g<verb> not"),
    (re.compile(r"\bcannot\b"), "can't"),
    (re.compile(r"\bwill not\b"), "won't"),
)
_SPELT = re.compile(rf"\b(?P<word>{'|'.join(_ONES)})\b(?= [a-z]+s\b)", re.I)


def rewordings(text: str, language: Language) -> list[Change]:
    """Every change of a text that leaves its meaning as it is; some may overlap."""
    return _english(text) if language == "en" else []


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    words = sorted(_UNCONDITIONAL, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, words))})(?![\w'’-])", re.I)


_UNCONDITIONAL = {word: other for word, other in _WORDS.items() if word not in {"also", "such as", "quickly", "though"}}


def _english(text: str) -> list[Change]:
    kept = kept_spans(text, "en")
    words = [
        Change(found.start(), found.end(), in_case_of(_UNCONDITIONAL[found[0].lower()], found[0]))
        for found in _pattern().finditer(text)
        if not found[0].isupper() and not is_kept(found.start(), found.end(), kept)
    ]
    forms = [
        Change(found.start(), found.end(), found.expand(form))
        for pattern, form in _FORMS
        for found in pattern.finditer(text)
    ]
    spelt = [
        Change(found.start(), found.end(), str(_ONES.index(found["word"].lower()) + 2))
        for found in _SPELT.finditer(text)
        if not is_kept(found.start(), found.end(), kept)
    ]
    return [*words, *forms, *spelt]
