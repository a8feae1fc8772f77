"""Whether what a claim says stands in the source."""

import pytest

from localeval.evidence.quantities import compare, quantities
from localeval.texts import Language

EXACT: list[tuple[str, str, Language]] = [
    ("18.5k", "18,500", "en"),
    ("18 500", "eighteen and a half thousand", "en"),
    ("42", "42 kg", "en"),
    ("60 minutes", "1 hour", "en"),
    ("1500 m", "1.5 km", "en"),
    ("half of them", "50 percent of them", "en"),
    ("a quarter of the team", "25%", "en"),
    ("12 months", "1 year", "en"),
    ("March 2024", "14 March 2024", "en"),
    ("in 2024", "14 March 2024", "en"),
    ("in March", "14 March 2024", "en"),
    ("Thursday", "14 March 2024", "en"),
    ("the 14th", "14 March", "en"),
    ("04/03/2024", "4 March 2024", "en"),
    ("14:30", "half past two", "en"),
    ("4 p.m.", "16:00", "en"),
    ("in the 1990s", "the nineties", "en"),
    ("25 °C", "25 degrees", "en"),
    ("5.30 dollars", "530 cents", "en"),
    ("16 часов", "16:00", "ru"),
    ("22", "двадцати двух", "ru"),
    ("1,5 часа", "полтора часа", "ru"),
    ("в 2024 году", "две тысячи двадцать четвёртого года", "ru"),
    ("46 000 斤", "四万六千斤", "zh"),
    ("8月20日", "八月二十号", "zh"),
    ("70%", "七成", "zh"),
]
NEAR: list[tuple[str, str, Language]] = [
    ("500 dollars", "500", "en"),
    ("500 dollars", "500 euros", "en"),
    ("500 km", "500 kg", "en"),
    ("42.7", "about 43", "en"),
    ("24 people", "42 people", "en"),
    ("17 times", "14 times", "en"),
    ("3 km", "4 km", "en"),
    ("230 тысяч", "двести тридцать", "ru"),
    ("14 March", "14 April", "en"),
    ("14 March", "15 March", "en"),
    ("14 March 2024", "March 2024", "en"),
    ("14:30", "14:45", "en"),
    ("-5 degrees", "5 degrees", "en"),
    ("in 1987", "in 1978", "en"),
]
ABSENT: list[tuple[str, str, Language]] = [
    ("42", "17", "en"),
    ("three", "four", "en"),
    ("in 1999", "in 2020", "en"),
    ("14 March", "3 May", "en"),
    ("Monday", "Tuesday", "en"),
    ("14:30", "9:15", "en"),
    ("5 km", "900 km", "en"),
    ("100 dollars", "7 percent", "en"),
    ("64 000 фунтов", "31 000 фунтов", "ru"),
    ("冰雹四月", "七月", "zh"),
]
CASES = [(*case, match) for cases, match in ((EXACT, "exact"), (NEAR, "near"), (ABSENT, "absent")) for case in cases]


@pytest.mark.parametrize(("claimed", "said", "language", "match"), CASES)
def test_a_claim_against_what_was_said(claimed: str, said: str, language: Language, match: str) -> None:
    """exact is the same quantity however written; near is another unit, a slip or a rounding; the rest is absent."""
    wanted, given = quantities(claimed, language), quantities(said, language)
    assert len(wanted) == len(given) == 1
    assert compare(wanted[0], given[0]) == match


def test_what_two_quantities_make_together_stands_in_a_source() -> None:
    """ "twelve euros and fifty cents" holds 12.50 euros, "two hours and 15 minutes" holds 135 minutes."""
    for claimed, said in (
        ("12.50 euros", "twelve Euros and fifty centimes"),
        ("135 minutes", "two hours and 15 minutes"),
    ):
        wanted = quantities(claimed, "en")[0]
        assert "exact" in {compare(wanted, given) for given in quantities(said, "en", loose=True)}


@pytest.mark.parametrize(
    ("claimed", "said", "language"),
    [
        ("18:40", "it leaves at eighteen forty", "en"),
        ("19:05", "nineteen oh five", "en"),
        ("9:30", "then nine thirty on Monday", "en"),
        ("9:30", "в девять тридцать", "ru"),
    ],
)
def test_times_that_were_spoken_as_two_numbers(claimed: str, said: str, language: Language) -> None:
    """A source read loosely holds the time of day that two numbers in words make."""
    wanted = quantities(claimed, language)[0]
    assert "exact" in {compare(wanted, given) for given in quantities(said, language, loose=True)}
