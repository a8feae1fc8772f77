"""Chinese words and forms that may always stand for others."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate

from localeval.evidence.lexicon import chinese_words
from localeval.planting.changes import Change, is_kept, kept_spans

_WORDS = """
因为=由于 由于=因为 但=但是 但是=不过 不过=但是 因此=所以 所以=因此 公分=厘米 厘米=公分 大约=大概 大概=大约 约=大约
目前=现在 现在=目前 每天=每日 每日=每天 并且=而且 而且=并且 如果=假如 假如=如果 儿童=小孩 每次=每一次
此外=另外 另外=此外 已经=已 立即=马上 马上=立即 经常=常常 常常=经常 例如=比如 比如=例如 或者=或
必须=一定要 告诉=告知 非常=十分 十分=非常 认为=觉得 提到=说到 几乎=差不多
"""
_DAY = re.compile(r"(?<=月)(?P<day>[零一二三四五六七八九十]{1,3}|\d{1,2})号")
_DAY_TOO = re.compile(r"(?<=月)(?P<day>[零一二三四五六七八九十]{1,3}|\d{1,2})日")
_DIGITS = {word: number for number, word in enumerate("零一二三四五六七八九")}
_DATE = re.compile(
    r"(?<![零一二三四五六七八九十年个\d])(?P<month>[一二三四五六七八九十]{1,2})月(?P<day>[一二三四五六七八九十]{1,3})[号日]"
)


def chinese_rewordings(text: str) -> list[Change]:
    """Every change of a Chinese text that leaves its meaning as it is; some may overlap."""
    kept = kept_spans(text, "zh")
    changes = [one for one in _words_in(text) if not is_kept(one.start, one.end, kept)]
    for found in _DATE.finditer(text):
        month, day = _number(found["month"]), _number(found["day"])
        changes.append(Change(found.start(), found.end(), f"{month}月{day}日"))
    changes += [Change(found.start(), found.end(), f"{found['day']}日") for found in _DAY.finditer(text)]
    changes += [Change(found.start(), found.end(), f"{found['day']}号") for found in _DAY_TOO.finditer(text)]
    return changes


def _words_in(text: str) -> Iterator[Change]:
    words = [*chinese_words(text)]
    starts = [0, *accumulate(len(word) for word, _ in words)]
    for start, (word, _) in zip(starts, words, strict=False):
        other = _words().get(word)
        if other and not (word == "因为" and text[max(start - 1, 0) : start] in {"只", "是"}):
            yield Change(start, start + len(word), other)


def _number(written: str) -> int:
    """A Chinese number up to 39: 十五, 二十, 三十一."""
    if "十" not in written:
        return _DIGITS[written[-1]]
    tens, ones = written.split("十", 1)
    return 10 * (_DIGITS[tens] if tens else 1) + (_DIGITS[ones] if ones else 0)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, str]:
    pairs = (pair.partition("=") for pair in _WORDS.split())
    return {word: other for word, _, other in pairs}
