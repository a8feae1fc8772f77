"""The audit of one candidate by one auditor, top to bottom: claims, verdicts, checks, second looks."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from localeval.evidence.lookup import SourceIndex
from localeval.flow import Flow
from localeval.methods.asking import ask
from localeval.methods.audit.calls import ClaimCalls, VerdictCalls
from localeval.methods.audit.checks import Checked, check
from localeval.methods.audit.claims import make_claims
from localeval.methods.audit.schemas import AuditSettings, CandidateAudit, Claim, Finding, Outcome, Ruling
from localeval.prompts import Prompts
from localeval.texts import Candidate, Source
from localeval.values import Call, Missing, Reply

_UNCHECKED = Checked("not checked")


@dataclass(frozen=True)
class Audited:
    """What an audit is about: a source with its index, and a candidate."""

    source: Source
    index: SourceIndex
    candidate: Candidate


def audit(about: Audited, auditor: str, settings: AuditSettings, prompts: Prompts, seed: int) -> Flow[CandidateAudit]:
    """One auditor's finding on every claim of a candidate.

    A flow an auditor, so that no model waits for another. Each of them asks for the same claims, in calls that are
    equal and so sent once.
    """
    source, candidate = about.source, about.candidate
    claims = yield from make_claims(ClaimCalls(source, candidate, settings, prompts, seed), candidate, settings)
    calls = VerdictCalls(source, candidate, auditor, settings, prompts, seed)
    rulings = yield from _rule([calls.verify(claim) for claim in claims.kept], calls, settings)
    checked = [_check(claim, ruling, about.index, settings) for claim, ruling in zip(claims.kept, rulings, strict=True)]
    again = [place for place, each in enumerate(checked) if each.segments is not None]
    requests = [
        calls.second_look(claims.kept[place], checked[place].found, checked[place].segments or ()) for place in again
    ]
    second = dict(zip(again, (yield from _rule(requests, calls, settings)), strict=True))
    rechecked = {
        place: _check(claims.kept[place], ruling, about.index, settings)
        for place, ruling in second.items()
        if ruling.opinion != "supported"
    }
    findings = [
        conclude(claim, rulings[place], checked[place], second.get(place), rechecked.get(place))
        for place, claim in enumerate(claims.kept)
    ]
    return CandidateAudit(source.id, candidate.system, auditor, tuple(findings), claims.dropped)


def conclude(
    claim: Claim, first: Ruling, checked: Checked, second: Ruling | None = None, rechecked: Checked | None = None
) -> Finding:
    """What stands in the end: the second ruling where there is one, nothing of an accusation that was rejected.

    `rechecked` is the check of the second ruling where that accuses: a first "supported" must not spare it one.
    """
    final = second or first
    if rechecked is not None and rechecked.is_rejected:
        checked = rechecked
    outcome: Outcome | Missing
    if isinstance(final.opinion, Missing):
        outcome = final.opinion
    elif checked.is_rejected:
        outcome = "rejected"
    elif final.opinion != "supported":
        outcome = "fabrication"
    else:
        outcome = "supported" if first.opinion == "supported" else "withdrawn"
    return Finding(claim, first, checked.check, checked.found, second, outcome)


def _check(claim: Claim, ruling: Ruling, index: SourceIndex, settings: AuditSettings) -> Checked:
    if not settings.checks or isinstance(ruling.opinion, Missing):
        return _UNCHECKED
    return check(claim, ruling, index)


def _rule(
    requests: Sequence[Call], calls: VerdictCalls, settings: AuditSettings
) -> Generator[Sequence[Call], Sequence[Reply], list[Ruling]]:
    readers = [calls.read] * len(requests)
    return (yield from ask(requests, readers, lambda ruling: ruling.opinion, settings.retries))
