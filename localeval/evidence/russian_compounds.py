"""Russian words that hold a number and a unit: "двухчасовой", "двадцатиминутный", "полчаса"."""

import re
from fractions import Fraction
from functools import lru_cache

from localeval.evidence.measure import Found
from localeval.evidence.scanning import Token
from localeval.evidence.units import adjective_unit, adjectives

_TENS = {"двадцати": 20, "тридцати": 30, "сорока": 40, "пятидесяти": 50, "шестидесяти": 60, "семидесяти": 70,
         "восьмидесяти": 80, "девяносто": 90, "сто": 100, "двухсот": 200, "трехсот": 300, "пятисот": 500}  # fmt: skip
_ONES = {"двух": 2, "трех": 3, "четырех": 4, "пяти": 5, "шести": 6, "семи": 7, "восьми": 8, "девяти": 9, "десяти": 10,
         "одиннадцати": 11, "двенадцати": 12, "тринадцати": 13, "четырнадцати": 14, "пятнадцати": 15,
         "шестнадцати": 16, "семнадцати": 17, "восемнадцати": 18, "девятнадцати": 19}  # fmt: skip
_WHOLE = {"полуторагод": (Fraction(3, 2), "year"), "полуторачас": (Fraction(3, 2), "hour")}
_HALVES = {
    "полчаса": "hour", "получаса": "hour", "получасу": "hour", "получасовой": "hour", "получасовая": "hour",
    "получасовое": "hour", "получасового": "hour", "полгода": "year", "полугода": "year", "полугодовой": "year",
    "полминуты": "minute", "полкило": "kg", "полкилометра": "km", "полметра": "m", "полтонны": "tonne",
    "поллитра": "liter", "полпроцента": "percent", "полвека": "century", "полмесяца": "month",
}  # fmt: skip


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """A number in the genitive, perhaps of two words, right before the stem of a unit."""
    tens, ones = "|".join(_TENS), "|".join(sorted(_ONES, key=len, reverse=True))
    stems = "|".join(sorted(adjectives(), key=len, reverse=True))
    return re.compile(rf"(?P<tens>{tens})?(?P<ones>{ones})?(?P<rest>(?:{stems})\w{{2,3}})$")


def compound(token: Token) -> Found | None:
    """The number and the unit that one Russian word holds, or None."""
    if token.text in _HALVES:
        return Found(token.start, token.end, Fraction(1, 2), _HALVES[token.text])
    for stem, (amount, name) in _WHOLE.items():
        if token.text.startswith(stem):
            return Found(token.start, token.end, amount, name)
    match = _pattern().match(token.text)
    if not match or not (match["tens"] or match["ones"]):
        return None
    unit = adjective_unit(match["rest"])
    value = _TENS.get(match["tens"], 0) + _ONES.get(match["ones"], 0)
    return Found(token.start, token.end, Fraction(value), unit) if unit else None
