"""What each number word of English and Russian stands for, Russian ones in every case and gender."""

from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple

from localeval.evidence.wordlists import in_order

Role = Literal["unit", "teen", "tens", "hundreds", "pack", "scale", "whole", "half", "part"]


class Word(NamedTuple):
    """One number word: how it joins with others, and its value.

    unit 1 to 9, teen 10 to 19, tens 20 to 90, hundreds 100 to 900 (Russian), pack (hundred, dozen) and scale
    (thousand ...) multiply what stands before; whole stands alone or before a scale (0, 1.5); half and part are shares.
    `is_bare`: may stand without a number before it. `is_weak`: when alone, no more than evidence.
    """

    role: Role
    value: Fraction
    is_ordinal: bool = False
    is_bare: bool = True
    is_weak: bool = False


_ENGLISH_UNITS = in_order("one two three four five six seven eight nine")
_ENGLISH_TEENS = in_order("ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen")
_ENGLISH_TENS = in_order("twenty thirty forty fifty sixty seventy eighty ninety")
_ENGLISH_ORDINALS = in_order("first second third fourth fifth sixth seventh eighth ninth")
_ENGLISH_TEENTH = in_order(
    "tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth"
)
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SHORT_SCALES = {
    **dict.fromkeys(("mln", "mn", "млн", "лям", "ляма", "лямов", "mio"), 10**6),
    **dict.fromkeys(("bn", "bln", "млрд", "ярд", "ярда", "ярдов"), 10**9),
    **dict.fromkeys(("tn", "trn", "трлн"), 10**12),
    **dict.fromkeys(("grand", "тыс", "тыщ", "тыщи", "тыща", "тысячей"), 10**3),
}


@lru_cache(maxsize=1)
def english() -> dict[str, Word]:
    """The English number words."""
    words = {word: Word("unit", Fraction(n), is_weak=n == 1) for n, word in enumerate(_ENGLISH_UNITS, 1)}
    words |= {word: Word("teen", Fraction(n)) for n, word in enumerate(_ENGLISH_TEENS, 10)}
    words |= {word: Word("tens", Fraction(10 * n)) for n, word in enumerate([*_ENGLISH_TENS], 2)}
    words["fourty"] = words["forty"]
    for n, word in enumerate(_ENGLISH_ORDINALS, 1):
        words[word] = Word("unit", Fraction(n), is_ordinal=True, is_weak=n < 3)
    words |= {word: Word("teen", Fraction(n), is_ordinal=True) for n, word in enumerate(_ENGLISH_TEENTH, 10)}
    for n, word in enumerate(_ENGLISH_TENS, 2):
        words[word[:-1] + "ieth"] = Word("tens", Fraction(10 * n), is_ordinal=True)
        words[word[:-1] + "ies"] = Word("tens", Fraction(10 * n), is_ordinal=True)
    words |= {"zero": Word("whole", Fraction(0)), "nought": Word("whole", Fraction(0))}
    words |= {"hundred": Word("pack", Fraction(100)), "hundredth": Word("pack", Fraction(100), is_ordinal=True)}
    words |= {"dozen": Word("pack", Fraction(12)), "couple": Word("whole", Fraction(2), is_weak=True)}
    words |= {word: Word("whole", Fraction(2), is_weak=True) for word in ("both", "twice", "pair", "double")}
    words["half"] = Word("half", Fraction(1, 2))
    for word, value in _SCALES.items():
        words[word] = Word("scale", Fraction(value), is_weak=True)
        words[word + "s"] = Word("scale", Fraction(value), is_bare=False)
        words[word + "th"] = Word("scale", Fraction(value), is_ordinal=True)
    return words


_DENOMINATORS = in_order("third quarter fourth fifth sixth seventh eighth ninth tenth")


@lru_cache(maxsize=1)
def english_parts() -> dict[str, Fraction]:
    """Names of shares ("third", "quarters") after a number: one of them as a fraction."""
    sizes = dict(zip(_DENOMINATORS, (3, 4, 4, 5, 6, 7, 8, 9, 10), strict=True))
    sizes |= {"twentieth": 20, "hundredth": 100, "thousandth": 1000}
    parts = {word: Fraction(1, size) for word, size in sizes.items()}
    return {
        **parts,
        **{word + "s": value for word, value in parts.items()},
        "half": Fraction(1, 2),
        "halves": Fraction(1, 2),
    }


