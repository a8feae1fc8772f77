"""Findings made by hand: what an auditor and the checks came to on a claim, written as one word."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from localeval.methods.audit.schemas import (
    AuditSettings,
    CandidateAudit,
    Check,
    Claim,
    DroppedClaim,
    FaultKind,
    Finding,
    Outcome,
    Ruling,
    Severity,
    SourceAudit,
    Unit,
)
from localeval.values import Missing

CUT = Missing("truncated", "cut after 60 tokens")
SUPPORT = Ruling("supported", (1,))

Word = str
"""What came of a claim: ok, contradicted, absent (not found), rejected, withdrawn, raised or cut."""


def settings(*auditors: str, quorum: int | None = None) -> AuditSettings:
    return AuditSettings(auditors=auditors, quorum=quorum)


def claim(number: int, unit: Unit = "claim", sentences: tuple[int, ...] = ()) -> Claim:
    return Claim(number, unit, sentences or (number,), f"phrase {number}", f"claim {number}")


def accusation(word: Word = "absent", kind: FaultKind = "other", severity: Severity = "minor") -> Ruling:
    return Ruling("contradicted" if word == "contradicted" else "not found", (), kind, severity)


def finding(about: Claim, word: Word, kind: FaultKind = "other", severity: Severity = "minor") -> Finding:
    """The finding that a word stands for."""
    accused = accusation(word, kind, severity)
    table: Mapping[Word, tuple[Ruling, Check, Ruling | None, Outcome | Missing]] = {
        "ok": (SUPPORT, "nothing to check", None, "supported"),
        "contradicted": (accused, "does not stand in the source", None, "fabrication"),
        "absent": (accused, "does not stand in the source", None, "fabrication"),
        "rejected": (accused, "phrase stands in the source", None, "rejected"),
        "withdrawn": (accused, "only something similar stands in the source", SUPPORT, "withdrawn"),
        "raised": (SUPPORT, "does not stand in the source", accused, "fabrication"),
        "cut": (Ruling(CUT), "not checked", None, CUT),
    }
    first, check, second, outcome = table[word]
    return Finding(about, first, check, (), second, outcome)


def audit_of(
    words: Mapping[str, Sequence[Word]],
    dropped: tuple[DroppedClaim, ...] = (),
    claims: Sequence[Claim] = (),
    source: str = "a",
    system: str = "x",
) -> dict[str, CandidateAudit]:
    """The audits of one candidate by auditor; its claims are `claims`, or so many atomic ones as there are words."""
    n = max((len(each) for each in words.values()), default=0)
    about = claims or [claim(number) for number in range(1, n + 1)]
    return {
        auditor: CandidateAudit(
            source, system, auditor, tuple(finding(c, word) for c, word in zip(about, given, strict=True)), dropped
        )
        for auditor, given in words.items()
    }


def source_audit(name: str, by_system: Mapping[str, Mapping[str, CandidateAudit]]) -> SourceAudit:
    """The audits of one source, by system and auditor, each told where it belongs."""
    return SourceAudit(
        name,
        {
            system: {auditor: replace(each, source=name, system=system) for auditor, each in audits.items()}
            for system, audits in by_system.items()
        },
    )


def by_source(table: Mapping[str, Mapping[str, Sequence[Word]]]) -> dict[str, SourceAudit]:
    """Audits of one auditor, "j", from the words of each source and system."""
    return {
        name: source_audit(name, {system: audit_of({"j": words}) for system, words in systems.items()})
        for name, systems in table.items()
    }
