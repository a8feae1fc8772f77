"""What a program makes of an opinion on a claim, with the real look-ups; and what the end of an audit makes of that."""

import pytest

from localeval.evidence.lookup import SourceIndex
from localeval.methods.audit.checks import Checked, check, is_telling
from localeval.methods.audit.flow import conclude
from localeval.methods.audit.schemas import Claim, FaultKind, Opinion, Ruling
from localeval.texts import Language, Segment, Source
from localeval.values import Missing

ENGLISH = (
    "The board will approve the merger with Orin.",
    "Bob joined Orin in 2019.",
    "We moved the date from 4 May to 11 May.",
    "The budget is not 40 million, they said.",
    "Nobody wanted to drop the free tier.",
    "Let us all meet at the end of the year.",
    "The backups are on true nass now.",
    "The hall holds 300 people.",
)
RUSSIAN = (
    "Совет одобрит слияние с Орином.",
    "Дату перенесли с 4 мая на 11 мая.",
    "Никто не просил закрыть тариф для школ.",
)
CHINESE = ("我们没有决定取消免费套餐服务。", "日期从5月4日改到5月11日。", "大厅可以容纳三百人。")
NUMBER: FaultKind = "wrong number, date or unit"


def index_of(lines: tuple[str, ...], language: Language = "en") -> SourceIndex:
    """An index of a source with a segment a line."""
    text, segments = "\n".join(lines), []
    for number, line in enumerate(lines, 1):
        start = segments[-1].end + 1 if segments else 0
        segments.append(Segment(number, start, start + len(line)))
    return SourceIndex(Source("s", text, tuple(segments), language))


INDEX: dict[Language, SourceIndex] = {
    "en": index_of(ENGLISH),
    "ru": index_of(RUSSIAN, "ru"),
    "zh": index_of(CHINESE, "zh"),
}


def checked(
    phrase: str,
    text: str,
    opinion: Opinion,
    kind: FaultKind | None = None,
    cited: tuple[int, ...] = (),
    language: Language = "en",
) -> Checked:
    severity = None if kind is None else "major"
    return check(Claim(1, "claim", (1,), phrase, text), Ruling(opinion, cited, kind, severity), INDEX[language])


def fate(found: Checked) -> str:
    """What becomes of the opinion."""
    return "rejected" if found.is_rejected else "stands" if found.segments is None else "second look"


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("approve the merger with Orin", "The board did not approve the merger with Orin."),
        ("joined Orin in 2019", "Mira Holt joined Orin in 2019."),
        ("at the end of the year", "Orin merges with Compaq at the end of the year."),
        ("us all meet at the end of the year", "They always meet at the end of the year."),
    ],
)
@pytest.mark.parametrize(("opinion", "cited"), [("not found", ()), ("contradicted", (1,))])
def test_words_that_were_said_do_not_excuse_what_a_claim_adds(
    phrase: str, text: str, opinion: Opinion, cited: tuple[int, ...]
) -> None:
    """Another doer, a "not" or an "always" outside the phrase is looked at again, with the words in front."""
    found = checked(phrase, text, opinion, "wrong attribution", cited)
    assert (found.check, fate(found)) == ("phrase stands in the source", "second look")
    assert found.segments == INDEX["en"].find_phrase(phrase)


@pytest.mark.parametrize(
    ("phrase", "language"),
    [("Drop the free tier", "en"), ("Закрыть тариф для школ", "ru"), ("决定取消免费套餐服务", "zh")],
)
def test_words_that_the_source_denies_are_no_excuse(phrase: str, language: Language) -> None:
    """The words stand there, but behind a "nobody" or a "not"."""
    found = checked(phrase, phrase, "contradicted", "other", (1,), language)
    assert (found.check, fate(found)) == ("phrase stands in the source", "second look")


def test_words_that_are_denied_in_one_place_and_said_in_another_were_said() -> None:
    """One plain place is enough."""
    index = index_of(("Nobody wanted to drop the free tier.", "In the end they did drop the free tier."))
    claim = Claim(1, "claim", (1,), "drop the free tier", "Drop the free tier.")
    assert check(claim, Ruling("contradicted", (1,), "other", "major"), index).is_rejected


@pytest.mark.parametrize("kind", ["other", "invented entity", NUMBER])
@pytest.mark.parametrize(("opinion", "cited"), [("not found", ()), ("contradicted", (2,))])
def test_who_accuses_what_was_said_as_it_was_said_is_rejected(
    kind: FaultKind, opinion: Opinion, cited: tuple[int, ...]
) -> None:
    """The whole claim stands in the source."""
    found = checked("Bob joined Orin in 2019", "Bob joined Orin in 2019.", opinion, kind, cited)
    assert (found.check, fate(found)) == ("phrase stands in the source", "rejected")


