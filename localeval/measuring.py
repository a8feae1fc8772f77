"""One evaluation as a value, what its flows came to, and the scores of that."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from localeval.checking.states import JudgeState, refused_methods, state_to_json
from localeval.config import Config
from localeval.methods.affect.readings import AffectMaterial, AffectStudy
from localeval.methods.affect.score import score_affect
from localeval.methods.audit.finalists import Finalists
from localeval.methods.audit.schemas import SourceAudit
from localeval.methods.audit.score import score_audit
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.generate.schemas import GeneratedText
from localeval.methods.generate.score import score_generate
from localeval.methods.leaderboard import default_rank_by, leaderboard
from localeval.methods.material import Material
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import Label, SourcePanel, with_families
from localeval.methods.panel.score import score_panel
from localeval.methods.quiz.schemas import QuizItem, SourceQuiz
from localeval.methods.quiz.score import score_quiz

SCORES_SCHEMA = "localeval.scores/1"


@dataclass(frozen=True)
class Evaluation:
    """Everything that decides the result of a run, read and checked: from here on nothing of the user's is wrong."""

    config: Config
    config_text: bytes
    material: Material
    items: tuple[QuizItem, ...] = ()
    """The quiz that is given, empty where it is written."""
    rubrics: Mapping[str, Rubric] = field(default_factory=dict)
    """By source id, empty without a panel."""
    labels: tuple[Label, ...] = ()
    """People's scores that the judges are weighed by, empty where they are weighed equally."""
    families: Mapping[str, str] = field(default_factory=dict)
    """Family of each model, by the name that the config gives the model."""
    affect: AffectMaterial = field(default_factory=AffectMaterial)
    """Axes, wordings and people's labels, empty without affect."""
    systems: Mapping[str, Pipeline] = field(default_factory=dict)
    """The systems that write, by name."""
    choice: Mapping[str, Any] = field(default_factory=dict)
    """Which sources were chosen and which left out, as scores.json says it."""
    judges: tuple[JudgeState, ...] = ()
    """What is known of each judge by its last check, at this sitting."""


@dataclass(frozen=True)
class Results:
    """What the methods came to, by method and then by source. A method that was not asked for has nothing.

    `material` is what was judged: the evaluation's, with what its systems wrote among the candidates.
    """

    material: Material
    texts: Mapping[tuple[str, str], GeneratedText] = field(default_factory=dict)
    """By source id and system."""
    quiz: Mapping[str, SourceQuiz] = field(default_factory=dict)
    panel: Mapping[str, SourcePanel] = field(default_factory=dict)
    audit: Mapping[str, SourceAudit] = field(default_factory=dict)
    finalists: Finalists | None = None
    affect: AffectStudy | None = None


def scores_of(evaluation: Evaluation, results: Results, identities: Mapping[str, str]) -> dict[str, Any]:
    """The content of scores.json: a function of the replies alone, so that equal runs give equal bytes."""
    config = evaluation.config
    methods = _methods(evaluation, results)
    board = leaderboard(methods, config.rank_by or default_rank_by(methods))
    _mark(board["systems"], evaluation)
    return {
        "schema": SCORES_SCHEMA,
        "name": config.name,
        "seed": config.seed,
        "config": hashlib.sha256(evaluation.config_text).hexdigest(),
        "prompts": evaluation.material.prompts.hash,
        "models": dict(sorted(identities.items())),
        "sources": dict(evaluation.choice),
        "judges": [state_to_json(state) for state in evaluation.judges],
        "leaderboard": board,
        "methods": methods,
    }


def panel_scores(evaluation: Evaluation, panel: Mapping[str, SourcePanel]) -> dict[str, Any]:
    """The panel's part of scores.json; the evaluation's candidates are those that were judged.

    A system that wrote in the run is of its model's family, unless the config says otherwise.
    """
    settings, material = evaluation.config.methods.panel, evaluation.material
    assert settings is not None
    written_by = {name: evaluation.families.get(each.model, "") for name, each in evaluation.systems.items()}
    return score_panel(
        panel,
        with_families(settings, written_by),
        evaluation.families,
        {(each.source_id, each.system): len(each.text) for each in material.candidates},
        {source.id: source.category for source in material.sources},
        evaluation.labels,
    )


def _methods(evaluation: Evaluation, results: Results) -> dict[str, Any]:
    given = evaluation.config.methods
    methods: dict[str, Any] = {}
    if evaluation.systems:
        methods["generate"] = score_generate(list(results.texts.values()), evaluation.systems)
    if given.quiz is not None:
        methods["quiz"] = score_quiz(results.quiz, given.quiz)
    if given.panel is not None:
        methods["panel"] = panel_scores(evaluation, results.panel)
    if given.audit is not None:
        methods["audit"] = score_audit(results.audit, given.audit)
        if results.finalists is not None:
            methods["audit"]["finalists"] = asdict(results.finalists)
    if given.affect is not None and results.affect is not None:
        methods["affect"] = score_affect(results.affect, given.affect, evaluation.affect.labels)
    return methods


def _mark(rows: dict[str, Any], evaluation: Evaluation) -> None:
    """Says of each system whether it is the incumbent, whether its prompt is nobody's production, and which of its
    numbers come of a judge that is refused."""
    for row in rows.values() if (refused := refused_methods(evaluation.judges)) else ():
        row["forced"] = list(refused)
    incumbent = evaluation.config.deployed
    if not evaluation.systems and incumbent is None:
        return
    for name, row in rows.items():
        row["incumbent"] = name == incumbent
        row["generic"] = name in evaluation.systems and evaluation.systems[name].generic
