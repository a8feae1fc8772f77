"""The audit on a terminal: what one must know to believe its numbers, and each claim that somebody accused."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from localeval.methods.audit.schemas import Ruling
from localeval.report.audit_view import AuditDetails, ClaimRow, FindingRow, FoundRow
from localeval.report.console import (
    ASIDE,
    BAD,
    DOUBTFUL,
    GOOD,
    LACKING,
    cited,
    counted,
    decimal_text,
    listed,
    literal,
    note_lines,
    proof_lines,
    score_text,
    uneven_lines,
)
from localeval.report.rows import why
from localeval.values import Missing

_STYLES = {
    "confirmed": BAD,
    "disputed": DOUBTFUL,
    "missing": LACKING,
    "rejected": GOOD,
    "withdrawn": GOOD,
    "supported": GOOD,
}


def audit_lines(audit: Mapping[str, Any]) -> Iterator[str]:
    """Beneath the leaderboard: what was checked and by whom, what became of the accusations, what is doubtful."""
    settings, systems = audit["settings"], audit["systems"].values()
    texts = counted(sum(system["candidates"] for system in systems), "text")
    yield f"{counted(_total(systems, 'claims'), 'claim')} of {texts} checked by {', '.join(settings['auditors'])}"
    yield "claims by system: " + ", ".join(f"{name} {system['claims']}" for name, system in audit["systems"].items())
    if "finalists" in audit:
        finalists = audit["finalists"]
        yield f"of finalists alone: {', '.join(finalists['systems'])}; on {', '.join(finalists['sources'])}"
        yield from (f"  {reason}" for reason in finalists["why"])
    kinds: Counter[str] = Counter()
    for system in systems:
        kinds.update(system["kinds"])
    if kinds:
        yield f"confirmed fabrications by kind: {listed(kinds)}"
    for name, auditor in audit["auditors"].items():
        yield f"{name}: {_accusations(auditor)}"
    if not settings["checks"]:
        yield "checks by program were off: auditors are believed as they stand"
    if len(settings["auditors"]) > 1:
        yield from _agreement(audit)
    yield from _lacking(audit)
    sources = {source for system in systems for source in system["by_source"]}
    yield from uneven_lines(audit["systems"], sources, "claims")
    yield from note_lines((system["fabrication_rate"] for system in systems), "claims")


def _total(systems: Iterable[Mapping[str, Any]], name: str) -> int:
    return sum(int(system[name]) for system in systems)


def _accusations(auditor: Mapping[str, Any]) -> str:
    """What became of one auditor's accusations."""
    if not auditor["accusations"]:
        return f"no accusation in {counted(auditor['verdicts'], 'verdict')}"
    became = {
        "held": auditor["fabrications"],
        "rejected by a check": auditor["rejected"],
        "withdrawn": auditor["withdrawn"],
    }
    rate = score_text(auditor["rejected_rate"])
    return (
        f"{counted(auditor['accusations'], 'accusation')} in {counted(auditor['verdicts'], 'verdict')}: "
        f"{listed(became)} ({rate} % rejected)"
    )


def _agreement(audit: Mapping[str, Any]) -> Iterator[str]:
    agreement = audit["agreement"]
    yield f"agreement on verdicts: alpha {decimal_text(agreement['alpha'])}, AC1 {decimal_text(agreement['ac1'])}"
    if agreement["effective_auditors"]["value"] is not None:
        worth = agreement["effective_auditors"]
        yield (
            f"effective auditors: at least {decimal_text(worth)} of {len(audit['settings']['auditors'])}; "
            "where auditors err alike, their agreement confirms nothing"
        )


def _lacking(audit: Mapping[str, Any]) -> Iterator[str]:
    """What left the audit, and what has no verdict."""
    systems = audit["systems"].values()
    dropped: Counter[str] = Counter()
    for system in systems:
        dropped.update(system["dropped"])
    yield f"claims dropped before anyone was asked: {listed(dropped)}"
    if unreadable := _total(systems, "unreadable"):
        yield f"missing: no claims of {counted(unreadable, 'text')} could be read; their sentences were checked instead"
    if missing := _total(systems, "missing"):
        yield f"missing: {counted(missing, 'claim')} without a verdict, in no number above"
    for name, each in audit["auditors"].items():
        if each["missing"]:
            yield f"missing: {counted(each['missing'], 'verdict')} of {name}: {listed(each['missing_by_reason'])}"


