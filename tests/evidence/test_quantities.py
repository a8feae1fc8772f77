"""What is read as a quantity in English, Russian and Chinese, and what is not."""

from fractions import Fraction

import pytest

from localeval.evidence.quantities import Clock, Day, Quantity, quantities
from localeval.texts import Language


def written(quantity: Quantity) -> str:
    """A quantity as the tables below write it: value, unit."""
    value = quantity.value
    if isinstance(value, Day):
        told = "/".join("-" if part is None else str(part) for part in value[:3])
        return told if value.weekday is None else f"{told} {value.weekday}"
    if isinstance(value, Clock):
        return f"{value.hour}:{value.minute:02}"
    return f"{value} {quantity.unit}" if quantity.unit else str(value)


def read(text: str, language: Language) -> str:
    """All quantities of a text as the tables write them."""
    return ", ".join(written(quantity) for quantity in quantities(text, language))


ENGLISH = {
    "1,234.5 dollars": "2469/2 usd",
    "1 234 567 people": "1234567",
    "１２３ people": "123",
    "1.234.567,5": "2469135/2",
    "1,23,456 rupees": "123456 inr",
    "18.5k users": "18500",
    "$5m and £3.2bn": "5000000 usd, 3200000000 gbp",
    "US$ 5 and EUR 20": "5 usd, 20 eur",
    "5 million 300 thousand": "5300000",
    "eighteen and a half thousand": "18500",
    "5-7%": "5 percent, 7 percent",
    "5 to 7 minutes": "5 minute, 7 minute",
    "$5-7 million": "5000000 usd, 7000000 usd",
    "between 5 and 10 percent": "5 percent, 10 percent",
    "in 2019, 30 percent": "2019, 30 percent",
    "between one hundred and two hundred": "100, 200",
    "a hundred and five people": "105",
    "a hundred and five thousand": "105000",
    "two million three hundred thousand and five": "2300005",
    "twenty-two": "22",
    "all twenty - five machines": "25",
    "twenty - thirty, two - three": "20, 30, 2, 3",
    "at twenty — five people came": "20, 5",
    "twenty-five hundred": "2500",
    "two three": "2, 3",
    "nineteen ninety-nine": "1999",
    "twenty twenty-four": "2024",
    "nineteen oh five": "1905",
    "two point five kilos": "5/2 kg",
    "three point one four": "157/50",
    "half an hour": "1/2 hour",
    "half a million": "500000",
    "a quarter of an hour": "1/4 hour",
    "three quarters of a mile": "3/4 mile",
    "half of them, a third of the team, two thirds": "1/2, 1/3, 2/3",
    "an hour and a half": "3/2 hour",
    "two and a half hours": "5/2 hour",
    "2 1/2 inches and 2½ inches": "5/2 inch, 5/2 inch",
    "3rd, 21st, twenty-first": "3, 21, 21",
    "two dozen": "24",
    "-5 degrees and minus five": "-5 degree, -5",
    "25 °C, 98.6°F, 60 km/h, 100 miles per hour": "25 celsius, 493/5 fahrenheit, 60 km/h, 100 mph",
    "40 by 60 metres": "40 m, 60 m",
    "a 10-minute walk": "10 minute",
    "14 March 2024": "2024/3/14",
    "March 14, 2024": "2024/3/14",
    "the 14th of March": "-/3/14",
    "March fourteenth": "-/3/14",
    "Jan. 5": "-/1/5",
    "Sept 2023": "2023/9/-",
    "14.03.2024, 2024-03-14, 3/14/24": "2024/3/14, 2024/3/14, 2024/3/14",
    "Monday, 14 March": "-/3/14 0",
    "on Friday in May": "-/-/- 4, -/5/-",
    "in may 20 percent": "-/5/-, 20 percent",
    "14:30, 2:30 pm, 2pm, 2 p.m.": "14:30, 14:30, 14:00, 14:00",
    "half past two, quarter to three, ten past five": "2:30, 2:45, 5:10",
    "at two thirty": "2:30",
    "five o'clock": "5:00",
    "mid-1990s": "1990",
    "8/10": "8, 10",
}
RUSSIAN = {
    "двадцати двух, ста пятью": "22, 105",
    "полтора часа, полторы тысячи": "3/2 hour, 1500",
    "двое детей": "2",
    "пятьюстами, восьмьюдесятью, двухсот сорока": "500, 80, 240",
    "тысяча девятьсот девяносто девятый год": "1999/-/-",
    "две тысячи двадцать четвёртого года": "2024/-/-",
    "четырнадцатого марта две тысячи двадцать четвёртого года": "2024/3/14",
    "14 марта, в марте 2024 года, 14.03.2024 г.": "-/3/14, 2024/3/-, 2024/3/14",
    "1 234,5 рублей": "2469/2 rub",
    "18,5 тыс. и 5 млн 300 тыс. руб.": "18500, 5300000 rub",
    "2 тысячи 500 рублей": "2500 rub",
    "три целых пять десятых": "7/2",
    "две трети": "2/3",
    "два с половиной миллиона": "2500000",
    "5,5 процента": "11/2 percent",
    "5-й, 3-го, третий": "5, 3, 3",
    "двухчасовой, 10-летний, двадцатиминутный, пятипроцентный": "2 hour, 10 year, 20 minute, 5 percent",
    "от 5 до 7 минут": "5 minute, 7 minute",
    "минус 5 градусов": "-5 degree",
    "сорок квадратных метров": "40 sq m",
    "в девяностых": "90",
    "половина третьего, без пятнадцати три": "2:30, 2:45",
    "в пять вечера, два часа дня, в 14 часов 30 минут": "17:00, 14:00, 14:30",
    "в понедельник, во вторник, в среду": "-/-/- 0, -/-/- 1, -/-/- 2",
    "полчаса, полгода": "1/2 hour, 1/2 year",
    "60 км/ч и 100 кВт·ч": "60 km/h, 100 kwh",
}
CHINESE = {
    "二十二个人，两千元": "22, 2000 cny",
    "百分之五，百分之十二点五，25％": "5 percent, 25/2 percent, 25 percent",
    "三点五": "7/2",
    "十二万，3万5千，1.5亿，12万": "120000, 35000, 150000000, 120000",
    "2024年3月14日，二〇二四年三月十四日": "2024/3/14, 2024/3/14",
    "三月十四日，八月二十号，２０２４年": "-/3/14, -/8/20, 2024/-/-",
    "星期一，周三": "-/-/- 0, -/-/- 2",
    "一周一次": "1 week",
    "下午两点半，七点半，14点30分，三点钟": "14:30, 7:30, 14:30, 3:00",
    "两块一，一块八，一米二": "21/10 cny, 9/5 cny, 6/5 m",
    "五万二，三千八，四万六千斤": "52000, 3800, 46000 jin",
    "一百零五，一千零一十，两亿三千万": "105, 1010, 230000000",
    "一半，三分之二，七成": "1/2, 2/3, 70 percent",
    "半小时，两个半小时，三年半": "1/2 hour, 5/2 hour, 7/2 year",
    "零下五度，￥500，30美元": "-5 degree, 500 cny, 30 usd",
}
CASES = [
    (text, language, said)
    for language, table in (("en", ENGLISH), ("ru", RUSSIAN), ("zh", CHINESE))
    for text, said in table.items()
]


