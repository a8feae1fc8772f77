"""The passport of a study: what its numbers rest on, and what they do not allow to be said."""

from collections.abc import Mapping, Sequence
from typing import Any

from localeval.methods.affect.axes import CONTRACTS, Axis, AxisSet
from localeval.methods.affect.limits import limits_of
from localeval.methods.affect.readings import AffectStudy
from localeval.methods.affect.schemas import AffectSettings, ElicitSettings
from localeval.methods.affect.wordings import WordingSet
from localeval.methods.affect.words import anchor_words
from localeval.texts import Language

Json = dict[str, Any]

PASSPORT_SCHEMA = "localeval.passport/1"


def passport(
    name: str,
    version: str,
    study: AffectStudy,
    settings: AffectSettings,
    scores: Mapping[str, Any],
    identities: Mapping[str, str],
    families: Mapping[str, str],
    prompts_hash: str,
    wordings: Mapping[Language, WordingSet],
    judges: Sequence[Mapping[str, Any]] = (),
) -> Json:
    """The content of passport.json: docs/scores.md describes it field by field.

    `name` is the study's, `version` localeval's, `scores` what `score_affect` made of the study. `identities` and
    `families` are by model name; a model without an identity is none that this run served. `judges` is what scores.json
    says of the judges' last checks, whose day is the only date in it: it holds no path and no machine, so that equal
    studies by judges of equal standing have equal passports.
    """
    prompts = {"prompts": prompts_hash, "axes": dict(scores["axes"]["hashes"])}
    writers = settings.elicit.systems if settings.elicit is not None else ()
    return {
        "schema": PASSPORT_SCHEMA,
        "name": name,
        "made": {"localeval": version},
        "scorers": {
            judge: {"identity": identities.get(judge), "family": families.get(judge, ""), **prompts}
            for judge in settings.judges
        },
        "judges": [dict(judge) for judge in judges if judge["method"] == "affect"],
        "contracts": list(settings.contracts),
        "axes": {language: _axes(each, settings, language) for language, each in sorted(study.axes.items())},
        "of": scores["of"],
        "wordings": None if settings.elicit is None else _wordings(study, settings.elicit, wordings),
        "targets": _targets(study, settings),
        "systems": {
            # a text that came in a file is no model's of this run, whatever its system is called
            system: {"identity": identities.get(system), "family": families.get(system, "")}
            if system in writers
            else {"identity": None, "family": ""}
            for system in _systems(study, settings)
        },
        "reading": dict(scores["judged"]),
        "coverage": _coverage(scores),
        "flags": {judge: dict(body["flags"]) for judge, body in scores["judges"].items()},
        "human": dict(scores["human"]),
        "status": dict(scores["status"]),
        "ceilings": list(scores["ceilings"]),
        "limits": limits_of(study, settings, scores, families, identities, _systems(study, settings)),
    }


def _axes(axes: AxisSet, settings: AffectSettings, language: Language) -> Json:
    """The axes that are asked of texts in a language, with every word that the judges were given of them."""
    asked = {axis.id for contract in settings.contracts for axis in axes.of(contract)}
    return {
        "name": axes.name,
        "hash": axes.hash,
        "axes": [_axis(axis, language) for axis in axes.axes if axis.id in asked],
    }


def _axis(axis: Axis, language: Language) -> Json:
    """One axis; the answers of the scale of words are told also where they are the common ones."""
    found: Json = axis.model_dump(mode="json", exclude_none=True)
    for contract in CONTRACTS:
        meaning = axis.meaning(contract)
        if meaning is not None:
            found[contract]["words"] = list(anchor_words(meaning, language))
    return found


def _wordings(study: AffectStudy, layer: ElicitSettings, wordings: Mapping[Language, WordingSet]) -> Json:
    """How texts were asked for: every condition, and the words behind them in each language."""
    return {
        "ids": list(study.wordings),
        "samples": layer.samples,
        "temperature": layer.temperature,
        "tokens": layer.tokens,
        "languages": {
            language: {
                "hash": wordings[language].hash,
                "prompts": {each.id: each.prompt for each in wordings[language].wordings if each.id in layer.wordings},
                "roles": {each.id: each.system for each in wordings[language].roles if each.id in layer.roles},
            }
            for language in layer.languages
        },
    }


def _targets(study: AffectStudy, settings: AffectSettings) -> list[Json]:
    """Given targets and then proposed ones, each with how it came into the study."""
    given = {target.name: target for target in settings.targets}
    found = {each.target.name: each.target for read in study.read for each in read.portraits}
    new = [target for name, target in found.items() if name not in given]
    return [
        {
            "name": target.name,
            "kind": target.kind,
            "aliases": list(target.aliases),
            "proposed": target.name not in given,
        }
        for target in (*settings.targets, *new)
    ]


def _systems(study: AffectStudy, settings: AffectSettings) -> tuple[str, ...]:
    """Who wrote the texts, empty for sources."""
    if settings.elicit is not None:
        return settings.elicit.systems
    return tuple(sorted({read.text.system for read in study.read} - {""}))


def _coverage(scores: Mapping[str, Any]) -> Json:
    asked, missing = scores["asked"], scores["missing"]
    return {
        "texts": scores["texts"],
        "missing_texts": scores["missing_texts"],
        "asked": asked,
        "scored": asked - missing,
        "share": (asked - missing) / asked if asked else None,
        "missing_by_reason": dict(scores["missing_by_reason"]),
        "missing_proposals": scores["missing_proposals"],
    }
