"""Wrong days, months, weekdays, years and times of day."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from localeval.evidence.folding import is_cyrillic
from localeval.evidence.quantities import Clock, Day, Quantity
from localeval.evidence.wordlists import in_order, listed
from localeval.planting.date_words import month_forms, weekday_forms
from localeval.planting.letters import begins_with_vowel
from localeval.planting.numbers import is_bare_year, is_day_number
from localeval.planting.numerals import ordinal_ending, word_variants
from localeval.planting.schemas import Edit
from localeval.planting.spots import Material, Sentence, quantity_edit, spots, word_before

_DIGITS = re.compile(r"[0-9]+")
_WORD = re.compile(r"[^\W\d_]+")
_ENDING = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_HAN_WEEKDAY = re.compile(r"(?<=星期|礼拜)[一二三四五六日天]|(?<=周)[一二三四五六日]")
_HAN_MONTH = re.compile(r"(十[一二]?|[一二三四五六七八九])(?=月)")
_HAN_DAY = re.compile(r"([二三]?十[一二三四五六七八九]?|[一二三四五六七八九])(?=[号日])")
_HAN_HOUR = re.compile(r"(十[一二]?|[一二两三四五六七八九])(?=[点时])")
_HAN_NUMBERS = in_order("""
    一 二 三 四 五 六 七 八 九 十 十一 十二 十三 十四 十五 十六 十七 十八 十九 二十 二十一 二十二 二十三 二十四 二十五
    二十六 二十七 二十八 二十九 三十 三十一
    """)
_NO_HOUR = re.compile(
    r"\b(?:1[3-9]|2[0-9])(?::[0-9]{2})?\s?[ap]\.?m|(?:thir|four|fif|six|seven|eigh|nine)teen|[а-я]{3,}надцат",
    re.IGNORECASE,
)
_HOURS_IN_WORDS = re.compile(r"одиннадцат|двенадцат", re.IGNORECASE)
_WEEK = 7
_LEAP = Day(None, 2, 29)
_MOST_YEARS = 6
_FAR_HOURS = 6
_PREPOSITIONS = listed("в во на до к ко с со по после от для перед и или")


def wrong_dates(material: Material) -> Iterator[Edit]:
    """One edit for each date or time of day that another can stand for, in the same form; every date is a real one."""
    for sentence, quantity, spot in spots(material):
        is_day = is_day_number(sentence, quantity) or is_bare_year(quantity)
        if quantity.kind == "number" and not is_day:
            continue
        variants = list(_variants(material, sentence, quantity))
        is_fit, is_further = _fitness(material, sentence, quantity), _further(quantity)
        found = quantity_edit(material, "date", spot, variants, is_fit, variants, is_further)
        if found:
            yield found


def _variants(material: Material, sentence: Sentence, quantity: Quantity) -> Iterator[str]:
    """A date's or time's text with one piece changed; may hold what is none."""
    text = quantity.text
    for run in _DIGITS.finditer(text):
        for other in _figures(run[0], is_minute=quantity.kind == "time" and text[run.start() - 1 : run.start()] == ":"):
            ending = _ENDING.match(text, run.end())
            rest = ordinal_ending(other) + text[ending.end() :] if ending else text[run.end() :]
            yield text[: run.start()] + other + rest
    before = word_before(sentence, quantity.start)
    is_after, has_adjective = before in _PREPOSITIONS, bool(before) and before not in _PREPOSITIONS
    for word in _WORD.finditer(text):
        forms = [
            *month_forms(word[0]),
            *weekday_forms(word[0], same_gender=has_adjective and is_cyrillic(word[0]), after_preposition=is_after),
        ]
        yield from (text[: word.start()] + other + text[word.end() :] for other in forms)
    for pattern, others in (
        (_HAN_WEEKDAY, list("一二三四五六日")),
        (_HAN_MONTH, _HAN_NUMBERS[:12]),
        (_HAN_DAY, _HAN_NUMBERS),
        (_HAN_HOUR, ["两" if each == "二" else each for each in _HAN_NUMBERS[:12]]),
    ):
        for found in pattern.finditer(text):
            yield from (text[: found.start()] + other + text[found.end() :] for other in others if other != found[0])
    if material.language != "zh":
        yield from word_variants(text)


def _figures(run: str, is_minute: bool) -> Iterator[str]:
    """Other digits of a day, month, hour, minute or year."""
    if is_minute:
        by = 5 if int(run) % 5 == 0 else 1
        yield from (f"{other:02}" for other in range(0, 60, by) if other != int(run))
    elif len(run) > 2:
        year = int(run)
        yield from (str(year + by) for by in range(-_MOST_YEARS, _MOST_YEARS + 1) if by and len(run) == 4)
    elif len(run) == 2 and run[0] == "0":
        yield from (f"0{other}" for other in range(1, 10) if str(other) != run[1])
    else:
        yield from (str(other) for other in range(1, 32) if str(other) != run)


def _fitness(material: Material, sentence: Sentence, quantity: Quantity) -> Callable[[Quantity], bool]:
    """Whether another date is as the first: says as much, keeps to its weekday, is not before what it follows."""
    others = [each.value for each in sentence.quantities if each is not quantity]
    has_article = material.language == "en" and word_before(sentence, quantity.start) in {"a", "an"}
    limit = _end_of_range(sentence, quantity)

    def is_fit(read: Quantity) -> bool:
        if read.value in others or (has_article and begins_with_vowel(read.text) != begins_with_vowel(quantity.text)):
            return False
        old, new = quantity.value, read.value
        if isinstance(old, Day) and isinstance(new, Day):
            return _is_like_day(old, new) and not read.others and new[:3] != _LEAP[:3]
        if isinstance(old, Clock) and isinstance(new, Clock):
            return _is_like_clock(old, new) and _NO_HOUR.search(_HOURS_IN_WORDS.sub("", read.text)) is None
        if isinstance(old, Fraction) and isinstance(new, Fraction):
            is_year = is_bare_year(quantity)
            return (
                old != new
                and read.is_ordinal == quantity.is_ordinal
                and (is_bare_year(read) if is_year else 1 <= new <= limit)
            )
        return False

    return is_fit


def _further(quantity: Quantity) -> Callable[[Quantity], bool]:
    """Whether another date says as much as the first and is a real one: another answer, whatever the weekday."""

    def is_further(read: Quantity) -> bool:
        old, new = quantity.value, read.value
        if not isinstance(old, Day) or not isinstance(new, Day):
            return type(old) is type(new) and old != new and _NO_HOUR.search(read.text) is None
        return old != new and not read.others and _say_as_much(old, new) and new[:3] != _LEAP[:3]

    return is_further


def _say_as_much(old: Day, new: Day) -> bool:
    return all((ours is None) == (theirs is None) for ours, theirs in zip(old, new, strict=True))


def _end_of_range(sentence: Sentence, quantity: Quantity) -> int:
    """The last day that the first of a range may be: before its other end."""
    following = next((each for each in sentence.quantities if each.start >= quantity.end), None)
    is_range = following is not None and is_day_number(sentence, quantity) and not quantity.is_ordinal
    if is_range and following is not None and isinstance(following.value, Day) and following.value.day:
        return following.value.day - 1
    return 31


def _is_like_day(old: Day, new: Day) -> bool:
    """Whether two dates say as much, differ, and go with the same weekday where it is named with a day."""
    if old == new or not _say_as_much(old, new):
        return False
    if old.weekday is None or old.day is None or new.day is None:
        return True
    return old[:2] == new[:2] and old.weekday == new.weekday and (old.day - new.day) % _WEEK == 0


def _is_like_clock(old: Clock, new: Clock) -> bool:
    """Whether two times differ by what nobody takes for a slip, and by no more than a few hours."""
    apart = abs(60 * (old.hour - new.hour) + old.minute - new.minute)
    return 10 <= apart <= 60 * _FAR_HOURS