@pytest.mark.parametrize("phrase", ["joined Orin in 2019", "came to Orin in 2019"])
def test_a_name_that_a_claim_puts_for_a_pronoun_is_looked_up_too(phrase: str) -> None:
    """Whoever is called invented may stand in the claim alone; one that the source knows is none."""
    found = checked(phrase, f"Mira Holt {phrase}.", "not found", "invented entity")
    assert fate(found) == "second look"
    assert ("Mira Holt", "absent") in [(each.item.text, each.match) for each in found.found]
    assert fate(checked(phrase, f"Bob {phrase}.", "not found", "invented entity")) == "rejected"


@pytest.mark.parametrize(
    ("text", "cited", "language"),
    [
        ("The date is 4 May.", 3, "en"),
        ("The budget is 40 million.", 4, "en"),
        ("Назначено на 4 мая.", 2, "ru"),
        ("会议定在5月4日。", 2, "zh"),
    ],
)
def test_segments_that_hold_another_value_or_deny_it_may_contradict(text: str, cited: int, language: Language) -> None:
    """ "From 4 May to 11 May" contradicts "4 May" although that stands in it."""
    found = checked(text, text, "contradicted", NUMBER, (cited,), language)
    assert (found.check, fate(found)) == ("everything stands in the cited segments", "second look")
    assert found.segments == (cited,)


@pytest.mark.parametrize(
    ("text", "cited", "language"), [("It seats 300 guests.", 8, "en"), ("那个厅坐三百人。", 3, "zh")]
)
def test_segments_that_hold_the_value_alone_cannot_contradict(text: str, cited: int, language: Language) -> None:
    """The accusation falls."""
    found = checked(text, text, "contradicted", NUMBER, (cited,), language)
    assert (found.check, fate(found)) == ("everything stands in the cited segments", "rejected")


@pytest.mark.parametrize(("opinion", "cited"), [("not found", ()), ("contradicted", (7,)), ("supported", (7,))])
def test_a_near_match_settles_nothing(opinion: Opinion, cited: tuple[int, ...]) -> None:
    """Whatever the auditor says, it looks a second time, with what is similar in front."""
    index = index_of(("The backups are on treu nas now.",))
    text = "They keep it on TrueNAS."
    kind: FaultKind | None = None if opinion == "supported" else "name completion"
    found = check(Claim(1, "claim", (1,), text, text), Ruling(opinion, cited and (1,), kind), index)
    assert (found.check, fate(found)) == ("only something similar stands in the source", "second look")
    assert found.segments == (1,)


@pytest.mark.parametrize(("opinion", "cited"), [("not found", ()), ("contradicted", (7,))])
def test_what_stands_nowhere_holds_an_accusation(opinion: Opinion, cited: tuple[int, ...]) -> None:
    """A name that nobody said."""
    found = checked("The merger with Compaq", "The merger with Compaq.", opinion, "invented entity", cited)
    assert (found.check, fate(found)) == ("does not stand in the source", "stands")


@pytest.mark.parametrize(
    ("phrase", "telling"),
    [
        ("the plan was agreed", True),
        ("the whole plan", False),
        ("1 - 2 - 3", False),
        ("I don't know", False),
        ("я не знаю его", True),
        ("取消免费套餐", False),
        ("决定取消免费套餐", True),
    ],
)
def test_a_few_words_stand_anywhere(phrase: str, telling: bool) -> None:
    """Four words or eight Chinese characters say something; signs between them are none."""
    assert is_telling(phrase) is telling


CLAIM = Claim(1, "claim", (1,), "Bob joined Orin in 2019", "Bob joined Orin in 2019.")
LOOKED = Checked("only something similar stands in the source", segments=(1,))


@pytest.mark.parametrize("first", [Ruling("supported"), Ruling("not found", (), "other", "minor")])
def test_a_second_accusation_is_checked_like_a_first(first: Ruling) -> None:
    """What stands in the source cannot be accused in a second look either; it counts against the auditor."""
    second = Ruling("not found", (), "invented entity", "major")
    found = conclude(CLAIM, first, LOOKED, second, check(CLAIM, second, INDEX["en"]))
    assert (found.outcome, found.check) == ("rejected", "phrase stands in the source")


def test_what_is_left_of_an_accusation() -> None:
    """Held, taken back, never made, or unknown: a second look that cannot be read is missing, never a verdict."""
    accused, held = Ruling("not found", (), "other", "minor"), Checked("does not stand in the source")
    cut = Missing("truncated", "cut after 60 tokens")
    assert conclude(CLAIM, accused, held).outcome == "fabrication"
    assert conclude(CLAIM, accused, LOOKED, accused, held).outcome == "fabrication"
    assert conclude(CLAIM, accused, LOOKED, Ruling("supported")).outcome == "withdrawn"
    assert conclude(CLAIM, Ruling("supported"), LOOKED, Ruling("supported")).outcome == "supported"
    assert conclude(CLAIM, accused, LOOKED, Ruling(cut)).outcome == cut
    assert conclude(CLAIM, Ruling(cut), Checked("not checked")).outcome == cut
