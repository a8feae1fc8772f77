"""Does the audit find planted errors? What is asked and measured on SummEdits."""

from collections.abc import Mapping, Sequence

import numpy as np

from localeval.inputs.segmenting import cut_sentences, cut_text
from localeval.methods.audit.schemas import AuditSettings, CandidateAudit
from localeval.methods.material import Material
from localeval.prompts import Prompts
from localeval.public_sets.summedits import Summary, SummEdits
from localeval.stats.detection import FAULTY, SOUND
from localeval.stats.intervals import Floats
from localeval.texts import Candidate, Source
from localeval.values import Missing


def settings_of(judge: str) -> AuditSettings:
    """The audit by sentence: claims and relations would cost a weak model's errors and most of the time
    (docs/judgement.md)."""
    return AuditSettings(auditors=(judge,), units=("sentence",))


def material_of(drawn: SummEdits, prompts: Prompts, seed: int) -> Material:
    """The documents as sources, and each summary as a candidate of a system of its own."""
    sources, candidates = [], []
    for document in drawn.documents.values():
        cut = cut_text(document.text, "en")
        sources.append(Source(document.id, cut.text, cut.segments, "en"))
    for summary in drawn.summaries:
        segments = cut_sentences(summary.text, "en")
        candidates.append(Candidate(summary.document, summary.id, summary.text, segments=segments))
    return Material(sources, candidates, prompts, seed)


def checked_verdict(audit: CandidateAudit) -> int | Missing:
    """FAULTY where a fabrication survives the checks by program, SOUND where none does, or why that is not known."""
    return _said(
        [
            each.outcome if isinstance(each.outcome, Missing) else each.outcome == "fabrication"
            for each in audit.findings
        ]
    )


def unchecked_verdict(audit: CandidateAudit) -> int | Missing:
    """The same by what the auditor said at first, before any check."""
    first = [each.first.opinion for each in audit.findings]
    return _said([each if isinstance(each, Missing) else each != "supported" for each in first])


def _said(accused: Sequence[bool | Missing]) -> int | Missing:
    """One sentence that is accused makes the summary faulty, whatever is not known of the others."""
    if any(each is True for each in accused):
        return FAULTY
    return next((each for each in accused if isinstance(each, Missing)), SOUND)


def document_counts(summaries: Sequence[Summary], said: Mapping[str, int | Missing]) -> Floats:
    """Counts [documents, truth, verdict] of the summaries with a verdict."""
    places = {name: n for n, name in enumerate(dict.fromkeys(each.document for each in summaries))}
    counts = np.zeros((len(places), 2, 2))
    for summary in summaries:
        found = said[summary.id]
        if not isinstance(found, Missing):
            counts[places[summary.document], summary.truth, found] += 1
    return counts
