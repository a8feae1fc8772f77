"""Judges beside people on a terminal: a table for each judge and item, then what one must know to believe it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from localeval.report.console import (
    NOTHING,
    counted,
    decimal_text,
    listed,
    literal,
    print_lines,
    score_text,
    shift_text,
    titled_table,
    wide_console,
)

Json = Mapping[str, Any]

_SHARES = ("accuracy", "balanced_accuracy", "raw")
_NAMES = {
    "accuracy": "same verdict, %",
    "balanced_accuracy": "same, mean of classes, %",
    "raw": "same verdict, %",
    "kappa": "kappa",
    "ac1": "AC1",
    "alpha_nominal": "alpha, same or not",
    "alpha_ordinal": "alpha, by order",
    "alpha_interval": "alpha, by distance",
    "alpha_z": "alpha, each rescaled",
    "spearman": "Spearman",
    "kendall": "Kendall tau-b",
    "pearson": "Pearson r",
    "bias": "judge minus these",
    "mae": "mean distance",
}
_OF_WHAT = {"verdict": "share called unfaithful", "fate": "share of questions kept"}
_MOST_CLASSES = 6


def print_comparison(found: Json) -> None:
    """A comparison ("localeval.compare/1")."""
    device = wide_console()
    print_lines(_head(found))
    for item in found["items"]:
        for judge, body in item["judges"].items():
            _print_judge(device, item, judge, body)
        print_lines(["", *_common_lines(item)])
    print_lines(_tail(found))


def _head(found: Json) -> Iterator[str]:
    whom = ", ".join(found["judges"]) or "no judge"
    of = f" of {found['run']}" if found["run"] else ""
    told = [*found["people"][:8], *([f"and {len(found['people']) - 8} more"] if len(found["people"]) > 8 else [])]
    beside = "; ".join(
        each
        for each in (
            f"people: {', '.join(told)}" * bool(told),
            f"judges: {', '.join(found['others'])}" * bool(found["others"]),
        )
        if each
    )
    yield f"{whom}{of} beside {beside}"


def _print_judge(device: Console, item: Json, judge: str, body: Json) -> None:
    """One judge on one item: the table of the first that it is compared with, a line for each of the others."""
    name, first = next(iter(body.items()))
    whose = f"{counted(len(item['agreement']['raters']), 'person')} together" if name == "people" else name
    table = titled_table(f"{item['item']}: {judge} beside {whose.replace('persons', 'people')}")
    for column in ("", "all texts", "within a system"):
        table.add_column(column, no_wrap=True)
    for measure, score in first["all"].items():
        table.add_row(_NAMES[measure], _written(measure, score), _written(measure, first["within"].get(measure)))
    device.print()
    device.print(table)
    print_lines(_judge_lines(item, first))
    if first["confusion"] is not None:
        device.print(_confusion(first["confusion"], whose))
    if len(first["systems"]) > 1:
        device.print(_systems(first["systems"]))
        print_lines(_gap_lines(first))
    if len(body) > 1:
        device.print(_others({each: found for each, found in body.items() if each != name}))


def _written(measure: str, score: Json | None) -> str:
    if score is None:
        return ""
    if measure in _SHARES:
        return score_text(score)
    return shift_text(score) if measure == "bias" else decimal_text(score)


def _judge_lines(item: Json, body: Json) -> Iterator[str]:
    """What the table rests on, and what it must not be taken for."""
    tied = f", {body['tied']} without a majority" if body["tied"] else ""
    yield f"n {body['n']} of {counted(item['sources'], 'source')}, {body['missing']} without a verdict{tied}"
    if (of := _OF_WHAT.get(item["scale"])) is not None:
        yield f"judge minus these: difference of the {of}"
    for measure in body["pooled_above_within"][:1]:
        yield (
            f"{_NAMES[measure]} is {body['all'][measure]['value']:.2f} over all texts and "
            f"{body['within'][measure]['value']:.2f} within a system: most of the agreement is that systems differ, "
            "which is easy to see"
        )


def _confusion(confusion: Json, whose: str) -> Table:
    table = titled_table(f"rows: {whose}; columns: the judge")
    classes = confusion["classes"]
    used = [n for n, row in enumerate(confusion["counts"]) if sum(row) or any(each[n] for each in confusion["counts"])]
    used = used[:_MOST_CLASSES]
    for name in ("", *(classes[n] for n in used), "right, %"):
        table.add_column(literal(name), justify="right" if name else "left", overflow="fold")
    for row in used:
        cells = [str(confusion["counts"][row][n]) for n in used]
        table.add_row(literal(classes[row]), *cells, score_text(confusion["recall"][classes[row]]))
    return table


def _systems(systems: Json) -> Table:
    table = titled_table("by system, highest first")
    for name in ("system", "n", "judge", "these", "judge minus these"):
        table.add_column(name, justify="left" if name == "system" else "right", overflow="fold")
    for system, row in sorted(systems.items(), key=lambda each: -each[1]["other"]):
        table.add_row(
            literal(system or "(source)"),
            str(row["n"]),
            f"{row['judge']:.2f}",
            f"{row['other']:.2f}",
            shift_text(row["bias"]),
        )
    return table


def _gap_lines(body: Json) -> Iterator[str]:
    gap = body["gap"]
    if gap is not None and gap["leniency"]["value"] is not None:
        yield (
            f"from {gap['lowest']} to {gap['highest']}: {decimal_text(gap['other'])} by these, "
            f"{decimal_text(gap['judge'])} by the judge"
        )
        if gap["leniency"]["low"] > 0:
            yield "the judge is lenient to the weak: systems lie closer together in its scores than they are"
        if gap["leniency"]["high"] < 0:
            yield "the judge is hard on the weak: systems lie further apart in its scores than they are"
    if body["own_family"] is not None:
        shift = shift_text(body["own_family"]["shift"])
        yield f"texts of its own family ({body['own_family']['family']}) against others': {shift}"


def _others(besides: Json) -> Table:
    """The judge beside each of the others, in the few numbers that a line holds."""
    measures = [each for each in ("accuracy", "alpha_nominal", "alpha_interval", "pearson") if _has(besides, each)][:3]
    table = titled_table("beside each alone")
    for name in ("", "n", *(_NAMES[each] for each in measures)):
        table.add_column(name, justify="left" if not name else "right", overflow="fold")
    for name, body in besides.items():
        table.add_row(literal(name), str(body["n"]), *(_written(each, body["all"][each]) for each in measures))
    return table


def _has(besides: Json, measure: str) -> bool:
    return all(measure in body["all"] for body in besides.values())


def _common_lines(item: Json) -> Iterator[str]:
    """What holds of an item whoever judges it: how far people agree, how high each marks, what judges are worth."""
    if (found := item["agreement"]) is not None:
        yield f"{item['item']}: people with one another, n {_most(found['all'])}"
        for where, scores in (("all texts", found["all"]), ("within a system", found["within"])):
            told = [
                f"{_NAMES[name]} {_written(name, score)}"
                for name, score in scores.items()
                if score["value"] is not None
            ]
            if told:
                yield f"  {where}: {'; '.join(told)}"
        yield from _rescaled(found["all"])
    if item["each"]:
        yield from _ceiling(item)
    marks = [
        f"{name} {shift_text(row['severity'])}"
        for name, row in item["raters"].items()
        if row["severity"]["value"] is not None
    ]
    if marks:
        yield f"{item['item']}: marks higher (+) or lower (-) than the other people: {', '.join(marks)}"
    if item["effective"] is not None and item["effective"]["effective"]["value"] is not None:
        worth, judges = item["effective"]["effective"], item["effective"]["judges"]
        yield f"{item['item']}: {judges} judges err so much alike that they are worth {decimal_text(worth)}"


def _most(scores: Json) -> int:
    return max(score["n"] for score in scores.values())


def _rescaled(scores: Json) -> Iterator[str]:
    plain, rescaled = scores.get("alpha_interval"), scores.get("alpha_z")
    if (
        plain
        and rescaled
        and None not in (plain["value"], rescaled["value"])
        and rescaled["value"] - plain["value"] > 0.05
    ):
        yield (
            f"  rescaling each rater lifts alpha from {plain['value']:.2f} to {rescaled['value']:.2f}: "
            "they differ in how high they mark more than in what they see"
        )


def _ceiling(item: Json) -> Iterator[str]:
    """How far one person follows the others: more is not to be expected of a judge."""
    measure = "pearson" if "pearson" in next(iter(item["each"].values()))["all"] else "accuracy"
    told = [
        f"{name} {_written(measure, body['all'][measure])}"
        for name, body in item["each"].items()
        if body["all"][measure]["value"] is not None
    ]
    if told:
        yield f"{item['item']}: each person beside the others, {_NAMES[measure]}: {', '.join(told)}"


def _tail(found: Json) -> Iterator[str]:
    if found["not_compared"]:
        yield f"rated on one side alone: {', '.join(found['not_compared'])}"
    if found["aside"]:
        yield f"labels left aside: {listed(found['aside'])}"
