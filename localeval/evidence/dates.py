"""Dates in figures and in words: "14 March 2024", "3/14/24", "четырнадцатого марта", "Monday"."""

import re
from functools import lru_cache

from localeval.evidence.measure import Day, Found, Value, is_whole
from localeval.evidence.number_digits import Number
from localeval.evidence.number_words import number_at
from localeval.evidence.scanning import Token, Tokens
from localeval.evidence.units import unit_after
from localeval.evidence.wordlists import listed
from localeval.texts import Language

_MONTHS = """
january jan январь января январе январю январем янв
february feb февраль февраля феврале февралю февралем фев февр
march mar март марта марте марту мартом мар
april apr апрель апреля апреле апрелю апрелем апр
may май мая мае маю маем
june jun июнь июня июне июню июнем
july jul июль июля июле июлю июлем
august aug август августа августе августу августом авг
september sep sept сентябрь сентября сентябре сентябрю сентябрем сен сент
october oct октябрь октября октябре октябрю октябрем окт
november nov ноябрь ноября ноябре ноябрю ноябрем ноя нояб
december dec декабрь декабря декабре декабрю декабрем дек
"""
_WEEKDAYS = """
monday mondays mon понедельник понедельника понедельнику понедельником понедельнике понедельники понедельникам пн
tuesday tuesdays tue tues вторник вторника вторнику вторником вторнике вторники вторникам вт
wednesday wednesdays wed среда среды среде среду средой средам ср
thursday thursdays thu thur thurs четверг четверга четвергу четвергом четверге четверги четвергам чт
friday fridays fri пятница пятницы пятнице пятницу пятницей пятницам пт
saturday saturdays sat суббота субботы субботе субботу субботой субботам сб
sunday sundays sun воскресенье воскресенья воскресенью воскресеньем воскресеньям вс
"""
_ONLY_BESIDE_A_NUMBER = listed(
    "jan feb mar apr jun jul aug sep sept oct nov dec янв фев февр мар апр авг сен сент окт ноя нояб дек маем"
)
_ONLY_BESIDE_A_DATE = listed(
    "mon tue tues wed thu thur thurs fri sat sun пн вт ср чт пт сб вс среды среде среду средой среда"
)
_SURE_BEFORE = listed("in of by since until till this last next during early late mid from before after every and to")
_YEAR_WORDS = listed("год года году годом годе годы годов гг г")
_ON = listed("on by until till before after since from dated of due to с до на от к")
_BEFORE_WEEKDAY = listed("в во на до к с со по эту эта этой прошлую следующую каждую про")
_NAMED = listed("марта марте марту мая")


@lru_cache(maxsize=1)
def months() -> dict[str, int]:
    """Every form of every month's name, and its number from 1."""
    return {word: number for number, row in enumerate(_MONTHS.strip().splitlines(), 1) for word in row.split()}


@lru_cache(maxsize=1)
def weekdays() -> dict[str, int]:
    """Every form of every weekday's name, and its number: Monday is 0."""
    return {word: number for number, row in enumerate(_WEEKDAYS.strip().splitlines()) for word in row.split()}


def is_year(number: Number) -> bool:
    """Whether a number can be a year of four figures."""
    return number.scale in {1, 1000} and is_whole(number.value, 1000, 2100)


def long_year(year: int) -> int:
    """A year of two figures with its century: up to 50 in this one."""
    return year if year > 99 else year + (2000 if year <= 50 else 1900)


def valid(year: int | None, month: int, day: int) -> bool:
    """Whether there is such a day in the calendar, in a leap year at least."""
    longest = 29 if month == 2 else 30 if month in {4, 6, 9, 11} else 31
    return 1 <= month <= 12 and 1 <= day <= longest


def figures(token: Token, language: Language) -> Found | None:
    """A date in figures alone, with both orders of day and month where both are possible; None where none is."""
    first, second, third = (int(part) for part in re.split(r"[-./]", token.text))
    if token.kind == "ymd":
        orders = [(first, second, third)]
    else:
        orders = [(long_year(third), second, first), (long_year(third), first, second)]
        if "/" in token.text and language == "en":
            orders.reverse()
        if "-" in token.text and third < 32 and len(token.text.rpartition("-")[2]) == 2:
            orders.append((long_year(first), second, third))
    days: list[tuple[Value, str | None]] = [(Day(*order), None) for order in orders if valid(*order)]
    if not days:
        return None
    return Found(token.start, token.end, days[0][0], others=tuple(dict.fromkeys(days[1:])))


def slashed(tokens: Tokens, number: int) -> Found | None:
    """A day and a month as "3/14" at a token of that kind, both orders; None where the numbers allow neither."""
    token = tokens.all[number]
    first, second = (int(part) for part in token.text.split("/"))
    orders = [(first, second), (second, first)]
    if tokens.language != "en":
        orders.reverse()
    days: list[tuple[Value, str | None]] = [
        (Day(None, month, day), None) for month, day in orders if 1 <= month <= 12 and valid(None, month, day)
    ]
    is_said = tokens.word(number - 1) in _ON
    return (
        Found(token.start, token.end, days[0][0], None, tuple(dict.fromkeys(days[1:])), False, not is_said)
        if days
        else None
    )


def date_at(tokens: Tokens, first: int, number: Number | None) -> tuple[Found, int] | None:
    """The date that begins at token `first`, where `number` is what stands there if it is one; and the token after."""
    token = tokens.all[first]
    if token.text in weekdays():
        return _weekday(tokens, first)
    if token.text in months():
        return _month_first(tokens, first)
    return _day_first(tokens, first, number) if number else None


