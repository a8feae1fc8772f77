"""The tables and lines of the page: pure."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from localeval.report.affect_answers import label_of
from localeval.report.console import NOTHING, axis_text, counted, decimal_text, listed, p_text, score_text, shift_text
from localeval.report.pictures.picture import Table
from localeval.report.view import leaderboard

Json = Mapping[str, Any]

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
    return Table(
        ("rank", "system", *(heading for _, _, heading, _ in columns)),
        tuple(
            (str(row["rank"] or NOTHING), row["system"], *(write(row[name]) for _, name, _, write in columns))
            for row in rows
        ),
        f"Leaderboard, with 95 % intervals; a shared rank: not told apart; {NOTHING}: no such number",
    )


def judge_tables(affect: Json, judge: str) -> Iterator[Table]:
    """What a judge's pictures do not show: the means, and target against whole."""
    found = affect["judges"][judge]
    means = [*_means(affect, found)]
    if means:
        yield Table(("of", "contract", "axis", "mean [95 % interval]", "n", "missing"), tuple(means), "Means, 0 to 1")
    differences = [
        (name, label_of(affect, axis), shift_text(score), p_text(score.get("p_value")), str(score["n"]))
        for name, target in found["targets"].items()
        for axis, score in target["difference"].items()
    ]
    if differences:
        columns = ("target", "axis", "target less whole [95 % interval]", "p", "n")
        yield Table(columns, tuple(differences), "How a target is portrayed, less the mood of the same texts")


def _means(affect: Json, judge: Json) -> Iterator[tuple[str, ...]]:
    parts = {"all texts": judge["overall"]}
    parts |= {f"system {name}": each for name, each in judge["systems"].items()}
    parts |= {f"wording {name}": each for name, each in judge["wordings"].items()}
    for name, contracts in parts.items():
        for contract, axes in contracts.items():
            for axis, score in axes.items():
                counts = (str(score["n"]), str(score["missing"]))
                yield (name, contract, label_of(affect, axis), axis_text(score), *counts)


def about_lines(affect: Json) -> Iterator[str]:
    """What was read, by whom, what is missing, and how far the judges agree."""
    judges = list(affect["judges"])
    yield f"{counted(affect['texts'], 'text')} ({affect['of']}), read by {', '.join(judges)}"
    if affect["missing_texts"]:
        yield f"Missing: {counted(affect['missing_texts'], 'text')} that a system did not give"
    reasons = f" ({listed(affect['missing_by_reason'])})" if affect["missing"] else ""
    yield f"Missing: {affect['missing']} of {counted(affect['asked'], 'score')}{reasons}; in no number"
    for name in judges:
        flags = {
            flag.replace("_", " "): n for flag, n in affect["judges"][name]["flags"].items() if flag != "portraits"
        }
        portraits = affect["judges"][name]["flags"]["portraits"]
        if portraits:
            yield f"{name}: {counted(portraits, 'portrait')}; of these {listed(flags)}"
    for each in affect["agreement"]:
        place = f"{each['contract']}, {label_of(affect, each['axis'])}"
        yield f"{each['first']} and {each['second']} on {place}: r {decimal_text(each['r'])}"
