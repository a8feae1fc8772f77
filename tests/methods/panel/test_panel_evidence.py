"""The panel without evidence: a verdict is one token, and all that is made of scores stays."""

import math
from collections.abc import Sequence
from itertools import product
from typing import get_args

import pytest

from localeval.keys import call_key
from localeval.methods.panel.calls import PanelCalls, Wanted
from localeval.methods.panel.flow import judge
from localeval.methods.panel.rehearsal import rehearse
from localeval.methods.panel.schemas import Mode, Verdict
from localeval.prompts import source_block
from localeval.texts import Language
from localeval.values import Call, Choice, Finish, Missing, Reply
from tests.methods.panel.panel_texts import DATES, FAITHFULNESS, candidates, rubric, settings, source
from tests.methods.quiz.helpers import play, prompts

LANGUAGES: tuple[Language, ...] = get_args(Language)
MODES: tuple[Mode, ...] = ("pointwise", "lineup")
PROMPTS = prompts()


def made(mode: Mode = "pointwise", language: Language = "en", evidence: bool = False) -> tuple[PanelCalls, Wanted]:
    """The calls about two candidates, and the dates of the first, which may be NA."""
    about = source(language=language)
    texts = candidates(about, "x", "y")
    return PanelCalls(about, texts, settings(mode=mode, evidence=evidence), PROMPTS, 7), Wanted(texts[0], DATES, 0)


def read(
    text: str, wanted: Wanted, calls: PanelCalls, finish: Finish = "length", chances: Sequence[tuple[str, float]] = ()
) -> Verdict:
    """What a reply of one token says; with probabilities of the scores as logarithms."""
    return calls.read(Reply("k", text, finish=finish, output_tokens=1, logprobs=(tuple(chances),)), wanted)


@pytest.mark.parametrize(("mode", "language"), list(product(MODES, LANGUAGES)))
def test_one_token_is_asked_for_behind_the_same_source(mode: Mode, language: Language) -> None:
    """The source is shared with calls for evidence; nothing that is asked names a field of a JSON object."""
    calls, wanted = made(mode, language)
    call = calls.judge("j", wanted)
    assert (call.sampling.max_tokens, call.output) == (1, Choice(("0", "1", "2", "N")))
    assert call.sampling.logprobs >= len(("0", "1", "2", "N"))
    first, *_, last = call.messages[-1].parts
    assert first == source_block(source(language=language))
    assert "score N" in last
    asked = call.messages[-1].text.removeprefix(first)
    assert not [word for word in ("JSON", "lacks", "candidate:", "source:", "candidate：", "source：") if word in asked]
    with_evidence, _ = made(mode, language, evidence=True)
    other = with_evidence.judge("j", wanted)
    assert call_key(call, "m") != call_key(other, "m")
    assert (call.stage, call.subject, call.item) == (other.stage, other.subject, other.item)


def test_where_na_is_refused_it_is_not_offered() -> None:
    """Neither in the grammar nor in words."""
    calls, wanted = made()
    call = calls.judge("j", wanted._replace(criterion=FAITHFULNESS))
    assert call.output == Choice(("0", "1", "2"))
    assert call.messages[-1].parts[-1].endswith("Reply with the score alone: 0, 1 or 2.\n")
    assert "N:" not in call.messages[-1].parts[-1]


def test_a_score_alone_is_a_verdict_without_passages() -> None:
    """With the probabilities of all scores, from which expected grades are made."""
    calls, wanted = made()
    verdict = read("1", wanted, calls, chances=[("1", math.log(0.5)), ("2", math.log(0.5))])
    assert (verdict.score, verdict.cited, verdict.proof, verdict.lacks) == (1, (), (), "")
    assert verdict.probabilities == pytest.approx((0.0, 0.5, 0.5, 0.0))
    assert read("N", wanted, calls) == Verdict("NA")
    assert read("2", wanted, calls) == Verdict(2)


@pytest.mark.parametrize(("text", "reason"), [("3", "invalid"), ("NA", "invalid"), ("", "truncated")])
def test_another_reply_is_missing(text: str, reason: str) -> None:
    """Nothing is guessed from it."""
    calls, wanted = made()
    verdict = read(text, wanted, calls, finish="length" if reason == "truncated" else "stop")
    assert isinstance(verdict.score, Missing)
    assert verdict.score.reason == reason


def test_na_where_it_is_refused_is_missing() -> None:
    """Whatever an engine let through."""
    calls, wanted = made()
    verdict = read("N", wanted._replace(criterion=FAITHFULNESS), calls, finish="stop")
    assert isinstance(verdict.score, Missing)


def test_all_scores_of_a_source_are_asked_in_one_round() -> None:
    """No tiny call waits for another; a rehearsal's replies can be read."""
    about = source()

    def answer(call: Call) -> Reply:
        return Reply(call_key(call, "j"), rehearse(call), output_tokens=1)

    flow = judge(about, candidates(about, "x", "y"), "j", rubric(), settings(evidence=False, repeats=2), PROMPTS, 7)
    sheets, rounds = play(flow, answer)
    assert [len(calls) for calls in rounds] == [8]
    assert {verdict.score for sheet in sheets.values() for found in sheet.values() for verdict in found} == {2}


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mode": "batch", "evidence": False}, "`evidence` goes without `mode: batch`"),
        ({"evidence": False, "verdict_tokens": 99}, "`verdict_tokens` goes without `evidence: false`"),
    ],
)
def test_settings_that_do_nothing_are_refused(options: dict[str, object], told: str) -> None:
    """With what may be done."""
    with pytest.raises(ValueError, match=told):
        settings(**options)
