"""From readings to numbers: affect's part of scores.json."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from localeval.methods.affect.compare import agreement, means
from localeval.methods.affect.drift import cells_of, readings_by_cell, repeats, wording_drift
from localeval.methods.affect.human import CEILINGS, against_people, statuses
from localeval.methods.affect.readings import AffectLabel, AffectStudy
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.affect.tables import FLAGS, Numbers, Sheet, Tally, splits
from localeval.methods.affect.tally import read_from, tally
from localeval.methods.affect.targets import target_scores
from localeval.methods.affect.variance import group_contrast, groups_of, split_to_json, wording_or_system
from localeval.stats.variance import variance_split

Json = dict[str, Any]


def score_affect(study: AffectStudy, settings: AffectSettings, labels: Sequence[AffectLabel] = ()) -> Json:
    """Affect's part of scores.json: docs/scores.md describes it field by field.

    `labels` are people's scores. Judges are never mixed, nor are contracts; numbers of different judges, axes, readings
    or wordings must not be compared.
    """
    found = tally(study, settings)
    blocks = [block for sheet in found.sheets.values() for block in sheet.blocks.values()]
    reasons = sum((block.reasons for block in blocks), Counter[str]())
    human = against_people(found, labels)
    return {
        "judged": _judged(study, settings),
        "axes": _axes(study, found),
        "texts": len(found.texts.ids),
        "missing_texts": int((~found.texts.is_given).sum()),
        "missing_proposals": sum(each.proposed is not None for each in study.read),
        "asked": int(sum(block.is_asked.sum() for block in blocks)),
        "missing": reasons.total(),
        "missing_by_reason": dict(sorted(reasons.items())),
        "of": _of(found, settings),
        "judges": {judge: _judge(found, sheet, settings) for judge, sheet in found.sheets.items()},
        "agreement": agreement(found),
        "human": human,
        "status": statuses(found, human),
        "ceilings": [dict(each) for each in CEILINGS],
    }


def _judged(study: AffectStudy, settings: AffectSettings) -> Json:
    """How scores were read."""
    return {
        "reading": settings.reading,
        "scale": settings.scale,
        "points": settings.points,
        "samples": settings.samples,
        "repeats": settings.repeats,
        "evidence": settings.evidence,
        "flags": settings.flags,
        "coverage": settings.coverage,
        "layout": study.layout,
        "read_from": read_from(study.read),
    }


def _axes(study: AffectStudy, found: Tally) -> Json:
    """Which axes; labels are those of the first language that has the axis."""
    labels: dict[str, str] = {}
    for axes in study.axes.values():
        for axis in axes.axes:
            labels.setdefault(axis.id, axis.label)
    asked = {axis for ids in found.ids.values() for axis in ids}
    return {
        "name": next((axes.name for axes in study.axes.values()), ""),
        "hashes": {language: axes.hash for language, axes in sorted(study.axes.items())},
        "ids": {contract: list(ids) for contract, ids in found.ids.items()},
        "labels": {axis: label for axis, label in labels.items() if axis in asked},
    }


def _of(found: Tally, settings: AffectSettings) -> str:
    """Which texts were read."""
    if settings.elicit is not None:
        return "elicited"
    return "candidates" if found.texts.has_systems else "sources"


def _judge(found: Tally, sheet: Sheet, settings: AffectSettings) -> Json:
    """All numbers of one judge."""
    texts = found.texts
    targets, differing = target_scores(found, sheet)
    drift = _elicited(found, sheet, settings)
    return {
        "flags": {name: sheet.flags[name] for name in FLAGS},
        "repeat": repeats(found, sheet),
        "overall": {
            contract: means(block, np.arange(len(block.text)), texts.cluster[block.text])
            for contract, block in sheet.blocks.items()
        },
        "targets": targets,
        "systems": _each(found, sheet, texts.systems, texts.system) if texts.has_systems else {},
        "wordings": _each(found, sheet, texts.wordings, texts.wording) if texts.is_elicited else {},
        **{name: drift[name] for name in ("drift", "variance", "groups")},
        "answers": {"wording_or_system": drift["answers"], "whole_and_target": differing},
    }


def _each(found: Tally, sheet: Sheet, names: Sequence[str], number: Numbers) -> Json:
    """The means of every system, or of every wording: `number` [texts] says which."""
    by_contract = {
        contract: (block, splits(number[block.text], len(names)), found.texts.cluster[block.text])
        for contract, block in sheet.blocks.items()
    }
    return {
        name: {contract: means(block, rows[k], groups) for contract, (block, rows, groups) in by_contract.items()}
        for k, name in enumerate(names)
    }


def _elicited(found: Tally, sheet: Sheet, settings: AffectSettings) -> Json:
    """What takes texts that were elicited through several wordings; empty where there are none."""
    body: Json = {"drift": [], "variance": {}, "groups": {}, "answers": {}}
    if not found.texts.is_elicited:
        return body
    by_system = settings.elicit.groups if settings.elicit is not None else {}
    groups = groups_of(by_system, found.texts.systems)
    for contract, block in sheet.blocks.items():
        readings = readings_by_cell(found, block)
        cells = cells_of(readings)
        body["drift"] += wording_drift(found, contract, block, cells)
        parts = {axis: variance_split(readings[..., a]) for a, axis in enumerate(block.axes)}
        body["variance"][contract] = {axis: split_to_json(each) for axis, each in parts.items()}
        body["answers"][contract] = {axis: wording_or_system(each) for axis, each in parts.items()}
        if groups is not None:
            body["groups"][contract] = {
                axis: group_contrast(found, cells, a, groups) for a, axis in enumerate(block.axes)
            }
    return body
