"""The real flows of each method over one copy of a text, and what each says of it as one value."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from localeval.checking.probes.context import ProbeContext, Sample
from localeval.evidence.lookup import SourceIndex
from localeval.flow import Flow
from localeval.methods.affect.axes import AxisSet, Contract
from localeval.methods.affect.flow import read_text
from localeval.methods.affect.method import layout_of
from localeval.methods.affect.readings import AffectText, Item, TextAffect
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.audit.flow import Audited, audit
from localeval.methods.audit.schemas import CandidateAudit
from localeval.methods.panel.flow import judge
from localeval.methods.panel.rubrics import FAITHFULNESS, Rubric
from localeval.methods.panel.schemas import GRADES, NA, Verdict
from localeval.methods.quiz.calls import QuizCalls, Wanted
from localeval.methods.quiz.schemas import HARD_NEGATIVE, QuizItem, QuizSettings, Trial
from localeval.methods.quiz.trials import put
from localeval.prompts import candidate_block
from localeval.texts import Candidate, Segment, Source
from localeval.values import Missing

TOP = GRADES[-1]


@dataclass(frozen=True, slots=True)
class Read:
    """What a judge says of a copy: `value` in [0, 1], higher is better (affect: valence); `found` whether it finds
    something wrong."""

    value: float
    found: bool = False


def faithfulness_alone(rubric: Rubric) -> Rubric:
    """A rubric of the one criterion that every rubric has."""
    return rubric.model_copy(update={"criteria": (rubric.criterion(FAITHFULNESS),)})


def by_panel(
    context: ProbeContext,
    model: str,
    sample: Sample,
    text: str,
    source: Source | None = None,
    rubric: Rubric | None = None,
) -> Flow[Read | Missing]:
    """How faithful one judge of the panel finds a copy, judged alone; `source` and `rubric` for other instructions."""
    about, one = source or sample.source, sample.copy(text)
    whole = rubric or context.evaluation.rubrics[sample.source.id]
    prompts, seed = context.evaluation.material.prompts, context.seed
    sheets = yield from judge(about, [one], model, faithfulness_alone(whole), context.panel, prompts, seed)
    return read_verdict(sheets[one.system][FAITHFULNESS][0])


def read_verdict(verdict: Verdict) -> Read | Missing:
    """A verdict over 2: expected over its grades' probabilities where there are any."""
    if isinstance(verdict.score, Missing):
        return verdict.score
    if verdict.score == NA:
        return Missing("invalid", "NA is not allowed")
    shares = verdict.probabilities
    value = sum(grade * share for grade, share in zip(GRADES, shares, strict=True)) if shares else verdict.score
    return Read(value / TOP, verdict.score < TOP)


def by_audit(
    context: ProbeContext, model: str, sample: Sample, before: str = "", source: Source | None = None
) -> Flow[Read | Missing]:
    """Whether one auditor lets the sample's sentence stand, with other words where it reads the sentence before.

    By sentence and not by claim, so that a case is a call or two; nothing is extracted. Value 1: it stands.
    """
    settings = context.evaluation.config.methods.audit
    assert settings is not None
    one = _after(before, sample)
    alone = settings.model_copy(update={"units": ("sentence",)})
    about = Audited(source or sample.source, _index(sample.source), one)
    found = yield from audit(about, model, alone, context.evaluation.material.prompts, context.seed)
    return _of_sentence(found, len(one.segments))


def _after(before: str, sample: Sample) -> Candidate:
    """A candidate of the sample's sentence, and in front of it one that holds the other words whole."""
    parts = [part for part in (before.strip(), sample.sentence) if part]
    segments, start = [], 0
    for number, part in enumerate(parts, 1):
        segments.append(Segment(number, start, start + len(part)))
        start += len(part) + 1
    return Candidate(sample.source.id, "probe", "\n".join(parts), segments=tuple(segments))


@lru_cache(maxsize=64)
def _index(source: Source) -> SourceIndex:
    return SourceIndex(source)


def _of_sentence(found: CandidateAudit, number: int) -> Read | Missing:
    finding = next(each for each in found.findings if each.claim.sentences == (number,))
    if isinstance(finding.outcome, Missing):
        return finding.outcome
    is_accused = finding.outcome == "fabrication"
    return Read(float(not is_accused), is_accused)


def by_affect(context: ProbeContext, model: str, sample: Sample, text: str) -> Flow[Read | Missing]:
    """The first axis (valence) of a copy's mood, or where moods are not asked for, of its first target."""
    material, settings = context.evaluation.material, context.evaluation.config.methods.affect
    assert settings is not None
    contract: Contract = "whole" if "whole" in settings.contracts else settings.contracts[0]
    axes = _one_axis(context.evaluation.affect.axes[sample.source.language], contract)
    changes = {"contracts": (contract,), "evidence": False, "flags": False, "propose": 0, "repeats": 1}
    alone: AffectSettings = settings.model_copy(update=changes)
    targets = () if contract == "whole" else settings.targets[:1]
    copy = AffectText("probe", sample.source.id, text, sample.source.language)
    layout = layout_of(settings, material)
    read = yield from read_text(copy, model, targets, alone, axes, material.prompts, context.seed, layout)
    return _valence(read)


def _one_axis(axes: AxisSet, contract: Contract) -> AxisSet:
    return axes.model_copy(update={"axes": axes.of(contract)[:1]})


def _valence(read: TextAffect) -> Read | Missing:
    items: Sequence[Item] = read.whole or [item for each in read.portraits for item in each.items]
    if not items:
        return Missing("not covered", "the text names none of the targets")
    value = items[0].value
    return value if isinstance(value, Missing) else Read(value)


def by_quiz(
    context: ProbeContext, model: str, item: QuizItem, text: str, trials: Sequence[int], undetermined: str = ""
) -> Flow[list[Trial]]:
    """The trials of one question about a copy of a text; with `undetermined` that option stands elsewhere."""
    settings = context.evaluation.config.methods.quiz
    assert settings is not None
    given: QuizSettings = settings.model_copy(update={"undetermined": undetermined or settings.undetermined})
    source = next(each for each in context.sources if each.id == item.source)
    calls = QuizCalls(source, given, context.evaluation.material.prompts, context.seed)
    wanted = [Wanted(item, "answer", candidate_block(text), trial, f"{source.id}/probe") for trial in trials]
    return (yield from put(calls, model, wanted, settings.retries))


def finds_planted(trial: Trial) -> Read | Missing:
    """Whether an answer about a text with a planted error is what that text says. Value 0: it is."""
    if isinstance(trial.chosen, Missing):
        return trial.chosen
    is_found = trial.chosen == HARD_NEGATIVE
    return Read(float(not is_found), is_found)


def in_language(source: Source) -> Source:
    """A source as if it were English: its text stays, and the instructions around it change."""
    return replace(source, language="en")
