"""What holds of every planted value, whatever the text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.evidence.lookup import SourceIndex
from localeval.planting.values import plant_values
from localeval.texts import Language
from tests.planting.material import trusted_of, written_texts

LANGUAGES: tuple[Language, ...] = ("en", "ru", "zh")
PIECES = [
    "about 40", "8%", "12 May", "Tuesday", "£1,500", "GPT-4", "Q3", "Anna", "Dr Osei", "the council", "half", "3/4",
    "два часа", "во вторник", "около 40", "Вера", "Ивана", "5-го", "№ 7", "несколько", "3 марта", "1990-е", "две", "½",
    "三十", "约四万六千斤", "王经理", "星期二", "八月", "两块一", "半", "第三", "几个", "北京", "小林", "十", "十分",
    ".", ",", "\n", "\n- ", " ", "。", "，", "1)", "0", "00:00", "31 June", "noon", "$", "-", "’s", "the 2nd",
    "in 2019", "万",
]  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=4)), max_size=12).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(text=TEXTS, said=TEXTS, language=st.sampled_from(LANGUAGES), seed=st.integers(0, 2**31))
def test_any_text(text: str, said: str, language: Language, seed: int) -> None:
    """No text raises; every edit applies within its sentence; a place has one edit of a kind; twice is the same."""
    trusted = trusted_of("any", language, said or "x", text)
    index = SourceIndex(trusted.source)
    found = plant_values(trusted, index, seed)
    for edit in found:
        segment = trusted.candidate.segments[edit.sentence - 1]
        assert segment.start <= edit.start <= edit.end <= segment.end
        assert edit.applied_to(text) != text
        assert len({edit.before, edit.after, *edit.others}) == 5
    places = [(edit.kind, edit.start) for edit in found]
    assert len(set(places)) == len(places)
    assert plant_values(trusted, SourceIndex(trusted.source), seed) == found


def test_seed_decides() -> None:
    """Another seed puts other values into the same places, in another order."""
    trusted = written_texts()[0]
    index = SourceIndex(trusted.source)
    one, other = plant_values(trusted, index, 1), plant_values(trusted, index, 2)
    assert {(edit.kind, edit.before) for edit in one} == {(edit.kind, edit.before) for edit in other}
    assert [edit.start for edit in one] != [edit.start for edit in other]
    assert {edit.after for edit in one} != {edit.after for edit in other}


def test_a_place_does_not_depend_on_the_others() -> None:
    """What is planted in a sentence is the same when the sentences after it are gone."""
    whole = written_texts()[0]
    text = whole.candidate.text[: whole.candidate.segments[2].end]
    short = trusted_of("bakery", "en", "", text)
    short = type(short)(whole.source, short.candidate, whole.origin)
    index = SourceIndex(whole.source)
    kinds = {"number", "date", "unit"}
    expected = [e for e in plant_values(whole, index, 4) if e.end <= len(text) and e.kind in kinds]
    assert [e for e in plant_values(short, index, 4) if e.kind in kinds] == expected
    assert len(expected) > 5
