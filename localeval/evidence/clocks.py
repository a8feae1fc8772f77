"""Times of day: "14:30", "2:30 pm", "half past two", "пять вечера", "половина третьего"."""

from fractions import Fraction

from localeval.evidence.measure import Clock, Found, Value, is_whole
from localeval.evidence.number_digits import Number
from localeval.evidence.number_words import number_at
from localeval.evidence.scanning import Tokens
from localeval.evidence.wordlists import listed

_PARTS = {"утра": 0, "ночи": 0, "дня": 12, "вечера": 12}
_BEFORE = listed("at by until till from around about before after to past")


def clock(hour: int, minute: int, shift: int | None, *, is_padded: bool = False) -> tuple[Value, ...]:
    """The times that an hour and a minute can mean, the likeliest first; none where there is no such time.

    `shift` is 0 before noon and 12 after it, None where it was not said: then both are possible.
    """
    if not (0 <= hour <= 24 and 0 <= minute < 60) or (hour == 24 and minute):
        return ()
    if shift is not None and 1 <= hour <= 12:
        return (Clock(hour % 12 + shift, minute),)
    if shift is None and 1 <= hour <= 12 and not is_padded:
        return (Clock(hour, minute), Clock((hour + 12) % 24, minute))
    return (Clock(hour % 24, minute),)


def found_clock(start: int, end: int, times: tuple[Value, ...]) -> Found | None:
    """A time of day with all its readings, or None where there is none."""
    return Found(start, end, times[0], others=tuple((time, None) for time in times[1:])) if times else None


def clock_at(tokens: Tokens, first: int, number: Number | None) -> tuple[Found, int] | None:
    """The time that begins at token `first`, where `number` is what stands there if it is one; and the token after."""
    token = tokens.all[first]
    if token.kind == "clock":
        return _with_colon(tokens, first)
    if token.text in {"half", "quarter"} or (number and tokens.word(number.next) in {"past", "minutes", "to"}):
        return _past(tokens, first, number)
    if token.text in {"половина", "половине", "половину"}:
        return _half_of(tokens, first)
    if token.text == "без":
        return _less(tokens, first)
    return _whole_hour(tokens, first, number) if number else None


def _meridiem(tokens: Tokens, number: int) -> tuple[int, int, int] | None:
    """12 for "pm", 0 for "am" at token `number`, in Russian for the part of the day; character and token after it."""
    word = tokens.word(number)
    if not tokens.is_next(number):
        return None
    if word in {"am", "pm"}:
        return 12 * (word == "pm"), tokens.all[number].end, number + 1
    if word in {"a", "p"} and tokens.word(number + 1) == "m" and tokens.gap(number + 1) in {".", ". "}:
        end = tokens.all[number + 1].end
        return 12 * (word == "p"), end + tokens.text.startswith(".", end), number + 2
    if word in _PARTS:
        return _PARTS[word], tokens.all[number].end, number + 1
    return None


def _said(
    tokens: Tokens, start: int, end: int, hour: int, minute: int, after: int, *, is_padded: bool = False
) -> tuple[Found, int] | None:
    """A time with the part of the day that may follow at token `after`."""
    part = _meridiem(tokens, after)
    shift = None if part is None else part[0]
    if hour == 12 and part and tokens.word(after) == "ночи":
        shift = 0
    if shift == 12 and tokens.word(after) == "дня" and hour == 11:
        shift = 0
    found = found_clock(start, part[1] if part else end, clock(hour, minute, shift, is_padded=is_padded))
    return (found, part[2] if part else after) if found else None


def _with_colon(tokens: Tokens, first: int) -> tuple[Found, int] | None:
    """ "14:30", "2:30 p.m.", "00:12:34" (its seconds are left out)."""
    token = tokens.all[first]
    hour, minute = token.text.split(":")[:2]
    return _said(tokens, token.start, token.end, int(hour), int(minute), first + 1, is_padded=hour.startswith("0"))


def _whole_hour(tokens: Tokens, first: int, number: Number) -> tuple[Found, int] | None:
    """ "2 pm", "five o'clock", "пять вечера", "два часа дня", "at two thirty"."""
    after, start, end = number.next, tokens.all[first].start, number.end
    if number.value.denominator > 1 or not 0 <= number.value <= 24 or number.is_ordinal:
        return None
    hour = int(number.value)
    if tokens.word(after) == "o" and tokens.word(after + 1) == "clock" and tokens.gap(after + 1) in {"'", " "}:
        return _said(tokens, start, tokens.all[after + 1].end, hour, 0, after + 2)
    if _meridiem(tokens, after):
        return _said(tokens, start, end, hour, 0, after)
    if tokens.word(after) in {"час", "часа", "часов"} and tokens.is_next(after):
        if tokens.word(after + 1) in _PARTS and tokens.is_next(after + 1):
            return _said(tokens, start, end, hour, 0, after + 1)
        return _hours_and_minutes(tokens, first, number)
    if tokens.word(first - 1) in _BEFORE and not number.is_digits and after < len(tokens.all) and tokens.is_next(after):
        minutes = number_at(tokens, after)
        if (
            minutes
            and not minutes.is_digits
            and is_whole(minutes.value, 10, 59)
            and 0 < hour <= 12
            and _is_last(tokens, minutes.next)
        ):
            return _said(tokens, start, minutes.end, hour, int(minutes.value), minutes.next)
    return None


