"""What a system is chosen by: each measure's name, unit and better end, and each system's values from a run's files."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Json = dict[str, Any]
Better = Literal["high", "low"]
MeasureName = Literal[
    "consensus",
    "disagreement",
    "fabrications",
    "fabrication_rate",
    "disputed",
    "cap_f1",
    "cap_p",
    "cap_r",
    "cost_per_1000",
    "seconds",
    "missing",
    "tokens",
]
Needs = Literal["panel", "audit", "quiz", "systems", ""]


@dataclass(frozen=True, slots=True)
class Kind:
    """A measure. A value times `scale` is what rules and sentences say; `words` holds a {} for that number.

    `needs` says what of a config it comes from: a method, the systems that write, or nothing.
    """

    better: Better
    scale: float
    needs: Needs
    words: str


KINDS: Mapping[MeasureName, Kind] = {
    "consensus": Kind("high", 100.0, "panel", "consensus {}"),
    "disagreement": Kind("low", 100.0, "panel", "disagreement {}"),
    "fabrications": Kind("low", 1.0, "audit", "{} fabrications a text"),
    "fabrication_rate": Kind("low", 100.0, "audit", "{} fabrications in 100 claims"),
    "disputed": Kind("low", 1.0, "audit", "{} disputed claims a text"),
    "cap_f1": Kind("high", 100.0, "quiz", "CapF1 {}"),
    "cap_p": Kind("high", 100.0, "quiz", "CapP {}"),
    "cap_r": Kind("high", 100.0, "quiz", "CapR {}"),
    "cost_per_1000": Kind("low", 1.0, "systems", "{} for 1,000 texts"),
    "seconds": Kind("low", 1.0, "systems", "{} s a text"),
    "missing": Kind("low", 1.0, "", "{} texts missing"),
    "tokens": Kind("low", 1.0, "systems", "{} tokens a text"),
}
"""By name. `fabrications` and `disputed` count claims a text (a candidate); `cost_per_1000` is what writing costs."""


@dataclass(frozen=True, slots=True)
class Value:
    """A system's value of one measure, shares in [0, 1], with its interval and n where it has them.

    None is "not known", for `reason`: never 0, never a failure.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class System:
    """A contestant: its place in the leaderboard (None without a number), and a value for every measure."""

    name: str
    rank: int | None
    is_incumbent: bool
    is_generic: bool
    measures: Mapping[MeasureName, Value]


def read_systems(scores: Mapping[str, Any], ledger: Mapping[str, Any] | None) -> dict[str, System]:
    """Every system of scores.json by name, in the order of the leaderboard; those that wrote nothing come last."""
    methods, board = scores["methods"], scores["leaderboard"]["systems"]
    wrote = methods.get("generate", {}).get("systems", {})
    absent = absent_texts(scores)
    found = {}
    for name in [*board, *(each for each in wrote if each not in board)]:
        told = {**wrote.get(name, {}), **board.get(name, {})}
        bills = (ledger or {}).get("systems", {})
        found[name] = System(
            name=name,
            rank=board.get(name, {}).get("rank"),
            is_incumbent=bool(told.get("incumbent")),
            is_generic=bool(told.get("generic")),
            measures={
                **_judged(methods, name),
                **_billed(bills.get(name), ledger is not None),
                "missing": Value(float(len(absent[name]))),
                "tokens": _written(wrote.get(name)),
            },
        )
    return found


def sources_of(scores: Mapping[str, Any]) -> list[str]:
    """The ids of the sources of a run: those that were chosen, else those that any system has a text about."""
    if "chosen" in scores.get("sources", {}):  # runs of before sources were chosen do not say
        return list(scores["sources"]["chosen"])
    return sorted({source for sources in _texts(scores["methods"]).values() for source in sources})


def absent_texts(scores: Mapping[str, Any]) -> dict[str, list[str]]:
    """By system, the sources that it has no text about."""
    methods = scores["methods"]
    wrote = methods.get("generate", {}).get("systems", {})
    texts, sources = _texts(methods), sources_of(scores)
    found = {}
    for name in {**scores["leaderboard"]["systems"], **wrote}:
        if name in wrote:
            found[name] = [each["source"] for each in wrote[name]["missing_texts"]]
        else:
            found[name] = [source for source in sources if source not in texts.get(name, set())]
    return found


