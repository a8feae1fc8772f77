"""Rewordings by rule, and what speaks against a model's."""

import pytest

from localeval.inputs.segmenting import cut_sentences
from localeval.planting.paraphrasing import paraphrases, why_not_paraphrase
from localeval.planting.rewordings import rewordings
from localeval.planting.schemas import Trusted
from localeval.texts import Candidate, Language, Source


def reworded(text: str, language: Language) -> list[str]:
    """The text with each change made alone."""
    return [text[: one.start] + one.after + text[one.end :] for one in rewordings(text, language)]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "It ends on 12 May.", "It ends on May 12."),
        ("en", "It ends on May 12.", "It ends on 12 May."),
        ("en", "It costs £1,950.", "It costs 1,950 pounds."),
        ("en", "It fell 8%.", "It fell 8 per cent."),
        ("en", "She does not go.", "She doesn't go."),
        ("en", "It waits six weeks.", "It waits 6 weeks."),
        ("en", "Instead of tea he drank milk.", "Rather than tea he drank milk."),
        ("ru", "Он остался, потому что шёл дождь.", "Он остался, так как шёл дождь."),
        ("ru", "Пришли девять новых.", "Пришли 9 новых."),
        ("ru", "Они решили уехать.", "Они приняли решение уехать."),
        ("ru", "Это стоит 300 рублей, не больше.", "Это стоит 300 руб., не больше."),
        ("zh", "因为下雨取消。", "由于下雨取消。"),
        ("zh", "他八月十五号来。", "他8月15日来。"),
        ("zh", "他八月二十号来。", "他8月20日来。"),
        ("zh", "直径七公分。", "直径七厘米。"),
    ],
)
def test_says_it_in_other_words(language: Language, text: str, expected: str) -> None:
    """Dates, sums, contractions, numbers and connectives change their form and nothing else."""
    assert expected in reworded(text, language)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The Big Company met on 12 May 2021."),
        ("en", "It costs $480/month."),
        ("en", "It costs £5 million."),
        ("ru", "Пришло двадцать пять человек."),
        ("ru", "Они решили задачу."),
        ("zh", "只因为他。"),
    ],
)
def test_leaves_names_and_longer_forms(language: Language, text: str) -> None:
    """What is in a name or part of a longer number, date or phrase stays."""
    assert reworded(text, language) == []


def test_fewer_than_two_changes_are_no_paraphrase() -> None:
    """A text in which the rules find one change has no rewording."""
    text = "It costs £1,950. Anna likes it."
    trusted = Trusted(Source("s", text, (), "en"), Candidate("s", "t", text, "", cut_sentences(text, "en")), "t")
    assert paraphrases(trusted, 1) == []


@pytest.mark.parametrize(
    ("language", "text", "written", "reason"),
    [
        ("en", "Anna pays £40 on 3 May.", "On May 3 Anna will pay 40 pounds.", ""),
        ("en", "Anna pays £40.", "Anna pays £40.", "it is the same text"),
        ("en", "Anna pays £40.", " ", "it is empty"),
        ("en", "Anna pays £40.", "Boris pays £40 again.", "it lacks the name 'Anna'"),
        ("en", "She pays £40.", "She, with Boris Klein, pays £40.", "it is 2.5 times as long"),
        ("en", "Today she pays £40 to them.", "Today she pays £40 to Boris.", "it has the new name 'Boris'"),
        ("en", "Anna pays £40 now.", "Anna will pay £45.", "it lacks number '£40'"),
        ("en", "Anna pays the bill now.", "Anna pays a bill of £45 now.", "it has the new number '£45'"),
        ("en", "Anna pays the bill.", "Anna doesn't pay the bill.", "it has 1 denials in place of 0"),
        ("ru", "Анна платит 40 рублей.", "Сорок рублей платит Анна.", ""),
        ("ru", "Анна платит 40 рублей.", "Анна не платит 40 рублей.", "it has 1 denials in place of 0"),
        ("ru", "Отчёт пишет Анна.", "Анне поручен отчёт.", ""),
        ("zh", "他八月十五号付四十元。", "8月15日他付40元。", ""),
        ("zh", "他同意付四十元。", "他不同意付四十元。", "it has 1 denials in place of 0"),
    ],
)
def test_why_a_rewording_is_not_taken(language: Language, text: str, written: str, reason: str) -> None:
    """Names, numbers, dates, denials and length are kept in any form, or the reason names what is not."""
    assert why_not_paraphrase(text, written, language) == reason
