"""A text cut into words, digits and signs, with offsets that hold in the text as given."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from localeval.texts import Language

_BY_HAND = {
    **dict.fromkeys("\u00a0\u202f\u2009\u2007\u2008\u3000", " "),
    **dict.fromkeys("’‘ʼ＇`", "'"),
    **dict.fromkeys("−‐‑﹣－", "-"),
    **dict.fromkeys("—―～〜", "–"),
    **dict(zip("兩萬億點週號時鐘鍾個貳參陸圓塊毛釐兆歲噸", "两万亿点周号时钟钟个贰叁陆元块毛厘兆岁吨", strict=True)),
    **dict(zip("禮內華攝達幾", "礼内华摄达几", strict=True)),
    "ё": "е", "：": ":", "，": ",", "．": ".", "％": "%", "﹪": "%", "／": "/",
    "￥": "¥", "＄": "$", "￡": "£", "º": "°", "˚": "°",
    "〇": "零", "○": "零",
}  # fmt: skip
HAN = "\u3400-\u4dbf\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af"
_SIGNS = "%‰°℃℉№#$€£¥₽₹₩₴₸₺½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"


@lru_cache(maxsize=1)
def _table() -> dict[int, str]:
    """What each character becomes; always one character for one."""
    table = {ord(old): new for old, new in _BY_HAND.items()}
    table |= {0xFF10 + digit: str(digit) for digit in range(10)}
    table |= {0xFF21 + letter: chr(0x61 + letter) for letter in range(26)}
    table |= {0xFF41 + letter: chr(0x61 + letter) for letter in range(26)}
    return table


def level(text: str) -> str:
    """The text in lower case, with one kind of space, hyphen and digit; exactly as long as the text given."""
    plain = text.translate(_table())
    lower = plain.lower()
    if len(lower) != len(plain):
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in plain)
    return lower.replace("ё", "е")


class Token(NamedTuple):
    """A word, a run of digits with its separators, or a sign. `kind` names the pattern that found it."""

    text: str
    start: int
    end: int
    kind: str


_KINDS = [
    ("ymd", r"\d{4}(?P<a>[-./])\d{1,2}(?P=a)\d{1,2}(?![-./]?\d)"),
    ("dmy", r"\d{1,2}(?P<b>[-./])\d{1,2}(?P=b)(?:\d{4}|\d{2})(?![-./:]?\d)"),
    ("clock", r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{3})?(?![:.]?\d)"),
    ("slash", r"\d{1,2}/\d{1,3}(?![/\d])"),
    ("number", r"\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?(?![.,]?\d)|\d{1,3}\.\d{3},\d+(?![.,]?\d)"),
    ("chain", r"\d+(?:\.\d+){2,}|\d+(?:-\d+){2,}"),
    (
        "number",
        r"\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![,.]?\d)|\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?(?![,.]?\d)"
        r"|\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?(?!\d)|\d+\.\d+|DECIMAL\d+|(?<![\w.])\.\d+",
    ),
    ("word", rf"[^\W0-9_{HAN}{_SIGNS}]+"),
    ("sign", f"[{_SIGNS}]"),
]


@lru_cache(maxsize=3)
def _pattern(language: Language) -> re.Pattern[str]:
    """One pattern for all tokens. Only Russian text has a decimal comma; elsewhere "3,5" lists two numbers."""
    decimal = r"\d+,\d+(?![,.]?\d)|" if language == "ru" else ""
    parts = [f"(?P<{kind}{number}>{pattern})" for number, (kind, pattern) in enumerate(_KINDS)]
    return re.compile("|".join(parts).replace("DECIMAL", decimal).replace(r"\d", "[0-9]"))


@dataclass(frozen=True, slots=True)
class Tokens:
    """All tokens of one text, which past both ends answer as empty words far away."""

    raw: str
    text: str
    language: Language
    all: tuple[Token, ...]

    def word(self, number: int) -> str:
        """What token `number` says, or nothing where there is none."""
        return self.all[number].text if 0 <= number < len(self.all) else ""

    def kind(self, number: int) -> str:
        """What kind token `number` is, or nothing where there is none."""
        return self.all[number].kind if 0 <= number < len(self.all) else ""

    def gap(self, number: int) -> str:
        """What stands before token `number` and after the one before it; "|" where that is long or there is none."""
        if not 0 < number < len(self.all):
            return "|"
        start, end = self.all[number - 1].end, self.all[number].start
        return self.text[start:end] if end - start <= 4 else "|"

    def is_next(self, number: int) -> bool:
        """Whether only white space or one hyphen parts token `number` from the one before."""
        gap = self.gap(number)
        return gap in {" ", "-", ""} or (gap.isspace() and gap.count("\n") < 2)


def tokenise(text: str, language: Language) -> Tokens:
    """The words, digits and signs of a text. Chinese characters are no tokens; they are read in place."""
    folded = level(text)
    found = []
    for match in _pattern(language).finditer(folded):
        kind = (match.lastgroup or "").rstrip("0123456789")
        found.append(Token(match[0], match.start(), match.end(), kind))
    return Tokens(text, folded, language, tuple(found))
