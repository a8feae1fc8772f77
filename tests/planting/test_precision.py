"""False precision: vague and round quantities that become exact."""

import re

import pytest

from localeval.planting.exactness import chinese_number
from localeval.texts import Language
from tests.planting.material import edits_of


@pytest.mark.parametrize(
    ("language", "summary", "before", "shape"),
    [
        ("en", "About 40 people came.", "About 40", r"3[789]|4[1-3]"),
        ("en", "About forty people came.", "About forty", r"3[789]|4[1-3]"),
        ("en", "It costs roughly $5,000 a year.", "roughly $5,000", r"\$[45],\d\d[1-9]"),
        ("en", "It saves around 30% of it.", "around 30%", r"(?:2[89]|3[01])\.\d%"),
        ("en", "Several people came.", "Several", r"(?:Six|Seven|Eight|Nine)"),
        ("en", "He called a few times.", "a few", r"(?:four|five|six|seven)"),
        ("en", "Nearly half of the members left.", "Nearly half of", r"4\d% of"),
        ("en", "It begins around noon.", "around noon", r"at 1[12]:\d\d"),
        ("en", "It begins at about 3 pm.", "at about 3 pm", r"at [23]:\d\d pm"),
        ("en", "The budget is 12,000 euros.", "12,000 euros", r"1[12],\d\d[1-9] euros"),
        ("ru", "Пришло около 40 человек.", "около 40", r"3[6-9]|4[6-9]"),
        ("ru", "Стоит около сорока тысяч рублей.", "около сорока тысяч рублей", r"(?:38|39|40|41) \d\d[6-9] рублей"),
        ("ru", "Пришло несколько человек.", "несколько", r"шесть|семь|восемь|девять"),
        ("ru", "Почти половина семей против.", "Почти половина", r"4\d %"),
        ("ru", "Начало около полудня.", "около полудня", r"в 1[12]:\d\d"),
        ("zh", "来了大约四十人。", "大约四十", r"三十[七八九]|四十[一二三]"),
        ("zh", "约七成的人同意。", "约七成", r"七成[一二三四六七八九]"),
        ("zh", "有几个人走了。", "几", r"[四六七八九]"),
        ("zh", "预算是五千元。", "五千元", r"[四五]千.+元"),
    ],
)
def test_vague_becomes_exact(language: Language, summary: str, before: str, shape: str) -> None:
    """The vague word goes, and a number near what it says stands there; a time gets its preposition."""
    after = edits_of("false precision", summary, language)[before]
    assert all(re.fullmatch(shape, each) for each in after), after


@pytest.mark.parametrize(
    ("language", "summary"),
    [
        ("en", "There are 38 complaints and several hundred letters."),
        ("en", "It began in 2000."),
        ("en", "He wants hundreds of those, a fewer-parts design and several-fold gains."),
        ("ru", "Цена несколько выше."),
        ("ru", "Встреча в половине третьего."),
        ("zh", "第几个人？"),
    ],
)
def test_what_is_exact_or_no_quantity_stays(language: Language, summary: str) -> None:
    """An exact number, a year, "somewhat" and half past two are left alone."""
    assert edits_of("false precision", summary, language) == {}


def test_source_does_not_have_it() -> None:
    """An exact number that the source does name is no false precision."""
    said = "Tom: forty-one came, or forty-two, forty-three, thirty-eight.\n"
    for seed in range(8):
        found = edits_of("false precision", "About 40 people came.", said=said, seed=seed)
        assert all(after[0] in {"37", "39"} for after in found.values())


@pytest.mark.parametrize(
    ("value", "written"),
    [(7, "七"), (10, "十"), (18, "十八"), (40, "四十"), (105, "一百零五"), (110, "一百一十"), (2400, "两千四百"),
     (1086, "一千零八十六"), (10_500, "一万零五百"), (46_370, "四万六千三百七十"), (200_012, "二十万零一十二"),
     (0, ""), (10**8, "")],
)  # fmt: skip
def test_chinese_numbers(value: int, written: str) -> None:
    """Whole numbers as they are written in characters; nothing for what is too large."""
    assert chinese_number(value) == written
