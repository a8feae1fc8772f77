"""A run's own verdicts in the form of labels, and what there is in a run that others may have rated."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from localeval.config import Methods
from localeval.inputs.judge_labels import JudgeLabel
from localeval.measuring import Results
from localeval.methods.affect.readings import AffectStudy, AffectText, Item, TextAffect
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.affect.tally import value_of
from localeval.methods.audit.schemas import SourceAudit
from localeval.methods.audit.tally import tally_candidate
from localeval.methods.panel.schemas import SourcePanel
from localeval.methods.panel.tally import settle, tabulate
from localeval.methods.quiz.schemas import GOLD, UNDETERMINED, SourceQuiz
from localeval.values import Missing

Matter = tuple[str, str, str]
"""(source, system, item)"""


def labels_of_run(results: Results, methods: Methods) -> tuple[JudgeLabel, ...]:
    """Every verdict of a run's judges as a label, the rater being the model's name. What is missing has none.

    A panel's grade is the mean of its repeats and may lie between two; a text's score in a panel is there where the
    judge read every criterion. The audit calls a text unfaithful where the auditor's accusation of a claim held, and
    faithful where at least half of its claims have a verdict and none did.
    """
    found: list[JudgeLabel] = []
    if methods.panel is not None:
        found += _of_panel(results.panel, methods.panel.judges)
    if methods.audit is not None:
        found += _of_audit(results.audit)
    if methods.quiz is not None:
        found += _of_quiz(results.quiz, methods.quiz.answerer)
    if methods.affect is not None and results.affect is not None:
        found += _of_affect(results.affect, methods.affect)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Known:
    """What a run has that could be rated: source ids, systems, and the items of each text."""

    sources: frozenset[str]
    systems: frozenset[str]
    matters: frozenset[Matter]


def known_in_run(results: Results, methods: Methods) -> Known:
    """Everything that a run's judges were asked of, also where a verdict is missing."""
    matters: set[Matter] = set()
    for source, panel in results.panel.items():
        items = ("panel", *(f"panel/{each}" for each in panel.rubric.criterion_ids))
        matters |= {(source, system, item) for system in panel.sheets for item in items}
    for source, audit in results.audit.items():
        matters |= {(source, system, item) for system in audit.audits for item in ("audit", "audit/fabrications")}
    for source, quiz in results.quiz.items():
        matters |= {(source, system, f"quiz/{item.id}") for system in quiz.answers for item in quiz.items}
    if methods.affect is not None and results.affect is not None:
        matters |= {matter for matter, _ in _affect_matters(results.affect.read)}
    systems = {each.system for each in results.material.candidates} | {system for _, system, _ in matters}
    sources = {source.id for source in results.material.sources} | {source for source, _, _ in matters}
    return Known(frozenset(sources), frozenset(systems), frozenset(matters))


def texts_in_run(results: Results) -> dict[tuple[str, str], str]:
    """Every text that was judged, by source and system as labels name them; a source's own under system ""."""
    read = results.affect.read if results.affect is not None else ()
    elicited = {_place(each.text): each.text.text for each in read if isinstance(each.text.text, str)}
    sources = {(source.id, ""): source.text for source in results.material.sources}
    written = {(each.source_id, each.system): each.text for each in results.material.candidates}
    return elicited | sources | written


def _of_panel(panels: Mapping[str, SourcePanel], judges: tuple[str, ...]) -> Iterator[JudgeLabel]:
    for source, panel in panels.items():
        for system, by_judge in panel.sheets.items():
            for judge in judges:
                for criterion, repeats in by_judge.get(judge, {}).items():
                    reading = settle(repeats)
                    if not isinstance(reading, Missing):
                        value = reading if isinstance(reading, str) else float(reading)
                        yield JudgeLabel(source, system, f"panel/{criterion}", judge, value)
    table = tabulate(panels, judges)
    for s, m, j in np.argwhere(table.is_complete).tolist():
        yield JudgeLabel(table.sources[s], table.systems[m], "panel", judges[j], float(table.scores[s, m, j]))


def _of_audit(audits: Mapping[str, SourceAudit]) -> Iterator[JudgeLabel]:
    for source, found in audits.items():
        for system, by_auditor in found.audits.items():
            for auditor, audit in by_auditor.items():
                tally = tally_candidate({auditor: audit}, 1)
                n = tally.counts.fabrications
                if n or tally.is_known:
                    yield JudgeLabel(source, system, "audit", auditor, "unfaithful" if n else "faithful")
                if tally.is_known:
                    yield JudgeLabel(source, system, "audit/fabrications", auditor, float(n))


def _of_quiz(quizzes: Mapping[str, SourceQuiz], answerer: str) -> Iterator[JudgeLabel]:
    for source, quiz in quizzes.items():
        for system, answers in quiz.answers.items():
            for answer in answers:
                if not isinstance(answer.chosen, Missing):
                    fate = {GOLD: "kept", UNDETERMINED: "lost"}.get(answer.chosen, "bent")
                    yield JudgeLabel(source, system, f"quiz/{answer.item}", answerer, fate)


def _of_affect(study: AffectStudy, settings: AffectSettings) -> Iterator[JudgeLabel]:
    for read in study.read:
        portraits = {portrait.target.name: portrait for portrait in read.portraits}
        for (source, system, item), (target, axis) in _affect_matters([read]):
            value = value_of(read.text, portraits[target] if target else None, axis, settings.coverage)
            if not isinstance(value, Missing):
                yield JudgeLabel(source, system, item, read.judge, value)


def _affect_matters(read: Iterable[TextAffect]) -> Iterator[tuple[Matter, tuple[str, Item]]]:
    """What was asked of each text, with the target ("" for the text's mood) and the reading.

    An axis that is asked under both contracts of a target goes by the first of them.
    """
    for each in read:
        source, system = _place(each.text)
        for axis in each.whole:
            yield (source, system, f"affect/{axis.axis}"), ("", axis)
        for portrait in each.portraits:
            by_axis = {axis.axis: axis for axis in reversed(portrait.items)}
            for name, axis in by_axis.items():
                yield (source, system, f"affect/{portrait.target.name}/{name}"), (portrait.target.name, axis)


def _place(text: AffectText) -> tuple[str, str]:
    """Source and system as labels name them; an elicited text is a source of its own by its whole id."""
    return (text.id, text.system) if text.wording else (text.group, text.system)
