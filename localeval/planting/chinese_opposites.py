"""Chinese words with one true opposite."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate

from localeval.evidence.lexicon import chinese_words
from localeval.keys import derive_seed
from localeval.planting.changes import Change, is_kept, kept_spans
from localeval.planting.picking import pick_others

_PAIRS = """
上升/下降 增加/减少 提高/降低 同意/反对 赞成/反对 接受/拒绝 批准/否决 开始/结束 上午/下午 早上/晚上 最多/最少 至少/至多
成功/失败 高于/低于 大于/小于 多于/少于 支持/反对 允许/禁止 免费/收费 上涨/下跌 盈利/亏损 公开/保密 优点/缺点
打开/关闭 扩大/缩小 加快/放慢 改善/恶化 提前/推迟 聘用/解雇 涨价/降价 便宜/昂贵 容易/困难 安全/危险 有利/不利
积极/消极 增强/减弱 最高/最低 最大/最小 最早/最晚 更高/更低 更多/更少 更好/更差 上半年/下半年 室内/室外 买进/卖出
进口/出口 满意/不满 必要/多余 临时/长期 周末/平日 胜利/失败 加入/退出 招聘/裁减 涨到/降到 增长/下滑
"""
_ONE_WAY = frozenset({"赞成", "同意", "胜利"})
_BEFORE_NUMBER = re.compile(
    r"(?<=[比较])(?P<than>[^，。；、]{1,10}?)(?P<word>多|少)(?=[零一二两三四五六七八九十百千万0-9])"
)
_DIRECTION = re.compile("上升|下降|增加|减少|提高|降低|上涨|下跌|增长|下滑|涨价|降价|涨到|降到")
"""With "more than" or "fewer than" beside it, either of the two would give the other away."""
_NO_LESS = {"以上": "以下", "以下": "以上"}
_AFTER_NUMBER = re.compile(
    r"(?<=[零一二两三四五六七八九十百千万亿0-9个分米斤元岁人次天年月%％里度吨])(?P<word>以上|以下)(?!简称|各|是|如|几)"
)


def chinese_opposites(sentence: str, said: str, seed: int) -> Iterator[Change]:
    """Each word of a Chinese sentence that has a true opposite exchanged for it; whole words of the segmenter's."""
    kept = kept_spans(sentence, "zh")
    words = [word for word, _ in chinese_words(sentence)]
    for start, word in zip([0, *accumulate(map(len, words))], words, strict=False):
        other = _opposites().get(word)
        is_compared = _DIRECTION.fullmatch(word) and _BEFORE_NUMBER.search(sentence)
        if not other or is_compared or other in sentence:
            continue
        if not is_kept(start, start + len(word), kept):
            alike = [one for one in _opposites() if len(one) == len(word) and one not in {word, other}]
            yield Change(start, start + len(word), other, pick_others(alike, said, derive_seed(seed, word)))
    for found in [] if _DIRECTION.search(sentence) else _BEFORE_NUMBER.finditer(sentence):
        yield Change(found.start("word"), found.end("word"), "少" if found["word"] == "多" else "多")
    for found in _AFTER_NUMBER.finditer(sentence):
        yield Change(found.start("word"), found.end("word"), _NO_LESS[found["word"]])


@lru_cache(maxsize=1)
def _opposites() -> Mapping[str, str]:
    found: dict[str, str] = {}
    for pair in _PAIRS.split():
        one, other = pair.split("/")
        found.setdefault(one, other)
        if one not in _ONE_WAY:
            found.setdefault(other, one)
    found["反对"], found["否决"] = "支持", "批准"
    return found
