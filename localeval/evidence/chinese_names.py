"""Names in Chinese, which has no capitals: what the segmenter tags, and patterns with surnames, titles, bodies."""

from collections.abc import Iterator
from itertools import accumulate

from localeval.evidence.folding import is_han
from localeval.evidence.lexicon import chinese_words, is_chinese_word
from localeval.evidence.wordlists import listed

_SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石"
    "廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤芳章康施颜庞樊柳洪温翁倪左岳"
) | {"欧阳", "司马", "上官", "诸葛", "司徒", "东方", "慕容", "夏侯", "尉迟", "公孙"}
_FAMILIAR = frozenset("小老大阿")
_TITLES = tuple(
    listed(
        """
    先生 女士 小姐 太太 医生 大夫 护士 老师 教授 博士 院士 经理 总监 主任 主席 院长 校长 局长 部长 处长 科长 书记 总理
    总统 律师 法官 师傅 工程师 同学 市长 省长 会长 队长 阿姨 董事长 总经理 总裁 总
    """
    )
)
_SPEAKS = listed("说 表示 认为 提到 提出 指出 负责 宣布 担任 强调 建议 介绍 同意 决定 报告 汇报 补充 回答 解释 问 称")
_BODIES = tuple(
    listed(
        """
    有限公司 公司 集团 大学 医院 银行 学院 中学 小学 研究院 研究所 委员会 协会 基金会 酒店 机场 大厦 工厂 出版社
    俱乐部 合作社 博物馆 图书馆
    """
    )
)
_FOREIGN = frozenset(
    "克斯特尔尼德拉夫格姆森卡伯纳杰娜莉莎艾罗布鲁伊瓦维比亚洛基莱弗温戴帕西蒂塞诺里奥恩丹伦凯米普图哈汉顿约翰逊马丽"
)
_NOT_NAMES = listed("上门 上门来 上市公司 音乐会 中文 原文")
_NAME_TAGS = ("nr", "ns", "nt")
_AFTER_SURNAME = frozenset("说会在是来去就也都要把被让给的了和跟与问先又还没不")
_PARTS_OF_BODIES = ("n", "j", "b", "vn", "x")
_LONGEST_LEFT = 4


def chinese_spans(text: str) -> Iterator[tuple[int, int]]:
    """The offsets of the Chinese names in a text, in no order; some may overlap.

    A segmenter's tags for people, places and organisations; 小, 老, 大 or 阿 before a surname (老周); a
    surname before a title (王医生) or a given name before a verb of speech (张伟民表示); and what ends as companies,
    universities, hospitals and their like do, where one word of it is a name or in no dictionary.
    """
    words = chinese_words(text)
    ends = list(accumulate(len(word) for word, _ in words))
    starts = [0, *ends[:-1]]
    for at, (word, tag) in enumerate(words):
        if not is_han(word):
            continue
        if _is_name(word, tag):
            yield starts[at], ends[at]
        for first, last in (_familiar(words, at), _titled(words, at), _speaker(words, at), _body(words, at)):
            if last > first:
                yield starts[first], ends[last - 1]
    yield from _surname_in_word(words, starts)


def is_person(word: str) -> bool:
    """Whether a Chinese word is a surname and what may be a given name."""
    return is_han(word) and (word[0] in _SURNAMES or word[:2] in _SURNAMES) and may_end_name(word[-1])


def may_end_name(char: str) -> bool:
    """Whether a Chinese character may be the last of a person's name; verbs and particles are not."""
    return is_han(char) and char not in _AFTER_SURNAME


def _is_name(word: str, tag: str) -> bool:
    """Whether to believe the segmenter, whose tag for people covers much else (维修费, 刘说)."""
    if len(word) < 2 or not tag.startswith(_NAME_TAGS) or word in _NOT_NAMES or word in _TITLES or word in _BODIES:
        return False
    if not tag.startswith("nr"):
        return True
    return is_person(word) or len(_FOREIGN.intersection(word)) >= 2 or tag == "nrt"


def _familiar(words: tuple[tuple[str, str], ...], at: int) -> tuple[int, int]:
    """老周, 大刘: one word or two."""
    word = words[at][0]
    if len(word) == 2 and word[0] in _FAMILIAR and word[1] in _SURNAMES:
        return at, at + 1
    following = words[at + 1][0] if at + 1 < len(words) else ""
    return (at, at + 2) if word in _FAMILIAR and following in _SURNAMES else (0, 0)


def _titled(words: tuple[tuple[str, str], ...], at: int) -> tuple[int, int]:
    """王医生: the title stays, for the surname alone stands nearly everywhere."""
    following = words[at + 1][0] if at + 1 < len(words) else ""
    return (at, at + 2) if words[at][0] in _SURNAMES and following in _TITLES else (0, 0)


def _surname_in_word(words: tuple[tuple[str, str], ...], starts: list[int]) -> Iterator[tuple[int, int]]:
    """王总 where the segmenter keeps it in one word, alone or with the verb after it."""
    for (word, _), start in zip(words, starts, strict=True):
        if len(word) > 1 and word[0] in _SURNAMES and not is_chinese_word(word):
            title = next((title for title in _TITLES if word.startswith(title, 1)), "")
            if title:
                yield start, start + 1 + len(title)


def _speaker(words: tuple[tuple[str, str], ...], at: int) -> tuple[int, int]:
    """张伟民表示, 张伟民博士: a surname and one or two characters that the segmenter did not join."""
    if words[at][0] not in _SURNAMES:
        return 0, 0
    last, given = at + 1, ""
    while last < len(words) and is_han(words[last][0]) and len(given + words[last][0]) <= 2:
        given += words[last][0]
        last += 1
        following = words[last][0] if last < len(words) else ""
        if following in _SPEAKS or following in _TITLES:
            return at, last
    return 0, 0


def _body(words: tuple[tuple[str, str], ...], at: int) -> tuple[int, int]:
    """绿源科技有限公司: nouns before a body's word, at least one of them a name or not in the dictionary."""
    if not words[at][0].endswith(tuple(_BODIES)):
        return 0, 0
    first = at
    while first > 0 and at - first < _LONGEST_LEFT and _may_lead(*words[first - 1]):
        first -= 1
    while first < at and not (_is_name(*words[first]) or not is_chinese_word(words[first][0])):
        first += 1
    return (first, at + 1) if first < at else (0, 0)


def _may_lead(word: str, tag: str) -> bool:
    return is_han(word) and word not in _TITLES and tag.startswith(_PARTS_OF_BODIES)
