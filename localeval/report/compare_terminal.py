"""Judges beside people on a terminal: a table for each judge and item, then what one must know to believe it."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from localeval.comparing.given import PEOPLE
from localeval.report.console import (
    counted,
    decimal_text,
    listed,
    literal,
    plain_table,
    print_lines,
    score_text,
    shift_text,
    some,
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
    "bias": "higher (+) or lower",
    "mae": "mean distance",
}
_OF_WHAT = {"verdict": "share called unfaithful", "fate": "share of questions kept"}
_MOST_CLASSES = 6
_MOST_NAMED = 8
_MUCH_LIFTED = 0.05
"""By so much rescaling must lift alpha before it is said."""


def print_comparison(found: Json) -> None:
    """A comparison ("localeval.compare/1")."""
    device = wide_console()
    print_lines(_head(found))
    if sum(len(item["judges"]) for item in found["items"]) > 1:
        _print(device, "in short: alpha of numbers, AC1 of words", _overview(found))
    for item in found["items"]:
        for judge, body in item["judges"].items():
            _print_judge(device, item, judge, body)
        print_lines(["", *_common_lines(item)])
    print_lines(_tail(found))


def _head(found: Json) -> Iterator[str]:
    """Who is compared with whom."""
    people = found["people"]
    more = [f"and {len(people) - _MOST_NAMED} more"] if len(people) > _MOST_NAMED else []
    groups = {"people": [*people[:_MOST_NAMED], *more], "earlier judges": found["others"]}
    whom = "; ".join(f"{what}: {', '.join(names)}" for what, names in groups.items() if names)
    if not found["judges"]:
        yield f"no judge; {whom}"
        return
    of = f" of {found['run']}" if found["run"] else ""
    yield f"{', '.join(found['judges'])}{of} beside {whom}"


def _print_judge(device: Console, item: Json, judge: str, body: Json) -> None:
    """One judge on one item: the tables of the first that it is compared with, a line for each of the others."""
    name, first = next(iter(body.items()))
    _print(device, f"{item['item']}: {judge} beside {_whose(item, name)}", _measures(first))
    print_lines(_judge_lines(item, first))
    if first["confusion"] is not None:
        _print(device, f"rows: {name}; columns: the judge", _confusion(first["confusion"]))
    if len(first["systems"]) > 1:
        _print(device, f"by system, highest by {name} first", _systems(first["systems"], name))
        print_lines(_gap_lines(first, name))
    if len(body) > 1:
        _print(device, "beside each alone", _others({each: found for each, found in body.items() if each != name}))


def _print(device: Console, title: str, table: Table) -> None:
    """A table beneath its title, which may be wider and holds names as they are."""
    device.print()
    device.print(literal(title, style="italic"))
    device.print(table)


def _overview(found: Json) -> Table:
    table = plain_table()
    for heading in ("item", "judge", "n", "all texts", "within a system"):
        table.add_column(heading, justify="right" if heading == "n" else "left", overflow="fold")
    for item in found["items"]:
        for judge, body in item["judges"].items():
            first = next(iter(body.values()))
            measure = "alpha_interval" if "alpha_interval" in first["all"] else "ac1"
            scores = (_written(measure, first[where][measure]) for where in ("all", "within"))
            table.add_row(literal(item["item"]), literal(judge), str(first["n"]), *scores)
    return table


def _whose(item: Json, name: str) -> str:
    return f"{len(item['agreement']['raters'])} people together" if name == PEOPLE else name


def _measures(body: Json) -> Table:
    table = plain_table()
    for column in ("", "all texts", "within a system"):
        table.add_column(column, no_wrap=True)
    for measure, score in body["all"].items():
        table.add_row(_NAMES[measure], _written(measure, score), _written(measure, body["within"].get(measure)))
    return table


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
        yield f"higher or lower: by the {of}"
    for measure in body["pooled_above_within"][:1]:
        yield (
            f"{_NAMES[measure]} is {body['all'][measure]['value']:.2f} over all texts and "
            f"{body['within'][measure]['value']:.2f} within a system: most of the agreement is that systems differ, "
            "which is easy to see"
        )


def _confusion(confusion: Json) -> Table:
    table = plain_table()
    classes, counts = confusion["classes"], confusion["counts"]
    used = [n for n, row in enumerate(counts) if sum(row) or any(each[n] for each in counts)][:_MOST_CLASSES]
    for heading in ("", *(classes[n] for n in used), "right, %"):
        table.add_column(literal(heading), justify="right" if heading else "left", overflow="fold")
    for row in used:
        cells = [str(counts[row][n]) for n in used]
        table.add_row(literal(classes[row]), *cells, score_text(confusion["recall"][classes[row]]))
    return table


def _systems(systems: Json, name: str) -> Table:
    table = plain_table()
    for heading in ("system", "n", "judge", name, "higher (+) or lower"):
        table.add_column(literal(heading), justify="left" if heading == "system" else "right", overflow="fold")
    for system, row in sorted(systems.items(), key=lambda each: -each[1]["other"]):
        means = (f"{row[which]:.2f}" for which in ("judge", "other"))
        table.add_row(literal(system or "(source)"), str(row["n"]), *means, shift_text(row["bias"]))
    return table


def _gap_lines(body: Json, name: str) -> Iterator[str]:
    gap = body["gap"]
    if gap is not None and gap["leniency"]["value"] is not None:
        by_whom = f"{decimal_text(gap['other'])} by {name}, {decimal_text(gap['judge'])} by the judge"
        yield f"from {gap['lowest']} to {gap['highest']}: {by_whom}"
        if gap["leniency"]["low"] > 0:
            yield "the judge is kinder to the weaker of the two: it sets systems closer together than they are"
        if gap["leniency"]["high"] < 0:
            yield "the judge is harder on the weaker of the two: it sets systems further apart than they are"
    if body["own_family"] is not None:
        shift = shift_text(body["own_family"]["shift"])
        yield f"texts of its own family ({body['own_family']['family']}) against others': {shift}"


def _others(besides: Json) -> Table:
    """The judge beside each of the others, in the few numbers that a line holds."""
    measures = [each for each in ("accuracy", "alpha_nominal", "alpha_interval", "pearson") if _has(besides, each)][:3]
    table = plain_table()
    for heading in ("", "n", *(_NAMES[each] for each in measures)):
        table.add_column(heading, justify="right" if heading else "left", overflow="fold")
    for name, body in besides.items():
        table.add_row(literal(name), str(body["n"]), *(_written(each, body["all"][each]) for each in measures))
    return table


def _has(besides: Json, measure: str) -> bool:
    return all(measure in body["all"] for body in besides.values())


def _common_lines(item: Json) -> Iterator[str]:
    """What holds of an item whoever judges it: how far people agree, how high each marks, what judges are worth."""
    if (found := item["agreement"]) is not None:
        yield f"{item['item']}: {len(found['raters'])} people with one another"
        for where, scores in (("all texts", found["all"]), ("within a system", found["within"])):
            known = {name: score for name, score in scores.items() if score["value"] is not None}
            if known:
                told = "; ".join(f"{_NAMES[name]} {_written(name, score)}" for name, score in known.items())
                yield f"  {where}, n {max(score['n'] for score in known.values())}: {told}"
        yield from _rescaled(found["all"])
    yield from _ceiling(item)
    rows = item["raters"].items()
    marks = [f"{name} {shift_text(row['severity'])}" for name, row in rows if row["severity"]["value"] is not None]
    if marks:
        yield f"{item['item']}: marks higher (+) or lower (-) than the (other) people: {', '.join(marks)}"
    if item["effective"] is not None and item["effective"]["effective"]["value"] is not None:
        worth, judges = item["effective"]["effective"], item["effective"]["judges"]
        yield f"{item['item']}: by what their errors have in common, {judges} judges are worth {decimal_text(worth)}"


def _rescaled(scores: Json) -> Iterator[str]:
    """Where raters differ in how high they mark."""
    plain, rescaled = (scores.get(name, {}).get("value") for name in ("alpha_interval", "alpha_z"))
    if plain is not None and rescaled is not None and rescaled - plain >= _MUCH_LIFTED:
        yield (
            f"  rescaling each rater lifts alpha from {plain:.2f} to {rescaled:.2f}: "
            "they differ in how high they mark more than in what they see"
        )


def _ceiling(item: Json) -> Iterator[str]:
    """How far one person follows the others: more is not to be expected of a judge."""
    measure = "pearson" if any("pearson" in body["all"] for body in item["each"].values()) else "accuracy"
    told = [
        f"{name} {_written(measure, body['all'][measure])}"
        for name, body in item["each"].items()
        if body["all"][measure]["value"] is not None
    ]
    if told:
        yield f"{item['item']}: each person beside the others, {_NAMES[measure]}: {', '.join(told)}"


def _tail(found: Json) -> Iterator[str]:
    if found["not_compared"]:
        yield f"rated by judges alone, or by the others alone: {some(found['not_compared'], _MOST_NAMED)}"
    if found["aside"]:
        yield f"labels left aside: {listed(found['aside'])}"
