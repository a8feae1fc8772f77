"""What is read out of a text as a quantity: exact values, and where they stand."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, NamedTuple

Match = Literal["exact", "near", "absent"]
Kind = Literal["number", "date", "time"]


class Day(NamedTuple):
    """A date as far as it was said; what was not said is None. `weekday` counts from Monday, which is 0."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None


class Clock(NamedTuple):
    """A time of day: 0 to 23 hours, 0 to 59 minutes."""

    hour: int
    minute: int


Value = Fraction | Day | Clock


class Found(NamedTuple):
    """A quantity while it is being read: offsets, the likeliest value with its unit, and other ways to read it.

    `scale` is what the value was multiplied by ("5 million": 10**6). `is_weak`: evidence in a source, but too little
    to accuse a claim with ("one of them", the 4 of "GPT-4").
    """

    start: int
    end: int
    value: Value
    unit: str | None = None
    others: tuple[tuple[Value, str | None], ...] = ()
    is_ordinal: bool = False
    is_weak: bool = False
    scale: int = 1


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, a date or a time of day. `start` and `end` are offsets into the text given, end exclusive.

    `value` is exact, multipliers included; `unit` is canonical ("kg", "percent", "usd") or None. `others` are the
    further ways to read the same characters ("3/4/2024", "half past two", "5m"), each a value with its unit.
    `is_weak`: good enough as evidence in a source, but nothing to accuse a claim with.
    """

    start: int
    end: int
    text: str
    kind: Kind
    value: Value
    unit: str | None = None
    is_approximate: bool = False
    is_ordinal: bool = False
    is_weak: bool = False
    others: tuple[tuple[Value, str | None], ...] = ()

    @property
    def readings(self) -> tuple[tuple[Value, str | None], ...]:
        """Every way to read it, the likeliest first."""
        return ((self.value, self.unit), *self.others)


def is_whole(value: Fraction, low: int, high: int) -> bool:
    """Whether a value is a whole number from `low` to `high`, both included."""
    return value.denominator == 1 and low <= value.numerator <= high


def kind_of(value: Value) -> Kind:
    """Which kind a value is."""
    if isinstance(value, Day):
        return "date"
    return "time" if isinstance(value, Clock) else "number"
