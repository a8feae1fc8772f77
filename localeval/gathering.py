"""What opens when: all flows of an evaluation in one drive, and what they come to."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from localeval.driver import Observer, drive
from localeval.errors import CallMissing
from localeval.flow import Engine, Engines, Flow, Store
from localeval.inputs.segmenting import cut_sentences
from localeval.loading import Job, load_order
from localeval.measuring import Evaluation, Results, panel_scores
from localeval.methods.affect.method import affect_flows, gather_affect, which_of
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.audit.finalists import Finalists, choose
from localeval.methods.audit.method import audit_flows, gather_audits
from localeval.methods.audit.schemas import AuditSettings
from localeval.methods.generate.method import generate_flows
from localeval.methods.generate.schemas import GeneratedText
from localeval.methods.material import Material
from localeval.methods.panel.method import gather_panels, panel_flows
from localeval.methods.panel.schemas import SourcePanel
from localeval.methods.quiz.method import quiz_flows
from localeval.methods.quiz.schemas import QuizItem
from localeval.texts import Candidate, Source
from localeval.values import Reply

Part = Literal["all", "generate", "judge"]
"""All of a run; the writing of the systems alone; everything else, from texts that are written already."""

Name = tuple[str, Any]
"""A method, and what it calls its flow."""

Texts = Mapping[tuple[str, str], GeneratedText]
"""What the systems wrote, by source id and system."""


def gather(
    evaluation: Evaluation, store: Store, engines: Engines, observer: Observer | None = None, part: Part = "all"
) -> Results:
    """Drives every flow of the evaluation to its result, all in one, so that each model is loaded as rarely as can be.

    The systems write first; what reads their texts about a source opens as soon as all of these are there. The audit
    of finalists waits for the panel, which says who they are. Raises CallMissing for part "judge" where a text was
    never written.
    """
    texts = _stored_texts(evaluation, store, engines, observer) if part == "judge" else None
    agenda = _Agenda(evaluation, part, texts)
    order = load_order(jobs_of(evaluation, part))
    for _ in drive(agenda.first(), store, engines, observer, follow=agenda.follow, order=order):
        pass
    return agenda.results()


def jobs_of(evaluation: Evaluation, part: Part = "all") -> list[Job]:
    """Which models are asked one after the other, and what waits for what: what the order of loads is made from."""
    methods = evaluation.config.methods
    writing = {f"generate {name}": pipeline.model for name, pipeline in evaluation.systems.items()}
    jobs = [Job(name, (model,)) for name, model in writing.items()] if part != "judge" else []
    if part == "generate":
        return jobs
    after = tuple(job.name for job in jobs)
    if (quiz := methods.quiz) is not None:
        first = () if quiz.items or quiz.writer is None else (quiz.writer, quiz.checked_by)
        jobs.append(Job("quiz", (*first, quiz.answerer), after))
    panels = [Job(f"panel {judge}", (judge,), after) for judge in (methods.panel.judges if methods.panel else ())]
    jobs += panels
    if (audit := methods.audit) is not None:
        waits = after if audit.of == "all" else (*after, *(job.name for job in panels))
        jobs += [Job(f"audit {each}", (audit.extracted_by, each), waits) for each in audit.auditors]
    if (affect := methods.affect) is not None:
        jobs += _affect_jobs(affect, after if _reads_candidates(evaluation, affect) else ())
    return jobs


def completed(evaluation: Evaluation, results: Results) -> Evaluation:
    """The evaluation with what its systems wrote among the candidates."""
    return replace(evaluation, material=results.material)


class _Agenda:
    """Which flows there are from the beginning, and which of them the end of another opens."""

    def __init__(self, evaluation: Evaluation, part: Part, texts: Texts | None) -> None:
        self._evaluation = evaluation
        self._methods = evaluation.config.methods
        self._part = part
        self._found: dict[str, dict[Any, Any]] = {}
        self._writes = bool(evaluation.systems) and texts is None
        self._texts: dict[tuple[str, str], GeneratedText] = dict(texts or {})
        self._sources = {source.id: source for source in evaluation.material.sources}
        self._to_write = dict.fromkeys(self._sources, len(evaluation.systems))
        self._items: dict[str, list[QuizItem]] = {}  # by source: there may be thousands of sources
        for item in evaluation.items:
            self._items.setdefault(item.source, []).append(item)
        affect = self._methods.affect
        self._affect_waits = affect is not None and _reads_candidates(evaluation, affect)
        judges = self._methods.panel.judges if self._methods.panel is not None else ()
        self._to_judge = len(judges) * len(self._to_write)
        self._finalists: Finalists | None = None

    def first(self) -> Iterator[tuple[Name, Flow[Any]]]:
        """The flows that wait for no other, lazily."""
        material = self._evaluation.material
        for source in material.sources:
            if self._writes:
                yield from _named("generate", generate_flows([source], self._evaluation.systems, material.seed))
            else:
                yield from self._of_source(source)
        if not (self._writes and self._affect_waits):
            yield from self._of_all()

    def follow(self, name: Name, result: Any) -> Iterator[tuple[Name, Flow[Any]]]:
        """Takes a result, and gives the flows that waited for it."""
        method, own = name
        self._found.setdefault(method, {})[own] = result
        if method == "generate":
            self._texts[own] = result
            yield from self._after_text(own[0])
        elif method == "panel":
            self._to_judge -= 1
            if not self._to_judge and self._methods.audit is not None and self._methods.audit.of == "finalists":
                yield from self._of_finalists(self._methods.audit)

    def results(self) -> Results:
        """What everything came to. A method that was not asked for has nothing."""
        methods, evaluation = self._methods, self._evaluation
        material = self._material(evaluation.material.sources)
        texts = {key: self._texts[key] for key in sorted(self._texts)}
        if self._part == "generate":
            return Results(material, texts)
        quiz = self._found.get("quiz", {})
        return Results(
            material,
            texts,
            quiz={source.id: quiz[source.id] for source in material.sources} if methods.quiz else {},
            panel=self._panel(material),
            audit=gather_audits(self._audited(material), methods.audit, self._found.get("audit", {}).items())
            if methods.audit
            else {},
            finalists=self._finalists,
            affect=gather_affect(material, methods.affect, evaluation.affect, self._found.get("affect", {}).items())
            if methods.affect
            else None,
        )

    def _after_text(self, source_id: str) -> Iterator[tuple[Name, Flow[Any]]]:
        self._to_write[source_id] -= 1
        if self._to_write[source_id] or self._part == "generate":
            return
        yield from self._of_source(self._sources[source_id])
        if self._affect_waits and not any(self._to_write.values()):
            yield from self._of_all()

    def _of_source(self, source: Source) -> Iterator[tuple[Name, Flow[Any]]]:
        """What reads one source and its candidates."""
        methods, evaluation = self._methods, self._evaluation
        material = self._material([source])
        if methods.quiz is not None:
            yield from _named("quiz", quiz_flows(material, methods.quiz, self._items.get(source.id, ())))
        if methods.panel is not None:
            yield from _named("panel", panel_flows(material, methods.panel, evaluation.rubrics))
        if methods.audit is not None and methods.audit.of == "all":
            yield from _named("audit", audit_flows(material, methods.audit))

    def _of_all(self) -> Iterator[tuple[Name, Flow[Any]]]:
        """What must know all texts before it asks about the first."""
        if self._methods.affect is not None and self._part != "generate":
            material = self._material(self._evaluation.material.sources)
            yield from _named("affect", affect_flows(material, self._methods.affect, self._evaluation.affect))

    def _of_finalists(self, settings: AuditSettings) -> Iterator[tuple[Name, Flow[Any]]]:
        material = self._material(self._evaluation.material.sources)
        self._finalists = _finalists(replace(self._evaluation, material=material), self._panel(material), settings)
        yield from _named("audit", audit_flows(self._audited(material), settings))

    def _panel(self, material: Material) -> dict[str, SourcePanel]:
        if self._methods.panel is None:
            return {}
        found = self._found.get("panel", {}).items()
        return gather_panels(material, self._methods.panel, self._evaluation.rubrics, found)

    def _audited(self, material: Material) -> Material:
        return material if self._finalists is None else _only(material, self._finalists)

    def _material(self, sources: Sequence[Source]) -> Material:
        """The sources with the candidates that were given and those that the systems wrote, in order of their names."""
        given = self._evaluation.material
        candidates: list[Candidate] = []
        for source in sources:
            written = [
                Candidate(source.id, system, each.text, segments=cut_sentences(each.text, source.language))
                for system in self._evaluation.systems
                if (each := self._texts.get((source.id, system))) is not None and isinstance(each.text, str)
            ]
            candidates += sorted([*given.by_source.get(source.id, ()), *written], key=lambda each: each.system)
        return replace(given, sources=sources, candidates=candidates)


def _stored_texts(evaluation: Evaluation, store: Store, engines: Engines, observer: Observer | None) -> Texts:
    material = evaluation.material
    flows = generate_flows(material.sources, evaluation.systems, material.seed)
    return dict(drive(flows, store, _Unasked(engines), observer))


class _Unasked:
    """Engines of which none is opened: the texts have to be there, or why there is none."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    def identity(self, model: str) -> str:
        return self._engines.identity(model)

    def stands(self, model: str, reply: Reply) -> bool:
        return True  # also a failure: who asks nothing cannot mend it, and the other texts are judged all the same

    def open(self, model: str) -> Engine:
        raise CallMissing(f"model {model!r} has not written all of its texts; run with `--only generate` first")


