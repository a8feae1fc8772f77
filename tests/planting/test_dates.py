"""Wrong dates and times: the same form, and days that are in the calendar."""

import re

import pytest

from localeval.texts import Language
from tests.planting.material import edits_of


@pytest.mark.parametrize(
    ("language", "summary", "before", "shape"),
    [
        ("en", "It opens on 12 May.", "12 May", r"\d+ [A-Z][a-z]+"),
        ("en", "It opens on May 3rd, 2024.", "May 3rd, 2024", r"[A-Z][a-z]+ \d+(?:st|nd|rd|th), 20[123]\d"),
        ("en", "It opens on Tuesday.", "Tuesday", r"[A-Z][a-z]+day"),
        ("en", "It began in 2019.", "2019", r"20[123]\d"),
        ("en", "It opens at 9:30.", "9:30", r"\d+:\d[05]"),
        ("en", "It opens at 8 pm.", "8 pm", r"(?:[1-9]|1[0-2]) pm"),
        ("en", "From 6 to 15 October it is shut.", "6", r"\d|1[0-4]"),
        ("ru", "Открытие до 12 мая.", "12 мая", r"\d+ [а-я]+"),
        ("ru", "Открытие в мае.", "мае", r"[а-я]+е"),
        ("ru", "Открытие до пятницы.", "пятницы", r"[а-я]+"),
        ("ru", "Открытие в шесть вечера.", "шесть вечера", r"[а-я]+ вечера"),
        ("zh", "星期二开门。", "星期二", r"星期[一三四五六日]"),
        ("zh", "八月二十六号开门。", "八月二十六号", r"[一二三四五六七八九十]+月[一二三四五六七八九十]+号"),
        ("zh", "下午两点半开门。", "下午两点半", r"下午[一三四五六七八九十]+点半"),
    ],
)
def test_form_is_kept(language: Language, summary: str, before: str, shape: str) -> None:
    """A date or time gives way to one that is written in the same way."""
    after = edits_of("date", summary, language)[before]
    assert all(re.fullmatch(shape, each) and each != before for each in after), after


def test_weekday_and_day_stay_together() -> None:
    """Where a weekday stands with its date the date moves by whole weeks."""
    for seed in range(6):
        after = edits_of("date", "The next one is Wednesday 12 February.", seed=seed)["Wednesday 12 February"]
        assert re.fullmatch(r"Wednesday (?:5|19|26) February", after[0])


def test_no_day_that_is_not() -> None:
    """30 February and 31 June are never planted."""
    for seed in range(30):
        for text in ("It ends on 30 June.", "It ends on 28 February."):
            (after, *_others), *_ = edits_of("date", text, seed=seed).values()
            day, month = after.split()
            assert int(day) <= {"February": 28, "April": 30, "June": 30, "September": 30, "November": 30}.get(month, 31)


def test_russian_prepositions() -> None:
    """в четверг, but во вторник; со вторника, but с пятницы; an adjective keeps its gender."""
    seen: set[str] = set()
    for seed in range(30):
        seen |= {after for each in edits_of("date", "Он придёт в среду.", "ru", seed=seed).values() for after in each}
        for after in edits_of("date", "Он уехал во вторник.", "ru", seed=seed).values():
            assert all(each.startswith("в ") for each in after)
        for after in edits_of("date", "Ждём следующую среду.", "ru", seed=seed).values():
            assert set(after) <= {"пятницу", "субботу"}
    assert "во вторник" in seen or "вторник" not in " ".join(seen)
    assert not any(each == "в вторник" for each in seen)


def test_equal_text_is_no_date() -> None:
    """The verb "may" and a duration are no dates."""
    assert edits_of("date", "They may march for two weeks.") == {}