_ORDINAL_ENDINGS = in_order("ый ий ой ая ое ого ому ым ом ую ою ые ых ыми")
_ORDINAL_STEMS = {
    "перв": 1, "втор": 2, "четверт": 4, "пят": 5, "шест": 6, "седьм": 7, "восьм": 8, "девят": 9, "десят": 10,
    "одиннадцат": 11, "двенадцат": 12, "тринадцат": 13, "четырнадцат": 14, "пятнадцат": 15, "шестнадцат": 16,
    "семнадцат": 17, "восемнадцат": 18, "девятнадцат": 19, "двадцат": 20, "тридцат": 30, "сороков": 40,
    "пятидесят": 50, "шестидесят": 60, "семидесят": 70, "восьмидесят": 80, "девяност": 90, "сот": 100,
    "двухсот": 200, "трехсот": 300, "четырехсот": 400, "пятисот": 500, "шестисот": 600, "семисот": 700,
    "восьмисот": 800, "девятисот": 900, "тысячн": 1000, "двухтысячн": 2000, "миллионн": 10**6,
}  # fmt: skip
_SMALL_FORMS = {
    1: "один одна одно одни одного одной одною одному одним одном одну одних одними",
    2: "два две двух двум двумя двое двоих двоим двоими", 3: "три трех трем тремя трое троих троим троими",
    4: "четыре четырех четырем четырьмя четверо четверых четверым четверыми",
    5: "пять пяти пятью пятеро пятерых пятерым пятерыми", 6: "шесть шести шестью шестеро шестерых шестерым",
    7: "семь семи семью семеро семерых семерым", 8: "восемь восьми восемью восьмью восьмеро восьмерых",
    9: "девять девяти девятью", 10: "десять десяти десятью десятеро десятерых",
}  # fmt: skip
_TENS_FORMS = {
    20: "двадцать двадцати двадцатью", 30: "тридцать тридцати тридцатью", 40: "сорок сорока",
    50: "пятьдесят пятидесяти пятьюдесятью пятидесятью", 60: "шестьдесят шестидесяти шестьюдесятью шестидесятью",
    70: "семьдесят семидесяти семьюдесятью семидесятью",
    80: "восемьдесят восьмидесяти восемьюдесятью восьмьюдесятью восьмидесятью", 90: "девяносто девяноста",
}  # fmt: skip
_HUNDREDS_FORMS = {
    100: "сто ста", 200: "двести двухсот двумстам двумястами двухстах",
    300: "триста трехсот тремстам тремястами трехстах",
    400: "четыреста четырехсот четыремстам четырьмястами четырехстах",
}  # fmt: skip
_FIVE_TO_NINE = {
    5: ("пять", "пяти", "пятью"), 6: ("шесть", "шести", "шестью"), 7: ("семь", "семи", "семью"),
    8: ("восемь", "восьми", "восемью"), 9: ("девять", "девяти", "девятью"),
}  # fmt: skip
_RUSSIAN_SCALES = {10**6: "миллион", 10**9: "миллиард", 10**12: "триллион"}


@lru_cache(maxsize=1)
def russian() -> dict[str, Word]:
    """The Russian number words, in every case and gender; collective ones too."""
    words = _cardinals() | _ordinals() | _russian_scales()
    for n, forms in {
        2: "оба обе обоих обеих обоим обеим обоими обеими пара пару пары парой дважды вдвое",
        3: "трижды втрое",
    }.items():
        words |= dict.fromkeys(forms.split(), Word("whole", Fraction(n), is_weak=True))
    words |= dict.fromkeys(in_order("ноль нуль ноля нуля нулю нулем нуле"), Word("whole", Fraction(0)))
    words |= dict.fromkeys(in_order("полтора полторы полутора"), Word("whole", Fraction(3, 2)))
    words |= dict.fromkeys(in_order("половина половины половине половину половиной"), Word("half", Fraction(1, 2)))
    words |= dict.fromkeys(in_order("треть трети третью"), Word("part", Fraction(1, 3)))
    words |= dict.fromkeys(in_order("четверть четверти четвертью"), Word("part", Fraction(1, 4), is_weak=True))
    for prefix, noun in (("пол", "тысячи"), ("пол", "миллиона"), ("пол", "миллиарда"), ("полу", "миллиона")):
        value = {"т": 10**3, "миллиона": 10**6, "миллиарда": 10**9}
        words[prefix + noun] = Word("whole", Fraction(value[noun if noun != "тысячи" else "т"], 2))
    words |= {"полсотни": Word("whole", Fraction(50)), "полдюжины": Word("whole", Fraction(6))}
    return words


