"""The page of a check: who passed and why not, what was found by kind and place, leanings, and every planted text."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from localeval.inputs.writing import write_file
from localeval.report.check_rows import (
    HEADINGS,
    Check,
    column,
    failure_lines,
    judge_rows,
    kind_rows,
    not_planted_line,
    points_words,
    probe_lines,
    reason_lines,
    shortened_line,
    test_line,
)
from localeval.report.page import page_of_parts
from localeval.report.parts import Block, Part
from localeval.report.pictures.files import drawing_script
from localeval.report.pictures.heat import heat_picture
from localeval.report.pictures.picture import NoPicture, Picture, Table

_LONGEST = 160
"""Characters of what was planted that a row shows."""


def write_check_page(check: Check, path: Path) -> None:
    """The page of check.json, written to a file. Raises InputError where it cannot be."""
    parts = [_judges(check), *_of_judges(check), _texts(check)]
    hashes = {"test": str(check["test"]["hash"])}
    hashes |= {f"judge {column(judge)}": str(judge["key"]) for judge in check["judges"]}
    hashes |= {f"model {name}": str(identity) for name, identity in check["models"].items()}
    name = f"{check['name']}: judges checked"
    write_file(path, page_of_parts(name, [test_line(check)], parts, hashes, drawing_script()))


def _judges(check: Check) -> Part:
    """All judges side by side."""
    refused = [column(judge) for judge in check["judges"] if not judge["passed"]]
    lead = f"Below their bars: {', '.join(refused)}." if refused else "Every judge is above its bars."
    lines = (
        *reason_lines(check),
        *failure_lines(check),
        *([not_planted_line(check)] if not_planted_line(check) else ()),
    )
    kinds = Table(("kind of error", *(column(judge) for judge in check["judges"])), tuple(kind_rows(check)))
    blocks = (
        Block(
            lines=lines, table=Table(HEADINGS, tuple(judge_rows(check)), "Per cent, with 95 % intervals over sources")
        ),
        Block("Found of planted, by kind of error", table=kinds),
    )
    return Part("judges", "Judges", blocks, lead)


def _of_judges(check: Check) -> Iterator[Part]:
    """What is said of one judge of one method alone."""
    for number, judge in enumerate(check["judges"], 1):
        drawn = heat_picture(judge, number)
        lines = tuple(line for line in (_bars_line(judge), shortened_line(judge), *probe_lines(judge)) if line)
        pictures = (drawn,) if isinstance(drawn, Picture) else ()
        left_out = (drawn,) if isinstance(drawn, NoPicture) else ()
        verdict = "passed" if judge["passed"] else "refused"
        yield Part(
            f"judge-{number}",
            f"{judge['method']} by {judge['model']} ({verdict})",
            (Block(lines=lines), *_probe_blocks(judge)),
            pictures=pictures,
            left_out=left_out,
        )


def _bars_line(judge: Mapping[str, Any]) -> str:
    bars = judge["bars"]
    return (
        f"bars: detection at least {100 * bars['detection']:g} %, false alarm at most {100 * bars['false_alarm']:g} %, "
        f"lower end of balanced accuracy above {100 * bars['above']:g} %, missing at most {100 * bars['missing']:g} %"
    )


def _probe_blocks(judge: Mapping[str, Any]) -> Iterator[Block]:
    """The cases of each probe that has some."""
    for name, probe in judge["probes"].items():
        rows = tuple(
            (str(row["case"]), points_words(row["value"]))
            for row in probe["rows"]
            if isinstance(row["value"], Mapping) and row["value"]["value"] is not None
        )
        if rows:
            yield Block(f"Probe: {name}", table=Table(("case", probe["unit"]), rows, probe["what"]))


def _texts(check: Check) -> Part:
    """Every text against the whole source, with what each judge said of it."""
    names = [column(judge) for judge in check["judges"]]
    rows = tuple(
        (
            row["id"],
            row["source"],
            row["origin"],
            row["kind"] or row["role"],
            _short(row["before"]),
            _short(row["after"]),
            "" if row["position"] is None else f"{100 * row['position']:.0f} %",
            *(row["verdicts"].get(name, "") for name in names),
        )
        for row in check["texts"]
        if row["view"] == "whole"
    )
    columns = ("text", "source", "made from", "kind", "stood there", "planted", "place", *names)
    return Part("texts", "Every text", (Block(table=Table(columns, rows)),))


def _short(words: str) -> str:
    one = " ".join(words.split())
    return one if len(one) <= _LONGEST else f"{one[: _LONGEST - 1]}…"