def audit_detail_lines(found: AuditDetails, with_supported: bool = False) -> Iterator[Text]:
    """Each claim that somebody accused, most serious first; then what was supported, dropped, missing, not audited.

    `with_supported` lists the supported and the dropped claims one by one, too.
    """
    for row in found.claims:
        if row.is_accused or with_supported:
            yield from claim_lines(row)
    yield Text()
    yield literal(_supported(found.claims))
    dropped = Counter(str(drop.reason) for drop in found.dropped)
    yield literal(f"dropped before anyone was asked: {listed(dropped)}")
    for drop in found.dropped if with_supported else ():
        yield literal(
            f"  {drop.source} / {drop.system}, sentence {drop.sentence}: {drop.reason}: {drop.detail}", style=ASIDE
        )
    for line in _missing(found.claims):
        yield literal(line, style=LACKING)
    for source, system in found.not_audited:
        yield literal(f"{source} / {system}: not audited, since it is not among the finalists", style=ASIDE)


def _supported(claims: Sequence[ClaimRow]) -> str:
    counts = [row for row in claims if row.is_counted]
    held = [row for row in counts if row.status in ("supported", "rejected", "withdrawn")]
    in_vain = sum(row.is_accused for row in held)
    told = f", {in_vain} of them accused in vain" if in_vain else ""
    return f"supported: {len(held)} of {counted(len(counts), 'claim')}{told}"


def _missing(claims: Sequence[ClaimRow]) -> Iterator[str]:
    for row in claims:
        for finding in row.findings:
            if isinstance(finding.outcome, Missing):
                place = f"{row.source} / {row.system}, {row.unit} {row.number}"
                yield f"missing: {place}: {finding.auditor}: {why(finding.outcome)}"


def claim_lines(row: ClaimRow) -> Sequence[Text]:
    """One claim, several lines: what became of it, its words, what stands in the source, and who said what."""
    head = Text("\n").append_text(literal(f"{row.source} / {row.system}  "))
    head.append(row.status, style=_STYLES[row.status])
    if row.verdict is not None:
        head.append(f": {_fault(row.verdict, row.kind, row.severity)}")
    apart = "" if row.is_counted else ", not counted: its claims are"
    lines = [head, literal(f"  {row.claim}  [{row.unit} {row.number}{apart}]")]
    if row.phrase != row.claim:
        lines.append(literal(f"  phrase: {row.phrase}"))
    lines += proof_lines(row.proof)
    lines += [literal(f"     {_found(each)}") for each in row.found]
    for finding in row.findings:
        lines += _finding_lines(finding)
    return lines


def _found(row: FoundRow) -> str:
    """What a program found of one name or number."""
    words = "" if row.words in ("", row.text) else f' as "{row.words}"'
    places = f" {cited(row.segments)}" if row.segments else ""
    return f'{row.match}: "{row.text}"{words}{places}'


def _finding_lines(finding: FindingRow) -> Iterator[Text]:
    outcome = "no verdict" if isinstance(finding.outcome, Missing) else finding.outcome
    yield literal(f"   > {finding.auditor}: {_ruling(finding.first)}")
    second = f"; second look: {_ruling(finding.second)}" if finding.second else ""
    yield literal(f"     {outcome} (check: {finding.check}{second})")


def _ruling(ruling: Ruling) -> str:
    """What an auditor said, and the segments that it cited."""
    if isinstance(ruling.opinion, Missing):
        return why(ruling.opinion)
    return " ".join(
        each for each in (_fault(ruling.opinion, ruling.kind, ruling.severity), cited(ruling.segments)) if each
    )


def _fault(opinion: str, kind: str | None, severity: str | None) -> str:
    return ", ".join(each for each in (opinion, kind, severity) if each)
