"""Exact numbers near a round one, in the writing of the round one."""

import random
import re
from collections.abc import Iterator
from fractions import Fraction

from localeval.texts import Language

_RUN = re.compile(r"[0-9]+(?:[ ,.'\u00a0\u202f][0-9]{3})*(?:[.,][0-9]+)?")
_DIGITS = "零一二三四五六七八九"
_PLACES = ("", "十", "百", "千")
_LARGE = 10_000
_GROUPED = 1_000
_TRIES = 40
_SHARE = 0.04
_SMALL = 10
_MOST_HAN = 10**8


def near_numbers(value: Fraction, language: Language, rng: random.Random, decimals: bool) -> Iterator[Fraction]:
    """Numbers within a few per cent of one, none of them round; with one decimal where `decimals`.

    Russian ones end in 5 to 9, so that the noun after them stands as it does after a round number.
    """
    if decimals:
        far = (-16, -13, -12, -9, -8, -7, 7, 8, 9, 12, 13, 16) if value > _SMALL else ()
        for step in rng.sample((-4, -3, -2, 2, 3, 4, *far), 6):
            yield value + Fraction(step, 10)
        return
    reach = max(6 if language == "ru" else 3, int(value * Fraction(_SHARE)))
    steps = [step for step in range(-reach, reach + 1) if step] if reach < _TRIES else []
    for step in steps or [rng.choice((-1, 1)) * rng.randint(1, reach) for _ in range(_TRIES)]:
        other = int(value) + step
        if other % 10 not in (0, 5) and other > 0 and (language != "ru" or other % 10 > 5):
            yield Fraction(other)


def written_like(text: str, value: Fraction, language: Language) -> str:
    """A number as a text writes one: its grouping, in a Chinese text without digits in characters; else in digits."""
    run = _RUN.search(text)
    if language == "zh" and run is None:
        return chinese_number(int(value)) if value.denominator == 1 else ""
    if value.denominator > 1:
        return f"{float(value):.1f}".replace(".", "," if language == "ru" else ".")
    figures = str(int(value))
    mark = _grouping(run[0], language) if run else " " if language == "ru" else ","
    if value >= _GROUPED and mark:
        return f"{int(value):,}".replace(",", mark)
    return figures


def _grouping(run: str, language: Language) -> str:
    """What parts the thousands of a number in digits: nothing where it has a thousand and nothing parts it."""
    found = re.search(r"[0-9]([ ,.'\u00a0\u202f])[0-9]{3}", run)
    if found:
        return found[1]
    return "" if len(run) > 3 else " " if language == "ru" else ","


def number_part(text: str) -> tuple[int, int] | None:
    """Where a quantity's text has its digits; None where it has none, or several numbers."""
    runs = list(_RUN.finditer(text))
    return runs[0].span() if len(runs) == 1 else None


def n_noughts(text: str) -> int:
    """How many noughts end a number in digits; 0 where it has decimals."""
    figures = re.sub(r"[ ,.'\u00a0\u202f](?=[0-9]{3})", "", text)
    return len(figures) - len(figures.rstrip("0")) if figures.isdigit() else 0


def chinese_number(value: int) -> str:
    """A whole number below a hundred million in Chinese characters; empty for any other."""
    if not 0 < value < _MOST_HAN:
        return ""
    high, low = divmod(value, _LARGE)
    gap = "零" if high and 0 < low < _LARGE // 10 else ""
    large = _below_large(high, is_first=True) + "万" if high else ""
    written = large + gap + _below_large(low, is_first=not high)
    return "两" + written[1:] if written[:2] in ("二千", "二万") else written


def _below_large(value: int, *, is_first: bool) -> str:
    written, is_open = "", False
    for place in range(3, -1, -1):
        digit = value // 10**place % 10
        if digit:
            is_ten = digit == 1 and place == 1 and not written and is_first
            written += ("零" if is_open and written else "") + ("" if is_ten else _DIGITS[digit]) + _PLACES[place]
            is_open = False
        else:
            is_open = True
    return written
