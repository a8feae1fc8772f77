"""What one number of a range says for the other: "5 to 7 million", "$5-7", "от 5 до 7 минут"."""

import re
from fractions import Fraction

from localeval.evidence.measure import Found
from localeval.evidence.units import is_currency

_RANGE = re.compile(r"\s?(?:[-–~…]|\.\.\.?|to|through|or|до|или|либо|到|至|或|by|на|x|×|х)\s?|, ?(?:or |или )?")
_BETWEEN = re.compile(r"\s(?:and|и)\s|和|与")


def joined(level: str, found: list[Found]) -> list[Found]:
    """The quantities of a levelled text, in order, where the numbers of a range share their unit and their scale."""
    result = list(found)
    for here in range(len(result) - 2, -1, -1):
        first, second = result[here], result[here + 1]
        if not _is_range(level, first, second):
            continue
        assert isinstance(first.value, Fraction) and isinstance(second.value, Fraction)
        if first.unit is None and second.unit is not None:
            result[here] = first = first._replace(
                unit=second.unit, others=(*first.others, *_same(first, second)), is_weak=False
            )
        elif second.unit is None and is_currency(first.unit) and "," not in level[first.end : second.start]:
            result[here + 1] = second._replace(unit=first.unit)
        if first.scale == 1 < second.scale and first.value < 1000 and first.value * second.scale < second.value:
            result[here] = first._replace(value=first.value * second.scale, others=((first.value, first.unit),))
    return result


def _same(first: Found, second: Found) -> tuple[tuple[Fraction, str | None], ...]:
    """The first number in the other units that the second may have ("5 to 7 pounds")."""
    assert isinstance(first.value, Fraction)
    return tuple((first.value, unit) for value, unit in second.others if value == second.value and unit is not None)


def _is_range(level: str, first: Found, second: Found) -> bool:
    """Whether two quantities are the two ends of a range, or one alternative to the other."""
    if not (isinstance(first.value, Fraction) and isinstance(second.value, Fraction)):
        return False
    if first.is_ordinal or second.is_ordinal or not 0 <= second.start - first.end <= 8:
        return False
    between = level[first.end : second.start]
    if _RANGE.fullmatch(between):
        return "," not in between or (first.value + 1 == second.value and first.value < 20)
    before = level[max(0, first.start - 9) : first.start]
    return (bool(_BETWEEN.fullmatch(between)) and "between" in before) or (
        "между" in before and bool(_BETWEEN.fullmatch(between))
    )
