"""What one number of a range says for the other: "5 to 7 million", "$5-7", "от 5 до 7 минут"."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from localeval.evidence.measure import Found
from localeval.evidence.units import dimension, in_base, is_currency

_RANGE = re.compile(r"\s?(?:[-–~…]|\.\.\.?|to|through|or|до|или|либо|到|至|或|by|на|x|×|х)\s?|, ?(?:or |или )?")
_BETWEEN = re.compile(r"\s(?:and|и)\s|和|与")


_AND = re.compile(r",?\s(?:and\s|и\s)?|")


def compounds(level: str, found: list[Found]) -> Iterator[Found]:
    """Weakly, what two quantities make together: "two hours and 15 minutes", "twelve euros and fifty cents"."""
    for first, second in pairwise(found):
        ours, theirs = first.value, second.value
        if not isinstance(ours, Fraction) or not isinstance(theirs, Fraction) or not first.unit or not second.unit:
            continue
        if (
            first.is_weak
            or not 0 <= second.start - first.end <= 6
            or not _AND.fullmatch(level[first.end : second.start])
        ):
            continue
        smaller = "eurocent" if first.unit == "eur" and second.unit == "cent" else second.unit
        if dimension(first.unit) == dimension(smaller) and dimension(smaller) != "temperature":
            whole = in_base(Fraction(1), first.unit)
            more = in_base(theirs, smaller) / whole
            if 0 < more < 1 and in_base(Fraction(1), smaller) < whole:
                yield Found(first.start, second.end, ours + more, first.unit, is_weak=True)


def joined(level: str, found: list[Found]) -> list[Found]:
    """The quantities of a levelled text, in order, where the numbers of a range share their unit and their scale."""
    result = list(found)
    for here in range(len(result) - 2, -1, -1):
        first, second = result[here], result[here + 1]
        ours, theirs = first.value, second.value
        if not isinstance(ours, Fraction) or not isinstance(theirs, Fraction):
            continue
        if not _is_range(level, first, second, ours, theirs):
            continue
        if first.unit is None and second.unit is not None:
            same = tuple((ours, unit) for value, unit in second.others if value == theirs and unit is not None)
            first = first._replace(unit=second.unit, others=(*first.others, *same), is_weak=False)
        elif second.unit is None and is_currency(first.unit) and "," not in level[first.end : second.start]:
            result[here + 1] = second._replace(unit=first.unit)
        if first.scale == 1 < second.scale and ours < 1000 and ours * second.scale < theirs:
            first = first._replace(value=ours * second.scale, others=((ours, first.unit),))
        result[here] = first
    return result


def _is_range(level: str, first: Found, second: Found, ours: Fraction, theirs: Fraction) -> bool:
    """Whether two numbers are the two ends of a range, or one alternative to the other."""
    if first.is_ordinal or second.is_ordinal or not 0 <= second.start - first.end <= 8:
        return False
    between = level[first.end : second.start]
    if _RANGE.fullmatch(between):
        return "," not in between or (ours + 1 == theirs and ours < 20)
    before = level[max(0, first.start - 9) : first.start]
    return bool(_BETWEEN.fullmatch(between)) and ("between" in before or "между" in before)
