"""`localeval.methods.audit.claims`: from an extractor's replies, sent by hand, to the claims that are checked."""

import json
import re
import time
from collections.abc import Callable, Sequence

import pytest

from localeval.keys import call_key
from localeval.methods.audit.calls import ClaimCalls
from localeval.methods.audit.claims import Claims, make_claims, plain
from localeval.methods.audit.schemas import AuditSettings, Claim
from localeval.values import Call, Missing, Reply
from tests.methods.panel.panel_texts import candidate, source
from tests.methods.quiz.helpers import play, prompts

PROMPTS = prompts()
Pair = tuple[str, str]


def made(
    text: str,
    extracted: dict[str, Sequence[Pair]],
    relations: Sequence[Pair] = (),
    is_entailed: Callable[[Call], bool] = lambda call: True,
    **options: object,
) -> tuple[Claims, list[Sequence[Call]]]:
    """The claims of a candidate, whose sentences an extractor splits as told: (phrase, claim) by sentence; relations as
    (sentences, claim)."""
    about = source()
    one = candidate("x", text, about)
    settings = AuditSettings.model_validate({"auditors": ["a"]} | options)

    def answer(call: Call) -> Reply:
        shown = re.search(r"<sentence \w+>\n(.*)\n", call.messages[-1].parts[-1])
        if call.stage == "audit/extract":
            assert shown
            pairs = extracted.get(shown[1], ())
            said = json.dumps({"claims": [{"phrase": phrase, "claim": claim} for phrase, claim in pairs]})
        elif call.stage == "audit/relations":
            said = json.dumps({"relations": [{"sentences": numbers, "claim": claim} for numbers, claim in relations]})
        else:
            said = "yes" if is_entailed(call) else "no"
        return Reply(call_key(call, call.model), said)

    return play(make_claims(ClaimCalls(about, one, settings, PROMPTS, 7), one, settings), answer)


def kept(claims: Claims, unit: str) -> list[tuple[tuple[int, ...], str, str]]:
    return [(each.sentences, each.phrase, each.text) for each in claims.kept if each.unit == unit]


def test_claims_relations_and_sentences_are_numbered_together() -> None:
    """Each with its sentences and the exact phrase, in that order; nothing is dropped."""
    claims, rounds = made(
        "Ana paid in May for lamps. They came.",
        {"Ana paid in May for lamps.": [("Ana paid in May", "Ana paid in May."), ("for lamps", "Ana paid for lamps.")]},
        [("1 2", "The lamps came after Ana paid.")],
    )
    assert [each.number for each in claims.kept] == [1, 2, 3, 4, 5]
    assert kept(claims, "claim") == [
        ((1,), "Ana paid in May", "Ana paid in May."),
        ((1,), "for lamps", "Ana paid for lamps."),
    ]
    assert kept(claims, "relation") == [
        ((1, 2), "Ana paid in May for lamps. They came.", "The lamps came after Ana paid.")
    ]
    assert [sentences for sentences, _, _ in kept(claims, "sentence")] == [(1,), (2,)]
    assert not claims.dropped
    assert [[call.stage.split("/")[1] for call in calls] for calls in rounds] == [
        ["extract", "extract", "relations"],
        ["entail", "entail", "entail"],
    ]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Room 4 was painted in May.", "Room 5 was painted in May."),
        ("The committee approved the new roof budget.", "The committee never approved the new roof budget."),
        ("Комната 4 была покрашена в мае.", "Комната 5 была покрашена в мае."),
        ("The pump has twelve bolts and costs 5,000 euros.", "The pump has twelve bolts and costs 5,900 euros."),
    ],
)
def test_what_differs_in_a_digit_or_a_word_is_another_claim(first: str, second: str) -> None:
    """However alike two claims are to the eye, the second may be the false one: both are checked."""
    claims, _ = made(f"{first}\n\n{second}", {each: [(each, each)] for each in (first, second)}, units=["claim"])
    assert [text for _, _, text in kept(claims, "claim")] == [first, second]
    assert not claims.dropped


def test_what_was_said_before_is_checked_once() -> None:
    """The same words, whatever their case, quotes and spaces, are one claim, also as a relation; others are counted."""
    text = "Ana said “yes” to it. And Ana said yes."
    claims, _ = made(
        text,
        {
            "Ana said “yes” to it.": [("Ana said “yes”", 'Ana said "yes" to the lamps.')],
            "And Ana said yes.": [("Ana said yes", "ana said  “yes” to the lamps")],
        },
        [("2", 'Ana said "yes" to the lamps')],
        units=["claim", "relation"],
    )
    assert [text for _, _, text in kept(claims, "claim")] == ['Ana said "yes" to the lamps.']
    assert [(drop.reason, drop.sentence) for drop in claims.dropped] == [("said before", 2), ("said before", 2)]
    assert [sentences for sentences, _, _ in kept(claims, "claim")] == [(1, 2)]
    assert kept(claims, "sentence") == [], "a sentence that only repeats a claim is not counted a second time"


