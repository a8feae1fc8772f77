"""What decides a run's results, written into its folder when it begins, and read from there again."""

import hashlib
import math
import platform
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from localeval import __version__
from localeval.checking.states import JudgeState, state_from_json, state_to_json
from localeval.config import load_config
from localeval.keys import canonical, digest
from localeval.measuring import Evaluation
from localeval.methods.affect.axes import AxisSet
from localeval.methods.affect.method import languages_of
from localeval.methods.affect.readings import AffectLabel, AffectMaterial
from localeval.methods.affect.wordings import WordingSet
from localeval.methods.generate.pipeline import Pipeline
from localeval.methods.material import Material
from localeval.methods.panel.rubrics import Rubric
from localeval.methods.panel.schemas import Label
from localeval.methods.quiz.schemas import QuizItem
from localeval.models import Model
from localeval.prompts import Prompts
from localeval.store.files import CONFIG, MANIFEST, SCHEMA, RunFiles
from localeval.store.folder import RunFolder


def freeze(folder: RunFolder, evaluation: Evaluation, models: Mapping[str, Model]) -> dict[str, Any]:
    """Writes down what decides the results, before anything is asked; returns the manifest.

    What served the replies that are there already (`served`), and what models behind servers have cost (`spent`), are
    kept from an earlier manifest. Results of another
    config, other inputs, prompts or models, or of judges of whom other is known now, leave the folder: `show` must not
    print them beside the new config.
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
        "judges": [state_to_json(state) for state in evaluation.judges],
        "served": before.get("served", {}),
        "spent": _spent(folder, before),
    }
    if any(
        before.get(name) != manifest[name] for name in ("config", "inputs", "prompts", "models", *_given(evaluation))
    ) or _states_before(folder, before) != _states_in(manifest):
        folder.drop_scores()
    folder.save_config(evaluation.config_text)
    folder.save_inputs(material.sources, material.candidates)
    folder.save_prompts(material.prompts.texts)
    if manifest | {"schema": SCHEMA} != before:  # it holds every question: some megabytes in a large run
        folder.save_manifest(manifest)
    return manifest


def _spent(folder: RunFolder, before: Mapping[str, Any]) -> float:
    """What earlier sittings cost; raises StoreError where that is no sum of money: a budget would not hold then."""
    found = before.get("spent", 0.0)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 0 <= found < math.inf:
        raise folder.damaged(MANIFEST, ValueError(f"`spent` is {found!r}, which is no sum of money"))
    return found


def read_frozen(files: RunFiles) -> tuple[Evaluation, dict[str, Any]]:
    """The evaluation that a run folder holds, and its manifest. Raises StoreError where the folder is damaged."""
    manifest = files.manifest()
    text = files.config()
    try:
        given = _thaw(manifest)
        identities_in(manifest)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise files.damaged(MANIFEST, error) from error
    config = load_config(files.path / CONFIG)
    sources, candidates = files.load_inputs(may_be_empty=not config.reads_sources)
    material = Material(sources, candidates, Prompts(files.load_prompts()), config.seed)
    evaluation = Evaluation(config, text, material, **given)
    if lacking := _languages_without_axes(evaluation):
        raise files.damaged(MANIFEST, ValueError(f"no axes or wordings of affect in {', '.join(lacking)}"))
    return evaluation, manifest


def judges_before(path: Path) -> tuple[JudgeState, ...]:
    """What the run folder at `path` knew of its judges at its last sitting; nothing where there is no run.

    Raises StoreError where its manifest is damaged.
    """
    files = RunFiles(path)
    if not files.has_manifest():
        return ()
    try:
        return tuple(state_from_json(each) for each in files.manifest().get("judges", ()))
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise files.damaged(MANIFEST, error) from error


def _states_in(manifest: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """Which judge is marked how. A run that was made before judges were checked says nothing of them: unchecked."""
    judges = manifest.get("judges", [])
    return {(each["method"], each["model"]): each["state"] for each in judges if each["state"] != "unchecked"}


def _states_before(folder: RunFolder, before: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    try:
        return _states_in(before)
    except (KeyError, TypeError, AttributeError) as error:
        raise folder.damaged(MANIFEST, error) from error


def identities_in(manifest: Mapping[str, Any]) -> dict[str, str]:
    """The identity of each model of a run, by the name that its config gives it."""
    return {name: str(model["identity"]) for name, model in manifest["models"].items()}


def _given(evaluation: Evaluation) -> dict[str, Any]:
    """What else was read of the user's files, for the manifest: quiz, rubrics, labels, the systems' prompts."""
    return {
        "quiz_items": [item.model_dump(mode="json") for item in evaluation.items],
        "rubrics": {rubric.hash: rubric.model_dump(mode="json") for rubric in evaluation.rubrics.values()},
        "rubric_of": {source: rubric.hash for source, rubric in evaluation.rubrics.items()},
        "labels": [asdict(label) for label in evaluation.labels],
        "systems": {name: pipeline.model_dump(mode="json") for name, pipeline in evaluation.systems.items()},
        "choice": dict(evaluation.choice),
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
        # a run that was made before there were systems, or affect, says nothing of them
        "systems": {
            name: Pipeline.model_validate_json(canonical(each)) for name, each in manifest.get("systems", {}).items()
        },
        "choice": dict(manifest.get("choice", {})),
        "affect": _thaw_affect(manifest["affect"]) if "affect" in manifest else AffectMaterial(),
        "judges": tuple(state_from_json(each) for each in manifest.get("judges", ())),
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
