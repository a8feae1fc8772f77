"""The numbers, dates and times of a text in English, Russian or Chinese, and whether one of them is another.

Words are read in whatever script they stand, so a Russian text may hold "5 km" and "twenty"; the language decides
only what is ambiguous: the decimal comma and the order of "3/4/2024".
"""

import re

from localeval.evidence.chinese import chinese
from localeval.evidence.comparing import compare
from localeval.evidence.joining import compounds, joined
from localeval.evidence.measure import Clock, Day, Found, Match, Quantity, kind_of
from localeval.evidence.reading import found_in
from localeval.evidence.scanning import tokenise
from localeval.texts import Language

__all__ = ["Clock", "Day", "Match", "Quantity", "compare", "quantities"]

_HAN_NUMBER = re.compile("[零一二三四五六七八九十百千万亿两半壹贰叁肆伍陆柒捌玖拾佰仟年月日号点时周]")
_ABOUT = re.compile(
    r"(?:about|around|roughly|approximately|nearly|almost|some|circa|or so|approx\.?"
    r"|около|примерно|приблизительно|почти|порядка|где-то|大约|约|大概|将近|近|差不多|~|≈)\s?(?:an?\s|the\s)?[$€£¥₽]?$"
)
_ABOUT_AFTER = re.compile(r"\s?(?:左右|上下|or so\b|-ish\b|с лишним|с небольшим|plus\b|\+)")


def quantities(text: str, language: Language, *, loose: bool = False) -> tuple[Quantity, ...]:
    """All quantities of a text, by where they stand; none overlaps another unless `loose`.

    `loose` adds what is a number only with good will (`is_weak`): "one of them", the 4 of "GPT-4", "an hour" as one
    hour. Read a source so: these may excuse a claim. Read a claim without: they must not accuse it.
    """
    tokens = tokenise(text, language)
    found = list(chinese(tokens.text)) if _HAN_NUMBER.search(tokens.text) else []
    found += found_in(tokens)
    kept, over = _apart(found)
    kept = joined(tokens.text, kept)
    if loose:
        kept = sorted([*kept, *over, *compounds(tokens.text, kept)], key=lambda one: (one.start, one.end))
    return tuple(_quantity(text, tokens.text, one) for one in kept if loose or not one.is_weak)


def _apart(found: list[Found]) -> tuple[list[Found], list[Found]]:
    """The quantities that do not overlap, in order, and the weak ones that overlap one of them.

    Of two that overlap the stronger stays, then the longer, then the earlier.
    """
    kept: list[Found] = []
    over: list[Found] = []
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
        elif (kept[-1].is_weak, kept[-1].start - kept[-1].end) > (one.is_weak, one.start - one.end):
            over += [kept[-1]] if kept[-1].is_weak else []
            kept[-1] = one
        elif one.is_weak:
            over.append(one)
    return kept, over


def _quantity(text: str, level: str, found: Found) -> Quantity:
    """A quantity as it goes out."""
    is_about = bool(_ABOUT.search(level, max(0, found.start - 24), found.start) or _ABOUT_AFTER.match(level, found.end))
    return Quantity(
        start=found.start,
        end=found.end,
        text=text[found.start : found.end],
        kind=kind_of(found.value),
        value=found.value,
        unit=found.unit,
        is_approximate=is_about,
        is_ordinal=found.is_ordinal,
        is_weak=found.is_weak,
        others=found.others,
    )
