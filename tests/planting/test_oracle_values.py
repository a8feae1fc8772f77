"""Every planted wrong value is the error that it claims to be, and the rest of the text stays byte for byte."""

from collections import Counter

import pytest

from localeval.evidence.lookup import SourceIndex
from localeval.planting.schemas import Edit, Trusted
from localeval.planting.values import plant_values
from tests.planting.material import trusted_of, written_texts
from tests.planting.oracle import why_not_proven
from tests.planting.wording_material import demo_texts

KINDS = {"number", "date", "unit", "name", "name completion", "false precision"}


@pytest.fixture(scope="module")
def planted() -> list[tuple[Trusted, Edit]]:
    """Every edit of the demo's and of the written texts."""
    found = []
    for trusted in (*demo_texts(), *written_texts()):
        index = SourceIndex(trusted.source)
        found += [(trusted, edit) for edit in plant_values(trusted, index, 1)]
    return found


def test_oracle_proves_each(planted: list[tuple[Trusted, Edit]]) -> None:
    """The oracle reads each text anew and finds that just what is claimed has changed."""
    refused = [
        (trusted.source.id, edit.kind, edit.before, edit.after, why)
        for trusted, edit in planted
        if (why := why_not_proven(edit, trusted))
    ]
    assert refused == []


def test_more_than_three_hundred_places(planted: list[tuple[Trusted, Edit]]) -> None:
    """More than 300 different places can be made wrong, and each kind in each language in three places or more."""
    places = {(trusted.source.id, edit.kind, edit.start): trusted.source.language for trusted, edit in planted}
    counts = Counter((kind, language) for (_, kind, _), language in places.items())
    assert len(places) > 300
    assert {kind for kind, _ in counts} == KINDS
    assert {key: count for key, count in counts.items() if count < 3} == {}
    assert len(counts) == 3 * len(KINDS)


SAID = "Tom: It takes 60 minutes and costs about 40 euros.\nAnna: On 12 May Anna Lee goes to Leeds.\n"
SUMMARY = "It takes 60 minutes and costs about 40 euros. On 12 May Anna goes to Leeds."


@pytest.mark.parametrize(
    ("kind", "before", "after", "others"),
    [
        ("number", "60 minutes", "sixty minutes", ("50 minutes", "70 minutes", "80 minutes")),
        ("number", "60 minutes", "60 hours", ("50 minutes", "70 minutes", "80 minutes")),
        ("number", "60 minutes", "40 minutes and 3 seconds", ("50 minutes", "70 minutes", "80 minutes")),
        ("unit", "60 minutes", "60 min", ("60 days", "60 weeks", "60 hours")),
        ("unit", "60 minutes", "50 hours", ("60 days", "60 weeks", "60 seconds")),
        ("date", "12 May", "31 June", ("1 May", "2 May", "3 May")),
        ("date", "12 May", "12 May 2024", ("1 May", "2 May", "3 May")),
        ("name", "Anna", "Anna Lee", ("Tom", "Peter", "Mary")),
        ("name completion", "Anna", "Anna Lee", ("Anna Kay", "Anna Ray", "Anna May")),
        ("name completion", "Anna", "Hannah Moore", ("Anna Kay", "Anna Ray", "Anna Day")),
        ("false precision", "about 40 euros", "about 30 euros", ("41 euros", "42 euros", "43 euros")),
        ("false precision", "about 40 euros", "40 euros", ("41 euros", "42 euros", "43 euros")),
        ("number", "60 minutes", "50 minutes", ("50 minutes", "70 minutes", "80 minutes")),
    ],
)
def test_oracle_refuses(kind: str, before: str, after: str, others: tuple[str, str, str]) -> None:
    """What changes nothing, too much, the wrong thing, or says what the source says, the oracle does not accept."""
    trusted = trusted_of("small", "en", SAID, SUMMARY)
    start = SUMMARY.index(before)
    sentence = next(s.number for s in trusted.candidate.segments if s.start <= start < s.end)
    edit = Edit(kind, sentence, start, start + len(before), before, after, others)  # type: ignore[arg-type]
    assert why_not_proven(edit, trusted)


def test_oracle_accepts_what_is_right() -> None:
    """The same oracle accepts an edit made by hand that is what it claims."""
    trusted = trusted_of("small", "en", SAID, SUMMARY)
    edit = Edit("number", 1, 9, 19, "60 minutes", "50 minutes", ("30 minutes", "70 minutes", "80 minutes"))
    assert why_not_proven(edit, trusted) == ""
