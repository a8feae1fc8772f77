"""Specimen texts: as long as usual, in the source's language, of what the source says, each call's its own."""

import itertools
from typing import get_args

import pytest

from localeval.inputs.segmenting import cut_sentences
from localeval.methods.generate.flow import write
from localeval.methods.rehearsal import rehearse
from localeval.texts import Language
from localeval.values import Call
from tests.methods.generate.generate_systems import meeting, plain, system

FILES = {"user.jinja": "{{ transcript }}\nSum up."}


def call(language: Language = "en", name: str = "terse", **settings: object) -> Call:
    """What a system is asked about a plain text."""
    return next(write(plain(language=language), system(FILES, name, **settings), 1))[0]


@pytest.mark.parametrize("tokens", [16, 64, 200, 1024, 100_000])
@pytest.mark.parametrize(("language", "characters"), [("en", 4.0), ("ru", 3.0), ("zh", 1.5)])
def test_a_specimen_is_as_long_as_is_usual(language: Language, characters: float, tokens: int) -> None:
    """Never longer than the call allows, but for one sentence at least; some 300 tokens where more could be written."""
    text = rehearse(call(language, tokens=tokens), 1, language)
    most = min(tokens, 300) * characters
    assert len(text) <= most or len(cut_sentences(text, language)) == 1
    assert len(text) >= most - 120


@pytest.mark.parametrize("language", get_args(Language))
def test_a_specimen_has_several_sentences(language: Language) -> None:
    """What is planned for is made of sentences, as every candidate."""
    assert len(cut_sentences(rehearse(call(language), 1, language), language)) >= 8


def test_names_and_numbers_are_the_source_s() -> None:
    """So that a program finds them there, as in a true text; times are not taken for numbers."""
    said = next(write(meeting(), system(FILES), 1))[0]
    text = rehearse(said, 1, "en")
    assert "Ana" in text or "Ben" in text
    assert "point 3 " in text
    nobody = next(write(plain(text="it rained all day."), system(FILES), 1))[0]
    assert "Anna" in rehearse(nobody, 1, "en")


def test_each_call_has_its_own_and_always_the_same() -> None:
    """Texts of two systems are two texts, whatever tells them apart."""
    calls = [call(), call(name="long"), call(model="big"), next(write(meeting(), system(FILES), 1))[0]]
    texts = [rehearse(each, 1, "en") for each in calls]
    assert all(first != second for first, second in itertools.combinations(texts, 2))
    assert texts == [rehearse(each, 2, "en") for each in calls]
