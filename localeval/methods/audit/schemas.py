"""What an audit is made of: its settings, the claims, what an auditor replies, and what a program found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel, StringConstraints, field_validator, model_validator

from localeval.evidence.lookup import Found
from localeval.methods.settings import Frozen, n_needed, require_each_once, require_reachable
from localeval.outputs import Cited
from localeval.values import Missing

Unit = Literal["claim", "sentence", "relation"]
"""An atomic claim, a whole sentence, or how two facts stand to each other."""

Opinion = Literal["supported", "contradicted", "not found"]

FaultKind = Literal[
    "invented entity",
    "name completion",
    "false precision",
    "wrong number, date or unit",
    "wrong attribution",
    "wrong order or cause",
    "over-generalised",
    "other",
]

VALUE_FAULTS: frozenset[FaultKind] = frozenset(
    ("invented entity", "name completion", "false precision", "wrong number, date or unit")
)
"""Faults in a name or a number itself: whether it stands in the source is what a program can see."""

Severity = Literal["minor", "major"]


class AuditSettings(Frozen):
    """The levers of the audit, as they stand under `methods: audit:` in a config."""

    auditors: Annotated[tuple[str, ...], Field(min_length=1)]
    """Models that check every claim, each alone."""
    extractor: str | None = None
    """Model that splits sentences into claims. Default: the first auditor."""
    units: tuple[Unit, ...] = Field(default=("claim", "sentence", "relation"), min_length=1)
    """What is checked. Sentences get verdicts of their own; a fabrication is counted by claim where there are any."""
    checks: bool = True
    """Have accusations checked by program. Without, an auditor is believed as it stands: for measuring alone."""
    quorum: int | None = Field(default=None, ge=1)
    """Auditors that must agree on a fabrication before it is confirmed. Default: more than half of them."""
    of: Literal["all", "finalists"] = "all"
    """Audit every candidate, or those of the best systems by the panel on the hardest sources."""
    finalists: int = Field(default=3, ge=1)
    """With `of: finalists`: how many systems, by consensus."""
    incumbent: str | None = None
    """With `of: finalists`: a system that is audited whatever its consensus."""
    hardest: int = Field(default=10, ge=1)
    """With `of: finalists`: on how many sources, those of large disagreement, great length and low scores."""
    retries: int = Field(default=2, ge=0, le=5)
    claim_tokens: int = Field(default=400, ge=64, le=4096)
    verdict_tokens: int = Field(default=60, ge=40, le=2048)

    @field_validator("auditors")
    @classmethod
    def _each_once(cls, auditors: tuple[str, ...]) -> tuple[str, ...]:
        require_each_once(auditors, "name each auditor once")
        return auditors

    @model_validator(mode="after")
    def _consistent(self) -> "AuditSettings":
        require_reachable(self.quorum, self.auditors, "auditors")
        if self.incumbent is not None and self.of == "all":
            raise ValueError("`incumbent` goes with `of: finalists`")
        return self

    @property
    def n_needed(self) -> int:
        """Auditors that confirm a fabrication."""
        return n_needed(self.quorum, self.auditors)

    @property
    def extracted_by(self) -> str:
        """The model that splits sentences into claims."""
        return self.extractor or self.auditors[0]

    @property
    def models(self) -> tuple[str, ...]:
        """The models that the audit needs, each once."""
        return tuple(dict.fromkeys((self.extracted_by, *self.auditors)))


Words = Annotated[str, StringConstraints(min_length=1)]


class ExtractedClaim(Frozen):
    """One claim that an extractor takes from a sentence: the exact phrase first, then the claim as it stands alone."""

    phrase: Words
    claim: Words


class ExtractedClaims(Frozen):
    """All claims of one sentence; none where it states nothing."""

    claims: tuple[ExtractedClaim, ...]


class ExtractedRelation(Frozen):
    """How facts of a candidate stand to each other, and the numbers of the sentences that say so."""

    sentences: Cited
    claim: Words


class ExtractedRelations(Frozen):
    """All relations of one candidate that could be false although each fact is true."""

    relations: tuple[ExtractedRelation, ...]


class Support(Frozen):
    """An auditor's reply that finds a claim supported. The evidence comes first."""

    segments: Cited
    verdict: Literal["supported"]


class Accusation(Frozen):
    """An auditor's reply that does not."""

    segments: Cited
    verdict: Literal["contradicted", "not found"]
    kind: FaultKind
    severity: Severity


class SupportOrAccusation(RootModel[Support | Accusation]):
    """An auditor's reply."""

    model_config = ConfigDict(frozen=True)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing that is checked. `sentences` are the candidate's segments that say it, `phrase` its exact words there,
    `text` the claim as it stands alone."""

    number: int
    unit: Unit
    sentences: tuple[int, ...]
    phrase: str
    text: str


ClaimDrop = Literal[
    "unreadable",
    "phrase not in the sentence",
    "not entailed by the sentence",
    "said before",
    "no such sentence",
    "no verdict",
]


@dataclass(frozen=True, slots=True)
class DroppedClaim:
    """A claim that left the audit before anyone was accused of it, and why."""

    reason: ClaimDrop
    sentence: int
    detail: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """One reply of one auditor on one claim."""

    opinion: Opinion | Missing
    segments: tuple[int, ...] = ()
    kind: FaultKind | None = None
    severity: Severity | None = None


Check = Literal[
    "not checked",
    "nothing to check",
    "phrase stands in the source",
    "everything stands in the source",
    "everything stands in the cited segments",
    "only something similar stands in the source",
    "does not stand in the source",
]
"""What a program found of a claim, and so what became of the accusation: see `localeval.methods.audit.checks`."""

Outcome = Literal["supported", "fabrication", "rejected", "withdrawn"]
"""supported: no accusation. rejected: refused by a check, and counted against the auditor. withdrawn: taken back in the
second look. fabrication: what survives."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one auditor and the checks came to on one claim. `final` is the ruling that stands, the second look's where
    there was one; `found` is what the program looked up."""

    claim: Claim
    first: Ruling
    check: Check
    found: tuple[Found, ...]
    second: Ruling | None
    outcome: Outcome | Missing

    @property
    def final(self) -> Ruling:
        """The ruling that stands."""
        return self.second or self.first


@dataclass(frozen=True, slots=True)
class CandidateAudit:
    """One auditor's audit of one candidate. Claims and drops are the same for all auditors of a candidate."""

    source: str
    system: str
    auditor: str
    findings: tuple[Finding, ...] = ()
    dropped: tuple[DroppedClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceAudit:
    """The audits of one source: by system and then by auditor, auditors in the order of the settings."""

    source: str
    audits: Mapping[str, Mapping[str, CandidateAudit]] = field(default_factory=dict)
