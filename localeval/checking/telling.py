"""check.json: what a check found of each judge, and every text with what the judges said of it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from localeval.checking.asking.affect import affect_rulings
from localeval.checking.asking.audit import accused_elsewhere, audit_rulings
from localeval.checking.asking.panel import panel_rulings, paraphrases_marked_lower
from localeval.checking.asking.quiz import clozes_of, quiz_rulings
from localeval.checking.asking.rulings import Ruling
from localeval.checking.gate import weigh
from localeval.checking.keys import judges_of
from localeval.checking.probes.context import ProbeContext
from localeval.checking.probes.probing import score_probes
from localeval.checking.scoring import by_method, control, flagged, share_of, weighed
from localeval.checking.texts import WHOLE, CheckTest, CheckText
from localeval.measuring import Evaluation
from localeval.models import Model
from localeval.stats.estimate import score_to_json

Json = dict[str, Any]

Found = Mapping[str, Mapping[Any, Any]]
"""Results of a check's flows by method (and "probe"), then by the flow's own name."""

CHECK_SCHEMA = "localeval.check/1"


def check_json(evaluation: Evaluation, models: Mapping[str, Model], test: CheckTest, found: Found, made: str) -> Json:
    """The content of check.json: a function of the replies and the day."""
    rulings = [*_rulings(evaluation, test, found)]
    whole = [each for each in test.texts if each.view == WHOLE]
    planted = [each.edit.kind for each in whole if each.edit is not None]
    return {
        "schema": CHECK_SCHEMA,
        "name": evaluation.config.name,
        "seed": evaluation.config.seed,
        "made": made,
        "models": {name: model.identity for name, model in sorted(models.items())},
        "test": {
            "hash": test.hash,
            "sources": [
                {
                    "id": source.id,
                    "characters": len(source.text),
                    "language": source.language,
                    "segments": len(source.segments),
                }
                for source in evaluation.material.sources
            ],
            "trusted": sorted({each.origin for each in test.trusted}),
            "planted": len(planted),
            "controls": len(whole) - len(planted),
            "by_kind": {kind: planted.count(kind) for kind in dict.fromkeys(planted)},
            "not_planted": dict(test.not_planted),
        },
        "judges": _judges(evaluation, models, test, found, rulings),
        "texts": [*_texts(test, rulings)],
    }


def _rulings(evaluation: Evaluation, test: CheckTest, found: Found) -> Iterator[Ruling]:
    methods = evaluation.config.methods
    if methods.quiz is not None:
        yield from quiz_rulings(evaluation, test, found.get("quiz", {}))
    if methods.panel is not None:
        yield from panel_rulings(evaluation, test, found.get("panel", {}))
    if methods.audit is not None:
        yield from audit_rulings(evaluation, test, found.get("audit", {}))
    if methods.affect is not None:
        yield from affect_rulings(evaluation, test, found.get("affect", {}))


def _judges(
    evaluation: Evaluation, models: Mapping[str, Model], test: CheckTest, found: Found, rulings: Sequence[Ruling]
) -> list[Json]:
    """One object a judge and method, in the order of the config."""
    settings = evaluation.config.check
    context = ProbeContext(evaluation, test.trusted, clozes_of(evaluation, test), settings)
    probes = score_probes(context, found.get("probe", {}))
    lower = [*paraphrases_marked_lower(evaluation, test, found["panel"])] if "panel" in found else []
    said = by_method(rulings)
    judges = []
    for judge in judges_of(evaluation, models):
        told = weighed(said.get((judge.method, judge.model), []), settings.shortened)
        bars = settings.bars_of(judge.method)
        reasons = weigh(bars, told.detection, told.false_alarm, told.balanced, told.missing)
        rest = dict(told.rest)
        if judge.method == "audit":
            accused = [*accused_elsewhere(test, judge.model, found.get("audit", {})).values()]
            totals = sum(each.accused for each in accused), sum(each.sentences for each in accused)
            rest["elsewhere"] = share_of(*totals, accused)
        if judge.method == "panel" and lower:
            mine = [each for each in lower if each.model == judge.model]
            rest["paraphrases_marked_lower"] = score_to_json(flagged(mine, control))
        judges.append(
            {
                "model": judge.model,
                "method": judge.method,
                "key": judge.key,
                "passed": not reasons,
                "reasons": reasons,
                "bars": bars.model_dump(),
                "detection": score_to_json(told.detection),
                "false_alarm": score_to_json(told.false_alarm),
                "balanced": score_to_json(told.balanced),
                "missing": told.missing,
                **rest,
                "probes": dict(probes.get((judge.method, judge.model), {})),
            }
        )
    return judges


def _texts(test: CheckTest, rulings: Sequence[Ruling]) -> Iterator[Json]:
    """Every text with what each judge said of it; of affect the sentences that were put behind texts."""
    by_text: dict[str, list[Ruling]] = {}
    for each in rulings:
        by_text.setdefault(each.text, []).append(each)
    for text in test.texts:
        yield _text(text) | {"verdicts": _verdicts(by_text.pop(text.id, []))}
    for name, left in by_text.items():
        first = left[0]
        yield {
            "id": name,
            "source": first.origin,
            "origin": "",
            "role": first.role,
            "kind": first.kind,
            "sentence": None,
            "before": "",
            "after": "",
            "position": None,
            "view": first.view,
            "verdicts": _verdicts(left),
        }


def _text(text: CheckText) -> Json:
    edit = text.edit
    return {
        "id": text.id,
        "source": text.origin,
        "origin": text.trusted.origin,
        "role": text.role,
        "kind": edit.kind if edit is not None else None,
        "sentence": edit.sentence if edit is not None else None,
        "before": edit.before if edit is not None else "",
        "after": edit.after if edit is not None else "",
        "position": text.position,
        "view": text.view,
    }


def _verdicts(rulings: Sequence[Ruling]) -> dict[str, str]:
    """By method and judge; of several questions about one text how many came to what."""
    said: dict[str, Counter[str]] = {}
    for each in rulings:
        said.setdefault(f"{each.method} {each.model}", Counter())[each.said] += 1
    return {
        judge: next(iter(counts)) if counts.total() == 1 else ", ".join(f"{n} {what}" for what, n in counts.items())
        for judge, counts in said.items()
    }
