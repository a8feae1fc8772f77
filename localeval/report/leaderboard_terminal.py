"""The leaderboard on a terminal: one row a system over all methods, and what one must know to believe it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from localeval.methods.leaderboard import method_of
from localeval.report.affect_terminal import print_affect
from localeval.report.audit_terminal import audit_lines
from localeval.report.console import (
    ASIDE,
    BAD,
    NOTHING,
    console,
    literal,
    print_lines,
    score_text,
    titled_table,
    wide_console,
)
from localeval.report.generate_terminal import generate_lines
from localeval.report.marks import SIGN, Marks, mark_heading, mark_lines, mark_number, marks_of
from localeval.report.panel_terminal import panel_lines
from localeval.report.quiz_terminal import BLOCKS, PLAIN_BLOCKS, quiz_lines, shares_bar
from localeval.report.view import leaderboard

Row = Mapping[str, Any]

_LINES: Mapping[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "generate": generate_lines,
    "audit": audit_lines,
    "panel": panel_lines,
    "quiz": quiz_lines,
}
"""What stands beneath the leaderboard, by method, in this order."""
_MEASURES = {
    "fabrications": "confirmed fabrications a text",
    "consensus": "consensus",
    "cap_f1": "CapF1",
    "cap_p": "CapP",
    "cap_r": "CapR",
}


def print_scores(scores: Mapping[str, Any]) -> None:
    """The leaderboard and what one must know to believe it; then affect, which ranks nobody. Judges that are refused
    are named beneath the table, those that nobody has checked at the end."""
    methods, marks = scores["methods"], marks_of(scores)
    if ranking := _ranking(scores):
        device = wide_console()
        device.print(_quiz_table(scores, device) if ranking == ["quiz"] else _table(scores, device))
        print_refusals(marks)
        print_lines(score_lines(scores))
    if "affect" in methods:
        print_lines(["", "affect:"] if ranking else [])
        if not ranking:
            print_refusals(marks)
        print_affect(scores["name"], methods["affect"], marks)
    for line in marks.quiet:
        console().print(literal(line, style=ASIDE))


def print_refusals(marks: Marks) -> None:
    """Which judges are refused and why, a line each; nothing where none is."""
    for line in mark_lines(marks.lines):
        console().print(literal(line, style=BAD))


def _ranking(scores: Mapping[str, Any]) -> list[str]:
    """The methods that the leaderboard shows."""
    return [method for method in scores["methods"] if method not in ("affect", "generate")]


def score_lines(scores: Mapping[str, Any]) -> Iterator[str]:
    """What stands beneath the leaderboard: each method's own lines, then what the ranks mean."""
    methods, marks = scores["methods"], marks_of(scores)
    n_ranking = len(_ranking(scores)) + ("generate" in methods)
    for method, lines in _LINES.items():
        if method in methods:
            if n_ranking > 1:
                yield f"{method}:"
            yield from mark_lines(lines(methods[method]), marks.has(method))
    if "generate" in methods or scores.get("sources", {}).get("left_out"):
        yield from _source_lines(scores["sources"])
    if n_ranking > 1:
        yield ""
    yield from _key(scores)


def _source_lines(sources: Mapping[str, Any]) -> Iterator[str]:
    """Which sources were left out, and what the choice cannot speak of."""
    if left_out := sources.get("left_out"):
        shares = ", ".join(
            f"{category or 'no category'} {each['chosen']} of {each['pool']}"
            for category, each in sources["categories"].items()
        )
        names = ", ".join(each["source"] for each in left_out)
        yield f"{len(sources['chosen'])} sources chosen ({shares}); left out: {names}"
    if sources.get("note"):
        yield f"sources: {sources['note']}"


def _key(scores: Mapping[str, Any]) -> Iterator[str]:
    """What the signs in the table mean."""
    methods, rank_by = scores["methods"], scores["leaderboard"]["rank_by"]
    if "audit" in methods:
        yield "fabrications: confirmed ones, +disputed ones; rate: confirmed ones in 100 claims"
    is_quiz = _ranking(scores) == ["quiz"]
    if not is_quiz and any(column.cell(row) == NOTHING for row in leaderboard(scores) for column in _columns(scores)):
        yield f"{NOTHING}: there is no such number"
    if rank_by != ["cap_f1"]:
        yield f"ranked by {', then '.join(_MEASURES[each] for each in rank_by)}"
    same = "by a paired test over the same questions" if is_quiz else "by paired tests over the same sources"
    yield f"a shared rank means: not told apart {same}"


