"""The words that say what came first and what followed, in English, Russian and Chinese."""

import re
from typing import NamedTuple

from localeval.texts import Language

_DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTHS_RU = "января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря"
_DATE = (
    rf"(?:(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})|{_DAYS}|{_MONTHS}|\d{{1,2}}:\d{{2}}"
    r"|the \d{1,2}(?:st|nd|rd|th)\b)"
)
_EVENT = (
    r"(?:(?:the|a|an|his|her|their|its)\s+(?:\w+\s+)?(?:meeting|session|break|talk|lecture|visit|test|discussion|vote"
    r"|presentation|hearing|election|war|accident|trial|interview|exam|concert|match|start|end|beginning|launch"
    r"|arrival|departure|death|attack|fight|crash|trip|flight|holidays?|inspection|repair|move)\b"
    r"|lunch|dinner|breakfast|noon|midnight|christmas|easter|\w{2,}ing\b(?!\s+(?:room|point))|work\b|school\b)"
)
_CLAUSE = (
    r"(?:(?:he|she|they|it|we)\s+[a-z]+|(?-i:[A-Z]\w+)\s+(?:has|had|have|is|was|\w+ed|leaves|arrives|goes|comes)\b"
    r"|the\s+\w+\s+(?:has|had|have|is|was|were|\w+ed)\b)"
)
_TIME_WORD = re.compile(rf"\b(?P<word>before|after)(?=\s+(?:{_DATE}|{_EVENT}|{_CLAUSE}))", re.I)
NOT_TIME = re.compile(
    r"(?:\b(?:look\w*|named?|soon|long|day|shortly|one|time|just|right|only|immediately|not|until|takes?|care|went"
    r"|(?:minute|hour|day|week|month|year)s?)|\d)\s+$",
    re.I,
)
_BECAUSE = re.compile(r",?\s+because\s+(?!of\b)")
WEAK_BECAUSE = re.compile(
    r"\b(?:never|mainly|partly|only|simply|just|largely|probably|perhaps|especially|merely|or|why|reason|that|is|was)\s*$"
    r"|n['’]t\b|\bnot\b"
)
_SO = re.compile(r",\s+so\s+(?=(?:the|a|an|he|she|they|it|we|this|these|his|her|their|its|[A-Z]\w+)\s+(?!that\b)\w+)")
_MOVES = re.compile(
    r"\b(?:mov|postpon|chang|switch|transferr|shift|reloc|brought forward|put back)\w*\s+(?:\w+\s+){0,4}?from\s+"
    rf"(?P<one>(?:{_DATE}|(?:{_DAYS})s?)(?: (?:morning|afternoon|evening)s?)?)\s+to\s+"
    rf"(?P<two>(?:{_DATE}|(?:{_DAYS})s?)(?: (?:morning|afternoon|evening)s?)?)",
    re.I,
)
_FIRST_THEN = re.compile(
    r"\b[Ff]irst,?\s+(?P<one>[^,.;:]{4,60}?),?\s+(?:and\s+)?then,?\s+(?P<two>[^,.;:]{4,60})(?=[.;,])"
)
POINTS_BACK = re.compile(
    r"\b(?:it|this|that|them|these|those|he|she|they|его|её|их|это|它|他|她|其)\b|[它他她其]", re.I
)

