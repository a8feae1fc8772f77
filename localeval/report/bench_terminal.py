"""The table judge x set on a terminal: each figure with its interval and n, and the published one beside it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rich.table import Table
from rich.text import Text

from localeval.public_sets.published import PANEL_OF_THREE, SETS, WEIGHED, Yardstick
from localeval.public_sets.table import SetContents, TableRow, Unit, unmatched
from localeval.report.console import ASIDE, NOTHING, counted, listed, literal, print_lines, wide_console
from localeval.stats.estimate import FEW_SOURCES, Undefined

_NAMES = {
    "llmbar": "LLMBar",
    "elitr_bench": "ELITR-Bench",
    "squality": "SQuALITY",
    "emobank": "EmoBank",
    "summedits": "SummEdits",
    "newsmtsc": "NewsMTSC",
    "tofueval": "TofuEval",
    "qmsum": "QMSum",
}
_UNITS: dict[Unit, str] = {"share": ", %", "coefficient": "", "points": ", points"}
_LOCAL = "*"


_LABEL, _VALUE, _N, _PUBLISHED = 27, 21, 19, 9
"""Widths of the columns: 80 with a space behind each."""


@dataclass
class _Group:
    """The rows of one measure on one set, and the published figures that no row is held against."""

    unit: Unit
    rows: list[TableRow] = field(default_factory=list)
    published: list[Yardstick] = field(default_factory=list)


_Place = tuple[str, str]
"""(set, measure)"""


def print_bench(contents: Sequence[SetContents], rows: Sequence[TableRow], with_details: bool) -> None:
    """What there is, the headline of every judge on every set, with `with_details` also how each comes about."""
    print_lines(f"{_NAMES[each.set]}: {each.holds}; {each.use}" for each in contents)
    shown = [row for row in rows if row.is_headline or with_details]
    device = wide_console()
    heads = _columns()
    heads.add_row("", "value [95 % interval]", "n", "published")
    device.print(heads, style=ASIDE)
    for place, group in _groups(shown, unmatched(rows)).items():
        clusters = f" (n of {group.rows[0].clusters})" if group.rows else ""
        device.print(literal(f"{_NAMES[place[0]]}: {place[1]}{_UNITS[group.unit]}{clusters}", "bold"))
        device.print(_table(group))
    print_lines(_notes(shown, len(rows) - len(shown)))


def figure_text(row: TableRow) -> str:
    """A figure with its interval: shares per cent, points with their sign; why there is none."""
    score = row.score
    if isinstance(score, Undefined):
        return f"{NOTHING} ({score.reason})"
    value, low, high = (_number(each, row.unit) for each in (score.value, score.low, score.high))
    return f"{value} [{low} to {high}]"


def _number(value: float, unit: Unit) -> str:
    if unit == "share":
        return f"{value * 100:.1f}"
    return f"{round(value, 2) + 0.0:+.2f}" if unit == "points" else f"{round(value, 2) + 0.0:.2f}"  # never "-0.00"


def _columns() -> Table:
    """An empty grid: every group has the same columns."""
    table = Table.grid(padding=(0, 1, 0, 0))
    for width in (_LABEL, _VALUE, _N):
        table.add_column(min_width=width, max_width=width)
    table.add_column(min_width=_PUBLISHED, justify="right")
    return table


def _table(group: _Group) -> Table:
    table = _columns()
    for row in group.rows:
        yardstick = row.yardstick
        beside = _number(yardstick.value, row.unit) if yardstick is not None else ""
        label = _label(row.part, row.judge, mark=_LOCAL if row.is_local else " ")
        table.add_row(label, literal(figure_text(row)), literal(_counts(row)), beside)
    for each in group.published:
        value = literal(_number(each.value, group.unit), ASIDE)
        table.add_row(_label(each.part, each.judge, ASIDE), NOTHING, "", value)
    return table


def _label(part: str, judge: str, style: str = "", mark: str = " ") -> Text:
    return literal(f"{mark} {part}: {judge}" if part else f"{mark} {judge}", style)


def _groups(rows: Sequence[TableRow], published: Sequence[Yardstick]) -> dict[_Place, _Group]:
    """Set by set, in each as its rows come; within a measure part by part, models that were asked here last."""
    groups: dict[_Place, _Group] = {}
    for name in SETS:
        for row in rows:
            if row.set == name:
                groups.setdefault((name, row.measure), _Group(row.unit)).rows.append(row)
        for each in published:
            if each.set == name:  # what papers report of other judges are shares
                groups.setdefault((name, each.measure), _Group("share")).published.append(each)
    for group in groups.values():
        parts = list(dict.fromkeys(row.part for row in group.rows))
        group.rows.sort(key=lambda row: parts.index(row.part))
    return groups


def _counts(row: TableRow) -> str:
    score = row.score
    missing = f", {score.missing} missing" if score.missing else ""
    return f"{score.n} of {score.sources}{missing}"


def _notes(rows: Sequence[TableRow], hidden: int) -> Iterator[str]:
    if any(row.is_local for row in rows):
        yield f"{_LOCAL}: a model that was asked here, on a random sample; the others are stored with the sets"
    yield from _missing(rows)
    few = sorted({row.clusters for row in rows if 0 < row.score.sources < FEW_SOURCES})
    if few:
        yield f"fewer than {FEW_SOURCES} {' or '.join(few)} in places: those intervals rest on an assumption"
    yield "published: of the whole set or its paper; what a part of a set gives differs (docs/judges.md)"
    if any(row.judge == PANEL_OF_THREE for row in rows):
        yield f"{PANEL_OF_THREE}: PaLM2, LLaMA2 and ChatGPT; {WEIGHED}: all five, their votes weighed by 60 labels"
    if hidden:
        yield f"{counted(hidden, 'further figure')} on leanings, raters and kinds: --details"


def _missing(rows: Iterable[TableRow]) -> Iterator[str]:
    """Why verdicts of models that were asked here are missing, by model and set."""
    told: dict[tuple[str, str], dict[str, int]] = {}
    for row in rows:
        if row.is_local and row.is_headline and row.reasons:
            counts = told.setdefault((row.judge, row.set), {})
            for reason, n in row.reasons.items():
                counts[reason] = counts.get(reason, 0) + n
    for (judge, name), counts in told.items():
        yield f"{judge} on {_NAMES[name]}: no verdict for {listed(counts)}"
