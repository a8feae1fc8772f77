"""Keys of judges: equal keys mean that the same model judges in the same way, so that one check speaks for both."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from localeval.inputs.named_files import is_path, plain_name
from localeval.keys import canonical, digest
from localeval.measuring import Evaluation
from localeval.methods.affect.schemas import AffectSettings
from localeval.methods.audit.schemas import AuditSettings
from localeval.methods.panel.rubrics import FAITHFULNESS
from localeval.methods.panel.schemas import PanelSettings
from localeval.methods.quiz.schemas import QuizSettings
from localeval.models import Model
from localeval.planting.settings import CheckedMethod

_KEY_VERSION = 1  # raise it when a method judges otherwise by the same prompts: every judge is then unchecked anew

PEOPLE = "verdicts"
"""The engine that reads what people, or other programs, have said: nobody to be checked by planted errors."""

_SYSTEM = "shared/system"
_QUIZ = ("quiz/answer", "quiz/question", "quiz/undetermined")
_AUDIT = ("extract", "extract_item", "relations", "entail", "entail_item", "verify", "verify_item", "found")
_SECOND_LOOK = ("second_look", "second_look_item")
_AFFECT = ("axis", "evidence", "favourability", "flags", "flags_item", "score", "target", "whole")


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that judges in one method of an evaluation. `model` is the name that the config gives it."""

    model: str
    method: CheckedMethod
    identity: str
    key: str


def judges_of(evaluation: Evaluation, models: Mapping[str, Model]) -> tuple[Judge, ...]:
    """Every model that judges in the evaluation, by method, in the order of the config; people are left out.

    The judge of a quiz is its answerer, that of an audit each auditor. `models` is by the config's names.
    """
    methods = evaluation.config.methods
    named: list[tuple[CheckedMethod, str]] = []
    if methods.quiz is not None:
        named.append(("quiz", methods.quiz.answerer))
    named += [("panel", judge) for judge in (methods.panel.judges if methods.panel is not None else ())]
    named += [("audit", auditor) for auditor in (methods.audit.auditors if methods.audit is not None else ())]
    named += [("affect", judge) for judge in (methods.affect.judges if methods.affect is not None else ())]
    return tuple(_judge(method, name, evaluation, models) for method, name in named if models[name].engine != PEOPLE)


def _judge(method: CheckedMethod, name: str, evaluation: Evaluation, models: Mapping[str, Model]) -> Judge:
    methods, identity = evaluation.config.methods, models[name].identity
    in_batches = method == "panel" and methods.panel is not None and methods.panel.has_batches(name)
    extracts = methods.audit.extracted_by if method == "audit" and methods.audit is not None else name
    return Judge(name, method, identity, judge_key(method, identity, evaluation, models[extracts].identity, in_batches))


def judge_key(
    method: CheckedMethod,
    identity: str,
    evaluation: Evaluation,
    extractor: str | None = None,
    in_batches: bool | None = None,
) -> str:
    """64 hexadecimal digits over all that decides how a judge judges in a method of the evaluation.

    That is the model's identity, those settings of the method that reach its verdicts, and the prompts that it is asked
    with. Sources, candidates, shipped rubrics, names, other judges, ports and prices are not in it; of a rubric of the
    user's what it says of faithfulness is. `extractor` is the identity of who makes an audit's claims, where that is
    not the judge itself; `in_batches` whether a judge of a panel is asked in batches, by default where the panel's mode
    says so. Raises ValueError for a method that the config has not.
    """
    settings = getattr(evaluation.config.methods, method)
    if settings is None:
        raise ValueError(f"no {method} in the config")
    telling: Mapping[str, JsonValue]
    prompts: tuple[str, ...]
    if isinstance(settings, QuizSettings):
        telling, prompts = _of_quiz(settings), _QUIZ
    elif isinstance(settings, PanelSettings):
        is_batch = settings.mode == "batch" if in_batches is None else in_batches
        telling, prompts = _of_panel(settings, is_batch)
        telling = telling | _of_own_rubric(settings, evaluation)
    elif isinstance(settings, AuditSettings):
        telling = _of_audit(settings) | {"extractor": extractor or identity}
        prompts = tuple(f"audit/{name}" for name in (*_AUDIT, *(_SECOND_LOOK if settings.checks else ())))
    else:
        telling = _of_affect(settings, evaluation)
        prompts = tuple(f"affect/{name}" for name in _AFFECT)
    texts = evaluation.material.prompts.texts
    asked = {name: digest(text) for name, text in texts.items() if name.rpartition(".")[0] in (_SYSTEM, *prompts)}
    return digest(canonical([_KEY_VERSION, method, identity, telling, asked]))


def _of_quiz(settings: QuizSettings) -> dict[str, JsonValue]:
    """Who writes and filters the questions does not matter: a check makes its own."""
    return {
        "undetermined": settings.undetermined,
        "permutations": settings.permutations,
        "retries": settings.retries,
    }


def _of_panel(settings: PanelSettings, in_batches: bool) -> tuple[dict[str, JsonValue], tuple[str, ...]]:
    """What tells, and the prompts: a batch has tokens and prompts of its own."""
    common: dict[str, JsonValue] = {
        "mode": "batch" if in_batches else settings.mode,
        "repeats": settings.repeats,
        "temperature": settings.temperature,
        "retries": settings.retries,
    }
    if in_batches:
        sizes: dict[str, JsonValue] = {"candidates": settings.batch_candidates, "tokens": settings.batch_tokens}
        return common | sizes, ("panel/batch", "panel/batch_item")
    if not settings.evidence:
        alone = "panel/score_lineup" if settings.mode == "lineup" else "panel/score"
        return common | {"evidence": False}, (alone, "panel/score_criterion")
    first = "panel/lineup" if settings.mode == "lineup" else "panel/judge"
    return common | {"tokens": settings.verdict_tokens}, (first, "panel/criterion")


def _of_own_rubric(settings: PanelSettings, evaluation: Evaluation) -> dict[str, JsonValue]:
    """What a rubric of the user's says of faithfulness, which decides what a check finds; the shipped ones mean the
    same."""
    if settings.rubric is None or not is_path(settings.rubric):
        return {}
    said = {canonical(each.criterion(FAITHFULNESS).model_dump(mode="json")) for each in evaluation.rubrics.values()}
    return {"faithfulness": list[JsonValue](sorted(digest(each) for each in said))}


def _of_audit(settings: AuditSettings) -> dict[str, JsonValue]:
    return {
        "units": list[JsonValue](sorted(settings.units)),
        "checks": settings.checks,
        "claim_tokens": settings.claim_tokens,
        "verdict_tokens": settings.verdict_tokens,
        "retries": settings.retries,
    }


def _of_affect(settings: AffectSettings, evaluation: Evaluation) -> dict[str, JsonValue]:
    """A shipped set of axes stands under its name, one of the user's by its content: the name does not tell of that."""
    own = {language: axes.hash for language, axes in evaluation.affect.axes.items()} if is_path(settings.axes) else {}
    return {
        "contracts": list[JsonValue](sorted(settings.contracts)),
        "axes": dict(sorted(own.items())) if own else plain_name(settings.axes),
        "scale": settings.scale,
        "reading": settings.reading,
        "samples": settings.samples,
        "repeats": settings.repeats,
        "evidence": [settings.evidence, settings.evidence_tokens],
        "flags": [settings.flags, settings.coverage],
        "layout": settings.layout,
        "retries": settings.retries,
    }
