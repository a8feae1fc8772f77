"""Other numbers of the same shape: digits stay digits, words stay words of the same form."""

import re
from collections.abc import Iterator
from functools import lru_cache

from localeval.evidence.chinese_numbers import CHARACTERS
from localeval.evidence.folding import is_han
from localeval.evidence.wordlists import in_order
from localeval.planting.changes import in_case_of

_RUN = re.compile(r"[0-9]+(?:[ ,.'\u00a0\u202f][0-9]{3})*(?:[.,][0-9]+)?")
_WORD = re.compile(r"[^\W\d_]+")
_HAN_RUN = re.compile(rf"[{CHARACTERS}]+(?!分之|[{CHARACTERS}])")
_ENDING = re.compile(r"(?:st|nd|rd|th)\b", re.IGNORECASE)
_FACTORS = (0.45, 0.53, 0.62, 0.68, 0.74, 0.81, 0.87, 1.14, 1.22, 1.31, 1.42, 1.55, 1.68, 1.85)
_SHORTEST = 2
_HAN_DIGITS = "二三四五六七八九"
_ALONE = {"十": ("六", "七", "八", "十二", "十五", "二十"), "百": (), "千": (), "万": ()}

_SAME_FORM = """
two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety
third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth
twentieth thirtieth fortieth fiftieth sixtieth
два три четыре
две три четыре
двух трёх четырёх
двум трём четырём
двумя тремя четырьмя
двое трое четверо
двоих троих четверых
пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать
пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати четырнадцати пятнадцати шестнадцати семнадцати
пятью шестью восемью девятью десятью одиннадцатью двенадцатью
пятеро шестеро семеро
двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто
двадцати тридцати сорока пятидесяти шестидесяти семидесяти восьмидесяти девяноста
сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот
ста двухсот трёхсот четырёхсот пятисот шестисот семисот восьмисот девятисот
"""
"""Rows of words that may take each other's places: the same case, and the noun after them stays as it is."""

_TENS_BEFORE = {
    "два две три четыре": "двадцать тридцать сорок пятьдесят",
    "двух трёх четырёх двум трём четырём": "двадцати тридцати сорока пятидесяти",
    "двумя тремя четырьмя": "двадцатью тридцатью сорока пятьюдесятью",
}
"""What makes another number of a small one, before which the noun stays as it is: "двадцать две недели"."""

_HARD = in_order(
    "пят шест седьм восьм девят десят одиннадцат двенадцат тринадцат четырнадцат пятнадцат двадцат тридцат"
)
_MORE_HARD = in_order("перв втор четвёрт")
_NOT_ALIKE = ("три", "два", "две")


@lru_cache(maxsize=1)
def _rows() -> dict[str, tuple[str, ...]]:
    """For each word, ё written as е, the words that may take its place."""
    found: dict[str, tuple[str, ...]] = {}
    for row in _SAME_FORM.strip().splitlines():
        words = row.split()
        for word in words:
            rest = tuple(other for other in words if other != word and not (word == "три" and other in _NOT_ALIKE))
            if word == "четыре":
                rest = ("три",)
            found[_plain(word)] = rest
    return found | _ordinals()


def _ordinals() -> dict[str, tuple[str, ...]]:
    """The Russian ordinals of the hard declension, in all forms but the one in which the stress shows."""
    stems = [*_HARD, *_MORE_HARD]
    found = {}
    for ending in in_order("ого ому ым ом ая ой ую ое ые ых ыми"):
        for stem in stems:
            found[_plain(stem) + ending] = tuple(other + ending for other in stems if other != stem)
    for ending in in_order("ого ому ым ом ая ую ое"):
        found |= {_plain(stem) + ending: tuple(s + ending for s in stems if s != stem) for stem in stems}
    return found


def _plain(word: str) -> str:
    return word.replace("ё", "е")


def same_form(word: str) -> tuple[str, ...]:
    """The number words that may take one's place, as they are to be written; empty for any other word."""
    rest = _rows().get(_plain(word.lower()), ())
    is_dotted = "ё" in word.lower() or not any(char in "её" for char in word.lower())
    return tuple(in_case_of(other if is_dotted else _plain(other), word) for other in rest)


