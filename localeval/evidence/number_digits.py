"""Numbers in digits with what may follow them: "1 234,5", "2½", "18.5k", "5 млн 300 тыс."."""

import re
from fractions import Fraction
from typing import NamedTuple

from localeval.evidence.measure import is_whole
from localeval.evidence.number_lexicon import english_parts, number_words
from localeval.evidence.scanning import Tokens
from localeval.evidence.wordlists import in_order

_LONGEST = 30
_LETTER_SCALES = {"k": 10**3, "к": 10**3, "m": 10**6, "м": 10**6, "b": 10**9, "t": 10**12}
_HAN_SCALES = {"千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "十亿": 10**9, "万亿": 10**12}
VULGAR = dict(
    zip("½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞", in_order("1/2 1/3 2/3 1/4 3/4 1/5 2/5 3/5 4/5 1/6 5/6 1/8 3/8 5/8 7/8"), strict=True)
)
_SIMPLE_DENOMINATORS = frozenset({2, 3, 4, 5, 6, 8, 16, 32})
_GROUPS = re.compile(r"[ ',.]")


class Number(NamedTuple):
    """A number that has been read: its value, the token and the character after it, and what is known of it."""

    value: Fraction
    next: int
    end: int
    is_ordinal: bool = False
    is_weak: bool = False
    scale: int = 1
    others: tuple[Fraction, ...] = ()
    is_digits: bool = False


def literal(text: str, *, is_russian: bool) -> tuple[Fraction, ...]:
    """The values that digits with separators can have, the likeliest first; none where there are too many digits.

    One comma or dot before just three digits is both a thousands separator and a decimal mark: in Russian both are
    given, elsewhere the comma groups and the dot is decimal.
    """
    if len(text) > _LONGEST:
        return ()
    bare = text.replace(" ", "").replace("'", "")
    marks = _GROUPS.findall(bare)
    if (
        marks
        and (len(set(marks)) > 1 or len(marks) == 1)
        and not (len(marks) == 1 and _is_group(bare, marks[0], is_russian))
    ):
        whole, _, decimals = bare.rpartition(marks[-1])
        value = Fraction(_GROUPS.sub("", whole) + "." + decimals)
        is_open = is_russian and len(marks) == 1 and len(decimals) == 3 and 0 < len(whole) < 4 and whole != "0"
        return (value, value * 1000) if is_open else (value,)
    return (Fraction(_GROUPS.sub("", bare)),)


def _is_group(text: str, mark: str, is_russian: bool) -> bool:
    """Whether the only separator groups thousands."""
    return mark == "," and not is_russian and len(text.rpartition(",")[2]) == 3


def from_digits(tokens: Tokens, first: int) -> Number | None:
    """Digits, with the fraction and the words of scale that follow: "2 1/2", "2½", "18.5k", "5 млн 300 тыс."."""
    token = tokens.all[first]
    if token.kind == "slash":
        over, under = (int(part) for part in token.text.split("/"))
        if 0 < over < under and under in _SIMPLE_DENOMINATORS:
            return Number(Fraction(over, under), first + 1, token.end, is_digits=True)
        return None
    values = literal(token.text, is_russian=tokens.language == "ru")
    if not values:
        return None
    number = Number(values[0], first + 1, token.end, others=values[1:], is_digits=True)
    number = _with_share(tokens, number)
    number = scaled(tokens, number)
    return _with_rest(tokens, number) if number.scale > 1 else number


def _with_share(tokens: Tokens, number: Number) -> Number:
    """The number with "½", " 1/2", " and a half" or " с половиной" after it, if one follows."""
    after = number.next
    if number.value.denominator > 1 or not tokens.is_next(after):
        return number
    word = tokens.word(after)
    if word in VULGAR:
        return number._replace(value=number.value + Fraction(VULGAR[word]), next=after + 1, end=tokens.all[after].end)
    if tokens.kind(after) == "slash" and tokens.gap(after) in {" ", "-"}:
        share = from_digits(tokens, after)
        return number._replace(value=number.value + share.value, next=share.next, end=share.end) if share else number
    share = share_after(tokens, after)
    return number._replace(value=number.value + share.value, next=share.next, end=share.end) if share else number


def share_after(tokens: Tokens, after: int) -> Number | None:
    """The share that "and a half", "and three quarters" or "с половиной" add, if token `after` begins one."""
    words = [tokens.word(n) if tokens.is_next(n) else "" for n in range(after, after + 3)]
    if words[0] == "с" and words[1] in {"половиной", "четвертью", "третью"}:
        share = {"половиной": Fraction(1, 2), "четвертью": Fraction(1, 4), "третью": Fraction(1, 3)}[words[1]]
        return Number(share, after + 2, tokens.all[after + 1].end)
    if words[0] != "and":
        return None
    if words[1] == "half" and words[2] not in {"of", "the"}:
        return Number(Fraction(1, 2), after + 2, tokens.all[after + 1].end)
    part = english_parts().get(words[2])
    count = 1 if words[1] == "a" else number_words()[words[1]].value if words[1] in number_words() else 0
    if part and 0 < count < 10:
        return Number(count * part, after + 3, tokens.all[after + 2].end)
    return None


def scaled(tokens: Tokens, number: Number) -> Number:
    """The number times the scale that follows it: a letter right at the digits, a word, a Chinese character."""
    after, scale, end = number.next, 1, number.end
    word = tokens.word(after)
    is_glued = tokens.gap(after) == ""
    if is_glued and word in _LETTER_SCALES and number.is_digits:
        scale, after, end = _LETTER_SCALES[word], after + 1, tokens.all[after].end
    elif (
        tokens.is_next(after)
        and (known := number_words().get(word))
        and known.role in {"scale", "pack"}
        and not known.is_ordinal
    ):
        scale, after, end = int(known.value), after + 1, tokens.all[after].end
    else:
        for length in (2, 1):
            written = tokens.text[end : end + length]
            if written in _HAN_SCALES:
                scale, end = _HAN_SCALES[written], end + len(written)
                break
    if scale == 1:
        return number
    others = tuple(other * scale for other in number.others)
    if (
        after > number.next
        and tokens.text[end : end + 1] == "."
        and tokens.word(after - 1) in {"тыс", "млн", "млрд", "трлн"}
    ):
        end += 1
    return number._replace(value=number.value * scale, next=after, end=end, scale=scale, others=others)


def _with_rest(tokens: Tokens, number: Number) -> Number:
    """A scaled number with the smaller scaled number that follows: "5 million 300 thousand"."""
    after = number.next
    if tokens.kind(after) == "number" and tokens.gap(after).strip(" .") == "":
        values = literal(tokens.word(after), is_russian=tokens.language == "ru")
        if values and number.scale == 1000 and tokens.word(after - 1).startswith("тысяч") and tokens.gap(after) == " ":
            is_rest = is_whole(values[0], 100, 999) and tokens.is_next(after + 1)
            return _plus(number, values[0], tokens, after) if is_rest else number
        if values and number.scale > 1000:
            rest = scaled(tokens, Number(values[0], after + 1, tokens.all[after].end, is_digits=True))
            if 1 < rest.scale < number.scale and rest.value < number.scale:
                return number._replace(value=number.value + rest.value, next=rest.next, end=rest.end)
    return number


def _plus(number: Number, rest: Fraction, tokens: Tokens, at: int) -> Number:
    """The number with what token `at` adds."""
    return number._replace(value=number.value + rest, next=at + 1, end=tokens.all[at].end)