def _quiz_table(scores: Mapping[str, Any], device: Console) -> Table:
    """A quiz alone has room for what was kept, bent and lost."""
    table = titled_table(_title(scores, "quiz, percent with 95 % intervals"))
    is_marked = bool(_refused(scores))
    _start(table, is_marked)
    for heading in ("CapF1", "CapP", "CapR"):
        table.add_column(_heading(heading, is_marked), no_wrap=True)
    table.add_column(shares := "kept/bent/lost", overflow="fold", min_width=len(shares))
    signs = PLAIN_BLOCKS if device.options.ascii_only else BLOCKS
    for row in leaderboard(scores):
        numbers = (mark_number(score_text(row[each]), is_marked) for each in ("cap_f1", "cap_p", "cap_r"))
        bar = shares_bar(row["counts"], signs).append(SIGN if is_marked else "")
        table.add_row(*_first_cells(row, is_marked), *numbers, bar)
    return table


@dataclass(frozen=True, slots=True)
class _Column:
    """A column of the leaderboard over several methods. `broken` is the heading where there is little room."""

    method: str
    heading: str
    broken: str
    cell: Callable[[Row], str]


def _score_of(name: str) -> Callable[[Row], str]:
    return lambda row: score_text(row[name])


def _fabrications(row: Row) -> str:
    if row["fabrications"] is None:
        return NOTHING
    return f"{row['fabrications']} +{row['disputed']}" if row["disputed"] else str(row["fabrications"])


_COLUMNS = (
    _Column("audit", "fabrications", "fabri-\ncations", _fabrications),
    _Column("audit", "rate", "rate", _score_of("fabrication_rate")),
    _Column("panel", "consensus", "consen-\nsus", _score_of("consensus")),
    _Column("panel", "disagreement", "disagree-\nment", _score_of("disagreement")),
    _Column("quiz", "CapF1", "CapF1", _score_of("cap_f1")),
    _Column("quiz", "CapP", "CapP", _score_of("cap_p")),
    _Column("quiz", "CapR", "CapR", _score_of("cap_r")),
)


def _columns(scores: Mapping[str, Any]) -> Sequence[_Column]:
    """Those of the methods that ran; one judge disagrees with nobody."""
    methods = scores["methods"]
    is_alone = "panel" in methods and len(methods["panel"]["settings"]["judges"]) == 1
    given = (each for each in _COLUMNS if each.method in methods)
    return [each for each in given if not (is_alone and each.heading == "disagreement")]


def _table(scores: Mapping[str, Any], device: Console) -> Table:
    """One row a system, with intervals beneath the numbers where they do not fit beside them."""
    rows = leaderboard(scores)
    columns = _columns(scores)
    refused = _refused(scores)
    is_marked = _is_rank_marked(scores)
    title = _title(scores, "percent with 95 % intervals")
    wide = titled_table(title)
    _start(wide, is_marked)
    for column in columns:
        wide.add_column(_heading(column.heading, column.method in refused), no_wrap=True)
    cells = [[mark_number(column.cell(row), column.method in refused) for column in columns] for row in rows]
    for row, own in zip(rows, cells, strict=True):
        wide.add_row(*_first_cells(row, is_marked), *own)
    if device.measure(wide, options=device.options.update(max_width=10_000)).maximum <= device.width:
        return wide
    narrow = titled_table(title, padding=0)
    _start(narrow, is_marked)
    for column in columns:
        narrow.add_column(_heading(column.broken, column.method in refused), no_wrap=True)
    for row, own in zip(rows, cells, strict=True):
        narrow.add_row(*_first_cells(row, is_marked), *(cell.replace(" ", "\n") for cell in own))
    return narrow


def _refused(scores: Mapping[str, Any]) -> tuple[str, ...]:
    """Those of the methods in the table that have a refused judge."""
    return marks_of(scores).of(*_ranking(scores))


def _is_rank_marked(scores: Mapping[str, Any]) -> bool:
    """Whether a rank goes by a number that is marked."""
    refused = _refused(scores)
    return any(method_of(measure) in refused for measure in scores["leaderboard"]["rank_by"])


def _heading(heading: str, is_marked: bool) -> str:
    return f"{heading} {SIGN}" if is_marked else heading


def _title(scores: Mapping[str, Any], what: str) -> str:
    return mark_heading(f"{scores['name']}: {what}", _refused(scores))


def _start(table: Table, is_marked: bool) -> None:
    table.add_column(_heading("rank", is_marked), justify="right", no_wrap=True)
    table.add_column("system", overflow="fold")  # what is too wide goes on in the next line, nothing is cut


def _first_cells(row: Row, is_marked: bool) -> tuple[str, Text]:
    name = literal(row["system"])  # literal: a system may be called "[bold]"
    marks = [mark for mark, field in (("incumbent", "incumbent"), ("generic prompt", "generic")) if row.get(field)]
    rank = mark_number(str(row["rank"] or NOTHING), is_marked)
    return rank, name.append(f" ({', '.join(marks)})", style=ASIDE) if marks else name