def _cardinals() -> dict[str, Word]:
    """0 to 999, the words that add up."""
    words: dict[str, Word] = {}
    for n, forms in _SMALL_FORMS.items():
        words |= dict.fromkeys(forms.split(), Word("unit" if n < 10 else "teen", Fraction(n), is_weak=n == 1))
    words["семью"] = words["семью"]._replace(is_weak=True)
    for stem, n in list(_ORDINAL_STEMS.items())[9:18]:
        words |= dict.fromkeys((stem + "ь", stem + "и", stem + "ью"), Word("teen", Fraction(n)))
    for n, forms in _TENS_FORMS.items():
        words |= dict.fromkeys(forms.split(), Word("tens", Fraction(n)))
    for n, forms in _HUNDREDS_FORMS.items():
        words |= dict.fromkeys(forms.split(), Word("hundreds", Fraction(n)))
    for n, (name, of, by) in _FIVE_TO_NINE.items():
        stems = [name + "сот", of + "сот", of + "стам", by + "стами", of + "стах"]
        words |= dict.fromkeys(stems, Word("hundreds", Fraction(100 * n)))
    words["восьмьюстами"] = words["восемьсот"]
    return words


def _ordinals() -> dict[str, Word]:
    """The words that end an ordinal number."""
    words: dict[str, Word] = {}
    for stem, n in _ORDINAL_STEMS.items():
        role: Role = (
            "unit" if n < 10 else "teen" if n < 20 else "tens" if n < 100 else "hundreds" if n < 1000 else "scale"
        )
        word = Word(role, Fraction(n), is_ordinal=True, is_weak=n < 3)
        words |= dict.fromkeys(
            (stem + ending for ending in _ORDINAL_ENDINGS), word if n != 2000 else word._replace(role="whole")
        )
    third = in_order("третий третья третье третьего третьей третьему третьим третьем третьи третьих третьими третьею")
    return words | dict.fromkeys(third, Word("unit", Fraction(3), is_ordinal=True))


def _russian_scales() -> dict[str, Word]:
    """Thousand and up, and the nouns that count in tens, dozens and hundreds."""
    words = dict.fromkeys(
        in_order("тысячи тысяче тысячью тысяч тысячам тысячами тысячах"), Word("scale", Fraction(1000), is_bare=False)
    )
    words |= {"тысяча": Word("scale", Fraction(1000)), "тысячу": Word("scale", Fraction(1000))}
    for n, noun in _RUSSIAN_SCALES.items():
        words |= dict.fromkeys(
            (noun + ending for ending in in_order("а у ом е ы ов ам ами ах")), Word("scale", Fraction(n), is_bare=False)
        )
        words[noun] = Word("scale", Fraction(n))
    words |= {word: Word("scale", Fraction(n), is_bare=False) for word, n in _SHORT_SCALES.items()}
    words |= dict.fromkeys(in_order("сотни сотен сотнями"), Word("pack", Fraction(100), is_bare=False))
    words |= dict.fromkeys(in_order("сотня сотню сотней"), Word("pack", Fraction(100)))
    words |= dict.fromkeys(in_order("десятка десятков десятками"), Word("pack", Fraction(10), is_bare=False))
    words |= dict.fromkeys(in_order("десяток десятком дюжина дюжину дюжиной"), Word("pack", Fraction(10), is_weak=True))
    return words | dict.fromkeys(in_order("дюжина дюжину дюжины дюжин"), Word("pack", Fraction(12)))


@lru_cache(maxsize=1)
def number_words() -> dict[str, Word]:
    """All number words: the script tells the language."""
    return english() | russian()