def _texts(methods: Mapping[str, Any]) -> dict[str, set[str]]:
    """By system, the sources that a method read its text about."""
    found: dict[str, set[str]] = {}
    for method in ("panel", "audit", "quiz"):
        for name, body in methods.get(method, {}).get("systems", {}).items():
            found.setdefault(name, set()).update(body["by_source"])
    return found


def _judged(methods: Mapping[str, Any], name: str) -> dict[MeasureName, Value]:
    """What the methods say of a system."""
    panel, audit, quiz = (methods.get(method, {}).get("systems", {}).get(name) for method in ("panel", "audit", "quiz"))
    no = {method: f"no {method} in this run" for method in ("panel", "audit", "quiz") if method not in methods}
    is_judged = no.get("panel", "no text that was judged")
    is_audited = no.get("audit", "not audited")
    is_asked = no.get("quiz", "no text that the quiz was put to")
    return {
        "consensus": _score(panel, "consensus", is_judged),
        "disagreement": _score(panel, "disagreement", is_judged),
        "fabrications": _score(audit, "per_candidate", is_audited),
        "fabrication_rate": _score(audit, "fabrication_rate", is_audited),
        "disputed": _disputed(audit, is_audited),
        "cap_f1": _score(quiz, "cap_f1", is_asked),
        "cap_p": _score(quiz, "cap_p", is_asked),
        "cap_r": _score(quiz, "cap_r", is_asked),
    }


def _score(body: Mapping[str, Any] | None, field: str, otherwise: str) -> Value:
    """A score of scores.json; `otherwise` says why a system without a body has none."""
    if body is None:
        return Value(None, reason=otherwise)
    score = body[field]
    if score["value"] is None:
        return Value(None, reason=str(score.get("reason") or "no verdict"))
    return Value(score["value"], score.get("low"), score.get("high"), score.get("n"))


def is_known_audit(cell: Mapping[str, Any]) -> bool:
    """Whether an audit of one text says how many fabrications it has: half of its claims or more have a verdict."""
    return bool(cell["claims"] >= cell["missing"]) and not (cell.get("unreadable") and not cell["claims"])


def _disputed(body: Mapping[str, Any] | None, otherwise: str) -> Value:
    """Disputed claims a text, over the texts whose audit says something."""
    known = [cell for cell in (body or {"by_source": {}})["by_source"].values() if is_known_audit(cell)]
    if not known:
        return Value(None, reason=otherwise if body is None else "no text of which enough is known")
    return Value(sum(cell["disputed"] for cell in known) / len(known), n=len(known))


def _billed(bill: Mapping[str, Any] | None, is_there: bool) -> dict[MeasureName, Value]:
    """What the ledger says of a system."""
    if bill is None:
        unwritten = Value(None, reason="not written in this run" if is_there else "no ledger")
        return {"cost_per_1000": unwritten, "seconds": unwritten}
    seconds = bill.get("seconds") or {}
    return {
        "cost_per_1000": _cost(bill),
        "seconds": Value(None, reason="not measured")
        if seconds.get("median") is None
        else Value(float(seconds["median"]), n=seconds.get("n")),
    }


def _cost(bill: Mapping[str, Any]) -> Value:
    """What a thousand texts cost, None also where a part of it is not known: a lower bound fulfils no rule."""
    money, is_whole = bill.get("money_per_1000"), "money_per_1000" not in bill.get("incomplete", ())
    if money is None:
        return Value(None, reason="no price" if is_whole else "no price, or nobody counted")
    return Value(float(money)) if is_whole else Value(None, reason=f"{money:.3g} or more, a part is not known")


def _written(body: Mapping[str, Any] | None) -> Value:
    """Mean tokens of a text that the run let a system write."""
    if body is None:
        return Value(None, reason="not written in this run")
    tokens = body.get("output_tokens")
    return Value(None, reason="no text") if tokens is None else Value(float(tokens))


def to_json(values: Mapping[MeasureName, Value]) -> Json:
    """As decision.json holds them: `value` and what is known beside it, or null with the `reason`."""
    return {name: _value_to_json(value) for name, value in values.items()}


def _value_to_json(value: Value) -> Json:
    if value.value is None:
        return {"value": None, "reason": value.reason}
    beside: Iterable[tuple[str, float | int | None]] = (("low", value.low), ("high", value.high), ("n", value.n))
    return {"value": value.value, **{name: each for name, each in beside if each is not None}}
