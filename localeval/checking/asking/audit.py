"""The audit's judges on the texts of a check: does a fabrication remain where one was planted, and elsewhere none?"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from localeval.checking.asking.rulings import Ruling, ruling
from localeval.checking.building import by_source
from localeval.checking.texts import WHOLE, CheckTest, CheckText
from localeval.evidence.lookup import SourceIndex
from localeval.flow import Flow
from localeval.measuring import Evaluation
from localeval.methods.audit.flow import Audited, audit
from localeval.methods.audit.schemas import AuditSettings, CandidateAudit, Finding
from localeval.values import Missing

Name = tuple[str, str]
"""Auditor and text id."""


class Elsewhere(NamedTuple):
    """Sentences of planted texts in which nothing was planted: how many there are, and how many were accused."""

    accused: int
    sentences: int


def audit_flows(evaluation: Evaluation, test: CheckTest) -> Iterator[tuple[Name, Flow[CandidateAudit]]]:
    """((auditor, text id), its flow), source by source. A dropped sentence is nothing that an audit can see."""
    settings, material = _settings(evaluation), evaluation.material
    for texts in by_source(test.texts).values():
        index = SourceIndex(texts[0].source)
        for text in texts:
            if not _is_dropped(text):
                about = Audited(text.source, index, text.candidate)
                for auditor in settings.auditors:
                    yield (auditor, text.id), audit(about, auditor, settings, material.prompts, material.seed)


def audit_rulings(evaluation: Evaluation, test: CheckTest, found: Mapping[Name, CandidateAudit]) -> Iterator[Ruling]:
    """What each auditor made of each text."""
    for auditor in _settings(evaluation).auditors:
        for text in test.texts:
            if not _is_dropped(text):
                yield ruling("audit", auditor, text, _is_flagged(text, found[auditor, text.id]))


def accused_elsewhere(test: CheckTest, auditor: str, found: Mapping[Name, CandidateAudit]) -> dict[str, Elsewhere]:
    """By the user's source: how often sentences were accused that had been left as they were.

    What is said of a planted sentence and another together is about the error.
    """
    by_origin: dict[str, Elsewhere] = {}
    for text in test.texts:
        if text.role == "planted" and text.view == WHOLE and not _is_dropped(text):
            edited = text.edited_sentences
            left = {each.number for each in text.candidate.segments} - edited
            elsewhere = (each for each in _fabrications(found[auditor, text.id]) if not _is_of(each, edited))
            accused = {number for each in elsewhere for number in each.claim.sentences}
            before = by_origin.get(text.origin, Elsewhere(0, 0))
            by_origin[text.origin] = Elsewhere(before.accused + len(accused & left), before.sentences + len(left))
    return by_origin


def _settings(evaluation: Evaluation) -> AuditSettings:
    settings = evaluation.config.methods.audit
    assert settings is not None
    return settings


def _is_dropped(text: CheckText) -> bool:
    return text.edit is not None and text.edit.kind == "dropped sentence"


def _is_flagged(text: CheckText, found: CandidateAudit) -> bool | Missing:
    """Whether a fabrication remains, in a planted text where it was planted. Missing where it was not looked at."""
    looked_at = [each for each in found.findings if text.edit is None or _is_of(each, text.edited_sentences)]
    if any(each.outcome == "fabrication" for each in looked_at):
        return True
    missing = next((each.outcome for each in looked_at if isinstance(each.outcome, Missing)), None)
    if missing is not None:
        return missing
    return False if looked_at else Missing("invalid", "no claim of the sentence could be made out")


def _is_of(finding: Finding, sentences: frozenset[int]) -> bool:
    return not sentences.isdisjoint(finding.claim.sentences)


def _fabrications(found: CandidateAudit) -> Iterator[Finding]:
    return (each for each in found.findings if each.outcome == "fabrication")
