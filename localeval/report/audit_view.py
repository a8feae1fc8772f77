"""Rows of the audit: each claim of a candidate, who said what of it, and what a program found."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from localeval.evidence.lookup import Found, SourceIndex
from localeval.methods.audit.schemas import (
    AuditSettings,
    Check,
    Claim,
    ClaimDrop,
    FaultKind,
    Finding,
    Opinion,
    Outcome,
    Ruling,
    Severity,
    SourceAudit,
    Unit,
)
from localeval.methods.audit.tally import CandidateTally, ClaimTally, Fault, tally_candidate
from localeval.report.rows import Proof, Scope, proofs
from localeval.texts import Source
from localeval.values import Missing

Status = Literal["confirmed", "disputed", "missing", "rejected", "withdrawn", "supported"]
"""What became of a claim, most serious first. rejected: every accusation fell, at least one of them by a check.
withdrawn: every one was taken back in a second look. missing: fewer auditors than the quorum came to anything."""

_SERIOUS: tuple[Status, ...] = ("confirmed", "disputed", "missing", "rejected", "withdrawn", "supported")
_SHOWN_PLACES = 2
"""Segments that are shown of each name or number that a check found."""


@dataclass(frozen=True, slots=True)
class FoundRow:
    """A name, number or date of a phrase, and what stands of it in the source."""

    text: str
    match: str
    """exact, near or absent."""
    words: str
    """What stands there."""
    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FindingRow:
    """What one auditor said of a claim, at first and in the second look, and what the checks made of it."""

    auditor: str
    first: Ruling
    check: Check
    second: Ruling | None
    outcome: Outcome | Missing


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """One claim of a candidate. `verdict`, `kind` and `severity` are those of the accusers, None where nobody accused.

    `proof` are the segments of the source that an auditor cited or a check found. Without `is_counted` it is a sentence
    whose claims are counted in its place.
    """

    source: str
    system: str
    number: int
    unit: Unit
    is_counted: bool
    sentences: tuple[int, ...]
    claim: str
    phrase: str
    status: Status
    verdict: Opinion | None
    kind: FaultKind | None
    severity: Severity | None
    proof: tuple[Proof, ...]
    findings: tuple[FindingRow, ...]
    found: tuple[FoundRow, ...]

    @property
    def is_accused(self) -> bool:
        """Whether an auditor accused it at any time, taken back or not."""
        return self.verdict is not None


@dataclass(frozen=True, slots=True)
class DroppedClaimRow:
    """A claim that left the audit before anyone was asked about it."""

    source: str
    system: str
    reason: ClaimDrop
    sentence: int
    detail: str


@dataclass(frozen=True, slots=True)
class AuditDetails:
    """The audits of the chosen candidates: claims most serious first, what was dropped, and who was not audited."""

    claims: tuple[ClaimRow, ...]
    dropped: tuple[DroppedClaimRow, ...]
    not_audited: tuple[tuple[str, str], ...]
    """(source, system) of each chosen candidate that was not, since finalists alone were."""


def audit_details(audits: Mapping[str, SourceAudit], settings: AuditSettings, chosen: Scope) -> AuditDetails:
    """Every claim of the chosen candidates."""
    tallies = {
        (source, system): tally_candidate(audits[source].audits[system], settings.n_needed)
        for source, system in chosen.candidates
        if source in audits and system in audits[source].audits
    }
    looked_up = {name: _LookedUp(source) for name, source in chosen.sources.items()}
    rows = [row for (source, system), tally in tallies.items() for row in _claims(looked_up[source], system, tally)]
    dropped = (
        DroppedClaimRow(source, system, drop.reason, drop.sentence, drop.detail)
        for (source, system), tally in tallies.items()
        for drop in tally.dropped
    )
    absent = tuple(place for place in chosen.candidates if place not in tallies)
    return AuditDetails(tuple(sorted(rows, key=_gravity)), tuple(dropped), absent)


@dataclass(frozen=True)
class _LookedUp:
    """A source, with its index once it is asked for."""

    source: Source

    @cached_property
    def index(self) -> SourceIndex:
        return SourceIndex(self.source)


def _gravity(row: ClaimRow) -> tuple[bool, bool, int, bool, bool]:
    """What counts first, and the most serious of that; a stable sort keeps the order of sources and systems within."""
    return (
        not row.is_accused,
        not row.is_counted,
        _SERIOUS.index(row.status),
        row.severity != "major",
        row.verdict != "contradicted",
    )


def _claims(about: _LookedUp, system: str, candidate: CandidateTally) -> Iterator[ClaimRow]:
    counted = {each.claim for each in candidate.claims}
    return (_claim(about, system, each, each.claim in counted) for each in candidate.everything)


def _claim(about: _LookedUp, system: str, tally: ClaimTally, is_counted: bool) -> ClaimRow:
    claim, findings = tally.claim, tally.findings
    fault = tally.fault or _in_vain(findings.values())
    return ClaimRow(
        source=about.source.id,
        system=system,
        number=claim.number,
        unit=claim.unit,
        is_counted=is_counted,
        sentences=claim.sentences,
        claim=claim.text,
        phrase=claim.phrase,
        status=_status(tally),
        verdict=fault.opinion if fault else None,
        kind=fault.kind if fault else None,
        severity=fault.severity if fault else None,
        proof=proofs(about.source, _segments(about, claim, findings.values())),
        findings=tuple(FindingRow(name, f.first, f.check, f.second, f.outcome) for name, f in findings.items()),
        found=_found(each for finding in findings.values() for each in finding.found),
    )


def _segments(about: _LookedUp, claim: Claim, findings: Collection[Finding]) -> Iterator[int]:
    """What was cited, the first places of what was found, and where the phrase itself stands if that decided."""
    for finding in findings:
        for ruling in (finding.first, finding.second):
            yield from ruling.segments if ruling else ()
        for found in finding.found:
            yield from found.segments[:_SHOWN_PLACES]
    if any(finding.check == "phrase stands in the source" for finding in findings):
        yield from about.index.find_phrase(claim.phrase)  # a finding does not keep where


def _status(tally: ClaimTally) -> Status:
    if tally.standing != "supported":
        return tally.standing
    outcomes = {finding.outcome for finding in tally.findings.values()}
    return "rejected" if "rejected" in outcomes else "withdrawn" if "withdrawn" in outcomes else "supported"


def _in_vain(findings: Iterable[Finding]) -> Fault | None:
    """What the gravest of the accusations that did not hold said; None where there was none."""
    accusations = [
        Fault(ruling.opinion, ruling.kind, ruling.severity)
        for finding in findings
        for ruling in (finding.final, finding.first)
        if not isinstance(ruling.opinion, Missing) and ruling.opinion != "supported"
    ]
    return min(accusations, key=lambda each: (each.severity != "major", each.opinion != "contradicted"), default=None)


def _found(every: Iterable[Found]) -> tuple[FoundRow, ...]:
    """Each once, though every auditor's finding holds it."""
    rows = (FoundRow(each.item.text, each.match, each.words, tuple(each.segments)) for each in every)
    return tuple(dict.fromkeys(rows))
