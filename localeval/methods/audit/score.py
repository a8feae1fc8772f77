"""From audits to numbers: fabrications, what the rest came to, and how far the auditors can be believed."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from localeval.methods.audit.compare import compare_systems
from localeval.methods.audit.reliability import agreement_part, auditors_part, checks_part
from localeval.methods.audit.schemas import AuditSettings, SourceAudit
from localeval.methods.audit.tally import KINDS, SEVERITIES, CandidateTally, ClaimTally, Counts, count, tally_candidate
from localeval.stats.counts import mean_count
from localeval.stats.estimate import Score, score_to_json
from localeval.stats.intervals import Floats, Ratio, clustered_ratio

Json = dict[str, Any]

# outcomes in this order: supported, disputed, contradicted, not found
RATES: Mapping[str, Ratio] = {
    "fabrication_rate": Ratio((0, 0, 1, 1), (1, 1, 1, 1)),
    "disputed_rate": Ratio((0, 1, 0, 0), (1, 1, 1, 1)),
    "contradicted_rate": Ratio((0, 0, 1, 0), (1, 1, 1, 1)),
    "not_found_rate": Ratio((0, 0, 0, 1), (1, 1, 1, 1)),
    "supported_rate": Ratio((1, 0, 0, 0), (1, 1, 1, 1)),
}


def score_audit(audits: Mapping[str, SourceAudit], settings: AuditSettings) -> Json:
    """The audit's part of scores.json: docs/scores.md describes it field by field.

    `audits` is by source id, in order. Shares are pooled over claims with intervals clustered by source; fabrications a
    candidate count each text the same. Numbers of different auditors must not be compared.
    """
    systems = sorted({system for about in audits.values() for system in about.audits})
    tallies = {
        system: {
            source: tally_candidate(about.audits[system], settings.n_needed)
            for source, about in audits.items()
            if system in about.audits
        }
        for system in systems
    }
    pairs, ranks = compare_systems(tallies)
    found = {system: _system(tallies[system]) for system in systems}
    order = sorted(systems, key=lambda system: (ranks.get(system, len(systems) + 1), _value(found[system]), system))
    return {
        "missing": sum(_n_missing(each) for by_source in tallies.values() for each in by_source.values()),
        "settings": settings.model_dump(mode="json"),
        "systems": {system: {"rank": ranks.get(system)} | found[system] for system in order},
        "pairs": pairs,
        "auditors": auditors_part(tallies, settings),
        "agreement": agreement_part(tallies, settings),
        "checks": checks_part(tallies, settings),
    }


def _n_missing(candidate: CandidateTally) -> int:
    """Claims without a verdict, and one where no claims could be read at all."""
    return candidate.counts.missing + int(candidate.is_unreadable)


def _system(candidates: Mapping[str, CandidateTally]) -> Json:
    """One system's numbers over its sources."""
    by_source = {source: each.counts for source, each in candidates.items()}
    confirmed = [t for each in candidates.values() for t in each.claims if t.standing == "confirmed"]
    return {
        **_headline(by_source),
        "per_candidate": score_to_json(_per_candidate(candidates)),
        "severity": _severities(confirmed),
        "kinds": _kinds(confirmed),
        "candidates": len(candidates),
        "unreadable": sum(each.is_unreadable for each in candidates.values()),
        "dropped": dict(sorted(Counter(d.reason for each in candidates.values() for d in each.dropped).items())),
        "sentences": _headline({source: count(each.sentences) for source, each in candidates.items()}),
        "by_source": {source: _counts(each.counts) | _told(each) for source, each in candidates.items()},
    }


def _headline(by_source: Mapping[str, Counts]) -> Json:
    """Every count, and every share with its interval, from the counts of each source."""
    total = sum(by_source.values(), Counts())
    table = _table(by_source.values())
    return _counts(total) | {
        name: score_to_json(clustered_ratio(table, ratio, total.missing)) for name, ratio in RATES.items()
    }


def _table(counts: Iterable[Counts]) -> Floats:
    """Shape [sources, 4], the order of `RATES`."""
    rows = [[each.supported, each.disputed, each.contradicted, each.not_found] for each in counts]
    return np.array(rows, dtype=float).reshape(-1, 4)


def _counts(counts: Counts) -> Json:
    return {
        "claims": counts.n,
        "fabrications": counts.fabrications,
        "disputed": counts.disputed,
        "contradicted": counts.contradicted,
        "not_found": counts.not_found,
        "supported": counts.supported,
        "missing": counts.missing,
    }


def _told(candidate: CandidateTally) -> Json:
    return {
        "severity": _severities(t for t in candidate.claims if t.standing == "confirmed"),
        "dropped": len(candidate.dropped),
        "unreadable": candidate.is_unreadable,
    }


def _per_candidate(candidates: Mapping[str, CandidateTally]) -> Score:
    """Mean of confirmed fabrications over candidates; one of which too little is known is missing."""
    known = [each.counts for each in candidates.values() if each.is_known]
    events = np.array([each.fabrications for each in known], dtype=float)
    return mean_count(events, np.array([each.n for each in known], dtype=float), len(candidates) - len(known))


def _severities(confirmed: Iterable[ClaimTally]) -> Json:
    found = Counter(each.fault.severity for each in confirmed if each.fault is not None)
    return {severity: found[severity] for severity in SEVERITIES}


def _kinds(confirmed: Iterable[ClaimTally]) -> Json:
    """Confirmed fabrications by kind, those that occurred, in the order in which the kinds are listed."""
    found = Counter(each.fault.kind for each in confirmed if each.fault is not None)
    return {kind: found[kind] for kind in KINDS if found[kind]}


def _value(system: Json) -> float:
    return float(system["per_candidate"]["value"] or 0.0)
