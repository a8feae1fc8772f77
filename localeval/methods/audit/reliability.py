"""What became of the auditors' accusations, and how far the auditors agree."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from localeval.methods.audit.schemas import AuditSettings, Check, Finding, Opinion, Outcome
from localeval.methods.audit.tally import CandidateTally
from localeval.stats.agreement import count_ratings, gwet_ac1, krippendorff_alpha, raw_agreement
from localeval.stats.correlation import effective_raters, mean_correlation
from localeval.stats.estimate import Score, Undefined, score_to_json
from localeval.stats.intervals import Ratio, clustered_ratio
from localeval.values import Missing

Json = dict[str, Any]

Tallies = Mapping[str, Mapping[str, CandidateTally]]
"""Every audited candidate, by system and then by source id."""

Said = Mapping[str, str]
"""What each auditor says of one claim, those that say something."""

_SHARE = Ratio((1, 0), (1, 1))
_OPINIONS: tuple[Opinion, ...] = get_args(Opinion)
_OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
_CHECKS: tuple[Check, ...] = get_args(Check)


def auditors_part(tallies: Tallies, settings: AuditSettings) -> Json:
    """By auditor: its accusations, what became of them, what is missing, and how far the others agree with it.

    Counted over everything that the auditor was asked about: claims, relations and sentences.
    """
    said = _opinions(tallies)
    return {name: _auditor(_findings(tallies, name), name, said) for name in settings.auditors}


def _auditor(findings: Mapping[str, Sequence[Finding]], name: str, said: Sequence[tuple[str, Said]]) -> Json:
    every = [finding for of_source in findings.values() for finding in of_source]
    accusations = [finding for finding in every if _is_accusation(finding)]
    became = Counter(finding.outcome for finding in accusations if not isinstance(finding.outcome, Missing))
    missing = Counter(finding.outcome.reason for finding in every if isinstance(finding.outcome, Missing))
    return {
        "verdicts": len(every) - missing.total(),
        "accusations": len(accusations),
        "fabrications": became["fabrication"],
        "rejected": became["rejected"],
        "rejected_rate": score_to_json(_rejected(findings)),
        "rejected_by_check": _by_check(finding for finding in accusations if finding.outcome == "rejected"),
        "withdrawn": became["withdrawn"],
        "second_looks": sum(finding.second is not None for finding in every),
        "raised_in_second_look": sum(f.outcome == "fabrication" and f.first.opinion == "supported" for f in every),
        "missing": missing.total(),
        "missing_by_reason": dict(sorted(missing.items())),
        "agreement": score_to_json(_agreement_of(name, said)),
    }


def _is_accusation(finding: Finding) -> bool:
    """Whether the auditor accused the claim at any time, taken back or not."""
    return bool({finding.first.opinion, finding.final.opinion} & {"contradicted", "not found"})


def _rejected(findings: Mapping[str, Sequence[Finding]]) -> Score:
    """Of the accusations that came to something, the share that a check rejected."""
    accusations = {source: [f for f in given if _is_accusation(f)] for source, given in findings.items()}
    rows = [
        [
            sum(finding.outcome == "rejected" for finding in given),
            sum(finding.outcome in ("fabrication", "withdrawn") for finding in given),
        ]
        for given in accusations.values()
    ]
    missing = sum(isinstance(finding.outcome, Missing) for given in accusations.values() for finding in given)
    return clustered_ratio(np.array(rows, dtype=float).reshape(-1, 2), _SHARE, missing)


def _by_check(findings: Iterable[Finding]) -> Json:
    found = Counter(finding.check for finding in findings)
    return {check: found[check] for check in _CHECKS if found[check]}


def checks_part(tallies: Tallies, settings: AuditSettings) -> Json:
    """By check, those that occurred: how many findings it decided (`n`), and what they came to."""
    found: dict[Check, Counter[str]] = {check: Counter() for check in _CHECKS}
    for name in settings.auditors:
        for finding in (each for of_source in _findings(tallies, name).values() for each in of_source):
            outcome = finding.outcome
            found[finding.check]["missing" if isinstance(outcome, Missing) else outcome] += 1
    return {
        check: {"n": counts.total(), **{outcome: counts[outcome] for outcome in (*_OUTCOMES, "missing")}}
        for check, counts in found.items()
        if counts
    }


def agreement_part(tallies: Tallies, settings: AuditSettings) -> Json:
    """How far the auditors agree about the claims, beyond chance where chance is taken off.

    First on what they say of a claim in the end (supported, contradicted, not found), whether or not a check rejects
    it: that tells of the auditors. `after_checks` on whether it is a fabrication: that tells of the result.
    """
    outcomes = [
        (source, {name: str(f.outcome == "fabrication") for name, f in by_name.items() if _is_given(f)})
        for source, by_name in _by_claim(tallies)
    ]
    said = _opinions(tallies)
    return {
        **_coefficients(said, _OPINIONS),
        "after_checks": _coefficients(outcomes, ("True", "False")),
        "effective_auditors": score_to_json(_effective(said, settings.auditors)),
    }


def _effective(said: Sequence[tuple[str, Said]], auditors: Sequence[str]) -> Score:
    """How many independent auditors they are worth, going by how their accusations correlate.

    Two auditors that are both right correlate too; only labels would tell the one from the other. So the true number
    is this one or higher.
    """
    if len(auditors) < 2:
        return Undefined("one auditor", len(said))
    accuses = np.array([[each.get(name, "supported") != "supported" for name in auditors] for _, each in said])
    is_given = np.array([[name in each for name in auditors] for _, each in said])
    shape = (-1, len(auditors))
    correlation = mean_correlation(accuses.reshape(shape).astype(float), is_given.reshape(shape), _numbers(said))
    return effective_raters(len(auditors), correlation)


def _coefficients(said: Sequence[tuple[str, Said]], categories: Sequence[str]) -> Json:
    sources = _numbers(said)
    counts = count_ratings([list(each.values()) for _, each in said], categories)
    return {
        "alpha": score_to_json(krippendorff_alpha(counts, "nominal", sources=sources)),
        "ac1": score_to_json(gwet_ac1(counts, sources)),
        "raw": score_to_json(raw_agreement(counts, sources)),
    }


def _numbers(said: Sequence[tuple[str, Said]]) -> list[int]:
    """The number of each claim's source."""
    numbers = {source: number for number, source in enumerate(dict.fromkeys(source for source, _ in said))}
    return [numbers[source] for source, _ in said]


