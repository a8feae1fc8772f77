"""The findings of several auditors on one claim put together, and what that comes to for one candidate."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, get_args

from localeval.methods.audit.schemas import (
    CandidateAudit,
    Claim,
    DroppedClaim,
    FaultKind,
    Finding,
    Opinion,
    Ruling,
    Severity,
)
from localeval.values import Missing

Standing = Literal["supported", "disputed", "confirmed", "missing"]
"""confirmed: a fabrication to a quorum of auditors. disputed: to at least one, but to fewer. supported: to none.
missing: fewer auditors than the quorum came to anything."""

KINDS: tuple[FaultKind, ...] = get_args(FaultKind)
SEVERITIES: tuple[Severity, ...] = ("major", "minor")

Named = TypeVar("Named", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Fault:
    """What the accusers of a claim make of it, by majority; a tie goes to the graver one."""

    opinion: Opinion
    kind: FaultKind | None
    severity: Severity | None


@dataclass(frozen=True, slots=True)
class ClaimTally:
    """One claim as all auditors see it. `findings` is by auditor; `fault` is there where at least one accuses it."""

    claim: Claim
    standing: Standing
    findings: Mapping[str, Finding]
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Claims counted by standing, confirmed ones by what the source says of them. Counts add up."""

    supported: int = 0
    disputed: int = 0
    contradicted: int = 0
    not_found: int = 0
    missing: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            self.supported + other.supported,
            self.disputed + other.disputed,
            self.contradicted + other.contradicted,
            self.not_found + other.not_found,
            self.missing + other.missing,
        )

    @property
    def n(self) -> int:
        """Claims with a verdict."""
        return self.supported + self.disputed + self.fabrications

    @property
    def fabrications(self) -> int:
        """Confirmed ones."""
        return self.contradicted + self.not_found


@dataclass(frozen=True, slots=True)
class CandidateTally:
    """The audit of one candidate over all auditors.

    `claims` are what counts, and `counts` counts them: atomic claims, relations, and each sentence that no atomic claim
    speaks of. `sentences` are the verdicts on whole sentences, all of them, which are reported apart.
    """

    claims: tuple[ClaimTally, ...]
    sentences: tuple[ClaimTally, ...]
    dropped: tuple[DroppedClaim, ...]
    counts: Counts

    @property
    def everything(self) -> tuple[ClaimTally, ...]:
        """What the auditors were asked about, each once."""
        return (*(each for each in self.claims if each.claim.unit != "sentence"), *self.sentences)

    @property
    def is_unreadable(self) -> bool:
        """Whether claims were asked for and not one of its sentences gave a reply that could be read."""
        unread = {drop.sentence for drop in self.dropped if drop.reason == "unreadable"}
        is_read = any(each.claim.unit == "claim" for each in self.claims)
        told = {sentence for each in self.sentences for sentence in each.claim.sentences}
        return bool(unread) and not is_read and told <= unread

    @property
    def is_known(self) -> bool:
        """Whether its number of fabrications says something: at least half of what is checked has a verdict."""
        is_silent = self.is_unreadable and not self.claims
        return self.counts.n >= self.counts.missing and not is_silent


def count(claims: Iterable[ClaimTally]) -> Counts:
    """The sum over claims."""
    return sum((_one(each) for each in claims), Counts())


def _one(tally: ClaimTally) -> Counts:
    is_contradicted = tally.fault is not None and tally.fault.opinion == "contradicted"
    return Counts(
        supported=int(tally.standing == "supported"),
        disputed=int(tally.standing == "disputed"),
        contradicted=int(tally.standing == "confirmed" and is_contradicted),
        not_found=int(tally.standing == "confirmed" and not is_contradicted),
        missing=int(tally.standing == "missing"),
    )


def tally_candidate(audits: Mapping[str, CandidateAudit], n_needed: int) -> CandidateTally:
    """The audits of one candidate, by auditor, put together; `n_needed` auditors confirm a fabrication."""
    findings: dict[Claim, dict[str, Finding]] = {}
    for auditor, audit in audits.items():
        for finding in audit.findings:
            findings.setdefault(finding.claim, {})[auditor] = finding
    tallies = [tally_claim(claim, by_auditor, n_needed) for claim, by_auditor in findings.items()]
    # a relation says how facts stand to each other, not whether they are true: it does not speak for its sentences
    spoken_for = {sentence for claim in findings if claim.unit == "claim" for sentence in claim.sentences}
    claims = [t for t in tallies if t.claim.unit != "sentence" or not spoken_for.issuperset(t.claim.sentences)]
    return CandidateTally(
        claims=tuple(claims),
        sentences=tuple(each for each in tallies if each.claim.unit == "sentence"),
        dropped=next((audit.dropped for audit in audits.values()), ()),
        counts=count(claims),
    )


def tally_claim(claim: Claim, findings: Mapping[str, Finding], n_needed: int) -> ClaimTally:
    """One claim over its auditors.

    An accusation that a check rejected, or that was taken back, leaves the claim supported: it counts against the
    auditor alone. An auditor that came to nothing is no vote either way.
    """
    n_given = sum(not isinstance(finding.outcome, Missing) for finding in findings.values())
    accusers = [finding.final for finding in findings.values() if finding.outcome == "fabrication"]
    if n_given < n_needed:
        return ClaimTally(claim, "missing", findings)
    if not accusers:
        return ClaimTally(claim, "supported", findings)
    standing: Standing = "confirmed" if len(accusers) >= n_needed else "disputed"
    return ClaimTally(claim, standing, findings, _fault(accusers))


def _fault(accusers: Sequence[Ruling]) -> Fault:
    contradicted = sum(ruling.opinion == "contradicted" for ruling in accusers)
    major = {ruling.kind for ruling in accusers if ruling.severity == "major"}
    return Fault(
        opinion="contradicted" if 2 * contradicted >= len(accusers) else "not found",
        # of kinds that tie, one that somebody calls major; then the order in which the kinds are listed
        kind=_most(
            [ruling.kind for ruling in accusers if ruling.kind], sorted(KINDS, key=lambda kind: kind not in major)
        ),
        severity=_most([ruling.severity for ruling in accusers if ruling.severity], SEVERITIES),
    )


def _most(named: Sequence[Named], graver_first: Sequence[Named]) -> Named | None:
    """What is named most often, the graver of those that tie; None where nothing is named."""
    return max(named, key=lambda each: (named.count(each), -graver_first.index(each)), default=None)