def test_a_phrase_must_stand_in_its_sentence() -> None:
    """A claim that an extractor took from elsewhere is dropped and counted, and the sentence is checked whole."""
    claims, _ = made(
        "Ana paid. Ben slept.",
        {"Ana paid.": [("Ben slept", "Ben slept."), (" . ", "Nothing.")], "Ben slept.": [("BEN  slept", "Ben slept.")]},
        units=["claim"],
    )
    assert kept(claims, "claim") == [((2,), "BEN  slept", "Ben slept.")]
    assert [drop.reason for drop in claims.dropped] == ["phrase not in the sentence"] * 2
    assert kept(claims, "sentence") == [((1,), "Ana paid.", "Ana paid.")]


def test_what_the_sentence_does_not_say_is_dropped() -> None:
    """Held against its own sentence alone, and a relation against all of its sentences."""
    claims, rounds = made(
        "Ana paid. Ben slept.",
        {"Ana paid.": [("Ana paid", "Ana paid all."), ("Ana paid", "Ana paid.")]},
        [("1 2", "Ben slept after Ana paid.")],
        is_entailed=lambda call: (
            "Ana paid." in call.messages[-1].parts[-1].split("<claim")[1]
            or "<sentence" in call.messages[-1].parts[-1].split("</sentence", 1)[1]
        ),
        units=["claim", "relation"],
    )
    assert [text for _, _, text in kept(claims, "claim")] == ["Ana paid."]
    assert [text for _, _, text in kept(claims, "relation")] == ["Ben slept after Ana paid."]
    assert [(drop.reason, drop.detail) for drop in claims.dropped] == [
        ("not entailed by the sentence", "Ana paid all.")
    ]
    assert len(rounds[1]) == 3


def test_an_extractor_that_returns_rubbish_costs_no_coverage() -> None:
    """Asked again as often as is set, then counted; every sentence is checked as a whole instead."""
    about = source()
    one = candidate("x", "Ana paid. Ben slept.", about)
    settings = AuditSettings.model_validate({"auditors": ["a"], "units": ["claim", "relation"], "retries": 1})
    flow = make_claims(ClaimCalls(about, one, settings, PROMPTS, 7), one, settings)
    claims, rounds = play(flow, lambda call: Reply(call_key(call, ""), "Ana paid; Ben slept."))
    assert [len(calls) for calls in rounds if calls] == [3, 3]
    assert len({call_key(call, "") for calls in rounds for call in calls}) == 6
    assert [(drop.reason, drop.sentence) for drop in claims.dropped] == [
        ("unreadable", 1),
        ("unreadable", 2),
        ("unreadable", 0),
    ]
    assert [each.sentences for each in claims.kept] == [(1,), (2,)]


def test_a_claim_without_a_verdict_on_its_sentence_is_counted() -> None:
    """Neither kept nor taken for false."""
    about = source()
    one = candidate("x", "Ana paid.", about)
    settings = AuditSettings.model_validate({"auditors": ["a"], "units": ["claim"], "retries": 0})
    lost = Missing("engine error", "gone")
    said = json.dumps({"claims": [{"phrase": "Ana paid", "claim": "Ana paid."}]})
    claims, _ = play(
        make_claims(ClaimCalls(about, one, settings, PROMPTS, 7), one, settings),
        lambda call: Reply("k", said) if call.stage == "audit/extract" else Reply("k", missing=lost),
    )
    assert [drop.reason for drop in claims.dropped] == ["no verdict"]
    assert claims.kept == (Claim(1, "sentence", (1,), "Ana paid.", "Ana paid."),)


def test_an_empty_candidate_has_no_claims() -> None:
    """And costs no call."""
    claims, rounds = made(" \n", {})
    assert (claims, sum(map(len, rounds))) == (Claims((), ()), 0)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("“Да”, — сказал он.", '"да", - сказал он', True),
        ("Ａna  paid\n5", "ana paid 5", True),
        ("Ana paid 5.", "Ana paid 6.", False),
        ("5.5", "55", False),
        ("委员会开会。", "委员会开会", True),
    ],
)
def test_texts_are_compared_without_what_typing_adds(one: str, other: str, same: bool) -> None:
    """Form, case, kinds of quotes and dashes, spaces and the signs around; never a letter or a digit."""
    assert (plain(one) == plain(other)) == same


def test_the_claims_of_a_long_candidate_are_sorted_at_once() -> None:
    """1500 claims take milliseconds: each is held against those before it by a look-up, not one by one."""
    claims = {
        f"Room {n} has {n} lamps and a door.": [(f"{n} lamps", f"Room {n}: {k}.") for k in "abc"] for n in range(500)
    }
    began = time.process_time()
    made_of, _ = made(" ".join(claims), claims, units=["claim"])
    assert len(kept(made_of, "claim")) == 1500
    assert time.process_time() - began < 4.0
