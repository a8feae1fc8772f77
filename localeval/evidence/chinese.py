"""Numbers, dates and times in Chinese characters: "十二万", "百分之五", "三月十四日", "下午两点半", "两块一"."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from localeval.evidence.chinese_numbers import CHARACTERS, DIGITS, han_number
from localeval.evidence.clocks import clock, found_clock
from localeval.evidence.dates import long_year, valid
from localeval.evidence.measure import Day, Found
from localeval.evidence.units import names
from localeval.evidence.wordlists import listed

_CLASSIFIERS = (
    "个位名人次项条件家种只张本台辆部座届场期轮层章节级倍份组队篇句首支架艘间所套批笔户票步类遍"
    "趟排行段桌杯瓶箱袋块头匹棵株颗间门"
)
_WEEKDAYS = {day: number for number, day in enumerate("一二三四五六日")} | {"天": 6}
_MORNING = "上午|早上|凌晨|清晨|早晨|今早|明早"
_PERIODS = rf"(?P<period>{_MORNING}|下午|晚上|中午|傍晚|夜里|今晚|明晚|夜晚|午后)?"
_AFTER_ONE = listed("""
小时 个小时 分钟 公里 公斤 千米 千克 年 个月 星期 个星期 周 吨 米 厘米 升 斤 亩 元 块 块钱
元钱 美元 欧元 英镑 秒 公顷
""")
_COINS = {"块": "cny", "元": "cny", "米": "m", "斤": "jin"}
_LONGEST_UNIT = 5


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    """One pattern for all that is read here, the longest sorts first."""
    short = "(?:[0-9]{1,2}|[零一二三四五六七八九十]{1,3})"
    number = _number_pattern().pattern
    return re.compile(
        rf"(?P<weekday>(?:星期|礼拜|(?<![{CHARACTERS}0-9每几]))(?:(?<=期)|(?<=拜)|周)(?P<wday>[一二三四五六日天]))"
        rf"|(?P<date>(?:(?P<year>[0-9]{{2,4}}|[零一二三四五六七八九]{{2,4}})年 ?)?"
        rf"(?P<month>{short}) ?月(?: ?份)?(?: ?(?P<day>{short}) ?[日号])?)"
        rf"|(?P<only_year>(?:[0-9]{{4}}|[零一二三四五六七八九]{{4}})年)"
        rf"|(?P<dayonly>(?:(?P<dnum>{short})(?:号|日))(?![线楼院文元机店馆码称召召房门厅会]))"
        rf"|(?P<clock>{_PERIODS}(?P<hour>{short}|两)(?:点|时)(?P<rest>钟|整|半|一刻|三刻|(?P<minute>{short})分?)?)"
        rf"|(?P<share>(?P<under>百|千|万|{number})分之(?P<over>{number}|[0-9]+(?:\.[0-9]+)?))"
        rf"|(?P<tenths>(?P<tenth>[一二三四五六七八九两1-9])成(?P<more>[一二三四五六七八九半])?(?![为员功立本就长年绩人熟语都分果交品]))"
        rf"|(?P<half>一半|半(?=个?(?:小时|钟头|月|年|公斤|斤|米|公里|吨|亩|天|价)))"
        rf"|(?P<number>{number})"
    )


@lru_cache(maxsize=1)
def _number_pattern() -> re.Pattern[str]:
    """A number in characters, or in characters with digits among them."""
    part = rf"(?:[0-9]+(?:\.[0-9]+)?)?[{CHARACTERS}](?:[{CHARACTERS}]|[0-9]+(?:\.[0-9]+)?(?=[千万亿]))*"
    return re.compile(rf"(?:{part}(?:点[{DIGITS}]+)?)")


def chinese(text: str) -> Iterator[Found]:
    """All quantities of a levelled text that are written with Chinese characters, in order."""
    place = 0
    while match := _pattern().search(text, place):
        kind = match.lastgroup or "number"
        found, place = _READERS[kind](text, match), match.end()
        if found is None and kind != "number":
            again = _number_pattern().match(text, match.start())
            found, place = (
                (_plain(text, again.start(), again.end()), again.end()) if again else (None, match.start() + 1)
            )
        if found:
            yield found


def _small(written: str) -> int:
    """A short number in digits or characters, -1 where it is none."""
    if written.isascii():
        return int(written)
    value = han_number(written)
    return int(value) if value is not None and value.denominator == 1 else -1


def _weekday(text: str, match: re.Match[str]) -> Found | None:
    return Found(match.start(), match.end(), Day(weekday=_WEEKDAYS[match["wday"]]))


def _date(text: str, match: re.Match[str]) -> Found | None:
    month, day = _small(match["month"]), _small(match["day"]) if match["day"] else None
    if not 1 <= month <= 12 or (day is not None and not valid(None, month, day)):
        return None
    year = long_year(_small(match["year"])) if match["year"] else None
    return Found(match.start(), match.end(), Day(year, month, day))


def _only_year(text: str, match: re.Match[str]) -> Found | None:
    year = _small(match[0][:-1])
    return Found(match.start(), match.end(), Day(year)) if 1000 <= year <= 2100 else None


def _day_only(text: str, match: re.Match[str]) -> Found | None:
    day = _small(match["dnum"])
    is_day = match[0].endswith("号") or not match["dnum"].isascii()
    return Found(match.start(), match.end(), Fraction(day), is_ordinal=True) if 1 <= day <= 31 and is_day else None


def _clock(text: str, match: re.Match[str]) -> Found | None:
    rest, period, written = match["rest"] or "", match["period"], match["hour"]
    hour = 2 if written == "两" else _small(written)
    is_o_clock = "时" in match[0][: match.end("hour") - match.start() + 1]
    is_sure = (
        bool(period)
        or rest in {"钟", "整", "半", "一刻", "三刻"}
        or rest.endswith("分")
        or (is_o_clock and written.isascii())
    )
    if not is_sure:
        return None
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(rest, _small(match["minute"]) if match["minute"] else 0)
    shift = None if not period else 0 if period in _MORNING.split("|") else 12
    if period in {"中午", "夜里", "晚上"} and hour in {10, 11, 12} and (period == "中午") != (hour == 12):
        shift = 0 if period == "中午" else 12
    if hour == 12 and period in {"夜里", "晚上"}:
        shift = 0
    return found_clock(match.start(), match.end(), clock(hour, minute, shift))


def _share(text: str, match: re.Match[str]) -> Found | None:
    over = Fraction(match["over"]) if match["over"].isascii() else han_number(match["over"])
    under = han_number(match["under"])
    if over is None or not under:
        return None
    if match["under"] == "百":
        return Found(match.start(), match.end(), over, "percent")
    return Found(match.start(), match.end(), over / under)


def _tenths(text: str, match: re.Match[str]) -> Found | None:
    more = 5 if match["more"] == "半" else _small(match["more"]) if match["more"] else 0
    tenth = 2 if match["tenth"] == "两" else _small(match["tenth"])
    return Found(match.start(), match.end(), Fraction(10 * tenth + more), "percent")


def _half(text: str, match: re.Match[str]) -> Found | None:
    unit, end = _unit(text, match.end()) if match[0] == "半" else (None, match.end())
    return Found(match.start(), end, Fraction(1, 2), unit)


def _number(text: str, match: re.Match[str]) -> Found | None:
    return _plain(text, match.start(), match.end())


_READERS = {
    "weekday": _weekday, "date": _date, "only_year": _only_year, "dayonly": _day_only, "clock": _clock,
    "share": _share, "tenths": _tenths, "half": _half, "number": _number,
}  # fmt: skip


def _unit(text: str, start: int) -> tuple[str | None, int]:
    """The unit that a number ends before, or None, and where it ends."""
    for length in range(_LONGEST_UNIT, 0, -1):
        unit = names().get(text[start : start + length])
        if unit and (len(text) >= start + length) and text[start] > "\u2fff":
            return unit, start + length
    return None, start


def _plain(text: str, start: int, end: int) -> Found | None:
    """A number with its unit, its "半" and the digit that goes on with it: "两个半小时", "五年半", "两块一"."""
    written = text[start:end]
    value = han_number(written)
    if value is None:
        return None
    is_ordinal = text[start - 1 : start] == "第"
    if is_ordinal:
        is_weak = value < 3 or text[end : end + 1] in {",", "、", ":", "方"}
        return Found(start - 1, end, value, is_ordinal=True, is_weak=is_weak)
    if text.startswith("个半", end):
        unit, after = _unit(text, end + 2)
        return Found(start, after, value + Fraction(1, 2), unit)
    unit, after = _unit(text, end)
    name = text[end:after]
    is_weak = _is_weak(text, written, start, end, name)
    if (
        unit
        and name in _COINS
        and (digit := re.compile(rf"[{DIGITS}半](?![{CHARACTERS}{_CLASSIFIERS}0-9年月日天分])").match(text, after))
    ):
        more = Fraction(5 if digit[0] == "半" else _small(digit[0]), 10)
        return Found(start, digit.end(), value + more, _COINS[name])
    if unit and text.startswith("半", after) and not text.startswith(("半夜", "半天", "半年"), after):
        return Found(start, after + 1, value + Fraction(1, 2), unit)
    if value < 0 or (text[max(0, start - 1) : start] == "负" or text[max(0, start - 2) : start] == "零下"):
        value = -value
    return Found(start, after, value, unit, is_weak=is_weak)


def _is_weak(text: str, written: str, start: int, end: int, unit: str) -> bool:
    """Whether a number is too likely part of another word, or says no number, to accuse with."""
    if written in {"一", "1"}:
        return unit not in _AFTER_ONE or text[start - 1 : start] in set("统万唯之第同单某每另")
    if len(written) == 1 and written not in "百千万亿":
        return not (unit or text[end : end + 1] in set(_CLASSIFIERS)) or (
            text.startswith(("十分", "两岸", "百度"), start) and not unit.endswith("钟")
        )
    return len(written) == 1 or written in {"千万", "万一", "百万", "一一", "三三", "两两", "千百", "万千"}
