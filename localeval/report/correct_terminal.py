"""Corrected means on a terminal: a table for each item, then how far the judges' probabilities can be believed."""

from collections.abc import Iterator, Mapping
from typing import Any

from rich.table import Table

from localeval.report.console import (
    NOTHING,
    axis_text,
    counted,
    listed,
    literal,
    print_lines,
    titled_table,
    wide_console,
)

Json = Mapping[str, Any]

_KINDS = {"plain": "as they came", "isotonic": "isotonic, cross-fitted", "platt": "Platt, cross-fitted"}


def print_correction(found: Json) -> None:
    """A correction ("localeval.correct/1")."""
    device = wide_console()
    print_lines(_head(found))
    for item in found["items"]:
        device.print(_table(item))
        print_lines([*_item_lines(item, found["method"]), ""])
    for judge in found["calibration"]:
        if "measured" in judge:
            device.print(_calibration_table(judge))
    print_lines(_tail(found))


def _head(found: Json) -> Iterator[str]:
    raters = counted(len(found["people"]), "rater")
    yield f"{', '.join(found['judges'])} corrected by {raters} of {', '.join(found['labels'])}"
    if found["picked"]:
        alone = counted(found["picked"], "text")
        yield f"{alone} of the sheets stand for themselves alone: picked for doubt, or on an earlier sheet."
    else:
        yield "No sheet was made of this run: the labels are taken for a random sample of each system's texts."
    yield ""


def _table(item: Json) -> Table:
    """One row a system, and one for all."""
    table = titled_table(f"{item['item']}: {item['what']}")
    table.add_column("system", overflow="fold")
    for heading in ("judges\nsay", "corrected", "labels\nalone", "labels", "worth", "weight", "rank"):
        table.add_column(heading, justify="right", no_wrap=True)
    several = len(item["systems"]) > 1
    for name, part in [*item["systems"].items(), *([("all", item["all"])] if several else [])]:
        table.add_row(literal(name or "(the source)", style="bold" if part is item["all"] else ""), *_cells(part))
    return table


def _cells(part: Json) -> list[str]:
    scores = [_text(part[name]) for name in ("judged", "corrected", "labels_alone")]
    worth = NOTHING if part["worth"] is None else f"{part['worth']:.0f}"
    weight = NOTHING if part["weight"] is None else f"{part['weight']:.2f}"
    rank = part.get("rank")
    ranks = NOTHING if not rank else f"{rank['judged']} → {rank['corrected']}"
    return [
        scores[0],
        scores[1] + ("*" if part["is_cut"] else ""),
        scores[2],
        str(part["labels"]),
        worth,
        weight,
        ranks,
    ]


def _text(score: Json) -> str:
    """The number, its interval beneath it."""
    return NOTHING if score["value"] is None else axis_text(score).replace(" ", "\n")


def _item_lines(item: Json, method: str) -> Iterator[str]:
    parts = {**item["systems"], "all": item["all"]}
    reasons = {name: part["corrected"]["reason"] for name, part in parts.items() if part["corrected"]["value"] is None}
    for reason in dict.fromkeys(reasons.values()):
        yield f"not corrected ({reason}): {', '.join(name for name, why in reasons.items() if why == reason)}"
    if any(part["is_cut"] for part in parts.values()):
        yield "* lay outside what is possible, and was put on the end."
    if len(item["weights"]) > 1:
        weights = ", ".join(f"{judge} {weight:.2f}" for judge, weight in item["weights"].items())
        yield f"weights of the judges, by how well they meet the labels beyond chance: {weights}"
    if item["labels_unjudged"]:
        yield f"{counted(item['labels_unjudged'], 'label')} of texts without a verdict or score entered nothing."
    if item["known"]:
        told = [
            f"{name} {each['right'] / each['n']:.2f} (as of {each['n']:.0f} texts)"
            for name, each in item["known"].items()
        ]
        yield f"{', '.join(told)}, taken to be the same on every system."
    elif method == "ppi" and not item["all"]["by_system"] and len(item["systems"]) > 1:
        yield "all: as one, since a system has too few labels to be corrected by itself."


def _calibration_table(found: Json) -> Table:
    """How right one judge's probabilities are, as they came and calibrated."""
    counts = f"{counted(found['n'], 'label')}, {counted(found['sources'], 'source')}"
    title = f"probabilities of {found['judge']} ({found['event']}): {counts}"
    table = titled_table(title)
    table.add_column("probabilities", overflow="fold")
    for heading in ("ECE", "without\nchance", "Brier", "reli-\nability", "reso-\nlution", "uncer-\ntainty"):
        table.add_column(heading, justify="right", no_wrap=True)
    for kind, words in _KINDS.items():
        each = found["measured"][kind]
        parts = [f"{each[name]:.3f}" for name in ("reliability", "resolution", "uncertainty")]
        table.add_row(words, f"{each['ece']:.3f}", _text(each["error"]), _text(each["brier"]), *parts)
    return table


def _tail(found: Json) -> Iterator[str]:
    for judge in found["calibration"]:
        if "reason" in judge:
            yield f"probabilities of {judge['judge']} are not calibrated: {judge['reason']}"
    if found["not_corrected"]:
        yield f"labelled, and not corrected by this method: {', '.join(found['not_corrected'])}"
    if found["aside"]:
        yield f"labels left aside: {listed(found['aside'])}"