_RU_EVENTS = (
    r"(?:\w+(?:ния|ции|ства)|пуска|начала|окончания|обеда|ужина|завтрака|ремонта|концерта|встречи|поездки|праздника|праздников"
    rf"|выставки|экзамена|каникул|перерыва|урока|выборов|отпуска|\d{{1,2}}\s+(?:{_MONTHS_RU}))\b"
)
_RU_TIME = re.compile(rf"\b(?P<word>до|после)(?=\s+(?:\w+(?:ого|ой|его|ей|ых|их)\s+)?{_RU_EVENTS})", re.I)
_RU_WHEN = re.compile(r"\b(?P<word>после того,? как|перед тем,? как|до того,? как)\b", re.I)
_RU_BECAUSE = re.compile(r",\s+(?:потому что|так как|поскольку)\s+")
_RU_SO = re.compile(r",\s+(?:поэтому|и поэтому)\s+")
_RU_MOVING = r"\b(?:перен[её]с|перенос|сдвин|отлож)\w*\s+(?:\w+\s+){0,3}?с\s+"
_RU_MOVES = (
    re.compile(rf"{_RU_MOVING}(?P<one>\d{{1,2}})\s+на\s+(?P<two>\d{{1,2}})\s+(?:{_MONTHS_RU})", re.I),
    re.compile(
        rf"{_RU_MOVING}(?P<one>\d{{1,2}}\s+(?:{_MONTHS_RU}))\s+на\s+(?P<two>\d{{1,2}}\s+(?:{_MONTHS_RU}))", re.I
    ),
)
_RU_FIRST = re.compile(
    r"\b[Сс]начала\s+(?P<one>[^,.;:]{4,60}?),?\s+(?:а\s+)?(?:потом|затем)\s+(?P<two>[^,.;:]{3,60})(?=[.;,])"
)

_ZH_TIME = re.compile(r"(?<=[^，。；、\s在的这那此])(?P<word>之前|之后|以前|以后)(?![的，]?来)")
_ZH_BECAUSE = re.compile(r"，(?:因为|由于)(?!此)")
_ZH_SO = re.compile(r"，(?:所以|因此|因而)")
_ZH_FIRST = re.compile(r"先(?P<one>[^，。；先]{2,20})，?(?:再|然后|后)(?P<two>[^，。；再]{2,20})(?=[，。；])")
_ZH_MOVES = re.compile(
    r"从(?P<one>[^，。；从]{2,10}?)(?:改到|推迟到|提前到|挪到|移到)(?P<two>[^，。；]{2,10})(?=[，。；])"
)

THEN: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"(?:Then,?|Afterwards,?|After that,?|Later,|Later on,|Next,)\s+(?=[A-Za-z])"),
    "ru": re.compile(r"(?:Затем|Потом|После этого|Позже|Далее)\s+(?=\w)"),
    "zh": re.compile(r"(?:然后|随后|之后|接着|后来)，?"),
}
FIRST: dict[Language, re.Pattern[str]] = {
    "en": re.compile(r"(?:First|At first),?\s+(?=[A-Za-z])"),
    "ru": re.compile(r"(?:Сначала|Сперва)\s+(?=\w)"),
    "zh": re.compile(r"(?:首先|先)，?"),
}


class Swap(NamedTuple):
    """A connective, and the one that turns cause and effect around."""

    pattern: re.Pattern[str]
    after: str


CAUSES: dict[Language, tuple[Swap, ...]] = {
    "en": (Swap(_BECAUSE, ", so "), Swap(_SO, " because ")),
    "ru": (Swap(_RU_BECAUSE, ", поэтому "), Swap(_RU_SO, ", потому что ")),
    "zh": (Swap(_ZH_BECAUSE, "，所以"), Swap(_ZH_SO, "，因为")),
}
PAIRS: dict[Language, tuple[re.Pattern[str], ...]] = {
    "en": (_MOVES, _FIRST_THEN),
    "ru": (*_RU_MOVES, _RU_FIRST),
    "zh": (_ZH_MOVES, _ZH_FIRST),
}
TIMES: dict[Language, tuple[re.Pattern[str], ...]] = {
    "en": (_TIME_WORD,),
    "ru": (_RU_TIME, _RU_WHEN),
    "zh": (_ZH_TIME,),
}
TURNED = {
    "before": "after",
    "after": "before",
    "до": "после",
    "после": "до",
    "после того как": "перед тем, как",
    "перед тем как": "после того, как",
    "до того как": "после того, как",
    "之前": "之后",
    "之后": "之前",
    "以前": "以后",
    "以后": "以前",
}
"""What turns the order of two events around."""
