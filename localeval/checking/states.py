"""What is known of a judge before a run: that it passed its last check, is refused by it, or was never checked."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from localeval.planting.settings import CheckedMethod
from localeval.stats.estimate import Score, score_from_json, score_to_json

State = Literal["passed", "refused", "unchecked"]


@dataclass(frozen=True, slots=True)
class JudgeState:
    """One judge of one method, with what its last check found; `model` is the name that the config gives it.

    `forced`: it is refused, and the user wants its verdicts all the same. `reasons` say why it is refused, or why a
    check there is does not count. `detection`, `false_alarm`, `balanced` are None and `made` and `test` empty for a
    judge that was never checked.
    """

    model: str
    method: CheckedMethod
    key: str
    state: State = "unchecked"
    forced: bool = False
    reasons: tuple[str, ...] = ()
    made: str = ""
    """The day of the check."""
    detection: Score | None = None
    false_alarm: Score | None = None
    balanced: Score | None = None
    test: Mapping[str, Any] | None = None
    """What it was checked with: hash of the test, how many sources, their languages, planted errors, controls."""


def state_to_json(state: JudgeState) -> dict[str, Any]:
    """The state as run.json and scores.json hold it."""
    return {
        "model": state.model,
        "method": state.method,
        "key": state.key,
        "state": state.state,
        "forced": state.forced,
        "reasons": list(state.reasons),
        "made": state.made,
        "detection": None if state.detection is None else score_to_json(state.detection),
        "false_alarm": None if state.false_alarm is None else score_to_json(state.false_alarm),
        "balanced": None if state.balanced is None else score_to_json(state.balanced),
        "test": None if state.test is None else dict(state.test),
    }


def state_from_json(body: Mapping[str, Any]) -> JudgeState:
    """The state that `state_to_json` wrote; raises KeyError, TypeError or ValueError on another object."""
    method, state = body["method"], body["state"]
    if method not in get_args(CheckedMethod) or state not in get_args(State):
        raise ValueError(f"no state of a judge: {state!r} in {method!r}")
    scores = {
        name: None if body[name] is None else score_from_json(body[name])
        for name in ("detection", "false_alarm", "balanced")
    }
    return JudgeState(
        model=str(body["model"]),
        method=method,
        key=str(body["key"]),
        state=state,
        forced=bool(body["forced"]),
        reasons=tuple(str(reason) for reason in body["reasons"]),
        made=str(body["made"]),
        test=None if body["test"] is None else dict(body["test"]),
        **scores,
    )


def refused_methods(states: Iterable[JudgeState]) -> tuple[CheckedMethod, ...]:
    """The methods of which a judge is refused, each once: all of their numbers are marked."""
    return tuple(dict.fromkeys(state.method for state in states if state.state == "refused"))