def number_variants(text: str) -> Iterator[str]:
    """A quantity's text with other numbers in it, one piece changed in each; may repeat, may hold what is no number."""
    if "½" in text or "/" in text:
        return
    for run in _RUN.finditer(text):
        for other in digit_variants(run[0]):
            ending = _ENDING.match(text, run.end())
            rest = ordinal_ending(other) + text[ending.end() :] if ending else text[run.end() :]
            yield text[: run.start()] + other + rest
    yield from word_variants(text)
    for han in _HAN_RUN.finditer(text):
        for other in _han_variants(han[0], han.start() == 0):
            yield text[: han.start()] + other + text[han.end() :]


def word_variants(text: str) -> Iterator[str]:
    """A quantity's text with another number word of the same form in one place."""
    for word in _WORD.finditer(text):
        if not is_han(word[0]):
            yield from (text[: word.start()] + other + text[word.end() :] for other in same_form(word[0]))


def further_variants(text: str) -> Iterator[str]:
    """A quantity's text with a Russian number made larger by its tens: where too few of its form are left."""
    for word in _WORD.finditer(text):
        for small, tens in _TENS_BEFORE.items():
            if _plain(word[0].lower()) in _plain(small).split():
                for ten in tens.split():
                    yield text[: word.start()] + in_case_of(f"{ten} {word[0].lower()}", word[0]) + text[word.end() :]


def digit_variants(run: str) -> Iterator[str]:
    """Other digits with the same separators, as many figures, and as many noughts at the end; of like size."""
    figures = "".join(char for char in run if char.isdigit())
    core = figures.rstrip("0")
    n_noughts = len(figures) - len(core)
    if not core or core != core.lstrip("0"):
        yield from _after_nought(run, core)
        return
    value = int(core)
    if len(core) < _SHORTEST:
        others = [other for other in range(1, 10) if other != value and other * 3 >= value]
    elif len(core) == _SHORTEST:
        least = max(2, round(value * 0.1))
        others = [
            other for other in range(11, 100) if other % 10 and abs(other - value) >= least and _is_like(other, value)
        ]
    else:
        others = [round(value * factor) + turn for turn, factor in enumerate(_FACTORS, -7)]
    for other in others:
        if len(str(other)) == len(core) and (n_noughts == 0 or other % 10):
            yield _with_figures(run, str(other) + "0" * n_noughts)


def _is_like(other: int, value: int) -> bool:
    return 0.5 * value <= other <= 2 * value


def _after_nought(run: str, core: str) -> Iterator[str]:
    """Other figures in the place of the last of "0.5" or "05"."""
    if not core:
        return
    at = max(place for place, char in enumerate(run) if char.isdigit() and char != "0")
    for other in "123456789":
        if other != run[at]:
            yield run[:at] + other + run[at + 1 :]


def _with_figures(run: str, figures: str) -> str:
    left = iter(figures)
    return "".join(next(left) if char.isdigit() else char for char in run)


def ordinal_ending(figures: str) -> str:
    """The ending of an English ordinal in digits."""
    last = int(figures[-1]) if figures[-1].isdigit() else 0
    return "th" if figures[-2:] in ("11", "12", "13") else {1: "st", 2: "nd", 3: "rd"}.get(last, "th")


def _han_variants(run: str, is_first: bool) -> Iterator[str]:
    """A Chinese number with another digit in one place; `is_first`: no unit stands before it, as in "一块八"."""
    if run in _ALONE:
        yield from _ALONE[run]
        return
    for at, char in enumerate(run):
        options = _HAN_DIGITS[1:] if char == "两" else _HAN_DIGITS if char in "一" + _HAN_DIGITS else ""
        for other in options:
            is_counted = other == "二" and at == 0 and is_first and run[1:2] not in ("十", "点")
            if other != char:
                yield run[:at] + ("两" if is_counted else other) + run[at + 1 :]
