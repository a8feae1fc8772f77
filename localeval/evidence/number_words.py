"""Numbers written in words or in digits with words: "twenty-two", "двадцати двух", "2.5 million", "a hundred and five"."""

import re
from fractions import Fraction
from typing import NamedTuple

from localeval.evidence.number_lexicon import Word, english_parts, number_words
from localeval.evidence.scanning import Tokens
from localeval.evidence.wordlists import in_order

_LONGEST = 30
_DEEPEST = 3
_LETTER_SCALES = {"k": 10**3, "к": 10**3, "m": 10**6, "м": 10**6, "b": 10**9, "t": 10**12}
_HAN_SCALES = {"千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8, "十亿": 10**9, "万亿": 10**12}
_VULGAR = dict(
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


def number_at(tokens: Tokens, first: int) -> Number | None:
    """The number that begins at token `first`, the longest that the words make, or None."""
    token = tokens.all[first]
    if token.kind in {"number", "slash"}:
        return _from_digits(tokens, first)
    if token.text in _VULGAR:
        return Number(Fraction(_VULGAR[token.text]), first + 1, token.end, is_digits=True)
    return _from_words(tokens, first, 0) if token.text in number_words() else None


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


def _from_digits(tokens: Tokens, first: int) -> Number | None:
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
    scaled = _scaled(tokens, number)
    if scaled.scale == 1:
        return scaled
    return _with_rest(tokens, scaled)


def _with_share(tokens: Tokens, number: Number) -> Number:
    """The number with "½", " 1/2", " and a half" or " с половиной" after it, if one follows."""
    after = number.next
    if number.value.denominator > 1 or not tokens.is_next(after):
        return number
    word = tokens.word(after)
    if word in _VULGAR:
        return number._replace(value=number.value + Fraction(_VULGAR[word]), next=after + 1, end=tokens.all[after].end)
    if tokens.kind(after) == "slash" and tokens.gap(after) in {" ", "-"}:
        share = _from_digits(tokens, after)
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


def _scaled(tokens: Tokens, number: Number) -> Number:
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
                scale, end = _HAN_SCALES[written], end + length
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
            is_rest = values[0] in range(100, 1000) and tokens.is_next(after + 1)
            return _plus(number, values[0], tokens, after) if is_rest else number
        if values and number.scale > 1000:
            rest = _scaled(tokens, Number(values[0], after + 1, tokens.all[after].end, is_digits=True))
            if 1 < rest.scale < number.scale and rest.value < number.scale:
                return number._replace(value=number.value + rest.value, next=rest.next, end=rest.end)
    return number


def _plus(number: Number, rest: Fraction, tokens: Tokens, at: int) -> Number:
    """The number with what token `at` adds."""
    return number._replace(value=number.value + rest, next=at + 1, end=tokens.all[at].end)


class _Sum:
    """A number in words while its words arrive, from the largest scale down."""

    def __init__(self) -> None:
        self.total = Fraction(0)
        self.group = Fraction(0)
        self.lowest = 10**15
        self.scale = 1
        self.has_group = False
        self.has_pack = False

    def take(self, word: Word) -> bool:
        """Adds one word, if it can follow those before it."""
        value, role = word.value, word.role
        if role == "scale":
            if not (self.has_group or (word.is_bare and not self.total) or word.is_ordinal) or value >= self.lowest:
                return False
            self.total += (self.group if self.has_group else 1) * value
            self.group, self.has_group, self.has_pack, self.lowest = Fraction(0), False, False, int(value)
            self.scale = int(value)
            return True
        if role == "pack":
            if self.has_pack or self.group >= 100 or not (self.has_group or word.is_bare):
                return False
            self.group, self.has_pack = (self.group if self.has_group else Fraction(1)) * value, True
        elif role in {"whole", "half", "part"}:
            if self.has_group or self.total:
                return False
            self.group = value
        elif not self._fits(value, role):
            return False
        else:
            self.group += value
        self.has_group = True
        return True

    def _fits(self, value: Fraction, role: str) -> bool:
        """Whether a word below a thousand may be added to the group."""
        if not self.has_group:
            return value < self.lowest
        if self.group.denominator > 1 or not self.group:
            return False
        if role == "hundreds":
            return False
        if role == "tens" or role == "teen":
            return self.group % 100 == 0
        return self.group % 100 == 0 or (self.group % 10 == 0 and self.group % 100 >= 20)

    @property
    def value(self) -> Fraction:
        """What the words make so far."""
        return self.total + self.group


def _from_words(tokens: Tokens, first: int, depth: int) -> Number | None:
    """The number that begins with the number word at token `first`; `depth` counts the numbers that it is part of."""
    words, here, made, last = number_words(), first, _Sum(), None
    while here < len(tokens.all) and (here == first or tokens.is_next(here)):
        word = words.get(tokens.word(here))
        if word is None and here > first and tokens.word(here) == "and" and _may_join(tokens, here, made, first, depth):
            here += 1
            continue
        if word is None or not made.take(word):
            break
        last, here = word, here + 1
        if word.is_ordinal:
            break
        share = share_after(tokens, here) if made.group.denominator == 1 and made.has_group else None
        if share and tokens.is_next(here):
            made.group, here = made.group + share.value, share.next
    if last is None:
        return None
    is_alone = here == first + 1
    end = tokens.all[here - 1].end
    number = Number(made.value, here, end, last.is_ordinal, is_alone and last.is_weak, made.scale)
    return number if depth else _finished(tokens, first, number)


def _may_join(tokens: Tokens, here: int, made: _Sum, first: int, depth: int) -> bool:
    """Whether "and" at token `here` goes on with the number: "a hundred and five", but not "one hundred and two hundred"."""
    hundreds = made.has_pack and made.group and made.group % 100 == 0
    limit = 100 if hundreds else made.lowest if not made.has_group and made.total else 0
    if not limit or depth >= _DEEPEST or not tokens.is_next(here + 1) or tokens.word(here + 1) not in number_words():
        return False
    rest = _from_words(tokens, here + 1, depth + 1)
    if rest is None or rest.value <= 0 or rest.value.denominator > 1:
        return False
    if rest.value < limit:
        return True
    is_between = "between" in {tokens.word(n) for n in range(first - 3, first)}
    return bool(hundreds) and not is_between and rest.scale > 1 and rest.value < 100 * rest.scale


def _finished(tokens: Tokens, first: int, number: Number) -> Number:
    """The number with what may still follow: decimals, a share, the second half of a year."""
    for step in (_decimals, _share_of, _year):
        changed = step(tokens, first, number)
        if changed:
            return changed
    return number


def _decimals(tokens: Tokens, first: int, number: Number) -> Number | None:
    """ "two point five", "две целых пять десятых", or None."""
    after, words = number.next, number_words()
    if number.is_ordinal or number.scale > 1 or not tokens.is_next(after):
        return None
    if tokens.word(after) == "point":
        digits, here = "", after + 1
        while here < len(tokens.all) and tokens.is_next(here) and len(digits) < _LONGEST:
            word = words.get(tokens.word(here))
            if tokens.word(here) in {"oh", "o"}:
                digits += "0"
            elif word and not word.is_ordinal and (word.role in {"unit", "teen", "tens"} or word.value == 0):
                digits += str(word.value)
            else:
                break
            here += 1
        if not digits:
            return None
        value = number.value + Fraction(f"0.{digits}")
        return _scaled(tokens, number._replace(value=value, next=here, end=tokens.all[here - 1].end, is_weak=False))
    if tokens.word(after) not in {"целых", "целая", "целой", "целые"}:
        return None
    start = after + 1 + (tokens.word(after + 1) == "и")
    share = _part(tokens, start) if start < len(tokens.all) and tokens.word(start) in words else None
    if share is None or share.value >= 1:
        return None
    return _scaled(
        tokens, number._replace(value=number.value + share.value, next=share.next, end=share.end, is_weak=False)
    )


def _part(tokens: Tokens, first: int) -> Number | None:
    """A share written as its count and its name from token `first` on ("пять десятых"), or None."""
    count = _from_words(tokens, first, 1)
    return _share_of(tokens, first, count) if count else None


def _share_of(tokens: Tokens, first: int, number: Number) -> Number | None:
    """ "two thirds", "две трети", "пять десятых", or None."""
    after = number.next
    word = tokens.word(after)
    if number.is_ordinal or number.value.denominator > 1 or not 0 < number.value < 1000 or not tokens.is_next(after):
        return None
    part = english_parts().get(word)
    if part and (word.endswith("s") != (number.value == 1)) and number.value < 1 / part:
        return number._replace(value=number.value * part, next=after + 1, end=tokens.all[after].end, is_weak=False)
    known = number_words().get(word)
    if known is None or not "а" <= word[0] <= "я":
        return None
    is_one = tokens.word(number.next - 1) in {"одна", "одной", "одну"}
    is_many = word.endswith(("ых", "ыми", "ым", "их"))
    if known.role == "part":
        part = known.value
    elif known.is_ordinal and (is_many or (is_one and word.endswith(("ая", "ой", "ую")))) and known.value > 2:
        part = 1 / known.value
    else:
        return None
    return number._replace(value=number.value * part, next=after + 1, end=tokens.all[after].end, is_weak=False)


def _year(tokens: Tokens, first: int, number: Number) -> Number | None:
    """ "nineteen ninety-nine" and "twenty twenty-four" as one number, or None."""
    after = number.next
    if number.value not in {18, 19, 20} or not tokens.is_next(after) or number.next != first + 1:
        return None
    if tokens.word(after) in {"oh", "o"} and tokens.is_next(after + 1):
        last = number_words().get(tokens.word(after + 1))
        if last and last.role == "unit" and not last.is_ordinal:
            return number._replace(value=number.value * 100 + last.value, next=after + 2, end=tokens.all[after + 1].end)
        return None
    if tokens.word(after) not in number_words() or not tokens.word(after).isascii():
        return None
    rest = _from_words(tokens, after, 1)
    if rest is None or not 10 <= rest.value < 100 or rest.is_ordinal or rest.value.denominator > 1:
        return None
    return number._replace(value=number.value * 100 + rest.value, next=rest.next, end=rest.end)
