"""One evaluation from config to scores: what `localeval run`, `score`, `show` and `plan` call."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from localeval import __version__
from localeval.config import load_config
from localeval.engines.house import LocalEngines, StoredOnly
from localeval.errors import StoreError
from localeval.keys import canonical, digest
from localeval.ledger import Ledger
from localeval.measuring import SCORES_SCHEMA, Evaluation, Results, gather, scores_of
from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.method import languages_of
from localeval.methods.affect.passport import passport
from localeval.methods.affect.readings import AffectLabel, AffectMaterial
from localeval.methods.affect.wordings import WordingSet
from localeval.methods.material import Material
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import Label
from localeval.methods.quiz.schemas import QuizItem
from localeval.models import Model
from localeval.prompts import Prompts
from localeval.reading import read_evaluation
from localeval.store.database import ChainedStore
from localeval.store.files import CONFIG, MANIFEST, SCORES, RunFiles
from localeval.store.folder import RunFolder, RunReader, require_run
from localeval.store.reader import StoreReader
from localeval.values import Call, Reply


@dataclass(frozen=True)
class Outcome:
    """A finished run: where it is, its scores as they stand in scores.json, and what it cost."""

    folder: Path
    scores: dict[str, Any]
    ledger: Ledger


def run(path: Path, out: Path | None = None, reuse: Sequence[Path] = (), ledger: Ledger | None = None) -> Outcome:
    """Runs the evaluation of a config file, or goes on with it: what its folder holds is not asked again.

    The folder is `out`, by default runs/<name> beside the working directory. `reuse` names earlier runs to read from.
    """
    return run_evaluation(*read_evaluation(path), out, reuse, ledger)


def run_evaluation(
    evaluation: Evaluation,
    models: Mapping[str, Model],
    out: Path | None = None,
    reuse: Sequence[Path] = (),
    ledger: Ledger | None = None,
) -> Outcome:
    """`run` for an evaluation that is read already."""
    ledger = ledger or Ledger()
    with ExitStack() as stack:
        path_of_run = run_path(evaluation, out)
        # opened first: a wrong --reuse must not leave a new folder behind
        others = [each for each in reuse if each.resolve() != path_of_run.resolve()]
        earlier = [stack.enter_context(RunReader.open(each)).store for each in others]
        folder = stack.enter_context(RunFolder.create_or_open(path_of_run))
        manifest = _freeze(folder, evaluation, models)
        engines = LocalEngines(models, folder.path)
        results = gather(evaluation, ChainedStore(folder.store, earlier), engines, ledger)
        scores = scores_of(evaluation, results, {name: model.identity for name, model in models.items()})
        folder.store.flush()
        folder.save_scores(scores)
        _save_passport(folder, evaluation, results, scores)
        if ledger.sent:
            folder.save_manifest(manifest | {"served": _served(ledger)})
    return Outcome(folder.path, scores, ledger)


def run_path(evaluation: Evaluation, out: Path | None) -> Path:
    """The run folder: `out`, or runs/<name> in the working directory."""
    return out or Path("runs") / evaluation.config.name


def load_run(path: Path) -> tuple[Evaluation, Results]:
    """A run folder's evaluation and what its store answers, without any engine and without the original files.

    Raises CallMissing where a reply is not there: the run is not finished.
    """
    with RunReader.open(path) as files:
        evaluation, manifest = read_frozen(files)
        engines = StoredOnly(_identities(manifest), str(path))
        return evaluation, gather(evaluation, _ReadOnly(files.store), engines)


def read_frozen(files: RunFiles) -> tuple[Evaluation, dict[str, Any]]:
    """The evaluation that a run folder holds, and its manifest. Raises StoreError where the folder is damaged."""
    manifest = files.manifest()
    text = files.config()
    try:
        given = _thaw(manifest)
        _identities(manifest)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise files.damaged(MANIFEST, error) from error
    config = load_config(files.path / CONFIG)
    sources, candidates = files.load_inputs(may_be_empty=not config.reads_sources)
    material = Material(sources, candidates, Prompts(files.load_prompts()), config.seed)
    evaluation = Evaluation(config, text, material, **given)
    if lacking := _languages_without_axes(evaluation):
        raise files.damaged(MANIFEST, ValueError(f"no axes or wordings of affect in {', '.join(lacking)}"))
    return evaluation, manifest


def rescore(path: Path) -> dict[str, Any]:
    """Makes scores.json of a run anew from its store, with no engine; returns its content."""
    evaluation, results = load_run(path)
    with RunFolder.open(path) as folder:
        scores = scores_of(evaluation, results, _identities(folder.manifest()))
        folder.save_scores(scores)
        _save_passport(folder, evaluation, results, scores)
    return scores


def load_scores(path: Path) -> dict[str, Any]:
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
    """How many verdicts are missing over all methods, and readings of texts for which no targets could be proposed.

    A target of which a text hardly speaks ("not covered") is a finding, not a failure: it does not count here.
    """
    methods = scores["methods"].values()
    uncovered = sum(int(method.get("missing_by_reason", {}).get("not covered", 0)) for method in methods)
    return sum(int(each["missing"]) + int(each.get("missing_proposals", 0)) for each in methods) - uncovered


def _freeze(folder: RunFolder, evaluation: Evaluation, models: Mapping[str, Model]) -> dict[str, Any]:
    """Writes down what decides the results, before anything is asked; returns the manifest.

    What served the replies that are there already (`served`) is kept from an earlier manifest. Results of another
    config, other inputs, prompts or models leave the folder: `show` must not print them beside the new config.
    """
    before = folder.manifest() if folder.has_manifest() else {}
    material = evaluation.material
    manifest = {
        "localeval": __version__,
        "python": platform.python_version(),
        "name": evaluation.config.name,
        "seed": evaluation.config.seed,
        "config": hashlib.sha256(evaluation.config_text).hexdigest(),
        "inputs": digest(canonical([[asdict(s) for s in material.sources], [asdict(c) for c in material.candidates]])),
        "prompts": material.prompts.hash,
        "models": {
            name: {"identity": model.identity, **model.model_dump(mode="json", exclude={"folder"})}
            for name, model in models.items()
        },
        **_given(evaluation),
        "served": before.get("served", {}),
    }
    if any(
        before.get(name) != manifest[name] for name in ("config", "inputs", "prompts", "models", *_given(evaluation))
    ):
        folder.drop_scores()
    folder.save_config(evaluation.config_text)
    folder.save_inputs(material.sources, material.candidates)
    folder.save_prompts(material.prompts.texts)
    folder.save_manifest(manifest)
    return manifest


def _given(evaluation: Evaluation) -> dict[str, Any]:
    """What else was read of the user's files, for the manifest: the given quiz, the rubrics, the labels."""
    return {
        "quiz_items": [item.model_dump(mode="json") for item in evaluation.items],
        "rubrics": {rubric.hash: rubric.model_dump(mode="json") for rubric in evaluation.rubrics.values()},
        "rubric_of": {source: rubric.hash for source, rubric in evaluation.rubrics.items()},
        "labels": [asdict(label) for label in evaluation.labels],
        "affect": {
            "axes": {language: axes.model_dump(mode="json") for language, axes in evaluation.affect.axes.items()},
            "wordings": {name: each.model_dump(mode="json") for name, each in evaluation.affect.wordings.items()},
            "labels": [asdict(label) for label in evaluation.affect.labels],
        },
    }


