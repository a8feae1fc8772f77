"""What a system must fulfil: rules such as "fabrications <= 0", read once and held against values."""

import difflib
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, get_args

from localeval.decision.measures import KINDS, MeasureName, System, Value

Sign = Literal["<=", "<", ">=", ">", "=="]

_FORM = re.compile(r"\s*([A-Za-z_]\w*)\s*(<=|>=|==|<|>)\s*(-?\d+(?:\.\d+)?)\s*", re.ASCII)
_HOLDS: Mapping[Sign, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "<": operator.lt,
    ">=": operator.ge,
    ">": operator.gt,
    "==": operator.eq,
}
_FAILS: Mapping[Sign, str] = {"<=": ">", "<": ">=", ">=": "<", ">": "<=", "==": "is not"}
_DIGITS = 9
"""Shares times 100 are compared to so many decimals: 0.07 is 7 points, not 7.000000000000001."""


@dataclass(frozen=True, slots=True)
class Rule:
    """`measure` must stand so to `bound`, which is in the unit of rules: points, counts, money, seconds."""

    measure: MeasureName
    sign: Sign
    bound: float

    def __str__(self) -> str:
        return f"{self.measure} {self.sign} {self.bar}"

    @property
    def bar(self) -> str:
        """The bound, as exact as it was written."""
        whole = format(Decimal(repr(self.bound)), "f")
        return whole.removesuffix(".0")

    def holds(self, value: float) -> bool:
        """Whether a value, shares in [0, 1], fulfils the rule."""
        return _HOLDS[self.sign](round(value * KINDS[self.measure].scale, _DIGITS), self.bound)

    def excess(self, value: float) -> float:
        """How far a value that fails is from the bound, as a part of the bound (of 1 where that is less)."""
        return abs(value * KINDS[self.measure].scale - self.bound) / max(abs(self.bound), 1.0)

    def failure(self, value: float) -> str:
        """ "fabrications 2 > 0": the value in the rule's unit, with digits enough to see it."""
        shown = value * KINDS[self.measure].scale
        texts = (number_text(shown, digits) for digits in (3, 5, 7, 9, 12))
        told = next((text for text in texts if not _HOLDS[self.sign](float(text), self.bound)), repr(shown))
        return f"{self.measure} {told} {_FAILS[self.sign]} {self.bar}"

    def straddle(self, value: Value) -> str:
        """That the interval of a value that passes crosses the bar, or empty: what could be so by chance."""
        if value.low is None or value.high is None:
            return ""
        scale = KINDS[self.measure].scale
        low, high = value.low * scale, value.high * scale
        interval = f"({interval_text(low, high)})"
        if self.sign in ("<=", "<") and not self.holds(value.high):
            return f"{self.measure} could be above {self.bar} {interval}"
        if self.sign in (">=", ">") and not self.holds(value.low):
            return f"{self.measure} could be below {self.bar} {interval}"
        return ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one system stands to all rules. It passes where it fails none and nothing that a rule asks is unknown."""

    fails: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    excess: float = 0.0

    @property
    def passes(self) -> bool:
        """Whether the system may be recommended."""
        return not self.fails and not self.unknown


def parse_rule(text: str) -> Rule:
    """The rule that a text says: a measure, one of <= < >= > ==, a number. Raises ValueError, one line with the fix."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{text!r} is no rule; write a measure, one of {', '.join(get_args(Sign))}, and a number, "
            'as in "fabrications <= 0"'
        )
    measure, sign, bound = found.groups()
    known = next((name for name in KINDS if name == measure), None)
    if known is None:
        near = difflib.get_close_matches(measure.lower(), list(KINDS), n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise ValueError(f"no measure {measure!r}; {hint}known: {', '.join(KINDS)}")
    number = float(bound)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]!r} has too large a number")
    return Rule(known, next(each for each in _HOLDS if each == sign), number)


def judge(system: System, rules: Sequence[Rule]) -> Verdict:
    """How a system stands to the rules. The bars hold for the values, whatever their intervals."""
    fails, unknown, excess = [], [], 0.0
    for rule in rules:
        value = system.measures[rule.measure]
        if value.value is None:
            unknown.append(f"{rule.measure}: not known ({value.reason})")
        elif not rule.holds(value.value):
            fails.append(rule.failure(value.value))
            excess += rule.excess(value.value)
    return Verdict(tuple(fails), tuple(unknown), excess)


def number_text(number: float, digits: int = 3) -> str:
    """A number to so many digits that count, whole ones in full and without an exponent."""
    size = math.floor(math.log10(abs(number))) + 1 if number else 1
    text = f"{number:.{max(0, digits - size)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def interval_text(low: float, high: float) -> str:
    """The interval of a number, with digits enough to part its ends."""
    digits = next((each for each in (3, 4, 5, 6) if number_text(low, each) != number_text(high, each)), 3)
    return f"{number_text(low, digits)} to {number_text(high, digits)}"
