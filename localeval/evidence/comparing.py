"""Whether a quantity that a claim names is one that the source names."""

from fractions import Fraction

from localeval.evidence.measure import Clock, Day, Match, Quantity, Value, is_whole
from localeval.evidence.units import dimension, in_base

_NEAR = Fraction(1, 20)
_RANK: dict[Match, int] = {"absent": 0, "near": 1, "exact": 2}
_PARTLY = {"celsius", "fahrenheit"}


def compare(claimed: Quantity, said: Quantity) -> Match:
    """How a claim's quantity stands to one of the source; the best over all ways to read the two.

    exact: the same value, in the same unit or in another of the same dimension (1 hour, 60 minutes); a claim without
    a unit is met by the number in any unit; a date or year that claims no more than was said.
    near: the same value in another unit, or in none where the claim has one (whether "500" was dollars is for a
    reader to say); a value within 5 %; one figure wrong, two exchanged, a power of ten off; a date with the same day
    or the same month, or that claims more than was said; a time with the same hour or the same minute.
    """
    best: Match = "absent"
    for wanted in claimed.readings:
        for given in said.readings:
            match = _compare(wanted, given, is_ordinal=claimed.is_ordinal)
            if match == "exact":
                return match
            best = max(best, match, key=_RANK.__getitem__)
    return best


def _compare(wanted: tuple[Value, str | None], given: tuple[Value, str | None], *, is_ordinal: bool) -> Match:
    """One reading against another."""
    (claimed, claimed_unit), (said, said_unit) = wanted, given
    if isinstance(claimed, Fraction) and isinstance(said, Fraction):
        return _numbers(claimed, claimed_unit, said, said_unit)
    if isinstance(claimed, Day) and isinstance(said, Day):
        return _days(claimed, said)
    if isinstance(claimed, Clock) and isinstance(said, Clock):
        return _clocks(claimed, said)
    if isinstance(claimed, Day) and isinstance(said, Fraction):
        return _day_number(claimed, said, said_unit)
    if isinstance(claimed, Fraction) and isinstance(said, Day):
        return _number_day(claimed, claimed_unit, said, is_ordinal=is_ordinal)
    if isinstance(claimed, Clock) and isinstance(said, Fraction):
        return _hour(claimed, said, said_unit)
    if isinstance(claimed, Fraction) and isinstance(said, Clock):
        return _hour(said, claimed, claimed_unit)
    return "absent"


def _numbers(claimed: Fraction, claimed_unit: str | None, said: Fraction, said_unit: str | None) -> Match:
    """Two numbers with their units."""
    if claimed == said and (claimed_unit is None or claimed_unit == said_unit):
        return "exact"
    if claimed_unit is not None and said_unit is not None:
        ours, theirs = _scaled(claimed, claimed_unit, said, said_unit)
        if ours is not None:
            return "exact" if ours == theirs else _close(ours, theirs, claimed, said, is_same=claimed_unit == said_unit)
        return "near" if claimed == said else "absent"
    share, other = (claimed, said) if claimed_unit in {"percent", "permille"} else (said, claimed)
    if "percent" in {claimed_unit, said_unit} and 0 < other < 1 and share == other * 100:
        return "exact"
    if claimed == said:
        return "near"
    return _close(claimed, said, claimed, said, is_same=False)


def _scaled(claimed: Fraction, claimed_unit: str, said: Fraction, said_unit: str) -> tuple[Fraction | None, Fraction]:
    """Both values in one unit, or None first where there is no such unit."""
    if claimed_unit == said_unit or {claimed_unit, said_unit} in ({"degree", unit} for unit in _PARTLY):
        return claimed, said
    if dimension(claimed_unit) != dimension(said_unit):
        return None, said
    return in_base(claimed, claimed_unit), in_base(said, said_unit)


def _close(ours: Fraction, theirs: Fraction, claimed: Fraction, said: Fraction, *, is_same: bool) -> Match:
    """Two different values: near where one can be a slip or a rounding of the other."""
    if ours == -theirs:
        return "near"
    is_year = _is_year(claimed) and _is_year(said) and ours == claimed and not is_same
    if not is_year and abs(ours - theirs) <= _NEAR * max(abs(ours), abs(theirs)):
        return "near"
    return "near" if _is_slip(claimed, said, is_same=is_same) else "absent"


def _is_year(value: Fraction) -> bool:
    """Whether a number can be a year."""
    return is_whole(value, 1000, 2100)


