"""Words that say a quantity vaguely, and what exact ones may stand in their place."""

import re
from collections.abc import Sequence
from functools import lru_cache

from localeval.evidence.folding import fold
from localeval.evidence.lexicon import russian_readings
from localeval.evidence.wordlists import in_order
from localeval.texts import Language

_COUNTS = "six seven eight nine"
_FEW = "four five six seven"
_SHARES = "43% 44% 46% 47% 48%"
_OVER_HALF = "71% 74% 76% 81% 83% 86%"
_DOZENS = "38 43 47 56 58 67"
_HUNDREDS = "230 270 340 380 420 470"
_NOONS = ["at 11:52", "at 11:48", "at 12:07", "at 12:13", "at 12:04"]
_MIDNIGHTS = ["at 23:52", "at 23:47", "at 00:08", "at 00:13", "at 23:56"]

_OWNERS = "(?= (?:the|all|its|his|her|their|our|these|those)[^\\W_]*\\b)"
_ABOUT = "(?:about|around|nearly|almost|roughly|approximately)"

_ENGLISH = [
    (r"several(?! of\b| hundred\b| thousand\b| million\b| other\b)", _COUNTS),
    (r"a few(?! of\b| hundred\b| thousand\b| more\b| minor\b)", _FEW),
    (r"a handful of(?! (?:th[eo]se|them)\b)", _FEW),
    (r"numerous", "seventeen nineteen 23 26 31"),
    (r"dozens of(?! (?:th[eo]se|them)\b)", _DOZENS),
    (r"(?<!the )hundreds of(?! (?:thousands|th[eo]se|them)\b)", _HUNDREDS),
    (rf"(?:{_ABOUT} )?half of{_OWNERS}", [f"{share} of" for share in _SHARES.split()]),
    (rf"{_ABOUT} half{_OWNERS}", [f"{share} of" for share in _SHARES.split()]),
    (rf"most of{_OWNERS}", [f"{share} of" for share in _OVER_HALF.split()]),
    (r"(?:about|around|at|towards) noon", _NOONS),
    (r"(?:about|around|towards) midnight", _MIDNIGHTS),
]
_NO_HOUR = "(?! (?:перв|втор|трет|четв|пят|шест|седьм|восьм|девят|десят|одиннадц|двенадц))"
_RUSSIAN = [
    (r"несколько(?= [а-яё]+)", "шесть семь восемь девять"),
    (r"нескольких(?= [а-яё]+)", "шести семи восьми девяти"),
    (r"несколькими(?= [а-яё]+)", "шестью семью восемью девятью"),
    (r"не раз(?=[ ,.;])", ["шесть раз", "семь раз", "восемь раз", "девять раз", "одиннадцать раз"]),
    (rf"(?:(?:почти|примерно|около|приблизительно) )?половин[ауы]{_NO_HOUR}(?= [а-яё]{{3,}})",
     ["43 %", "44 %", "46 %", "47 %", "48 %"]),
    (r"большинство(?= [а-яё]{3,})", ["71 %", "76 %", "78 %", "83 %", "86 %"]),
    (r"десятки(?= [а-яё]{3,})", "36 38 46 47 56 58"),
    (r"сотни(?= [а-яё]{3,})", "236 247 338 356 386"),
    (r"(?:около|примерно в|ближе к) полуд(?:ня|ню|ень)", ["в 11:52", "в 11:48", "в 12:07", "в 12:13", "в 12:04"]),
    (r"(?:около|примерно в|ближе к) полун(?:очи|очь)", ["в 23:52", "в 23:47", "в 00:08", "в 00:13", "в 23:56"]),
]  # fmt: skip
_CHINESE = [
    (r"(?<![第十每前后头近这那])(?:好)?几(?=[个位次名天种家条项间台辆场遍趟])", "四 六 七 八 九"),
    (r"(?<![第十百千万一二三四五六七八九两数许很这0-9])多(?=次)", "六 七 八 九 十一"),
    (r"数十", "三十六 四十三 四十七 五十八 六十二"),
    (r"上百", "一百零七 一百一十三 一百二十六 一百三十八"),
    (r"(?:大约|约|大概|将近|近|差不多)?一半(?=的)",
     ["百分之四十三", "百分之四十四", "百分之四十六", "百分之四十七", "百分之四十八"]),
    (r"中午前后", ["十一点五十二分", "十一点四十八分", "十二点零七分", "十二点十三分"]),
]  # fmt: skip


@lru_cache(maxsize=3)
def _table(language: Language) -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    rows: Sequence[tuple[str, Sequence[str]]] = {"en": _ENGLISH, "ru": _RUSSIAN, "zh": _CHINESE}[language]
    start, end = ("", "") if language == "zh" else (r"(?<![^\W_])(?<!-)", r"(?![^\W_]|-)")
    return tuple(
        (
            re.compile(start + pattern + end, re.IGNORECASE),
            tuple(in_order(exact) if isinstance(exact, str) else exact),
        )
        for pattern, exact in rows
    )


def vague_words(text: str, language: Language) -> list[tuple[int, int, tuple[str, ...]]]:
    """Where a text says a quantity vaguely, in order, and what exact ones may stand there; none overlap."""
    found: list[tuple[int, int, tuple[str, ...]]] = []
    for pattern, exact in _table(language):
        for match in pattern.finditer(text):
            if language != "ru" or _counts(text, match):
                found.append((match.start(), match.end(), exact))
    found.sort(key=lambda one: (one[0], -one[1]))
    return [one for at, one in enumerate(found) if all(one[0] >= before[1] for before in found[:at])]


def _counts(text: str, match: re.Match[str]) -> bool:
    """Whether the Russian word after "несколько" and its like is what is counted, and no "несколько выше"."""
    if "полу" in match[0].lower() or match[0].lower().endswith("раз"):
        return True
    word = re.match(r" ([а-яё]+)", text[match.end() :], re.IGNORECASE)
    is_oblique = match[0].lower().startswith(("нескольких", "несколькими"))
    readings = russian_readings(fold(word[1])) if word else ()
    return any("plur" in reading.marks and (is_oblique or "gent" in reading.marks) for reading in readings)
