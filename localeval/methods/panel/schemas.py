"""What a panel is made of: its settings, what a judge replies, and the verdicts that come of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, RootModel, StringConstraints, field_validator, model_validator

from localeval.methods.panel.rubrics import Rubric
from localeval.methods.settings import Frozen, n_needed, require_each_once, require_reachable
from localeval.outputs import Cited
from localeval.values import Missing

Mode = Literal["pointwise", "lineup", "batch"]
NotApplicable = Literal["NA"]
Grade = Literal[0, 1, 2]

GRADES: tuple[Grade, ...] = (0, 1, 2)
NA: NotApplicable = "NA"
NA_LETTER = "N"
"""NA in a reply that is a score alone: "NA" is two tokens to some tokenizers."""


class PanelSettings(Frozen):
    """The levers of the panel, as they stand under `methods: panel:` in a config."""

    judges: Annotated[tuple[str, ...], Field(min_length=1)]
    """Models that judge, each alone."""
    rubric: str | None = None
    """A shipped category or a rubric file. Default: the rubric of each source's own category."""
    mode: Mode = "pointwise"
    """Each candidate by itself; or all candidates of a source in one line-up, lettered in a shuffled order, one verdict
    a call; or as a batch, a line-up with all its verdicts in one call."""
    repeats: int = Field(default=1, ge=1, le=10)
    """How often each verdict is asked for, each time with its own seed (and order, in a line-up)."""
    temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    """Of the first asking; repeats are drawn at 0.5 or more, since at 0 they would only repeat the first."""
    quorum: int | None = Field(default=None, ge=1)
    """Judges that a cell needs. Default: more than half of them."""
    retries: int = Field(default=2, ge=0, le=5)
    """How often a verdict that cannot be read is asked again, each time as a new call, before it is dropped."""
    evidence: bool = True
    """Whether a verdict cites the sentences and segments that decide it; without, it is one token, the score."""
    verdict_tokens: int = Field(default=120, ge=32, le=2048)
    """Longest reply with one verdict."""
    batch_judges: tuple[str, ...] = ()
    """Judges that are asked in batches whatever the mode: those of whom every call costs, beside local ones."""
    batch_candidates: int = Field(default=12, ge=2, le=50)
    """Most candidates in one call of a batch; more are shared out evenly over as few calls as can be."""
    batch_tokens: int = Field(default=48, ge=24, le=512)
    """Room for each verdict of a batch: candidate and criterion."""
    large_disagreement: float = Field(default=30.0, ge=0.0, le=100.0)
    """Cells whose judges lie at least so far apart (points of 100) are listed for a person to read."""
    labels: str | None = None
    """JSONL file of people's scores, from which the judges' weights are calibrated. Default: equal weights."""
    families: dict[str, str] = Field(default_factory=dict)
    """Which family of models each system belongs to, so that a judge's leaning to its own can be measured."""

    @field_validator("judges", "batch_judges")
    @classmethod
    def _each_once(cls, judges: tuple[str, ...]) -> tuple[str, ...]:
        require_each_once(judges, "name each judge once (`repeats` asks the same judge again)")
        return judges

    @model_validator(mode="after")
    def _reachable(self) -> "PanelSettings":
        require_reachable(self.quorum, self.judges, "judges")
        return self

    @model_validator(mode="after")
    def _of_the_mode(self) -> "PanelSettings":
        stranger = next((name for name in self.batch_judges if name not in self.judges), None)
        if stranger is not None:
            raise ValueError(f"`batch_judges` names {stranger!r}, which is no judge; add it to `judges` or take it out")
        for name in self.model_fields_set & _needless(self).keys():
            raise ValueError(f"`{name}` {_needless(self)[name]}, or leave it out")
        return self

    def has_batches(self, judge: str) -> bool:
        """Whether a judge is asked in batches."""
        return self.mode == "batch" or judge in self.batch_judges

    @property
    def n_needed(self) -> int:
        """Judges that a cell needs for a score."""
        return n_needed(self.quorum, self.judges)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that the panel needs."""
        return self.judges


def _needless(settings: PanelSettings) -> Mapping[str, str]:
    """The levers that change nothing in the mode that is set, and what may be done."""
    if settings.mode == "batch":
        return {
            "evidence": "goes without `mode: batch`, whose verdicts always have some; take another mode",
            "verdict_tokens": "goes without `mode: batch`; give `batch_tokens`",
            "batch_judges": "goes without `mode: batch`, by which every judge has batches; take another mode",
        }
    needless: dict[str, str] = {}
    if not settings.evidence:
        needless["verdict_tokens"] = "goes without `evidence: false`, by which a verdict is one token; take that out"
    if not settings.batch_judges:
        needless |= dict.fromkeys(
            ("batch_candidates", "batch_tokens"), "goes with `mode: batch` or `batch_judges`; add one of them"
        )
    return needless


def with_families(settings: PanelSettings, families: Mapping[str, str]) -> PanelSettings:
    """The settings with the families of further systems, by name: what a model of the run wrote is of that model's.

    What the config says of a system goes first. A model of unknown family is of none.
    """
    known = {system: family for system, family in families.items() if is_known_family(family)}
    return settings.model_copy(update={"families": known | settings.families})


def is_known_family(family: str) -> bool:
    """Whether a model card names a family; two models of which it is not known are not of one."""
    return family not in ("", "unknown")


class Graded(Frozen):
    """A judge's reply where the criterion applies: the evidence first, so that the score is made from it."""

    candidate: Cited
    source: Cited
    score: Literal["0", "1", "2"]


class Inapplicable(Frozen):
    """A judge's reply where it does not: which matter the source lacks. No grammar offers it where NA is refused."""

    candidate: Cited
    source: Cited
    score: NotApplicable
    lacks: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class GradedOrNot(RootModel[Graded | Inapplicable]):
    """A judge's reply to a criterion that allows NA."""

    model_config = ConfigDict(frozen=True)


class Cell(Frozen):
    """One verdict of a batch. NA does not say what the source lacks: with free text in each verdict a reply has no end
    of its own, and the criterion names the matter."""

    candidate: Cited
    source: Cited
    score: Literal["0", "1", "2", "NA"]


class BatchReply(RootModel[dict[str, dict[str, Cell]]]):
    """A judge's reply to a batch: a verdict under each candidate's letter and each criterion's id."""

    model_config = ConfigDict(frozen=True)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One judge's reading of one criterion for one candidate.

    `cited` and `proof` are the numbers of the candidate's and the source's segments that decided it; `lacks` is the
    matter that the source lacks, with NA, empty in a batch; all three are empty without evidence. `probabilities` of 0,
    1 and 2 (and NA where allowed) sum to 1, empty where the engine gave none and in a batch. `position` is the
    candidate's place in the line-up from 0, -1 where it was judged alone, `line_up` how many stood there.
    """

    score: Grade | NotApplicable | Missing
    cited: tuple[int, ...] = ()
    proof: tuple[int, ...] = ()
    lacks: str = ""
    probabilities: tuple[float, ...] = ()
    position: int = -1
    line_up: int = 1


Sheet = Mapping[str, tuple[Verdict, ...]]
"""A judge's verdicts on one candidate: by criterion id, one for each repeat."""


@dataclass(frozen=True, slots=True)
class SourcePanel:
    """What the panel made of the candidates of one source: sheets by system and then by judge, judges in the order of
    the settings."""

    source: str
    rubric: Rubric
    sheets: Mapping[str, Mapping[str, Sheet]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    """A person's score of one criterion for one candidate."""

    source: str
    system: str
    criterion: str
    score: Grade | NotApplicable
