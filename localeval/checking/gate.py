"""The gate: which judges of an evaluation may judge, by their last checks and the bars of its config."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from localeval.checking.keys import Judge, judges_of
from localeval.checking.registry import SCORES, last_check
from localeval.checking.states import JudgeState, State
from localeval.errors import JudgesRefused
from localeval.measuring import Evaluation
from localeval.methods.affect.method import languages_of
from localeval.models import Model
from localeval.planting.settings import Bars
from localeval.stats.estimate import Score, Undefined, score_from_json


def weigh(bars: Bars, detection: Score, false_alarm: Score, balanced: Score, missing: float) -> list[str]:
    """Why a judge is refused by the bars, a line each; empty where it passes.

    `missing` is the share in [0, 1] of texts without a verdict. A score that is not there never passes.
    """
    reasons = []
    for name, score in (("detection", detection), ("false alarm", false_alarm), ("balanced accuracy", balanced)):
        if isinstance(score, Undefined):
            reasons.append(f"{name} cannot be told: {score.reason}")
    if not isinstance(detection, Undefined) and detection.value < bars.detection:
        reasons.append(f"detection {_against(detection.value, 'is below the bar of', bars.detection)}")
    if not isinstance(false_alarm, Undefined) and false_alarm.value > bars.false_alarm:
        reasons.append(f"false alarm {_against(false_alarm.value, 'is above the bar of', bars.false_alarm)}")
    if not isinstance(balanced, Undefined) and balanced.low <= bars.above:
        told = _against(balanced.low, "at the lower end of its interval is not above", bars.above)
        reasons.append(f"balanced accuracy {told}")
    if missing > bars.missing:
        reasons.append(f"share without a verdict {_against(missing, 'is above the bar of', bars.missing)}")
    return reasons


def _against(value: float, words: str, bar: float) -> str:
    """Two shares with words between them, with as many decimals as it takes to see that they differ."""
    for decimals in range(4):
        left, right = (f"{100 * share:.{decimals}f} %" for share in (value, bar))
        if left != right or value == bar:
            break
    return f"{left} {words} {right}"


def judge_states(
    evaluation: Evaluation, models: Mapping[str, Model], force: bool = False, before: Iterable[JudgeState] = ()
) -> tuple[JudgeState, ...]:
    """What is known of each judge of an evaluation: its last check, weighed anew by the bars of this config.

    A check counts for the languages that it was made in: where the evaluation reads another besides, a judge that
    passed is unchecked. `force`: what is refused is marked as wanted all the same. `before`: what the run knew at its
    last sitting; a refusal stays where the user's cache, which is all that is read, has no check of the judge (any
    more, or on this machine).
    """
    refused = {state.key: state for state in before if state.state == "refused"}
    return tuple(_state(judge, evaluation, force, refused.get(judge.key)) for judge in judges_of(evaluation, models))


def require_passed(states: Iterable[JudgeState]) -> None:
    """Raises JudgesRefused, with a line a judge, where one is refused and not forced."""
    refused = [state for state in states if state.state == "refused" and not state.forced]
    if refused:
        raise JudgesRefused([refusal(state) for state in refused])


def refusal(state: JudgeState) -> str:
    """Which judge is refused for what, why, and what can be done, in one line."""
    place = f"methods.{state.method}: the judge {state.model!r} is refused by its check of {state.made}"
    fix = f"name another model, lower the bars under `check: bars: {state.method}:`, or go on with --force, marked"
    return f"{place}: {'; '.join(state.reasons)}; {fix}"


def _state(judge: Judge, evaluation: Evaluation, force: bool, refused: JudgeState | None) -> JudgeState:
    found = last_check(judge.key)
    if found is None and refused is not None:
        return replace(refused, model=judge.model, forced=force)
    if found is None:
        return JudgeState(judge.model, judge.method, judge.key)
    detection, false_alarm, balanced = (score_from_json(found[name]) for name in SCORES)
    bars = evaluation.config.check.bars_of(judge.method)
    reasons = weigh(bars, detection, false_alarm, balanced, found["missing"])
    state: State = "refused" if reasons else "passed"
    checked_in = found["test"]["languages"]
    unread = sorted(_languages(judge, evaluation) - set(checked_in))
    if state == "passed" and unread:
        state = "unchecked"
        reasons = [f"checked in {', '.join(checked_in)}, not in {', '.join(unread)}"]
    return JudgeState(
        model=judge.model,
        method=judge.method,
        key=judge.key,
        state=state,
        forced=force and state == "refused",
        reasons=tuple(reasons),
        made=found["made"],
        detection=detection,
        false_alarm=false_alarm,
        balanced=balanced,
        test=found["test"],
    )


def _languages(judge: Judge, evaluation: Evaluation) -> set[str]:
    """The languages of what a judge reads in the evaluation."""
    affect = evaluation.config.methods.affect
    if judge.method == "affect" and affect is not None:
        return {*languages_of(evaluation.material, affect)}
    return {source.language for source in evaluation.material.sources}