def _agreement_of(name: str, said: Sequence[tuple[str, Said]]) -> Score:
    """Of the opinions that others have on the claims that this auditor has one on, the share that is the same."""
    table: dict[str, list[int]] = {}
    for source, each in said:
        if name in each:
            others = [opinion for auditor, opinion in each.items() if auditor != name]
            row = table.setdefault(source, [0, 0])
            row[0] += others.count(each[name])
            row[1] += len(others) - others.count(each[name])
    return clustered_ratio(np.array(list(table.values()), dtype=float).reshape(-1, 2), _SHARE)


def _findings(tallies: Tallies, auditor: str) -> dict[str, list[Finding]]:
    """One auditor's findings by source."""
    found: dict[str, list[Finding]] = {}
    for by_source in tallies.values():
        for source, candidate in by_source.items():
            given = [each.findings[auditor] for each in candidate.everything if auditor in each.findings]
            found.setdefault(source, []).extend(given)
    return found


def _by_claim(tallies: Tallies) -> list[tuple[str, Mapping[str, Finding]]]:
    """The source of each claim that counts, and what each auditor found."""
    return [
        (source, each.findings)
        for by_source in tallies.values()
        for source, candidate in by_source.items()
        for each in candidate.claims
    ]


def _opinions(tallies: Tallies) -> list[tuple[str, Said]]:
    return [
        (source, {name: str(finding.final.opinion) for name, finding in by_name.items() if _is_given(finding)})
        for source, by_name in _by_claim(tallies)
    ]


def _is_given(finding: Finding) -> bool:
    return not isinstance(finding.outcome, Missing)
