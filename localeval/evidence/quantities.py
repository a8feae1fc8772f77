"""The numbers, dates and times of a text in English, Russian or Chinese, and whether one of them is another.

Words are read in whatever script they stand, so a Russian text may hold "5 km" and "twenty"; the language decides
only what is ambiguous: the decimal comma and the order of "3/4/2024".
"""

import re
from collections.abc import Iterator

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
    kept = joined(tokens.text, list(_apart(found)))
    if loose:
        kept = sorted([*kept, *compounds(tokens.text, kept)], key=lambda one: (one.start, one.end))
    return tuple(_quantity(text, tokens.text, one) for one in kept if loose or not one.is_weak)


def _apart(found: list[Found]) -> Iterator[Found]:
    """The quantities that do not overlap: of two that do the longer one, or the earlier; weak ones always."""
    end = 0
    best: Found | None = None
    for one in sorted(found, key=lambda one: (one.start, -one.end)):
        if best is not None and one.start < end:
            if one.is_weak and not best.is_weak:
                yield one
            elif one.end - one.start > best.end - best.start or (best.is_weak and not one.is_weak):
                best, end = one, one.end
            continue
        if best is not None:
            yield best
        best, end = one, one.end
    if best is not None:
        yield best


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
