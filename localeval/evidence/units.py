"""The unit that stands at a number, under one name, and what one unit is in another."""

import re
from fractions import Fraction
from functools import lru_cache

from localeval.evidence.scanning import Tokens
from localeval.evidence.unit_table import ADJECTIVES, ROWS
from localeval.evidence.wordlists import in_order, listed

_ENDINGS = {
    "soft-m": in_order("ь я ю ем е и ей ям ями ях"),
    "soft": in_order("я и е ю ей й ям ями ях ь ль"),
    "m": ["", *in_order("а у ом е ы ов ам ами ах")],
    "f": ["", *in_order("а ы у е ой и ам ами ах")],
}
_ADJECTIVE = re.compile(r"(?:ый|ий|ой|ая|ое|ого|ому|ым|ом|ей|ую|ые|ых|ыми|яя|ее|его|ему|им|ем|юю|ие|их|ими)$")
_GLUED_ONLY = frozenset({"s", "h", "c", "v", "w", "p", "с", "kb"})
"""Names that count only right after the digits, for apart they are a preposition or a letter."""
_LONGEST_HAN = 5
_CURRENCY = listed("usd eur gbp rub cny jpy hkd cad aud inr krw chf uah kzt try")


def _spellings(name: str) -> list[str]:
    """All forms of one name in the table."""
    stem, _, declension = name.partition("-")
    if not declension:
        return [name.replace("_", " ")]
    return [stem + ending for ending in _ENDINGS[declension]]


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, Fraction, tuple[str, ...]]]:
    """For each unit its dimension, its size in the dimension's base unit, and its names as the table has them."""
    rows = re.sub(r"\n +", " ", ROWS.strip()).splitlines()
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return {name: (dimension, Fraction(size), tuple(names.split())) for name, dimension, size, names in cells}


@lru_cache(maxsize=1)
def names() -> dict[str, str]:
    """Each way to write a unit, and the unit."""
    return {form: unit for unit, row in _rows().items() for name in row[2] for form in _spellings(name)}


@lru_cache(maxsize=1)
def adjectives() -> dict[str, str]:
    """The stem of each Russian adjective of a unit, and the unit."""
    rows = [row.split() for part in ADJECTIVES.strip().splitlines() for row in part.split("|")]
    return {stem: unit for unit, *stems in rows for stem in stems}


def adjective_unit(word: str) -> str | None:
    """The unit of a Russian adjective in any form ("процентного"), or None."""
    return adjectives().get(_ADJECTIVE.sub("", word)) if word else None


def is_currency(unit: str | None) -> bool:
    """Whether a unit is money, which may stand before its number."""
    return unit in _CURRENCY


def dimension(unit: str) -> str:
    """What a unit measures."""
    return _rows()[unit][0]


def in_base(value: Fraction, unit: str) -> Fraction:
    """A value in the base unit of its dimension; temperatures in degrees Celsius."""
    if unit == "fahrenheit":
        return (value - 32) * Fraction(5, 9)
    if unit == "kelvin":
        return value - Fraction(27315, 100)
    return value * _rows()[unit][1]


def unit_after(tokens: Tokens, number: int, end: int) -> tuple[str, int, int] | None:
    """The unit at token `number`, or in Chinese at character `end`, where a number has just ended.

    Returns the unit, the character where it ends and the token after it; None where no unit stands.
    """
    start = end + tokens.text.startswith((" ", "-"), end)
    if number < len(tokens.all) and tokens.all[number].start - end < 3 and _is_at(tokens, number, end):
        return _word_unit(tokens, number, is_glued=tokens.all[number].start == end)
    for length in range(_LONGEST_HAN, 0, -1):
        unit = names().get(tokens.text[start : start + length]) if len(tokens.text) >= start + length else None
        if unit and tokens.text[start] > "\u2fff":
            return unit, start + length, number
    return None


def _is_at(tokens: Tokens, number: int, end: int) -> bool:
    """Whether token `number` follows directly, or after the full stop of "тыс."."""
    return tokens.is_next(number) or (tokens.text[end - 1] == "." and tokens.gap(number).strip() == ".")


def _word_unit(tokens: Tokens, number: int, *, is_glued: bool) -> tuple[str, int, int] | None:
    """The unit that the words from token `number` on name, the longest first."""
    for count in (3, 2, 1):
        written = _joined(tokens, number, count)
        if written in names() and (is_glued or written not in _GLUED_ONLY):
            return names()[written], tokens.all[number + count - 1].end, number + count
    unit = adjective_unit(tokens.word(number))
    return (unit, tokens.all[number].end, number + 1) if unit else None


def _joined(tokens: Tokens, number: int, count: int) -> str:
    """`count` tokens from `number` on as the table writes them, or nothing where something else parts them."""
    if number + count > len(tokens.all):
        return ""
    written = tokens.word(number)
    for later in range(number + 1, number + count):
        gap = tokens.gap(later)
        if gap == "" or gap == "/":
            written += gap
        elif gap.strip(" .-·\n") == "":
            written += " "
        else:
            return ""
        written += tokens.word(later)
    return written


def unit_before(tokens: Tokens, number: int) -> tuple[str, int] | None:
    """The currency right before token `number` ("$5", "US$ 5", "EUR 5"), and the character where it begins."""
    if number == 0 or tokens.gap(number) not in {"", " "}:
        return None
    if number > 1 and tokens.gap(number - 1) == "":
        unit = names().get(tokens.word(number - 2) + tokens.word(number - 1))
        if is_currency(unit) and unit:
            return unit, tokens.all[number - 2].start
    written = tokens.word(number - 1)
    unit = names().get(written)
    is_code = not written.isalpha() or (
        len(written) == 3 and written.isascii() and written.upper() == _raw(tokens, number - 1)
    )
    return (unit, tokens.all[number - 1].start) if unit and is_currency(unit) and is_code else None


def _raw(tokens: Tokens, number: int) -> str:
    """A token as the text has it, with its capitals."""
    return tokens.raw[tokens.all[number].start : tokens.all[number].end]