def spoken_clock(tokens: Tokens, first: int, number: Number) -> Found | None:
    """Weakly the time that two numbers in words can be: "eighteen forty", "nineteen oh five", "девять тридцать"."""
    start, after = tokens.all[first].start, number.next
    if number.is_digits or number.is_ordinal or number.scale > 1 or number.value.denominator > 1:
        return None
    hour, minute, end = int(number.value), 0, number.end
    if 1800 <= hour < 2100 and after - first < 4:
        hour, minute = divmod(hour, 100)
    elif hour < 24 and after < len(tokens.all) and tokens.is_next(after):
        minutes = number_at(tokens, after + (tokens.word(after) == "oh")) if after + 1 < len(tokens.all) else None
        if minutes is None and tokens.word(after) != "oh":
            minutes = number_at(tokens, after)
        if minutes is None or minutes.is_digits or minutes.is_ordinal or not is_whole(minutes.value, 1, 59):
            return None
        if (minutes.value < 10) != (tokens.word(after) == "oh"):
            return None
        minute, end = int(minutes.value), minutes.end
    else:
        return None
    found = found_clock(start, end, clock(hour, minute, None))
    return found._replace(is_weak=True) if found else None


def _is_last(tokens: Tokens, after: int) -> bool:
    """Whether a clause ends before token `after`, or the part of the day follows."""
    return (
        not tokens.is_next(after)
        or _meridiem(tokens, after) is not None
        or tokens.word(after) in {"on", "in", "and", "tomorrow", "today"}
    )


def _hours_and_minutes(tokens: Tokens, first: int, number: Number) -> tuple[Found, int] | None:
    """ "в 14 часов 30 минут", after a preposition of time; otherwise it is a duration."""
    after = number.next + 1
    if tokens.word(first - 1) not in {"в", "к", "на", "около"} or after >= len(tokens.all) or not tokens.is_next(after):
        return None
    minutes = number_at(tokens, after)
    if (
        minutes is None
        or tokens.word(minutes.next) not in {"минут", "минуты", "минуту"}
        or minutes.value.denominator > 1
    ):
        return None
    end, last = tokens.all[minutes.next].end, minutes.next + 1
    return (
        _said(tokens, tokens.all[first].start, end, int(number.value), int(minutes.value), last)
        if minutes.value < 60
        else None
    )


def _past(tokens: Tokens, first: int, number: Number | None) -> tuple[Found, int] | None:
    """ "half past two", "quarter to three", "ten past five", "ten minutes to six"."""
    word = tokens.word(first)
    minutes, after = (30, first + 1) if word == "half" else (15, first + 1)
    if word not in {"half", "quarter"}:
        if number is None or number.value.denominator > 1 or not 0 < number.value < 60:
            return None
        minutes, after = int(number.value), number.next
        is_minutes = tokens.word(after) == "minutes"
        if not is_minutes and tokens.word(after) == "to":
            return None
        after += is_minutes
    way = tokens.word(after)
    hour = number_at(tokens, after + 1) if way in {"past", "to"} and after + 1 < len(tokens.all) else None
    if hour is None or not tokens.is_next(after) or hour.value.denominator > 1 or not 1 <= hour.value <= 12:
        return None
    start, whole = tokens.all[first].start, int(hour.value)
    if way == "past":
        return _said(tokens, start, hour.end, whole, minutes, hour.next)
    return _said(tokens, start, hour.end, (whole - 2) % 12 + 1, 60 - minutes, hour.next)


def _half_of(tokens: Tokens, first: int) -> tuple[Found, int] | None:
    """ "половина третьего": half past two."""
    hour = number_at(tokens, first + 1) if first + 1 < len(tokens.all) and tokens.is_next(first + 1) else None
    if (
        hour is None
        or not hour.is_ordinal
        or not 1 <= hour.value <= 12
        or not tokens.word(hour.next - 1).endswith("го")
    ):
        return None
    return _said(tokens, tokens.all[first].start, hour.end, (int(hour.value) - 2) % 12 + 1, 30, hour.next)


def _less(tokens: Tokens, first: int) -> tuple[Found, int] | None:
    """ "без пятнадцати три", "без четверти пять"."""
    if first + 2 >= len(tokens.all) or not tokens.is_next(first + 1):
        return None
    minutes = number_at(tokens, first + 1)
    if minutes is None or minutes.is_ordinal:
        return None
    after = minutes.next + (tokens.word(minutes.next) in {"минут", "минуты"})
    hour = number_at(tokens, after) if after < len(tokens.all) and tokens.is_next(after) else None
    count = 15 if tokens.word(first + 1) == "четверти" else minutes.value
    if hour is None or not is_whole(Fraction(count), 1, 30) or not is_whole(hour.value, 1, 12) or hour.is_ordinal:
        return None
    return _said(tokens, tokens.all[first].start, hour.end, (int(hour.value) - 2) % 12 + 1, 60 - int(count), hour.next)
