"""From tokens to quantities: at each token that can begin one the date, else the time, else the number."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from localeval.evidence.clocks import clock_at, spoken_clock
from localeval.evidence.dates import date_at, figures, months, slashed, weekdays
from localeval.evidence.measure import Found, Value
from localeval.evidence.number_digits import Number, share_after
from localeval.evidence.number_lexicon import english_parts, number_words
from localeval.evidence.number_words import number_at
from localeval.evidence.russian_compounds import compound
from localeval.evidence.scanning import HAN, Tokens
from localeval.evidence.units import names, unit_after, unit_before
from localeval.evidence.wordlists import listed

_ENGLISH_ENDINGS = frozenset({"st", "nd", "rd", "th"})
_RUSSIAN_ENDINGS = listed("й я е го му м х ми ю ый ой ая ое ые ых ти и ух ех мя ти")
_BESIDE_NUMBERS = listed("mid pre post sub over under plus non top early late по за на от до топ")
_OWNERS = listed("of the a an its their our his her my your this that these those all")
_MORE_UNITS = {"pound": ("gbp",), "degree": (), "ounce": ()}
_NAMED_THIRDS = listed("party parties person persons world reich лица лиц лицам лицами лицо стороны сторона сторон")


@lru_cache(maxsize=1)
def _starters() -> frozenset[str]:
    """All words that can begin a quantity."""
    return frozenset([*number_words(), *months(), *weekdays(), "a", "an", "quarter", "без"])


def found_in(tokens: Tokens) -> Iterator[Found]:
    """All quantities of a text, those of Chinese characters alone left out."""
    number, starters = 0, _starters()
    while number < len(tokens.all):
        token = tokens.all[number]
        if token.kind != "word" or token.text in starters:
            read, number = _read(tokens, number)
            yield from read
        else:
            if "а" <= token.text[0] <= "я":
                yield from _russian_word(tokens, number)
            number += 1


def _russian_word(tokens: Tokens, number: int) -> Iterator[Found]:
    """What one Russian word says: a number with its unit, or weakly one of a unit ("через час")."""
    token = tokens.all[number]
    if len(token.text) > 4 and (found := compound(token)):
        yield found
    elif len(token.text) > 2 and (unit := names().get(token.text)):
        yield Found(token.start, token.end, Fraction(1), unit, is_weak=True)


def _read(tokens: Tokens, first: int) -> tuple[tuple[Found, ...], int]:
    """What begins at a token, and the token after it."""
    token = tokens.all[first]
    if token.kind in {"ymd", "dmy"}:
        date = figures(token, tokens.language)
        return ((date,) if date else ()), first + 1
    if token.kind == "chain" or token.text in {"a", "an"}:
        return _after_article(tokens, first) if token.kind != "chain" else ((), first + 1)
    number = number_at(tokens, first)
    timed = date_at(tokens, first, number) or clock_at(tokens, first, number)
    if timed:
        return (timed[0],), timed[1]
    if token.kind == "slash" and number is None:
        return _slash(tokens, first)
    if number is None:
        return (), first + 1
    spoken = spoken_clock(tokens, first, number)
    measured, after = _measured(tokens, first, number)
    return (*measured, *((spoken,) if spoken else ())), after


def _slash(tokens: Tokens, first: int) -> tuple[tuple[Found, ...], int]:
    """ "3/14" as a date where it must be one, else two numbers."""
    token = tokens.all[first]
    date = slashed(tokens, first)
    if date and not date.is_weak:
        return (date,), first + 1
    over, under = token.text.split("/")
    middle = token.start + len(over)
    pair = (Found(token.start, middle, Fraction(int(over))), Found(middle + 1, token.end, Fraction(int(under))))
    return (pair if date is None else (*pair, date)), first + 1


def _after_article(tokens: Tokens, first: int) -> tuple[tuple[Found, ...], int]:
    """ "a quarter of an hour", "a third of", "a half"; weakly "an hour" as one hour."""
    after, token = first + 1, tokens.all[first]
    word = tokens.word(after)
    if not tokens.is_next(after):
        return (), after
    part = english_parts().get(word)
    if part and word != "half":
        is_share = tokens.word(after + 1) == "of"
        share = Number(part, after + 1, tokens.all[after].end)
        if is_share:
            unit = _of_unit(tokens, share)
            return (Found(token.start, unit[1], part, unit[0]),), unit[2]
        if word == "quarter":
            return (Found(token.start, share.end, part, is_weak=True),), after + 1
        is_weak = word == "third" and tokens.word(after + 1) in _NAMED_THIRDS
        return (Found(token.start, share.end, 1 / part, None, ((part, None),), True, is_weak),), after + 1
    unit_here = unit_after(tokens, after, token.end)
    if unit_here and word not in number_words():
        share_more = share_after(tokens, unit_here[2])
        if share_more:
            return (Found(token.start, share_more.end, 1 + share_more.value, unit_here[0]),), share_more.next
        return (Found(token.start, unit_here[1], Fraction(1), unit_here[0], is_weak=True),), after
    return (), after


def _of_unit(tokens: Tokens, share: Number) -> tuple[str | None, int, int]:
    """The unit of a share ("of an hour", "an hour", "a mile"), the character and the token after it."""
    here = share.next
    if tokens.word(here) == "of" and tokens.word(here + 1) in {"a", "an"}:
        here += 2
    elif tokens.word(here) in {"a", "an"}:
        here += 1
    else:
        return None, share.end, share.next
    unit = unit_after(tokens, here, tokens.all[here - 1].end) if tokens.is_next(here) else None
    return unit or (None, share.end, share.next)


def _measured(tokens: Tokens, first: int, number: Number) -> tuple[tuple[Found, ...], int]:
    """A number with what stands around it: its sign, its unit, the ending that makes it ordinal."""
    if number.value < 1 and number.value and not number.is_digits:
        return _share(tokens, first, number)
    start = tokens.all[first].start
    is_weak = number.is_weak or _is_name(tokens, first) or _is_bullet(tokens, first)
    found = Found(
        start,
        number.end,
        number.value,
        None,
        tuple((other, None) for other in number.others),
        number.is_ordinal,
        is_weak,
        number.scale,
    )
    ending = _ordinal_ending(tokens, number)
    if ending is not None:
        found = found._replace(end=tokens.all[number.next].end, is_ordinal=ending)
        is_decade = tokens.word(number.next) in {"е", "х", "ые", "ых"} and number.value % 10 == 0
        return (_decade(found) if is_decade else found,), number.next + 1
    if (
        tokens.word(number.next) == "s"
        and tokens.gap(number.next) in {"", "'"}
        and number.is_digits
        and number.value % 10 == 0
    ):
        found = _decade(found)._replace(end=tokens.all[number.next].end)
        return (found._replace(others=(*found.others, (number.value, "second"))),), number.next + 1
    if number.is_ordinal:
        return (_ordinal(tokens, first, number, found),), number.next
    before = unit_before(tokens, first)
    if before:
        found = found._replace(start=before[1], unit=before[0])
        if tokens.word(first - 1) == "¥":
            found = found._replace(unit="cny" if tokens.language == "zh" else "jpy")
            found = found._replace(others=((number.value, "jpy" if tokens.language == "zh" else "cny"),))
        return (_letter(tokens, number, found, is_money=True),), number.next
    return _with_unit(tokens, first, number, found)


def _with_unit(tokens: Tokens, first: int, number: Number, found: Found) -> tuple[tuple[Found, ...], int]:
    """A number with the unit after it and the half after that, and its sign."""
    found = _signed(tokens, first, _letter(tokens, number, found, is_money=False))
    after = number.next
    unit = unit_after(tokens, after, number.end)
    if unit and found.unit is None and not _is_capital_gram(tokens, number):
        value = found.value
        share = share_after(tokens, unit[2]) if unit[2] > after else None
        if share and isinstance(value, Fraction):
            return (found._replace(end=share.end, value=value + share.value, unit=unit[0], is_weak=False),), share.next
        more = tuple((value, other) for other in _MORE_UNITS.get(unit[0], ()))
        is_weak = found.is_weak and number.is_digits
        others = (*((other, unit[0]) for other, _ in found.others), *more)
        end = unit[1]
        if tokens.text[end : end + 1] == "半":
            value, end = found.value + Fraction(1, 2) if isinstance(found.value, Fraction) else found.value, end + 1
        return (found._replace(end=end, value=value, unit=unit[0], others=others, is_weak=is_weak),), unit[2]
    is_glued = (
        number.is_digits
        and tokens.gap(after) == ""
        and tokens.kind(after) == "word"
        and tokens.all[after].start == number.end
    )
    return (found._replace(is_weak=found.is_weak or is_glued),), after


def _is_capital_gram(tokens: Tokens, number: Number) -> bool:
    """Whether "5G" is meant, and not five grams."""
    return tokens.word(number.next) == "g" and tokens.raw[tokens.all[number.next].start] == "G"


def _letter(tokens: Tokens, number: Number, found: Found, *, is_money: bool) -> Found:
    """ "5m" as millions of money, else as metres, millions or minutes."""
    letter = tokens.raw[number.end - 1]
    if number.scale != 10**6 or letter not in "mмMМ" or is_money or tokens.raw[number.end - 2] not in "0123456789":
        return found
    assert isinstance(found.value, Fraction)
    small = found.value / number.scale
    if letter in "MМ":
        return found._replace(others=((small, "m"),))
    return found._replace(value=small, unit="m", others=((found.value, None), (small, "minute")), scale=1)


def _signed(tokens: Tokens, first: int, found: Found) -> Found:
    """The number below zero, where a minus says so."""
    start, text = found.start, tokens.text
    is_minus = tokens.word(first - 1) in {"minus", "минус"} and tokens.is_next(first)
    if is_minus:
        start = tokens.all[first - 1].start
    elif (
        text[start - 1 : start] == "-"
        and (start == 1 or text[start - 2] in " \n(\t")
        and not text[: start - 1].rstrip()[-1:].isdigit()
    ):
        start -= 1
    else:
        return found
    assert isinstance(found.value, Fraction)
    return found._replace(start=start, value=-found.value)


def _share(tokens: Tokens, first: int, number: Number) -> tuple[tuple[Found, ...], int]:
    """A half, a third and the like: strong where it says of what."""
    start = tokens.all[first].start
    if (
        tokens.word(number.next) in {"a", "an"}
        and (scale := number_words().get(tokens.word(number.next + 1)))
        and scale.role in {"scale", "pack"}
    ):
        value, after = number.value * scale.value, number.next + 2
        found = Found(start, tokens.all[after - 1].end, value, scale=int(scale.value))
        return _with_unit(tokens, first, Number(value, after, found.end, scale=found.scale), found)
    unit, end, after = _of_unit(tokens, number)
    if unit is None and (direct := unit_after(tokens, number.next, number.end)):
        unit, end, after = direct
    is_named = unit is not None or tokens.word(number.next) in _OWNERS or number.next > first + 1
    is_english = tokens.word(first).isascii()
    return (Found(start, end, number.value, unit, is_weak=number.is_weak or (is_english and not is_named)),), after


def _is_name(tokens: Tokens, first: int) -> bool:
    """Whether digits are part of a name: "GPT-4", "Q3", "Ту-154"."""
    token = tokens.all[first]
    if token.kind != "number" or first == 0:
        return False
    start = token.start - (tokens.text[token.start - 1] in "-_")
    before = tokens.text[start - 1 : start]
    if not before.isalpha() or HAN[0] <= before or (start == token.start and names().get(tokens.word(first - 1))):
        return False
    return start == token.start or tokens.word(first - 1) not in _BESIDE_NUMBERS


def _is_bullet(tokens: Tokens, first: int) -> bool:
    """Whether digits number an item of a list: "2) ..." or "2. ..." where a line begins."""
    token = tokens.all[first]
    if len(token.text) > 2 or token.kind != "number" or not tokens.text.startswith((")", ". "), token.end):
        return False
    line = tokens.text[max(0, token.start - 4) : token.start].rpartition("\n")
    return not line[2].strip(" (") and (bool(line[1]) or token.start < 4)


def _ordinal_ending(tokens: Tokens, number: Number) -> bool | None:
    """Whether the ending at the digits makes them ordinal ("3rd", "5-го") or just inflects them ("5-ти"); or None."""
    word, gap = tokens.word(number.next), tokens.gap(number.next)
    if not number.is_digits or number.scale > 1:
        return None
    if gap == "" and word in _ENGLISH_ENDINGS:
        return True
    return word not in {"ти", "ми", "и", "ух", "ех"} if gap == "-" and word in _RUSSIAN_ENDINGS else None


def _decade(found: Found) -> Found:
    """ "1990s", "'90s" and "nineties" as the decade's first year and as the number itself."""
    value = found.value
    others: tuple[tuple[Value, str | None], ...] = ()
    if isinstance(value, Fraction) and 20 <= value <= 90:
        others = ((value + 1900, None),)
    elif isinstance(value, Fraction) and 1900 <= value < 2000:
        others = ((value - 1900, None),)
    return found._replace(others=others)


def _ordinal(tokens: Tokens, first: int, number: Number, found: Found) -> Found:
    """An ordinal in words: a decade ("nineties", "девяностые"), "twenty second", "third parties"."""
    last, after = tokens.word(number.next - 1), tokens.word(number.next)
    is_tens = number.value % 10 == 0 and 20 <= number.value <= 90
    if is_tens and last.endswith(("ies", "ые", "ых", "ым", "ыми")):
        return _decade(found)
    if last == "second" and number.value > 20:
        return found._replace(others=((number.value - 2, "second"),))
    is_list = tokens.text[found.end : found.end + 1] == "," and not tokens.is_next(first)
    is_named = number.value == 3 and after in _NAMED_THIRDS
    return found._replace(is_weak=found.is_weak or is_list or is_named)