def _thaw(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an `Evaluation` that a manifest holds. Raises what pydantic and dicts raise on a damaged one."""
    items = tuple(QuizItem.model_validate(item) for item in manifest["quiz_items"])
    rubrics = {name: Rubric.model_validate_json(canonical(each)) for name, each in manifest["rubrics"].items()}
    return {
        "items": items,
        "rubrics": {source: rubrics[name] for source, name in manifest["rubric_of"].items()},
        "labels": tuple(Label(**label) for label in manifest["labels"]),
        "families": {name: str(model["card"]["family"]) for name, model in manifest["models"].items()},
        # a run that was made before there was affect says nothing of it
        "affect": _thaw_affect(manifest["affect"]) if "affect" in manifest else AffectMaterial(),
    }


def _thaw_affect(given: Mapping[str, Any]) -> AffectMaterial:
    return AffectMaterial(
        {name: AxisSet.model_validate_json(canonical(each)) for name, each in given["axes"].items()},
        {name: WordingSet.model_validate_json(canonical(each)) for name, each in given["wordings"].items()},
        tuple(AffectLabel(**label) for label in given["labels"]),
    )


def _languages_without_axes(evaluation: Evaluation) -> list[str]:
    """The languages in which affect would ask, and the manifest has no words for it."""
    settings, given = evaluation.config.methods.affect, evaluation.affect
    if settings is None:
        return []
    known = set(given.axes) & set(given.wordings) if settings.elicit is not None else set(given.axes)
    return [each for each in languages_of(evaluation.material, settings) if each not in known]


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
        )
    )


def _served(ledger: Ledger) -> dict[str, Any]:
    """What the last run that sent anything was served by, and what it cost, by model."""
    return {name: asdict(account) for name, account in ledger.accounts.items() if account.sent}


def _identities(manifest: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(model["identity"]) for name, model in manifest["models"].items()}


@dataclass(frozen=True)
class _ReadOnly:
    """A reader as a store that nothing is appended to."""

    reader: StoreReader

    def get(self, key: str) -> Reply | None:
        return self.reader.get(key)

    def append(self, call: Call, reply: Reply) -> None:
        raise StoreError(f"{self.reader.path}: opened for reading alone")
