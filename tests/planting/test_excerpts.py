"""Texts in a source's own words, where in a source they stand, and sentences about a target."""

import pytest

from localeval.evidence.lookup import SourceIndex
from localeval.inputs.segmenting import cut_sentences, cut_text
from localeval.planting.excerpts import excerpts
from localeval.planting.placing import place_in
from localeval.planting.portraits import portraits
from localeval.planting.schemas import Trusted
from localeval.texts import Language, Source
from tests.planting.wording_material import demo_texts, own_texts

TEXTS = (*own_texts(), *demo_texts())


@pytest.mark.parametrize("trusted", TEXTS, ids=[one.source.id for one in TEXTS])
def test_excerpts_are_the_sources_own_words(trusted: Trusted) -> None:
    """Each line is one sentence of the source under its speaker's name, in order, and one segment."""
    source = trusted.source
    made = excerpts(source, 6, 1)
    assert made is not None
    assert (made.origin, made.candidate.system, made.candidate.source_id) == ("excerpts", "excerpts", source.id)
    said = " ".join(source.text.split())
    spoken = {segment.speaker for segment in source.segments}
    places = []
    for segment in made.candidate.segments:
        name, _, words = made.candidate.words_of(segment).replace("：", ": ").partition(": ")
        assert name in spoken
        assert words.strip('“”"') in said
        places.append(said.index(words.strip('“”"')))
    assert places == sorted(places)
    assert 3 <= len(places) <= 6
    assert made.candidate.segments == cut_sentences(made.candidate.text, source.language)


def test_excerpts_span_the_whole_source() -> None:
    """The first comes from the first part of a long source and the last from the last part; the seed draws them."""
    lines = [f"Anna: In week {number} the harbour counted {number * 7} ships and boats." for number in range(1, 200)]
    cut = cut_text("\n".join(lines), "en")
    source = Source("log", cut.text, cut.segments, "en")
    made = excerpts(source, 10, 1)
    assert made is not None
    weeks = [int(made.candidate.words_of(one).split("week ")[1].split()[0]) for one in made.candidate.segments]
    assert [week * 10 // 200 for week in weeks] == [*range(10)]
    assert excerpts(source, 10, 1) == made
    assert excerpts(source, 10, 2) != made


def test_no_excerpts_of_nothing() -> None:
    """A source of short remarks and questions has none, nor has any source when none are asked for."""
    cut = cut_text("Anna: Yes.\nBoris: No?\nAnna: Fine.\n", "en")
    assert excerpts(Source("short", cut.text, cut.segments, "en"), 8, 1) is None
    assert excerpts(TEXTS[0].source, 0, 1) is None


def test_excerpts_without_speakers_are_bare() -> None:
    """Where the source does not know who speaks the sentence stands alone."""
    text = "The harbour counted seventy ships in May. The pier was closed for a week because of the storm."
    made = excerpts(Source("plain", text, cut_sentences(text, "en"), "en"), 2, 1)
    assert made is not None
    assert made.candidate.text == "\n\n".join(text[one.start : one.end] for one in cut_sentences(text, "en"))


@pytest.mark.parametrize("trusted", TEXTS, ids=[one.source.id for one in TEXTS])
def test_place_of_the_sources_own_sentences(trusted: Trusted) -> None:
    """A sentence in the source's own words is placed within a twentieth of where it was said."""
    source, index = trusted.source, SourceIndex(trusted.source)
    made = excerpts(source, 6, 1)
    assert made is not None
    squeezed = source.text.replace("\n", " ")
    for segment in made.candidate.segments:
        words = made.candidate.words_of(segment).replace("：", ": ").partition(": ")[2].strip('“”"')
        place = place_in(source, index, words)
        assert place is not None
        said = (squeezed.index(words) + len(words) / 2) / len(squeezed)
        assert abs(place - said) <= 0.05


def test_summaries_are_placed_in_the_order_of_the_meeting() -> None:
    """The sentences of a summary that follows its meeting stand, in nine of ten cases, later and later in it."""
    rising = total = 0
    for trusted in TEXTS:
        index = SourceIndex(trusted.source)
        words = [trusted.candidate.words_of(segment) for segment in trusted.candidate.segments]
        places = [place_in(trusted.source, index, one) for one in words]
        assert all(place is not None and 0 <= place <= 1 for place in places)
        pairs = [(left, right) for left, right in zip(places, places[2:], strict=False) if left and right]
        rising += sum(left < right for left, right in pairs)
        total += len(pairs)
    assert rising / total > 0.9


def test_nothing_alike_is_nowhere() -> None:
    """A sentence that shares no word with the source has no place."""
    source = TEXTS[0].source
    assert place_in(source, SourceIndex(source), "Zebras xylophone quickly.") is None


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_portraits_name_the_target(language: Language) -> None:
    """Three sentences or more of each tone, each different, each with the target's name as it is given."""
    made = portraits("X-1", language)
    assert set(made) == {"praise", "blame", "neutral"}
    sentences = [one for tone in made.values() for one in tone]
    assert all(len(tone) >= 3 for tone in made.values())
    assert len(set(sentences)) == len(sentences)
    assert all(one.count("X-1") == 1 for one in sentences)
    assert all(len(cut_sentences(one, language)) == 1 for one in sentences)
