"""The value of a number in Chinese characters."""

import re
from fractions import Fraction

_DIGITS = {char: number for number, char in enumerate("零一二三四五六七八九")}
_DIGITS |= {char: number for number, char in enumerate("零壹贰叁肆伍陆柒捌玖")} | {"两": 2, "俩": 2}
_UNITS = {"十": 10, "百": 100, "千": 1000, "拾": 10, "佰": 100, "仟": 1000}
DIGITS = "零一二三四五六七八九两"
CHARACTERS = "零一二三四五六七八九十百千万亿两壹贰叁肆伍柒捌玖拾佰仟"
_LONGEST = 30
_PIECES = re.compile(r"[0-9]+(?:\.[0-9]+)?|.")


def han_number(written: str) -> Fraction | None:
    """The value of a number in characters, or in characters with digits ("3万5千"), None where they make none.

    "二零二四" is read digit by digit; the last digit of "五万二" counts the next lower place. Two digits side by side
    ("三四十") name no single number.
    """
    if not written or len(written) > _LONGEST:
        return None
    whole, point, decimals = written.partition("点")
    if point:
        value = han_number(whole)
        if value is None or not all(char in _DIGITS for char in decimals):
            return None
        return value + Fraction("0." + "".join(str(_DIGITS[char]) for char in decimals))
    if len(written) > 1 and all(char in _DIGITS for char in written):
        is_list = len(written) == 2 and "零" not in written
        return None if is_list else Fraction("".join(str(_DIGITS[char]) for char in written))
    return _large(written)


def _large(written: str) -> Fraction | None:
    """A number cut at its 亿 and 万."""
    for mark, size in (("亿", 10**8), ("万", 10**4)):
        before, found, after = written.rpartition(mark)
        if not found:
            continue
        high = _large(before) if before else Fraction(1)
        low = _tail(after, size)
        return None if high is None or low is None or low >= size else high * size + low
    return _small(written)


def _tail(written: str, size: int) -> Fraction | None:
    """What follows a 万 or 亿: nothing, one digit of the next lower place, or a number."""
    if not written:
        return Fraction(0)
    if len(written) == 1 and written in _DIGITS and written != "零":
        return Fraction(_DIGITS[written] * size, 10)
    return _large(written)


def _small(written: str) -> Fraction | None:
    """A number below ten thousand, its units from the largest down."""
    total, digit, lowest, is_apart = Fraction(0), None, 10**4, False
    for piece in _PIECES.findall(written):
        if piece in _UNITS:
            unit = _UNITS[piece]
            if unit >= lowest or digit == 0:
                return None
            total, digit, lowest, is_apart = total + (1 if digit is None else digit) * unit, None, unit, False
        elif digit is not None and digit != 0:
            return None
        else:
            is_apart = is_apart or piece == "零"
            digit = Fraction(piece) if piece[0].isascii() else Fraction(_DIGITS[piece])
    if digit is None:
        return total
    is_short = 100 <= lowest <= 1000 and not is_apart and digit < 10
    return total + digit * (lowest // 10 if is_short else 1)
