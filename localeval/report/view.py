"""Rows to show, out of scores and results, over all methods: pure, no formatting for a device."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from localeval.checking.states import state_to_json
from localeval.config import Methods
from localeval.errors import InputError
from localeval.measuring import Evaluation, Results
from localeval.methods.affect.readings import AffectStudy
from localeval.methods.panel.schemas import PanelSettings
from localeval.methods.panel.weights import calibrate, equal_weights
from localeval.report.affect_view import AffectDetails, affect_details
from localeval.report.audit_view import AuditDetails, audit_details
from localeval.report.generate_view import TextRow, generate_details
from localeval.report.panel_view import PanelDetails, Scored, panel_details, scored
from localeval.report.quiz_view import QuizDetails, quiz_details
from localeval.report.rows import require_known, scope

Method = Literal["generate", "quiz", "panel", "audit", "affect"]
METHODS: tuple[Method, ...] = get_args(Method)


@dataclass(frozen=True, slots=True)
class Details:
    """What `localeval show` prints of candidates or sources; None for a method that did not run or is not looked at."""

    quiz: QuizDetails | None = None
    panel: PanelDetails | None = None
    audit: AuditDetails | None = None
    affect: AffectDetails | None = None
    texts: tuple[TextRow, ...] | None = None
    judges: tuple[Mapping[str, Any], ...] = ()
    """What is known of the judges of these methods, as scores.json says it."""


def details(
    evaluation: Evaluation,
    results: Results,
    system: str | None = None,
    source: str | None = None,
    method: Method | None = None,
) -> Details:
    """Everything that the methods (None: all that ran) say of the chosen systems and sources (None: all).

    `source` may also be a target that texts were elicited about. Raises InputError for an unknown system or source, and
    for a method that did not run.
    """
    methods = _only(evaluation, method)
    _require_known(evaluation, results.affect if methods.affect else None, system, source)
    chosen = scope(evaluation, system, source)
    return Details(
        quiz=quiz_details(results.quiz, chosen) if methods.quiz else None,
        panel=panel_details(results.panel, _scored(evaluation, results, methods.panel), chosen)
        if methods.panel
        else None,
        audit=audit_details(results.audit, methods.audit, chosen) if methods.audit else None,
        affect=affect_details(results.affect, methods.affect, system, source)
        if methods.affect and results.affect
        else None,
        texts=generate_details(results.texts, system, source) if method == "generate" else None,
        judges=tuple(state_to_json(each) for each in evaluation.judges if getattr(methods, each.method) is not None),
    )


def _require_known(evaluation: Evaluation, study: AffectStudy | None, system: str | None, source: str | None) -> None:
    """Raises InputError for a system or source that neither the material nor a text of the study has."""
    material = evaluation.material
    texts = [each.text for each in study.read] if study is not None else []
    require_known("source", source, [*(each.id for each in material.sources), *(text.group for text in texts)])
    systems = [*(each.system for each in material.candidates), *evaluation.systems, *(text.system for text in texts)]
    require_known("system", system, [name for name in systems if name])


def _only(evaluation: Evaluation, method: Method | None) -> Methods:
    """The settings of one method, or of all that judge."""
    methods = evaluation.config.methods
    if method is None:
        return methods
    given = [name for name, settings in methods if settings is not None]
    if evaluation.systems:
        given.insert(0, "generate")
    if method not in given:
        raise InputError(f"no {method} in this run; it has {', '.join(given)}")
    return methods.model_copy(update={name: None for name, _ in methods if name != method})


def _scored(evaluation: Evaluation, results: Results, settings: PanelSettings) -> Scored:
    labels = evaluation.labels
    weights = calibrate(labels, results.panel, settings) if labels else equal_weights(settings.judges)
    return scored(results.panel, weights, settings.n_needed)


def leaderboard(scores: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row a system, best first, as they stand in scores.json; a number that a system has not is None.

    `counts` are those of the quiz.
    """
    quizzed = scores["methods"].get("quiz", {}).get("systems", {})
    systems = scores["leaderboard"]["systems"]
    return [{"system": name, **row, "counts": quizzed.get(name, {}).get("counts")} for name, row in systems.items()]
