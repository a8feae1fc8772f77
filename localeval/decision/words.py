"""How numbers stand in the sentences of a decision."""

import math
from collections.abc import Iterable

from localeval.decision.measures import KINDS, MeasureName, Value
from localeval.decision.rules import interval_text, number_text

_NAMES: dict[MeasureName, str] = {
    "cap_f1": "CapF1",
    "cap_p": "CapP",
    "cap_r": "CapR",
    "cost_per_1000": "cost",
    "fabrication_rate": "the rate of fabrications",
    "disputed": "disputed claims",
    "missing": "missing texts",
}


def name_of(measure: MeasureName) -> str:
    """A measure in a sentence."""
    return _NAMES.get(measure, measure)


def amount(measure: MeasureName, value: Value, currency: str = "") -> str:
    """A value in words, with its interval where it has one: "consensus 81.2 [70 to 90]"."""
    if value.value is None:
        return f"{name_of(measure)} not known ({value.reason})"
    kind = KINDS[measure]
    number = number_text(value.value * kind.scale)
    if measure == "cost_per_1000" and currency:
        number += f" {currency}"
    if value.low is not None and value.high is not None:
        number += f" [{interval_text(value.low * kind.scale, value.high * kind.scale)}]"
    return kind.words.format(number)


def plain(measure: MeasureName, value: float | None) -> str:
    """The number alone, in the unit of rules."""
    return "not known" if value is None else number_text(value * KINDS[measure].scale)


def against(measure: MeasureName, mine: float | None, theirs: float | None) -> str:
    """ "82.1 against 82": two values with digits enough to see that they differ."""
    if mine is None or theirs is None or mine == theirs:
        return f"{plain(measure, mine)} against {plain(measure, theirs)}"
    scale = KINDS[measure].scale
    pairs = ((number_text(mine * scale, digits), number_text(theirs * scale, digits)) for digits in range(3, 10))
    first, second = next((pair for pair in pairs if pair[0] != pair[1]), (repr(mine * scale), repr(theirs * scale)))
    return f"{first} against {second}"


def difference_text(value: float, low: float, high: float) -> str:
    """A difference with its sign and interval, all to the decimals that the interval's width deserves."""
    width = high - low
    decimals = min(6, max(1, 1 - math.floor(math.log10(width)))) if width > 0 else 3
    first, second, third = (f"{round(each, decimals) + 0.0:.{decimals}f}" for each in (value, low, high))
    return f"{'+' if float(first) > 0 else ''}{first} [{second} to {third}]"


def p_words(p_value: float) -> str:
    """ "p = 0.032", "p < 0.001"."""
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def joined(names: Iterable[str]) -> str:
    """ "a, b and c"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def counted(n: int, what: str) -> str:
    """ "1 source", "2 sources"."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