def _weekday(tokens: Tokens, first: int) -> tuple[Found, int] | None:
    """A weekday, alone or with the date that follows."""
    token, weekday = tokens.all[first], weekdays()[tokens.word(first)]
    after = first + 1
    if tokens.gap(after).strip(" ,.") == "" and after < len(tokens.all):
        skip = after + (tokens.word(after) == "the")
        number = number_at(tokens, skip) if skip < len(tokens.all) else None
        date = date_at(tokens, skip, number) if tokens.word(skip) not in weekdays() and skip < len(tokens.all) else None
        if date and isinstance(date[0].value, Day) and date[0].value.day:
            return date[0]._replace(start=token.start, value=date[0].value._replace(weekday=weekday)), date[1]
    if token.text in _ONLY_BESIDE_A_DATE and not (len(token.text) > 3 and tokens.word(first - 1) in _BEFORE_WEEKDAY):
        return None
    return Found(token.start, token.end, Day(weekday=weekday)), after


def _year_at(tokens: Tokens, number: int) -> tuple[int, int, int] | None:
    """The year at token `number`, after white space, a comma or a full stop: year, character and token after it."""
    if tokens.gap(number).strip(" ,.\n") or number >= len(tokens.all) or tokens.gap(number) == "|":
        return None
    number += tokens.word(number) == "of"
    year = number_at(tokens, number) if number < len(tokens.all) else None
    if year is None or not (is_year(year) or (tokens.word(year.next) in _YEAR_WORDS and 0 < year.value < 100)):
        return None
    if not is_year(year) and year.value.denominator > 1:
        return None
    end, after = year.end, year.next
    if tokens.word(after) in _YEAR_WORDS and tokens.is_next(after):
        end, after = tokens.all[after].end, after + 1
    return long_year(int(year.value)), end, after


def _month_first(tokens: Tokens, first: int) -> tuple[Found, int] | None:
    """ "March 14, 2024", "March 2024", "в марте", from the month on."""
    token, month = tokens.all[first], months()[tokens.word(first)]
    year = _year_at(tokens, first + 1)
    if year:
        return Found(token.start, year[1], Day(year[0], month)), year[2]
    after = first + 1
    if token.text[0] < "а" and tokens.gap(after).strip(" .") == "" and after < len(tokens.all):
        the = after + (tokens.word(after) == "the")
        day = number_at(tokens, the) if the < len(tokens.all) else None
        if day and _is_day(day, month) and unit_after(tokens, day.next, day.end) is None:
            end, after = day.end, day.next
            if tokens.word(after) in {"st", "nd", "rd", "th"} and tokens.gap(after) == "":
                end, after = tokens.all[after].end, after + 1
            return _dated(tokens, Found(token.start, end, Day(None, month, int(day.value))), after)
    return (Found(token.start, token.end, Day(None, month)), first + 1) if _is_month(tokens, first) else None


def _is_day(number: Number, month: int) -> bool:
    """Whether a number can be a day of a month."""
    return number.scale == 1 and number.value.denominator == 1 and valid(None, month, int(number.value))


def _dated(tokens: Tokens, found: Found, after: int) -> tuple[Found, int]:
    """A day and a month with the year that may follow."""
    year = _year_at(tokens, after)
    if year and isinstance(found.value, Day):
        return found._replace(end=year[1], value=found.value._replace(year=year[0])), year[2]
    return found, after


def _is_month(tokens: Tokens, first: int) -> bool:
    """Whether a month's name without a number beside it is one: not "may" or "march" as verbs, not a Marta."""
    word = tokens.word(first)
    if word in _ONLY_BESIDE_A_NUMBER:
        return False
    if word in {"may", "march"}:
        is_named = (
            tokens.raw[tokens.all[first].start].isupper()
            and tokens.word(first - 1).isalpha()
            and tokens.gap(first) == " "
        )
        return is_named or tokens.word(first - 1) in _SURE_BEFORE - {"and", "to"}
    return not (word in _NAMED and tokens.raw[tokens.all[first].start].isupper())


def _day_first(tokens: Tokens, first: int, number: Number) -> tuple[Found, int] | None:
    """ "14 March 2024", "the 14th of March", "четырнадцатого марта", from the day on; "в 2024 году" too."""
    after = number.next
    is_ordinal = number.is_ordinal
    if (tokens.word(after) in {"st", "nd", "rd", "th"} and tokens.gap(after) == "") or (
        tokens.gap(after) == "-" and tokens.word(after) in {"го", "е", "м", "му", "й", "я"}
    ):
        after, is_ordinal = after + 1, True
    if tokens.word(after) == "of" and is_ordinal:
        after += 1
    month = months().get(tokens.word(after))
    start = tokens.all[first].start
    if month and tokens.is_next(after) and _is_day(number, month):
        return _dated(tokens, Found(start, tokens.all[after].end, Day(None, month, int(number.value))), after + 1)
    if tokens.word(after) not in _YEAR_WORDS or not tokens.is_next(after) or number.value.denominator > 1:
        return None
    is_short = is_ordinal and 0 < number.value < 100
    if is_year(number) or (is_short and tokens.word(after) != "г"):
        year = long_year(int(number.value))
        others: tuple[tuple[Value, str | None], ...] = ((number.value, None),) if year < 1900 or is_short else ()
        return Found(start, tokens.all[after].end, Day(year), None, others), after + 1
    return None
