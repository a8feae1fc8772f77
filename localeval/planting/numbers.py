"""Wrong counts, amounts, percentages and ordinals."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from localeval.evidence.quantities import Day, Quantity
from localeval.planting.letters import begins_with_vowel
from localeval.planting.numerals import further_variants, number_variants
from localeval.planting.schemas import Edit
from localeval.planting.spots import Material, Sentence, Spot, quantity_edit, spots, word_before

_YEAR = re.compile(r"(?:1[0-9]|20)[0-9]{2}")
_DECADE = re.compile(r"[0-9]{2,4}(?:'?s|-?е|-?х|-?ые|-?ых)|[0-9]{2,4}年代", re.IGNORECASE)
_TO_DAY = re.compile(r"\s?(?:-|–|—|to|and|or|through|по|на|до|и|или|到|至|和)\s?|, ")
_SET_PHRASE = re.compile(r"[ -](?:ways?|sided|fold|faced)\b", re.IGNORECASE)
_CENTURY = re.compile(r"[ -]?(?:centur|век|世纪)", re.IGNORECASE)
_A_FIFTH_MORE, _HALF_MORE = Fraction(6, 5), Fraction(3, 2)
_CLOSE = 5
_FAR = 60
_LAST_HOUR = 23
_AT = frozenset({"в", "на", "к", "до", "с"})
_PERCENT = 100


def wrong_numbers(material: Material) -> Iterator[Edit]:
    """One edit for each number that another can stand for: of the same shape and of like size, false, readable."""
    for sentence, quantity, spot in spots(material):
        if not isinstance(quantity.value, Fraction) or quantity.value <= 0 or not _is_count(sentence, quantity):
            continue
        found = quantity_edit(
            material,
            "number",
            spot,
            number_variants(spot.before),
            _fitness(material, sentence, quantity, spot),
            (*number_variants(spot.before), *further_variants(spot.before)),
            _is_further(quantity),
        )
        if found:
            yield found


def _is_further(quantity: Quantity) -> Callable[[Quantity], bool]:
    """Whether another number is an answer besides: the same unit, another value."""
    return lambda read: (
        (read.unit, read.is_ordinal) == (quantity.unit, quantity.is_ordinal) and read.value != quantity.value
    )


def _is_count(sentence: Sentence, quantity: Quantity) -> bool:
    """Whether a number counts or measures: no year, no decade, no day of a month, no share in words."""
    written = quantity.text.strip()
    if _DECADE.fullmatch(written) or is_bare_year(quantity) or is_day_number(sentence, quantity):
        return False
    is_phrase = _SET_PHRASE.match(sentence.text, quantity.end) is not None
    return not is_phrase and not (quantity.value == 1 and quantity.unit != "percent")


def is_bare_year(quantity: Quantity) -> bool:
    """Whether four digits alone are read as a year."""
    return _YEAR.fullmatch(quantity.text) is not None and quantity.unit is None


def is_day_number(sentence: Sentence, quantity: Quantity) -> bool:
    """Whether a number is the day of a date: the 6 of "6 to 15 October", 二十二号."""
    if quantity.is_ordinal and quantity.text.endswith(("号", "日")):
        return True
    following = next((each for each in sentence.quantities if each.start >= quantity.end), None)
    if following is None or not isinstance(following.value, Day) or following.value.day is None:
        return False
    is_date = not following.text[:1].isalpha() or following.value.weekday is None
    between = sentence.text[quantity.end : following.start]
    return quantity.unit is None and is_date and _TO_DAY.fullmatch(between) is not None


def is_hour_of_day(sentence: Sentence, quantity: Quantity) -> bool:
    """Whether Russian hours may be a time of day: "в 16 часов"."""
    is_early = isinstance(quantity.value, Fraction) and quantity.value <= _LAST_HOUR + 1
    return quantity.unit == "hour" and is_early and word_before(sentence, quantity.start) in _AT


def _fitness(material: Material, sentence: Sentence, quantity: Quantity, spot: Spot) -> Callable[[Quantity], bool]:
    """Whether another number is as the first: same unit, alike in size, agreeing, in the same order with its like."""
    assert isinstance(quantity.value, Fraction)
    value = quantity.value
    others = [
        each.value
        for each in sentence.quantities
        if each is not quantity and isinstance(each.value, Fraction) and each.unit == quantity.unit
        and abs(each.start - quantity.start) <= _FAR
    ]  # fmt: skip
    before = word_before(sentence, spot.start)
    has_article = material.language == "en" and before in {"a", "an"}
    is_o_clock = is_hour_of_day(sentence, quantity)
    most = _most_times(sentence, quantity)

    def is_fit(read: Quantity) -> bool:
        if not isinstance(read.value, Fraction) or read.unit != quantity.unit or read.is_ordinal != quantity.is_ordinal:
            return False
        if read.value == value or not value / most <= read.value <= most * value:
            return False
        if quantity.unit == "percent" and value <= _PERCENT < read.value:
            return False
        if is_o_clock and read.value > _LAST_HOUR:
            return False
        if has_article and begins_with_vowel(read.text) != begins_with_vowel(quantity.text):
            return False
        keeps_order = all(
            other != read.value and (other < value) == (other < read.value) for other in others if other != value
        )
        return keeps_order and (quantity.is_ordinal or _agrees(material, read.value, value))

    return is_fit


def _most_times(sentence: Sentence, quantity: Quantity) -> Fraction:
    """How many times as large a value may become, or as small: little where it is one of a pair, or a century."""
    if _CENTURY.match(sentence.text, quantity.end):
        return _A_FIFTH_MORE
    others = [each for each in sentence.quantities if each is not quantity]
    is_paired = any(0 <= max(each.start - quantity.end, quantity.start - each.end) <= _CLOSE for each in others)
    return _HALF_MORE if is_paired else Fraction(4)


def _agrees(material: Material, new: Fraction, old: Fraction) -> bool:
    """Whether the noun after the number can stay as it is."""
    if material.language == "zh":
        return True
    if material.language == "en":
        return (new == 1) == (old == 1)
    if old.denominator > 1:
        return new.denominator > 1
    return new.denominator == 1 and _russian_class(int(new)) == _russian_class(int(old))


def _russian_class(value: int) -> int:
    if 11 <= value % 100 <= 14 or value % 10 == 0 or value % 10 > 4:
        return 5
    return min(value % 10, 2)
