"""Which methods there are: the flows that an evaluation drives, what they come to, and the scores of that."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, TypeVar

from localeval.config import Config
from localeval.driver import drive
from localeval.flow import Engines, Flow, Store
from localeval.ledger import Ledger
from localeval.methods.affect.method import affect_flows, gather_affect
from localeval.methods.affect.readings import AffectMaterial, AffectStudy
from localeval.methods.affect.score import score_affect
from localeval.methods.audit.finalists import Finalists, choose
from localeval.methods.audit.method import audit_flows, gather_audits
from localeval.methods.audit.schemas import AuditSettings, SourceAudit
from localeval.methods.audit.score import score_audit
from localeval.methods.leaderboard import default_rank_by, leaderboard
from localeval.methods.material import Material
from localeval.methods.panel.method import gather_panels, panel_flows
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import Label, PanelSettings, SourcePanel
from localeval.methods.panel.score import score_panel
from localeval.methods.quiz.method import quiz_flows
from localeval.methods.quiz.schemas import QuizItem, SourceQuiz
from localeval.methods.quiz.score import score_quiz

SCORES_SCHEMA = "localeval.scores/1"

Result = TypeVar("Result")


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


@dataclass(frozen=True)
class Results:
    """What the methods came to, by method and then by source. A method that was not asked for has nothing."""

    quiz: Mapping[str, SourceQuiz] = field(default_factory=dict)
    panel: Mapping[str, SourcePanel] = field(default_factory=dict)
    audit: Mapping[str, SourceAudit] = field(default_factory=dict)
    finalists: Finalists | None = None
    affect: AffectStudy | None = None


def gather(evaluation: Evaluation, store: Store, engines: Engines, ledger: Ledger | None = None) -> Results:
    """Drives every flow of the evaluation to its result.

    All methods run together, so that each model is loaded once for them all. Only the audit of finalists waits for the
    panel, which says who they are.
    """
    methods, material = evaluation.config.methods, evaluation.material
    found: dict[tuple[str, Any], Any] = {}
    found.update(drive(_flows(evaluation), store, engines, ledger))
    panel = gather_panels(material, methods.panel, evaluation.rubrics, _of("panel", found)) if methods.panel else {}
    finalists, audited = None, material
    if methods.audit is not None and methods.audit.of == "finalists":
        finalists = _finalists(evaluation, panel, methods.audit)
        audited = _only(material, finalists)
        found.update(drive(_named("audit", audit_flows(audited, methods.audit)), store, engines, ledger))
    return Results(
        quiz={source.id: found["quiz", source.id] for source in material.sources} if methods.quiz else {},
        panel=panel,
        audit=gather_audits(audited, methods.audit, _of("audit", found)) if methods.audit else {},
        finalists=finalists,
        affect=gather_affect(material, methods.affect, evaluation.affect, _of("affect", found))
        if methods.affect
        else None,
    )


def scores_of(evaluation: Evaluation, results: Results, identities: Mapping[str, str]) -> dict[str, Any]:
    """The content of scores.json: a function of the replies alone, so that equal runs give equal bytes."""
    config, material = evaluation.config, evaluation.material
    given = config.methods
    methods: dict[str, Any] = {}
    if given.quiz is not None:
        methods["quiz"] = score_quiz(results.quiz, given.quiz)
    if given.panel is not None:
        methods["panel"] = _score_panel(evaluation, results.panel, given.panel)
    if given.audit is not None:
        methods["audit"] = score_audit(results.audit, given.audit)
        if results.finalists is not None:
            methods["audit"]["finalists"] = asdict(results.finalists)
    if given.affect is not None and results.affect is not None:
        methods["affect"] = score_affect(results.affect, given.affect, evaluation.affect.labels)
    return {
        "schema": SCORES_SCHEMA,
        "name": config.name,
        "seed": config.seed,
        "config": hashlib.sha256(evaluation.config_text).hexdigest(),
        "prompts": material.prompts.hash,
        "models": dict(sorted(identities.items())),
        "leaderboard": leaderboard(methods, config.rank_by or default_rank_by(methods)),
        "methods": methods,
    }


def _flows(evaluation: Evaluation) -> Iterator[tuple[tuple[str, Any], Flow[Any]]]:
    """The flows that wait for no other method's result, lazily."""
    methods, material = evaluation.config.methods, evaluation.material
    if methods.quiz is not None:
        yield from _named("quiz", quiz_flows(material, methods.quiz, evaluation.items))
    if methods.panel is not None:
        yield from _named("panel", panel_flows(material, methods.panel, evaluation.rubrics))
    if methods.audit is not None and methods.audit.of == "all":
        yield from _named("audit", audit_flows(material, methods.audit))
    if methods.affect is not None:
        yield from _named("affect", affect_flows(material, methods.affect, evaluation.affect))


def _named(method: str, flows: Iterable[tuple[Any, Flow[Any]]]) -> Iterator[tuple[tuple[str, Any], Flow[Any]]]:
    return (((method, name), flow) for name, flow in flows)


def _of(method: str, found: Mapping[tuple[str, Any], Any]) -> Iterator[tuple[Any, Any]]:
    return ((name, result) for (whose, name), result in found.items() if whose == method)


def _score_panel(evaluation: Evaluation, panel: Mapping[str, SourcePanel], settings: PanelSettings) -> dict[str, Any]:
    material = evaluation.material
    return score_panel(
        panel,
        settings,
        evaluation.families,
        {(each.source_id, each.system): len(each.text) for each in material.candidates},
        {source.id: source.category for source in material.sources},
        evaluation.labels,
    )


def _finalists(evaluation: Evaluation, panel: Mapping[str, SourcePanel], settings: AuditSettings) -> Finalists:
    """Who is audited, by what the panel found. A source's score is the mean consensus of its candidates; one without
    any is no source to audit."""
    assert evaluation.config.methods.panel is not None
    systems = _score_panel(evaluation, panel, evaluation.config.methods.panel)["systems"]
    cells = {
        source.id: [system["by_source"][source.id] for system in systems.values() if source.id in system["by_source"]]
        for source in evaluation.material.sources
    }
    return choose(
        consensus={name: system["consensus"]["value"] for name, system in systems.items()},
        disagreement={source: _mean(cell["disagreement"] for cell in each) for source, each in cells.items()},
        length={source.id: len(source.text) for source in evaluation.material.sources if cells[source.id]},
        score={source: _mean(cell["consensus"]["value"] for cell in each) for source, each in cells.items()},
        settings=settings,
    )


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of those that there are."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _only(material: Material, finalists: Finalists) -> Material:
    """The material of the finalists alone."""
    return replace(
        material,
        sources=[source for source in material.sources if source.id in finalists.sources],
        candidates=[
            each
            for each in material.candidates
            if each.source_id in finalists.sources and each.system in finalists.systems
        ],
    )