@pytest.mark.parametrize(("text", "language", "said"), CASES)
def test_values_and_units(text: str, language: Language, said: str) -> None:
    """Every common way to write a number, a date or a time is read, with its unit."""
    assert read(text, language) == said


PROSE: list[tuple[str, Language]] = [
    ("One of them said that no one knew. First of all, she may march on; the second point is a quarter back.", "en"),
    ("GPT-4, COVID-19, Q3, MP3, 3D, 5G, v1.2.3 and 1.2.3.4 are names; hundreds of people came.", "en"),
    ("A third party sat in the sun and won.", "en"),
    ("1) An item\n2. Another item", "en"),
    ("Один из них, во-первых, знал: с семьёй и среда обитания. Марта сказала, что тысячи людей ждут.", "ru"),
    ("Это первый раз, и второй вопрос тоже.", "ru"),
    ("一个人一样一起，第一，万一不行，十分好，千万不要，成功，四川，统一，三四十人，两点建议", "zh"),
]


@pytest.mark.parametrize(("text", "language"), PROSE)
def test_ordinary_prose_holds_no_quantity(text: str, language: Language) -> None:
    """Words that only look like numbers accuse nobody."""
    assert read(text, language) == ""


def test_loose_reading_adds_what_may_only_excuse() -> None:
    """A source read loosely also holds the one of "one of them", the 4 of GPT-4 and an hour; each is marked weak."""
    loose = quantities("One of them ran GPT-4 for an hour.", "en", loose=True)
    assert [(quantity.value, quantity.unit, quantity.is_weak) for quantity in loose] == [
        (Fraction(1), None, True),
        (Fraction(4), None, True),
        (Fraction(1), "hour", True),
    ]


def test_offsets_hold_in_the_text_as_given() -> None:
    """Characters that change length when lowered move no offset: each quantity's text is what stands there."""
    for text, language in (
        ("İİ ＄５,０００ İ and 25 °C", "en"),
        ("Ё: 5 млн руб.", "ru"),
        ("共２０２４年，￥500", "zh"),
    ):
        found = quantities(text, language)  # type: ignore[arg-type]
        assert found
        assert [text[one.start : one.end] for one in found] == [one.text for one in found]


@pytest.mark.parametrize(
    ("text", "language"), [("about 43 percent", "en"), ("около 43 процентов", "ru"), ("大约四十三人", "zh")]
)
def test_a_number_that_is_said_to_be_rough_is_marked(text: str, language: Language) -> None:
    """ "About", "около" and "大约" are kept beside the value."""
    assert [quantity.is_approximate for quantity in quantities(text, language)] == [True]


def test_what_is_ambiguous_keeps_every_reading() -> None:
    """Day and month in either order, an hour without its half of the day, "5m", and the Russian decimal comma."""
    assert quantities("03/04/2024", "en")[0].readings == ((Day(2024, 3, 4), None), (Day(2024, 4, 3), None))
    assert quantities("03/04/2024", "ru")[0].value == Day(2024, 4, 3)
    assert quantities("at 2:30", "en")[0].readings == ((Clock(2, 30), None), (Clock(14, 30), None))
    assert quantities("5m wide", "en")[0].readings[:2] == ((Fraction(5), "m"), (Fraction(5_000_000), None))
    assert quantities("1,234", "ru")[0].readings == ((Fraction("1.234"), None), (Fraction(1234), None))
    assert quantities("1,234", "en")[0].readings == ((Fraction(1234), None),)
