"""Wrong units and currencies: the number stays, what it counts in does not."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from localeval.evidence.quantities import Quantity
from localeval.evidence.units import dimension, is_currency
from localeval.planting.changes import in_case_of
from localeval.planting.numbers import is_hour_of_day
from localeval.planting.schemas import Edit
from localeval.planting.spots import Material, quantity_edit, spots
from localeval.planting.unit_words import further_forms, is_feminine, unit_forms, written_units

_SHOWS_GENDER = re.compile(r"(?<![^\W_])(?:од(?:ин|на|но|ну|ного|ной)|дв[ае]|полтор[аы])(?![^\W_])", re.IGNORECASE)
_OTHER_GENDER = {"два": "две", "две": "два", "один": "одна", "одна": "один", "одну": "один", "одно": "одна",
                 "одного": "одной", "одной": "одного", "полтора": "полторы", "полторы": "полтора"}  # fmt: skip
_SIGNS = frozenset("$€£¥₹₽")
_CODES = frozenset({"usd", "eur", "gbp", "jpy", "chf"})
_NEAREST = 2
_AMBIGUOUS = frozenset({"m", "t", "l", "min", "pt", "г", "т", "л", "м", "ц", "ч", "m3", "两"})
"""Signs of one letter: taken out where they stand, but put in only as another answer."""


def wrong_units(material: Material) -> Iterator[Edit]:
    """One edit for each number with a unit that another of the same sort can stand for, in the same form."""
    for sentence, quantity, spot in spots(material):
        if not isinstance(quantity.value, Fraction) or quantity.unit is None or is_hour_of_day(sentence, quantity):
            continue
        if any(other != quantity.unit for _, other in quantity.others):
            continue  # "pounds" may be money or weight
        written = _written(quantity.text)
        if written is None:
            continue
        near, further = _near(quantity.text, *written), _further(quantity.text, *written)
        is_fit = _fitness(quantity)
        found = quantity_edit(material, "unit", spot, near, is_fit, further, is_further=is_fit)
        if found:
            yield found


def _written(text: str) -> tuple[int, int] | None:
    """Where a quantity's text has its unit; None where it has none that is known here."""
    folded = text.lower().replace("ё", "е") if len(text.lower()) == len(text) else text
    for unit in written_units():
        key = unit.replace("ё", "е")
        if (unit in _SIGNS or unit in _CODES) and folded.startswith(unit):
            return 0, len(unit)
        if folded.endswith(key):
            before = folded[: -len(key)]
            if before and (not before[-1].isalpha() or before[-1] > "\u2fff" or not key[0].isalpha()):
                return len(before), len(text)
    return None


def _near(text: str, start: int, end: int) -> list[str]:
    """A quantity's text with the unit next to its own in its place, and with the next but one."""
    unit = text[start:end].lower()
    forms = [other for other in unit_forms(unit) if other not in _AMBIGUOUS]
    if _SHOWS_GENDER.search(text[:start]):
        forms = [other for other in forms if is_feminine(other) == is_feminine(unit)]
    return [text[:start] + _as_written(text[start:end], other) + text[end:] for other in forms[:_NEAREST]]


def _further(text: str, start: int, end: int) -> Iterator[str]:
    """A quantity's text with any other unit in its place; where a Russian numeral shows gender, in the unit's."""
    unit = text[start:end].lower()
    shown = _SHOWS_GENDER.search(text[:start])
    for other in (*unit_forms(unit), *further_forms(unit)):
        number = text[:start]
        if shown and is_feminine(other) != is_feminine(unit):
            number = text[: shown.start()] + _OTHER_GENDER[shown[0].lower()] + text[shown.end() : start]
        yield number + _as_written(text[start:end], other) + text[end:]


def _as_written(unit: str, other: str) -> str:
    """A unit with the capitals of another: GB, MHz, kW."""
    if unit.isupper() and len(unit) > 1 and len(other) <= len(unit) + 1:
        return other.upper()
    is_inner = any(char.isupper() for char in unit[1:])
    if is_inner:
        return {"khz": "kHz", "mhz": "MHz", "ghz": "GHz", "hz": "Hz", "kw": "kW", "mw": "MW", "gw": "GW", "w": "W",
                "квт": "кВт", "мвт": "МВт", "гвт": "ГВт", "вт": "Вт"}.get(other, other)  # fmt: skip
    return in_case_of(other, unit)


def _fitness(quantity: Quantity) -> Callable[[Quantity], bool]:
    """Whether the number is the same and the unit another of the same sort."""
    assert quantity.unit is not None
    unit, value = quantity.unit, quantity.value

    def is_fit(read: Quantity) -> bool:
        if read.value != value or read.unit is None or read.unit == unit or read.is_ordinal != quantity.is_ordinal:
            return False
        return _is_same_sort(unit, read.unit)

    return is_fit


def _is_same_sort(one: str, other: str) -> bool:
    """Whether two units measure the same; all money is one sort, and all time."""
    time = {"time", "calendar"}
    ours, theirs = dimension(one), dimension(other)
    return ours == theirs or (is_currency(one) and is_currency(other)) or {ours, theirs} == time
