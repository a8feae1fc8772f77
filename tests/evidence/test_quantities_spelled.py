"""Numbers spelled by generators of the tests' own, read back; and texts that are meant to break the reader."""

import time
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.evidence.quantities import quantities
from localeval.texts import Language

SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def english(number: int, joint: str) -> str:
    """A number below a billion in English words; `joint` stands before the last part below a hundred."""
    for size, name in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            tail = "" if not rest else (joint if rest < 100 else " ") + english(rest, joint)
            return f"{english(number // size, joint)} {name}{tail}"
    if number < 20:
        return SMALL[number]
    return TENS[number // 10] + (f"-{SMALL[number % 10]}" if number % 10 else "")


RUSSIAN = {
    "nominative": (
        "- один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать "
        "пятнадцать шестнадцать семнадцать восемнадцать девятнадцать",
        "- - двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто",
        "- сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот",
        ("одна тысяча", "две тысячи", "тысячи", "тысяч"),
    ),
    "genitive": (
        "- одного двух трёх четырёх пяти шести семи восьми девяти десяти одиннадцати двенадцати тринадцати "
        "четырнадцати пятнадцати шестнадцати семнадцати восемнадцати девятнадцати",
        "- - двадцати тридцати сорока пятидесяти шестидесяти семидесяти восьмидесяти девяноста",
        "- ста двухсот трёхсот четырёхсот пятисот шестисот семисот восьмисот девятисот",
        ("одной тысячи", "двух тысяч", "тысяч", "тысяч"),
    ),
    "instrumental": (
        "- одним двумя тремя четырьмя пятью шестью семью восемью девятью десятью одиннадцатью двенадцатью тринадцатью "
        "четырнадцатью пятнадцатью шестнадцатью семнадцатью восемнадцатью девятнадцатью",
        "- - двадцатью тридцатью сорока пятьюдесятью шестьюдесятью семьюдесятью восемьюдесятью девяноста",
        "- ста двумястами тремястами четырьмястами пятьюстами шестьюстами семьюстами восемьюстами девятьюстами",
        ("одной тысячей", "двумя тысячами", "тысячами", "тысячами"),
    ),
}


def russian(number: int, case: str) -> str:
    """A number below a million in Russian words in one case."""
    small, tens, hundreds, (one, two, few, many) = RUSSIAN[case]
    if number >= 1000:
        count, rest = divmod(number, 1000)
        last = count % 10 if count % 100 not in range(11, 15) else 0
        kept = russian(count - last, case) if count > last else ""
        if last in {1, 2}:
            head = f"{kept} {one if last == 1 else two}"
        else:
            head = f"{russian(count, case)} {few if last in {3, 4} else many}"
        return f"{head} {russian(rest, case) if rest else ''}".strip()
    words = [hundreds.split()[number // 100]] if number >= 100 else []
    number %= 100
    if number >= 20:
        words.append(tens.split()[number // 10])
        number %= 10
    return " ".join([*words, *([small.split()[number]] if number else [])])


def chinese(number: int) -> str:
    """A number below a hundred million in Chinese characters."""
    if number >= 10**4:
        high, low = divmod(number, 10**4)
        return chinese(high) + "万" + (("零" if low < 1000 else "") + chinese(low) if low else "")
    written, is_gap = "", False
    for size, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if digit:
            written += ("零" if is_gap and written else "") + "零一二三四五六七八九"[digit] + name
        is_gap = not digit
    return written


def only_value(text: str, language: Language) -> Fraction:
    """The value of the one quantity that a text must hold, weak or not."""
    found = quantities(text, language, loose=True)
    assert [one.text.strip() for one in found] == [text]
    assert isinstance(found[0].value, Fraction)
    return found[0].value


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9 - 1), st.sampled_from([" ", " and "]))
def test_english_words_are_read_back(number: int, joint: str) -> None:
    """Any number below a billion, with and without "and"."""
    assert only_value(english(number, joint), "en") == number


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 10**6 - 1), st.sampled_from(sorted(RUSSIAN)))
def test_russian_words_are_read_back_in_every_case(number: int, case: str) -> None:
    """Any number below a million, in three cases that between them have every form but those of the dative."""
    assert only_value(russian(number, case), "ru") == number


@settings(max_examples=300, deadline=None)
@given(st.integers(10, 10**8 - 1))
def test_chinese_characters_are_read_back(number: int) -> None:
    """Any number below a hundred million, with 零 where places are skipped."""
    assert only_value(chinese(number), "zh") == number


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**12), st.sampled_from([",", " ", "\u00a0", "'"]))
def test_grouped_digits_are_read_back(number: int, mark: str) -> None:
    """Any grouping of thousands gives the same value."""
    assert only_value(f"{number:,}".replace(",", mark), "en") == number


ALPHABET = "0123456789.,:/-–$%€½ \n'ainmthk万一二十百点分之月年周半个第度двухчасть\ud800İ"


@settings(max_examples=400, deadline=None)
@given(st.text(ALPHABET, max_size=60) | st.text(max_size=60), st.sampled_from(["en", "ru", "zh"]))
def test_no_text_breaks_the_reader(text: str, language: Language) -> None:
    """Whatever stands there, reading raises nothing and every quantity lies within the text, in order."""
    found = quantities(text, language)
    assert all(0 <= one.start < one.end <= len(text) for one in found)
    assert all(before.end <= after.start for before, after in pairwise(found))


WORDS = [*SMALL, *TENS]
WORDS += [
    "hundred",
    "thousand",
    "and",
    "a",
    "half",
    "point",
    "oh",
    "past",
    "to",
    "march",
    "monday",
    "без",
    "сто",
    "тысяч",
    "целых",
    "третьего",
    "половина",
    "5",
    "1/2",
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=14))
def test_no_order_of_number_words_breaks_the_reader(words: list[str]) -> None:
    """Number words in any order raise nothing."""
    quantities(" ".join(words), "en", loose=True)


HOSTILE = [
    "1",
    "1.",
    "1,",
    "1 ",
    "1-",
    "1:",
    "1/",
    "100 ",
    "100,",
    "万",
    "一",
    "一点",
    "一分之",
    "1万",
    "a ",
    "march 1 ",
    "one hundred and ",
    "twenty ",
    "million and one thousand and ",
    "одна целых и ",
    "без пяти ",
    "двух",
    "$1",
    "-1 ",
    "İ",
    "\ud800",
    " ",
    "monday, ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_length_alone(piece: str) -> None:
    """Eight times the text takes about eight times as long, not sixty-four times; best of two, as others run too."""

    def seconds(length: int) -> float:
        text, spent = piece * (length // len(piece)), []
        for _ in range(2):
            begun = time.process_time()
            quantities(text, "en", loose=True)
            spent.append(time.process_time() - begun)
        return min(spent)

    quantities("1", "en")
    short, long = seconds(1500), seconds(12000)
    assert long < 0.05 or long < 24 * short


def test_a_number_of_ten_thousand_digits_is_no_quantity() -> None:
    """So many digits name nothing that was said."""
    assert quantities("1" * 10_000, "en", loose=True) == ()
