"""Chinese statements that become denials, and denials that become statements."""

import re
from collections.abc import Iterator

from localeval.evidence.lexicon import chinese_words
from localeval.evidence.wordlists import listed
from localeval.planting.changes import Change, clause_around, is_kept, kept_spans

_OPEN = re.compile(r"[？?]|吗|呢|如果|假如|要是|是否|能否|会不会|无论|不管|除非|只要|只有|即使|哪怕|万一")
_DENIAL = re.compile(r"不|没|未|无|别|莫|勿|非|免|拒绝|否|禁止|缺")
_SCOPE = re.compile(
    r"所有|全部|每个|任何|都|也|只|才|还|仅|就|又|再|最|很|非常|一些|某些|因为|几乎|差不多|比|像|多少|什么|怎么"
)
_PLAIN = listed(
    "需要 同意 可以 能够 应该 愿意 支持 参加 出席 负责 包括 允许 提供 承担 采用 接受 支付 更换 招聘 雇用 使用 打算 准备"
    " 建议 赞成 适合 允许 属于 相信 认为 希望 喜欢 知道 购买 出售 继续"
)
_MODAL = {"会": "不会", "能": "不能", "将": "将不", "将会": "将不会", "是": "不是", "能够": "不能够"}
_DONE = listed(
    "通过 批准 完成 收到 签署 签订 达成 提出 提交 解决 安装 修好 购买 发布 公布 宣布 讨论 介绍 展示 同意 答应 邀请"
    " 找到 发现 确认 取消 更换 采纳 落实 结束 开始 实现 提到 说明"
)
_WHY = re.compile(r"[，,]?\s?(?:因为|由于)")
_INSTEAD = re.compile(r"[，,]?\s?(?:而是|而|只是|因为|由于)")
_NOT_AFTER = re.compile(
    r"不(?:仅|但|过|同|少|断|管|论|满|足|久|用|如|得|必|一|良|合|利|止|算|只|错|对|好|到|了|起|住|完|行|光|许)"
)
_NOT_BEHIND = listed("的 地 得 把 被 可以 能 能够 会 应该 要 必须 决定 同意 打算 准备 开始 继续 允许 没有 为 来 去")
_TAKEN = {"不再": "仍然", "还没有": "已经", "尚未": "已经"}


def chinese_denials(sentence: str) -> Iterator[Change]:
    """ "小林负责" as "小林不负责", "通过了" as "没有通过", "不换" as "换", "不再" as "仍然"."""
    if _OPEN.search(sentence):
        return
    kept = kept_spans(sentence, "zh")
    for change in (*_denied(sentence), *_taken_back(sentence)):
        if not is_kept(change.start, max(change.end, change.start + 1), kept):
            yield change


def _denied(sentence: str) -> Iterator[Change]:
    start = 0
    words = [*chinese_words(sentence)]
    for at, (word, tag) in enumerate(words):
        here, start = start, start + len(word)
        follower, next_tag = words[at + 1] if at + 1 < len(words) else ("", "")
        if not _may_be_denied(sentence, here) or (at and words[at - 1][0] in _NOT_BEHIND):
            continue
        if word in _DONE and follower == "了":
            if not re.match(r"[零一二两三四五六七八九十百千0-9几]", sentence[start + 1 : start + 2]):
                yield Change(here, start + 1, f"没有{word}")
        elif word in _MODAL and (next_tag.startswith(("v", "p", "d")) or (word == "是" and next_tag)):
            if tag.startswith(("v", "d", "c")) and sentence[here - 1 : here] not in {"还", "但", "就", "要", "便"}:
                yield Change(here, start, _MODAL[word])
        elif word in _PLAIN and follower not in {"了", "的", "过", "者", "人", ""} and tag.startswith("v"):
            yield Change(here, start, f"不{word}")


def _may_be_denied(sentence: str, at: int) -> bool:
    """Whether the clause around a place has no denial and nothing that a denial would bind to."""
    start, end = clause_around(sentence, at, "zh")
    clause = sentence[start:end]
    return not (_DENIAL.search(clause) or _SCOPE.search(clause) or _WHY.match(sentence, end))


def _taken_back(sentence: str) -> Iterator[Change]:
    for found in re.finditer(r"不再|还没有|尚未", sentence):
        if not _is_more(sentence, found.start(), found.end()):
            yield Change(found.start(), found.end(), _TAKEN[found[0]])
    start = 0
    words = [*chinese_words(sentence)]
    for at, (word, _) in enumerate(words):
        here, start = start, start + len(word)
        follower, next_tag = words[at + 1] if at + 1 < len(words) else ("", "")
        if _is_more(sentence, here, start) or _NOT_AFTER.match(sentence, here):
            continue
        if word == "不" and next_tag.startswith("v") and not (at and words[at - 1][1].startswith("v")):
            yield Change(here, start, "")
        elif word in {"没有", "没"} and follower in _DONE:
            end = start + len(follower)
            yield Change(here, end, f"{follower}了")
        elif word in {"未", "并未"} and follower in _DONE:
            yield Change(here, start, "已")


def _is_more(sentence: str, start: int, end: int) -> bool:
    """Whether a clause holds a further denial, or goes on with what is so instead."""
    left, right = clause_around(sentence, start, "zh")
    rest = sentence[left:start] + sentence[end:right]
    return bool(_DENIAL.search(rest)) or _INSTEAD.match(sentence, right) is not None
