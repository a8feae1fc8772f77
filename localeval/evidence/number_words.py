"""Numbers written in words: "twenty-two", "двадцати двух", "a hundred and five", "two point five"."""

from fractions import Fraction

from localeval.evidence.measure import is_whole
from localeval.evidence.number_digits import VULGAR, Number, from_digits, scaled, share_after
from localeval.evidence.number_lexicon import Word, english_parts, number_words
from localeval.evidence.scanning import Tokens

_LONGEST = 30
_DEEPEST = 3


def number_at(tokens: Tokens, first: int) -> Number | None:
    """The number that begins at token `first`, the longest that the words make, or None."""
    token = tokens.all[first]
    if token.kind in {"number", "slash"}:
        return from_digits(tokens, first)
    if token.text in VULGAR:
        return Number(Fraction(VULGAR[token.text]), first + 1, token.end, is_digits=True)
    return _from_words(tokens, first, 0) if token.text in number_words() else None


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
            self.scale = max(self.scale, int(value))
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
    while here < len(tokens.all) and (here == first or tokens.is_next(here) or _is_split(tokens, here, made)):
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


def _is_split(tokens: Tokens, here: int, made: _Sum) -> bool:
    """Whether a hyphen with spaces parts a unit from its ten: tokenised corpora write "twenty - five"."""
    word = number_words().get(tokens.word(here))
    if word is None or tokens.raw[tokens.all[here - 1].end : tokens.all[here].start] != " - ":
        return False
    return made.group % 10 == 0 and made.group % 100 >= 20 and 0 < word.value < 10


def _may_join(tokens: Tokens, here: int, made: _Sum, first: int, depth: int) -> bool:
    """Whether "and" at token `here` goes on with the number, as in "a hundred and five", and begins no other."""
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
    if tokens.word(after) in {"point", "dot"}:
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
        return scaled(tokens, number._replace(value=value, next=here, end=tokens.all[here - 1].end, is_weak=False))
    if tokens.word(after) not in {"целых", "целая", "целой", "целые"}:
        return None
    start = after + 1 + (tokens.word(after + 1) == "и")
    share = _part(tokens, start) if start < len(tokens.all) and tokens.word(start) in words else None
    if share is None or share.value >= 1:
        return None
    return scaled(
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
    if not is_whole(number.value, 18, 20) or not tokens.is_next(after) or number.next != first + 1:
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
