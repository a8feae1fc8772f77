"""`localeval.methods.audit.flow`: a whole audit of one candidate by hand, with checks against the real source."""

import json
from collections.abc import Callable, Sequence

import pytest

from localeval.evidence.lookup import SourceIndex
from localeval.keys import call_key
from localeval.methods.audit.flow import Audited, audit
from localeval.methods.audit.schemas import AuditSettings, CandidateAudit
from localeval.methods.audit.tally import tally_candidate
from localeval.values import Call, Missing, Reply
from tests.methods.panel.panel_texts import candidate, source
from tests.methods.quiz.helpers import play, prompts

PROMPTS = prompts()
TEXT = "Ana pays for the lamps. Compaq pays for the paint."
SUPPORTED = '{"segments":"none","verdict":"supported"}'
ACCUSED = '{"segments":"none","verdict":"not found","kind":"invented entity","severity":"major"}'
BY_HAND = {
    "audit/extract": '{"claims":[]}',
    "audit/relations": '{"relations":[]}',
    "audit/entail": "yes",
    "audit/verify": SUPPORTED,
    "audit/second look": SUPPORTED,
}


def reply(call: Call, **said: str) -> Reply:
    """The reply to a call: what a stage is told to say, else one that accuses nobody."""
    told = {f"audit/{stage.replace('_', ' ')}": text for stage, text in said.items()}
    return Reply(call_key(call, call.model), (BY_HAND | told)[call.stage])


def audited(
    answer: Callable[[Call], Reply], auditor: str = "a", **options: object
) -> tuple[CandidateAudit, list[Sequence[Call]]]:
    """One auditor's audit of two sentences, each a claim by itself, and the calls of each round that has some."""
    about = source()
    settings = AuditSettings.model_validate({"auditors": ["a", "b"]} | options)
    thing = Audited(about, SourceIndex(about), candidate("x", TEXT, about))
    found, rounds = play(audit(thing, auditor, settings, PROMPTS, 7), answer)
    return found, [calls for calls in rounds if calls]


def stages(rounds: list[Sequence[Call]]) -> list[list[str]]:
    return [[call.stage.removeprefix("audit/") for call in calls] for calls in rounds]


def test_everybody_is_heard_in_as_few_rounds_as_can_be() -> None:
    """Claims, verdicts, and a second look at what does not stand in the source alone."""
    found, rounds = audited(reply)
    assert stages(rounds) == [["extract", "extract", "relations"], ["verify", "verify"], ["second look"]]
    assert [(each.outcome, each.check) for each in found.findings] == [
        ("supported", "everything stands in the source"),
        ("supported", "does not stand in the source"),
    ]


def test_the_claims_are_asked_for_once_for_all_auditors() -> None:
    """Each auditor's flow makes the same calls for them, so that they are sent once; its verdicts are its own."""
    asked = {name: audited(reply, name)[1] for name in ("a", "b")}
    assert asked["a"][0] == asked["b"][0]
    assert {call.model for calls in asked["b"][1:] for call in calls} == {"b"}


def test_an_accusation_needs_a_programs_evidence() -> None:
    """Truthfulness rule 2: of two sentences that are called invented the one whose name stands in the source falls."""
    found, rounds = audited(lambda call: reply(call, verify=ACCUSED))
    assert [(each.outcome, each.check) for each in found.findings] == [
        ("rejected", "phrase stands in the source"),
        ("fabrication", "does not stand in the source"),
    ]
    assert len(rounds) == 2


def test_an_accusation_in_the_second_look_needs_it_too() -> None:
    """Truthfulness rule 2: a first "supported" spares no check, and without checks there is no second look."""
    found, _ = audited(lambda call: reply(call, second_look=ACCUSED))
    assert [each.outcome for each in found.findings] == ["supported", "fabrication"]
    unchecked, rounds = audited(lambda call: reply(call, second_look=ACCUSED), checks=False)
    assert {(each.outcome, each.check) for each in unchecked.findings} == {("supported", "not checked")}
    assert len(rounds) == 2


def test_a_source_that_does_not_fit_is_missing_and_never_cut() -> None:
    """Truthfulness rule 1: with both numbers, not asked again, and nothing is known of the candidate."""
    why = Missing("too long", "9000 of 8192", needed=9000, limit=8192)
    found, rounds = audited(
        lambda call: Reply("", finish="error", missing=why) if call.stage == "audit/verify" else reply(call)
    )
    assert stages(rounds)[1:] == [["verify", "verify"]]
    assert [each.outcome for each in found.findings] == [why, why]
    tally = tally_candidate({"a": found}, 1)
    assert (tally.counts.missing, tally.counts.n, tally.is_known) == (2, 0, False)


@pytest.mark.parametrize("stage", ["verify", "second_look"])
def test_rubbish_is_asked_again_and_then_missing(stage: str) -> None:
    """Truthfulness rule 5: so many new calls, each with a seed and key of its own; nobody is accused or cleared."""
    found, rounds = audited(lambda call: reply(call, **{stage: json.dumps({"verdict": "not found"})}), retries=2)
    name = f"audit/{stage.replace('_', ' ')}"
    about_paint = [c for calls in rounds for c in calls if c.stage == name and "Compaq" in c.messages[-1].parts[-1]]
    assert len(about_paint) == 3
    assert len({call_key(call, "identity") for call in about_paint}) == 3
    outcome = found.findings[-1].outcome
    assert isinstance(outcome, Missing)
    assert outcome.reason == "invalid"
