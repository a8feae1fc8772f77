"""One evaluation from config to scores: what `localeval run`, `score`, `show` and `plan` call."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from localeval import __version__
from localeval.bill import Bill, ledger_of
from localeval.checking.gate import judge_states, require_passed
from localeval.cluster.joining import ClusterSettings, check_cluster
from localeval.config import Config
from localeval.decision.recommend import decide
from localeval.decision.schemas import SelectSettings
from localeval.driver import Together
from localeval.engines.house import StoredOnly
from localeval.errors import ConfigError, StoreError
from localeval.finishing import Standing, keep_finished, read_finished
from localeval.freezing import identities_in, judges_before, read_frozen
from localeval.gathering import Part, completed, gather
from localeval.ledger import Ledger
from localeval.measuring import SCORES_SCHEMA, Evaluation, Results, scores_of
from localeval.methods.affect.passport import passport
from localeval.methods.generate.score import score_generate
from localeval.models import Model
from localeval.reading import read_evaluation
from localeval.sitting import check_models, sit
from localeval.store.files import SCORES, RunFiles
from localeval.store.folder import RunFolder, RunReader, require_run
from localeval.store.reader import StoreReader
from localeval.values import Call, Reply

Json = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """A finished run: where it is, its scores as they stand in scores.json, what was asked now, and what all of it
    cost (ledger.json) and comes to (decision.json, empty where no systems are compared)."""

    folder: Path
    scores: Json
    ledger: Ledger
    costs: Json = field(default_factory=dict)
    decision: Json = field(default_factory=dict)
    is_judged: bool = True
    """False: the systems have written, and nothing more. The scores then say only that, and are in no file."""


def run(
    path: Path,
    out: Path | None = None,
    reuse: Sequence[Path] = (),
    ledger: Ledger | None = None,
    part: Part = "all",
    force: bool = False,
    cluster: ClusterSettings | None = None,
) -> Outcome:
    """Runs the evaluation of a config file, or goes on with it: what its folder holds is not asked again.

    The folder is `out`, by default runs/<name> beside the working directory. `reuse` names earlier runs to read from.
    With `cluster` the models that are loaded have replicas there.
    Raises JudgesRefused for judges whose last check is below the bars, before anything is made or loaded; with `force`
    they judge all the same, and what they touch is marked.
    """
    return run_evaluation(*read_evaluation(path), out, reuse, ledger, part, force, cluster)


def run_evaluation(
    evaluation: Evaluation,
    models: Mapping[str, Model],
    out: Path | None = None,
    reuse: Sequence[Path] = (),
    ledger: Ledger | None = None,
    part: Part = "all",
    force: bool = False,
    cluster: ClusterSettings | None = None,
) -> Outcome:
    """`run` for an evaluation that is read already. Part "generate" writes texts and no scores, and asks no judge."""
    ledger = ledger or Ledger()
    check_models(evaluation, models)
    if cluster is not None:
        check_cluster(cluster)
    before = judges_before(run_path(evaluation, out))
    evaluation = replace(evaluation, judges=judge_states(evaluation, models, force, before))
    if part != "generate":
        require_passed(evaluation.judges)
    if part == "generate" and not evaluation.systems:
        raise ConfigError("--only generate: the config has no `systems` that write; add some, or leave --only out")
    with ExitStack() as stack:
        path_of_run = run_path(evaluation, out)
        # opened first: a wrong --reuse must not leave a new folder behind
        others = [each for each in reuse if each.resolve() != path_of_run.resolve()]
        earlier = [stack.enter_context(RunReader.open(each)).store for each in others]
        folder = stack.enter_context(RunFolder.create_or_open(path_of_run))
        if part == "all" and not earlier and (done := read_finished(folder, evaluation, models, ledger)) is not None:
            return Outcome(folder.path, done.scores, ledger, done.costs, done.decision)
        bill, standing = Bill(folder.store.copied), Standing(models)
        driven, observer = partial(gather, evaluation, part=part), Together(bill, standing)
        results, manifest = sit(folder, evaluation, models, driven, ledger, observer, earlier, cluster)
        outcome = _concluded(folder, completed(evaluation, results), results, bill, manifest, ledger, part)
        if part == "all" and standing.are_final:
            keep_finished(folder, manifest, ledger, standing.maker)
        return outcome


def run_path(evaluation: Evaluation, out: Path | None) -> Path:
    """The run folder: `out`, or runs/<name> in the working directory."""
    return out or Path("runs") / evaluation.config.name


def load_run(path: Path, part: Part = "all") -> tuple[Evaluation, Results]:
    """A run folder's evaluation and what its store answers, without any engine and without the original files.

    What its systems wrote stands among the candidates. Raises CallMissing where a reply is not there: the run, or that
    part of it, is not finished.
    """
    evaluation, results, _ = _read_run(path, part)
    return evaluation, results


def rescore(path: Path) -> Json:
    """Makes scores.json of a run anew from its store, with ledger and decision, and no engine; returns the scores."""
    evaluation, results, bill = _read_run(path, "all")
    with RunFolder.open(path) as folder:
        return _concluded(folder, evaluation, results, bill, folder.manifest()).scores


def load_scores(path: Path) -> Json:
    """scores.json of a run; raises StoreError where there is none, or one that this localeval does not read."""
    require_run(path)
    scores = RunFiles(path).scores()
    if scores is None:
        raise StoreError(f"{path}: no scores.json: the run is not finished; go on with `localeval run` and its config")
    if scores.get("schema") != SCORES_SCHEMA:
        raise StoreError(
            f"{path / SCORES}: `schema` is {scores.get('schema')!r}, this localeval reads {SCORES_SCHEMA!r}: "
            "make it anew with `localeval score`"
        )
    return scores


def n_missing(scores: Mapping[str, Any]) -> int:
    """How many verdicts are missing over all methods, texts that a system did not give, and readings of texts for which
    no targets could be proposed.

    A target of which a text hardly speaks ("not covered") is a finding, not a failure: it does not count here.
    """
    methods = scores["methods"].values()
    uncovered = sum(int(method.get("missing_by_reason", {}).get("not covered", 0)) for method in methods)
    return sum(int(each["missing"]) + int(each.get("missing_proposals", 0)) for each in methods) - uncovered


def roles_of(config: Config) -> dict[str, list[str]]:
    """What each model does in a run, in the order in which the config names the models."""
    methods = config.methods
    roles: dict[str, list[str]] = {}
    for name, system in config.systems.items():
        roles.setdefault(system.model, []).append(f"system {name}")
    named: list[tuple[str | None, str]] = []
    if methods.quiz is not None:
        writer = None if methods.quiz.items else methods.quiz.writer
        named += [(writer, "quiz writer"), (methods.quiz.checked_by, "quiz checker")]
        named += [(methods.quiz.answerer, "answerer")]
    named += [(judge, "judge") for judge in (methods.panel.judges if methods.panel else ())]
    if methods.audit is not None:
        named += [(methods.audit.extracted_by, "extractor"), *((each, "auditor") for each in methods.audit.auditors)]
    if methods.affect is not None:
        writers = methods.affect.elicit.systems if methods.affect.elicit else ()
        named += [(each, "writer of elicited texts") for each in writers]
        named += [(each, "affect judge") for each in methods.affect.judges]
    for model, role in named:
        if model is not None and role not in roles.setdefault(model, []):
            roles[model].append(role)
    return roles


def _read_run(path: Path, part: Part) -> tuple[Evaluation, Results, Bill]:
    with RunReader.open(path) as files:
        evaluation, manifest = read_frozen(files)
        bill, engines = Bill(files.store.copied()), StoredOnly(identities_in(manifest), str(path))
        results = gather(evaluation, _ReadOnly(files.store), engines, bill, part)
        return completed(evaluation, results), results, bill


def _concluded(
    folder: RunFolder,
    evaluation: Evaluation,
    results: Results,
    bill: Bill,
    manifest: Mapping[str, Any],
    ledger: Ledger | None = None,
    part: Part = "all",
) -> Outcome:
    """Writes down what a run came to: scores, passport, ledger, decision. Texts alone come to no scores."""
    config = evaluation.config
    models = {name: Model.model_validate(_without_identity(each)) for name, each in manifest["models"].items()}
    texts = list(results.texts.values())
    costs = ledger_of(
        bill, models, roles_of(config), manifest["served"], config.prices, texts, len(results.material.candidates)
    )
    folder.save_ledger(costs)
    if part == "generate":
        scores: Json = {"name": config.name, "methods": {"generate": score_generate(texts, evaluation.systems)}}
        return Outcome(folder.path, scores, ledger or Ledger(), costs, is_judged=False)
    scores = scores_of(evaluation, results, identities_in(manifest))
    folder.save_scores(scores)
    _save_passport(folder, evaluation, results, scores)
    decision = decide(scores, costs, config.select or SelectSettings()) if scores["leaderboard"]["systems"] else {}
    if decision:
        folder.save_decision(decision)
    return Outcome(folder.path, scores, ledger or Ledger(), costs, decision)


def _without_identity(model: Mapping[str, Any]) -> Json:
    """A model as the manifest holds it, without what is made from the rest."""
    return {name: value for name, value in model.items() if name != "identity"}


def _save_passport(folder: RunFolder, evaluation: Evaluation, results: Results, scores: Mapping[str, Any]) -> None:
    """What a study of affect rests on, beside its scores."""
    settings = evaluation.config.methods.affect
    if settings is None or results.affect is None:
        return
    folder.save_passport(
        passport(
            evaluation.config.name,
            __version__,
            results.affect,
            settings,
            scores["methods"]["affect"],
            scores["models"],
            evaluation.families,
            evaluation.material.prompts.hash,
            evaluation.affect.wordings,
            scores["judges"],
        )
    )


@dataclass(frozen=True)
class _ReadOnly:
    """A reader as a store that nothing is appended to."""

    reader: StoreReader

    def get(self, key: str) -> Reply | None:
        return self.reader.get(key)

    def append(self, call: Call, reply: Reply) -> None:
        raise StoreError(f"{self.reader.path}: opened for reading alone")