def _is_slip(claimed: Fraction, said: Fraction, *, is_same: bool) -> bool:
    """Whether the figures differ as by a slip: one is wrong, they are permuted, or noughts are missing.

    Of single figures every one is like every other: there only the same unit makes the two alike.
    """
    ours, theirs = _figures(claimed), _figures(said)
    if not ours or not theirs:
        return False
    if ours == theirs:
        return len(ours) > 1 or is_same or max(claimed, said) / min(claimed, said) >= 1000
    if claimed.denominator == 1 and said.denominator == 1:
        ours, theirs = str(abs(int(claimed))), str(abs(int(said)))
    if len(ours) != len(theirs):
        return False
    if len(ours) == 1:
        return is_same
    return sorted(ours) == sorted(theirs) or sum(one != other for one, other in zip(ours, theirs, strict=True)) == 1


def _figures(value: Fraction) -> str:
    """The figures of a decimal number without noughts at either end; nothing for 0 and for what is no such number."""
    for places in range(7):
        scaled = abs(value) * 10**places
        if scaled.denominator == 1:
            return str(scaled.numerator).strip("0")
    return ""


def _days(claimed: Day, said: Day) -> Match:
    """Two dates, as far as each was given."""
    if claimed.weekday is not None and said.weekday is not None and claimed.weekday != said.weekday:
        return "near" if _shared(claimed, said) else "absent"
    parts = [(ours, theirs) for ours, theirs in zip(claimed[:3], said[:3], strict=True) if ours is not None]
    is_weekday_said = claimed.weekday is None or claimed.weekday in {said.weekday, _weekday(said)}
    if is_weekday_said and all(ours == theirs for ours, theirs in parts):
        return "exact"
    if _shared(claimed, said):
        return "near"
    is_year = claimed.year is not None and said.year is not None and claimed.month is None and said.month is None
    return (
        "near"
        if is_year and _is_slip(Fraction(claimed.year or 0), Fraction(said.year or 0), is_same=True)
        else "absent"
    )


def _weekday(day: Day) -> int | None:
    """The weekday of a whole date, None where it is not whole or there is no such day."""
    if day.year is None or day.month is None or day.day is None:
        return None
    shifts = (0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4)
    year = day.year - (day.month < 3)
    return (year + year // 4 - year // 100 + year // 400 + shifts[day.month - 1] + day.day - 1) % 7


def _shared(claimed: Day, said: Day) -> bool:
    """Whether two dates share a day or a month, or claim more than the weekday or year that was said."""
    if any(
        ours is not None and ours == theirs for ours, theirs in ((claimed.month, said.month), (claimed.day, said.day))
    ):
        return True
    is_more = said.month is None and said.day is None
    same_year = claimed.year is not None and claimed.year == said.year
    same_weekday = claimed.weekday is not None and claimed.weekday == said.weekday
    return (is_more and (same_year or same_weekday)) or (same_weekday and claimed.month is None)


def _clocks(claimed: Clock, said: Clock) -> Match:
    """Two times of day."""
    if claimed == said:
        return "exact"
    is_like = claimed.hour == said.hour or (claimed.minute == said.minute and claimed.minute != 0)
    return "near" if is_like else "absent"


def _day_number(claimed: Day, said: Fraction, unit: str | None) -> Match:
    """A date that is claimed, a number that was said: only a bare year is all there."""
    if unit is not None:
        return "absent"
    if claimed.month is None and claimed.day is None and claimed.year is not None and claimed.weekday is None:
        if claimed.year == said:
            return "exact"
        return "near" if _is_year(said) and _is_slip(Fraction(claimed.year), said, is_same=True) else "absent"
    return "near" if said in {claimed.day, claimed.year} else "absent"


def _number_day(claimed: Fraction, unit: str | None, said: Day, *, is_ordinal: bool) -> Match:
    """A number that is claimed, a date that was said: exact for its year, and for its day as "the 14th"."""
    if unit is not None:
        return "absent"
    if claimed == said.year or (claimed == said.day and is_ordinal):
        return "exact"
    return "near" if claimed == said.day else "absent"


def _hour(clock: Clock, number: Fraction, unit: str | None) -> Match:
    """A time and a number: "14:00" and "в 14 часов"."""
    if unit not in {"hour", None} or number != clock.hour:
        return "absent"
    return "exact" if clock.minute == 0 and unit == "hour" else "near"
