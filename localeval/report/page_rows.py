"""The tables and lines of the page: pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from localeval.methods.leaderboard import method_of
from localeval.report.affect_answers import NO_TARGET, finds_no_target, label_of
from localeval.report.console import NOTHING, counted, decimal_text, listed, p_text, score_text, shift_text
from localeval.report.marks import mark_table, marks_of
from localeval.report.parts import marked
from localeval.report.pictures.picture import Table
from localeval.report.pictures.rows import score_words
from localeval.report.view import leaderboard

Json = Mapping[str, Any]

_INTERVAL = "value [95 % interval]"
_COLUMNS: tuple[tuple[str, str, str, Callable[[Any], str]], ...] = (
    ("audit", "fabrications", "fabrications", lambda found: NOTHING if found is None else str(found)),
    ("audit", "fabrication_rate", "of its claims, %", score_text),
    ("panel", "consensus", "consensus, %", score_text),
    ("panel", "disagreement", "disagreement, %", score_text),
    ("quiz", "cap_f1", "CapF1, %", score_text),
    ("quiz", "cap_p", "CapP, %", score_text),
    ("quiz", "cap_r", "CapR, %", score_text),
)
"""Of the leaderboard: method, name in scores.json, heading, and how the number is written."""


def leaderboard_table(scores: Json) -> Table | None:
    """One row a system, best first; None where no method of the run compares systems."""
    columns = [column for column in _COLUMNS if column[0] in scores["methods"]]
    rows = leaderboard(scores)
    if not columns or not rows:
        return None
    table = Table(
        ("rank", "system", *(heading for _, _, heading, _ in columns)),
        tuple(
            (
                str(row["rank"] or NOTHING),
                marked(row["system"], row),
                *(write(row[name]) for _, name, _, write in columns),
            )
            for row in rows
        ),
        f"Leaderboard, with 95 % intervals; a shared rank: not told apart; {NOTHING}: no such number",
    )
    refused = marks_of(scores).of(*(method for method, _, _, _ in columns))
    touched = [heading for method, _, heading, _ in columns if method in refused]
    is_ranked = any(method_of(measure) in refused for measure in scores["leaderboard"]["rank_by"])
    return mark_table(table, refused, (*touched, *(["rank"] if is_ranked else [])))


def judge_tables(affect: Json, judge: str) -> Iterator[Table]:
    """What a judge's pictures do not show: means, target against whole, drift of whole profiles, groups, noise."""
    found = affect["judges"][judge]
    yield from _if_any(_means(affect, found), "Means, 0 to 1", "of", "contract", "axis", _INTERVAL, "n", "missing")
    yield from _if_any(
        _differences(affect, found),
        "How a target is portrayed, less the mood of the same texts",
        *("target", "axis", _INTERVAL, "p-value", "n"),
    )
    yield from _if_any(
        _distances(found),
        "How far each wording moves the whole profile",
        *("contract", "wordings", "length of the mean shift", "p-value", "targets"),
    )
    yield from _if_any(
        _groups(affect, found),
        "Two groups of systems, the system being the unit",
        *("contract", "axis", "groups", "difference", "p-value"),
    )
    yield from _if_any(
        _noise(affect, found),
        "The judge's own noise, from a second reading",
        *(
            "contract",
            "axis",
            "standard deviation of one reading",
            "shift by listing the anchors from 0 up, not from 1 down",
            "n",
        ),
    )


def _if_any(rows: Iterator[tuple[str, ...]], title: str, *columns: str) -> Iterator[Table]:
    found = tuple(rows)
    if found:
        yield Table(columns, found, title)


def _differences(affect: Json, judge: Json) -> Iterator[tuple[str, ...]]:
    for name, target in judge["targets"].items():
        for axis, score in target["difference"].items():
            words = score_words(score, shift_text)
            yield name, label_of(affect, axis), words, p_text(score.get("p_value")), str(score["n"])


def _distances(judge: Json) -> Iterator[tuple[str, ...]]:
    for each in judge["drift"]:
        profile = each["profile"]
        pair = f"{each['first']} → {each['second']}"
        yield each["contract"], pair, _number(profile["distance"]), p_text(profile["p_value"]), str(profile["n"])


def _groups(affect: Json, judge: Json) -> Iterator[tuple[str, ...]]:
    for contract, axes in judge["groups"].items():
        for axis, each in axes.items():
            first, second = each["systems"]
            pair = f"{each['first']} ({first}) less {each['second']} ({second})"
            told = f"none: {each['reason']}" if each["difference"] is None else f"{each['difference']:+.2f}"
            more = f" ({each['reason']})" if each["reason"] and each["difference"] is not None else ""
            yield contract, label_of(affect, axis), pair, told, f"{p_text(each['p_value'])}{more}"


def _noise(affect: Json, judge: Json) -> Iterator[tuple[str, ...]]:
    for contract, axes in judge["repeat"].items():
        for axis, each in axes.items():
            shift = NOTHING if each["order_shift"] is None else score_words(each["order_shift"], shift_text)
            yield contract, label_of(affect, axis), _number(each["sd"]), shift, str(each["n"])


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _means(affect: Json, judge: Json) -> Iterator[tuple[str, ...]]:
    parts = {"all texts": judge["overall"]}
    parts |= {f"system {name}": each for name, each in judge["systems"].items()}
    parts |= {f"wording {name}": each for name, each in judge["wordings"].items()}
    for name, contracts in parts.items():
        for contract, axes in contracts.items():
            for axis, score in axes.items():
                counts = (str(score["n"]), str(score["missing"]))
                yield (name, contract, label_of(affect, axis), score_words(score), *counts)


def about_lines(affect: Json) -> Iterator[str]:
    """What was read, by whom, what is missing, and how far the judges agree."""
    judges = list(affect["judges"])
    yield f"{counted(affect['texts'], 'text')} ({affect['of']}), read by {', '.join(judges)}"
    if affect["missing_texts"]:
        yield f"Missing: {counted(affect['missing_texts'], 'text')} that a system did not give"
    if affect.get("missing_proposals"):
        yield f"Missing: {counted(affect['missing_proposals'], 'proposal')} of further targets"
    reasons = f" ({listed(affect['missing_by_reason'])})" if affect["missing"] else ""
    yield f"Missing: {affect['missing']} of {counted(affect['asked'], 'score')}{reasons}; in no number"
    for name in judges:
        flags = {
            flag.replace("_", " "): n for flag, n in affect["judges"][name]["flags"].items() if flag != "portraits"
        }
        portraits = affect["judges"][name]["flags"]["portraits"]
        if portraits:
            raised = f"of these {listed(flags)}" if any(flags.values()) else "no flag raised"
            yield f"{name}: {counted(portraits, 'portrait')}; {raised}"
        elif finds_no_target(affect, affect["judges"][name]):
            yield f"{name}: {NO_TARGET}"
    for each in affect["agreement"]:
        place = f"{each['contract']}, {label_of(affect, each['axis'])}"
        yield f"{each['first']} and {each['second']} on {place}: r {decimal_text(each['r'])}"
