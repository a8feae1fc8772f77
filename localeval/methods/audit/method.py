"""The audit as a method: one flow a candidate and auditor."""

from collections.abc import Iterable, Iterator

from localeval.evidence.lookup import SourceIndex
from localeval.flow import Flow
from localeval.methods.audit.flow import Audited, audit
from localeval.methods.audit.schemas import AuditSettings, CandidateAudit, SourceAudit
from localeval.methods.material import Material

Place = tuple[str, str, str]
"""(source id, system, auditor)"""


def audit_flows(material: Material, settings: AuditSettings) -> Iterator[tuple[Place, Flow[CandidateAudit]]]:
    """((source id, system, auditor), its flow), lazily, source by source; a source is indexed when its turn comes."""
    for source in material.sources:
        index = SourceIndex(source)
        for candidate in material.by_source.get(source.id, ()):
            for auditor in settings.auditors:
                flow = audit(Audited(source, index, candidate), auditor, settings, material.prompts, material.seed)
                yield (source.id, candidate.system, auditor), flow


def gather_audits(
    material: Material, settings: AuditSettings, found: Iterable[tuple[Place, CandidateAudit]]
) -> dict[str, SourceAudit]:
    """The results of `audit_flows` put together by source id, in order of sources, systems and auditors."""
    by_place = dict(found)
    return {
        source.id: SourceAudit(
            source.id,
            {
                each.system: {auditor: by_place[source.id, each.system, auditor] for auditor in settings.auditors}
                for each in material.by_source.get(source.id, ())
            },
        )
        for source in material.sources
    }
