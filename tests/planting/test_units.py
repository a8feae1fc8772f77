"""Wrong units: the number stays, the unit changes its kind but not its form."""

import pytest

from localeval.texts import Language
from tests.planting.material import edits_of


@pytest.mark.parametrize(
    ("language", "summary", "before", "after"),
    [
        ("en", "It is 40 km long.", "40 km", {"40 mi", "40 cm"}),
        ("en", "It costs £1,950.", "£1,950", {"€1,950", "$1,950"}),
        ("en", "It costs 25 Euros.", "25 Euros", {"25 Dollars", "25 Roubles"}),
        ("en", "It was a six-week trial.", "six-week", {"six-day", "six-month"}),
        ("en", "It needs 20 GB.", "20 GB", {"20 MB", "20 TB"}),
        ("ru", "Ждать две недели.", "две недели", {"две минуты", "две секунды"}),
        ("ru", "Через пять лет.", "пять лет", {"пять месяцев", "пять веков"}),
        ("ru", "Стоит 500 рублей.", "500 рублей", {"500 долларов", "500 евро"}),
        ("zh", "等三个小时。", "三个小时", {"三天", "三分钟"}),
        ("zh", "花了五百元。", "五百元", {"五百美元", "五百欧元"}),
        ("zh", "保修两年。", "两年", {"两个月", "两周"}),
    ],
)
def test_unit_of_the_same_sort(language: Language, summary: str, before: str, after: set[str]) -> None:
    """The unit next to it in size, or another currency, in the same case, number and spelling."""
    planted = {edits_of("unit", summary, language, seed=seed)[before][0] for seed in range(8)}
    assert planted <= after


@pytest.mark.parametrize(
    ("language", "summary"),
    [
        ("en", "It weighs forty pounds."),
        ("en", "It is 5% of 300."),
        ("en", "It reached 11 degrees."),
        ("ru", "Начало в 16 часов."),
    ],
)
def test_left_out(language: Language, summary: str) -> None:
    """Pounds may be money or weight, nothing is like a per cent, an hour of the day is no duration."""
    assert edits_of("unit", summary, language) == {}


def test_gender_of_the_numeral_in_the_answers() -> None:
    """What is planted after "две" is feminine; other answers change the numeral with the noun."""
    for seed in range(8):
        after, *others = edits_of("unit", "Ждать две недели.", "ru", seed=seed)["две недели"]
        assert after in {"две минуты", "две секунды"}
        assert all(each.split()[0] == ("две" if each.split()[1] in {"минуты", "секунды"} else "два") for each in others)
