"""The scales: words of the anchors, or numbers; what the judge sees, and how an answer becomes a value in [0, 1]."""

import math
from pathlib import Path

import pytest
from pydantic import ValidationError

from localeval.assets import asset_folder
from localeval.inputs.axis_files import axes_for
from localeval.methods.affect.axes import Axis, Meaning
from localeval.methods.affect.calls import AffectCalls, Wanted
from localeval.methods.affect.readings import AffectText
from localeval.methods.affect.schemas import AffectSettings, Target
from localeval.methods.affect.words import anchor_words
from localeval.prompts import read_prompts
from localeval.texts import Language
from localeval.values import Choice, Missing, Reply

TEXT = "Ada Lovelace was praised."


def calls_of(language: Language = "en", **given: object) -> tuple[AffectCalls, Axis]:
    """The calls of one text, and the axis valence."""
    settings = AffectSettings.model_validate({"judges": ["j"], "targets": ["Ada Lovelace"], **given})
    axes = axes_for("vad", language, Path())
    text = AffectText("t", "t", TEXT, language)
    prompts = read_prompts(asset_folder("prompts"))
    return AffectCalls(text, TEXT, "j", settings, prompts, 1, "task first"), axes.axes[0]


def wanted(axis: Axis, repeat: int = 0) -> Wanted:
    """The valence of Ada Lovelace."""
    return Wanted("target", axis, Target(name="Ada Lovelace"), repeat)


def reply(text: str, **shares: float) -> Reply:
    """A reply with the probabilities of its first token."""
    logprobs = (tuple((token, math.log(share)) for token, share in shares.items()),) if shares else ()
    return Reply("k", text, logprobs=logprobs)


def test_a_word_is_read_from_its_first_token() -> None:
    """However a model cuts words into tokens: what begins one word alone counts for it, what begins none is dropped."""
    calls, axis = calls_of()
    read = calls.read_shares(reply("good", g=0.3, good=0.3, neutral=0.2, b=0.1, x=0.1), wanted(axis))
    assert read is not None
    assert read.shares == pytest.approx((1 / 9, 2 / 9, 6 / 9))
    assert read.value == pytest.approx(7 / 9)
    assert read.spread == pytest.approx(
        math.sqrt(sum(s * (v - 7 / 9) ** 2 for s, v in zip(read.shares, (0, 0.5, 1), strict=True)))
    )


@pytest.mark.parametrize("draw", [None, 0])
def test_a_number_is_one_token(draw: int | None) -> None:
    """With nothing behind it; the words of anchors have room for several."""
    for scale in (3, 5, 7, 9):
        calls, axis = calls_of(scale=scale)
        assert calls.score(wanted(axis), draw).sampling.max_tokens == 1
    calls, axis = calls_of()
    assert calls.score(wanted(axis), draw).sampling.max_tokens > 1


def test_numbers_are_read_as_places_between_the_ends() -> None:
    """1 is 0, the last is 1, the middle 0.5."""
    calls, axis = calls_of(scale=5)
    read = calls.read_shares(reply("3", **{"1": 0.25, "3": 0.5, "5": 0.25}), wanted(axis))
    assert read is not None
    assert read.value == pytest.approx(0.5)
    assert [calls.read_draw(reply(each), wanted(axis)) for each in ("1", "3", "5")] == [1, 3, 5]


def test_an_answer_off_the_scale_is_missing() -> None:
    """Never the nearest word."""
    calls, axis = calls_of()
    read = calls.read_shares(reply("goodness", g=1.0), wanted(axis))
    assert read is not None
    assert isinstance(read.value, Missing)
    assert isinstance(calls.read_draw(reply("5"), wanted(axis)), Missing)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_the_words_stand_in_the_prompt_and_are_all_that_may_be_answered(language: Language) -> None:
    """In a second reading from the top, and the grammar is the same."""
    calls, axis = calls_of(language)
    meaning = axis.meaning("target")
    assert meaning is not None
    words = anchor_words(meaning, language)
    first, second = (calls.score(wanted(axis, repeat)) for repeat in (0, 1))
    assert first.output == second.output == Choice(words)
    for call, shown in ((first, words), (second, words[::-1])):
        prompt = call.messages[-1].text
        places = [prompt.index(f"\n{word} = ") for word in shown]
        assert places == sorted(places)
        asked = prompt.rstrip().rpartition("\n")[2]
        assert "Ada Lovelace" in asked
        assert sorted(words, key=asked.index) == list(shown)


@pytest.mark.parametrize("language", ["en", "ru", "zh"])
def test_an_axis_without_words_of_its_own_has_low_middle_and_high(language: Language) -> None:
    """In the language of the text."""
    meaning = Meaning(question="how.", anchors={0: "a", 0.5: "b", 1: "c"})
    assert len({word[0] for word in anchor_words(meaning, language)}) == 3


@pytest.mark.parametrize("words", [["bad", "so so", "good"], ["bad", "better", "good"], ["bad", "good"]])
def test_words_that_cannot_be_told_apart_are_refused(words: list[str]) -> None:
    """Three single words, each with another first letter."""
    with pytest.raises(ValidationError):
        Meaning.model_validate({"question": "how.", "anchors": {0: "a", 0.5: "b", 1: "c"}, "words": words})


def test_draws_follow_the_same_places() -> None:
    """Their mean is the value, their standard deviation the spread; too few of them are missing."""
    calls, _ = calls_of()
    read = calls.of_draws([3, 3, 2, 1, Missing("invalid")])
    assert read.value == pytest.approx((1 + 1 + 0.5 + 0) / 4)
    assert read.draws == (3, 3, 2, 1)
    assert isinstance(calls.of_draws([3, 3, Missing("invalid"), Missing("invalid")]).value, Missing)