def _named(method: str, flows: Iterable[tuple[Any, Flow[Any]]]) -> Iterator[tuple[Name, Flow[Any]]]:
    return (((method, name), flow) for name, flow in flows)


def _reads_candidates(evaluation: Evaluation, affect: AffectSettings) -> bool:
    has_candidates = bool(evaluation.material.candidates) or bool(evaluation.systems)
    return which_of(affect, has_candidates) == "candidates"


def _affect_jobs(affect: AffectSettings, after: tuple[str, ...]) -> list[Job]:
    proposes = affect.judges[:1] if affect.propose else ()
    if affect.elicit is None:
        return [Job(f"affect {judge}", (*proposes, judge), after) for judge in affect.judges]
    return [
        Job(f"affect {system} {judge}", (system, judge)) for system in affect.elicit.systems for judge in affect.judges
    ]


def _finalists(evaluation: Evaluation, panel: Mapping[str, SourcePanel], settings: AuditSettings) -> Finalists:
    """Who is audited, by what the panel found. A source's score is the mean consensus of its candidates; one without
    any is no source to audit."""
    systems = panel_scores(evaluation, panel)["systems"]
    cells = {
        source.id: [system["by_source"][source.id] for system in systems.values() if source.id in system["by_source"]]
        for source in evaluation.material.sources
    }
    # the incumbent is a system of the run (`localeval.reading`), also where it has no text that could be judged
    incumbent = {settings.incumbent: None} if settings.incumbent is not None else {}
    return choose(
        consensus=incumbent | {name: system["consensus"]["value"] for name, system in systems.items()},
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
