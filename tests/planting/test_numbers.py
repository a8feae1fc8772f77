"""Wrong numbers: which places are taken, and what shape the new value has."""

import re

import pytest

from localeval.texts import Language
from tests.planting.material import edits_of


@pytest.mark.parametrize(
    ("language", "summary", "shape"),
    [
        ("en", "The rent is 46,000 euros.", r"\d\d,000 euros"),
        ("en", "It rose by 3.5 points.", r"[1-9]\.[1-9]"),
        ("en", "They sold twelve boats.", r"[a-z]+"),
        ("en", "They sold thirty-one boats.", r"[a-z]+-one|thirty-[a-z]+"),
        ("en", "She came in 3rd of all.", r"\d+(?:st|nd|rd|th)"),
        ("ru", "Продали двадцать восемь лодок.", r"[а-яё]+ (?:восемь|пять|шесть|семь|девять)|двадцать [а-яё]+"),
        ("ru", "Пришли две женщины.", r"три|четыре|[а-я]+ две"),
        ("ru", "Он живёт на пятом этаже.", r"[а-яё]+ом"),
        ("ru", "Цена выросла до 18 400 рублей.", r"\d\d \d00 рублей"),
        ("zh", "一共卖了三十条船。", r"[两二三四五六七八九]十"),
        ("zh", "产量是五万二千斤。", r"[一二两三四五六七八九]万[一二两三四五六七八九]千斤"),
        ("zh", "大约百分之十五的人同意。", r"百分之[一二三四五六七八九]?十[一二三四五六七八九]?"),
    ],
)
def test_shape_is_kept(language: Language, summary: str, shape: str) -> None:
    """Digits stay digits with their separators, words stay words of the same form."""
    found = edits_of("number", summary, language)
    assert len(found) == 1
    for after in next(iter(found.values())):
        assert re.fullmatch(shape, after), after


@pytest.mark.parametrize(
    ("language", "summary"),
    [
        ("en", "GPT-4 wrote it in Q3."),
        ("en", "1. Lift the lid.\n2. Pour it out."),
        ("en", "It is a two way road, and one of them knew."),
        ("en", "In the 1990s and in 2019 nothing happened."),
        ("ru", "Самолёт Ту-154 стоял там в 1990-е годы."),
        ("zh", "八月二十号和二十二号都行。"),
    ],
)
def test_what_is_no_count_stays(language: Language, summary: str) -> None:
    """Names, bullets, set phrases, decades, years and days are no numbers to plant in."""
    assert edits_of("number", summary, language) == {}


def test_source_is_not_repeated() -> None:
    """A value that the source has beside the first one is not planted for it."""
    said = "Tom: the machine failed seventeen times, not eleven, twelve, thirteen, fourteen, fifteen or sixteen.\n"
    found = edits_of("number", "The machine failed seventeen times.", said=said)
    assert found["seventeen"][0] not in {"eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"}


def test_order_is_kept() -> None:
    """What rose still rises."""
    for seed in range(8):
        found = edits_of("number", "The cost rose from 31,000 to 46,000 euros.", seed=seed)
        for before, (after, *_) in found.items():
            values = {before: int(re.sub(r"\D", "", after))}
            assert values.get("31,000", 31_000) < values.get("46,000 euros", 46_000)


def test_article_fits() -> None:
    """After "an" comes a number that begins with a vowel's sound."""
    for seed in range(8):
        found = edits_of("number", "It was an 18% rise after an eight day wait.", seed=seed)
        assert {after[:2] for after, *_ in found.values()} <= {
            "18",
            "11",
            "81",
            "82",
            "83",
            "84",
            "85",
            "86",
            "ei",
            "el",
        }


def test_russian_noun_agrees() -> None:
    """The noun that stays fits the new number: 31 ребёнок, 41 ребёнок; три раза, четыре раза."""
    for seed in range(8):
        assert edits_of("number", "Записался 31 ребёнок.", "ru", seed=seed)["31"][0][-1] == "1"
        assert edits_of("number", "Он ломался три раза.", "ru", seed=seed)["три"][0] == "четыре"
        assert int(edits_of("number", "Пришло 28 гостей.", "ru", seed=seed)["28"][0]) % 10 in (0, 5, 6, 7, 8, 9)


def test_pairs_and_centuries_stay_near() -> None:
    """One of two numbers side by side, or a century, does not become many times as large."""
    for seed in range(8):
        found = edits_of("number", "Learners who turned 15 or 16 left in the 20th century.", seed=seed)
        assert all(int(re.sub(r"\D", "", after)) <= 24 for after, *_ in found.values())
