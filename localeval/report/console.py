"""What everything on the terminal shares: the console, tables, and how words and numbers are written."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from localeval.prompts import one_line
from localeval.report.rows import Proof

Score = Mapping[str, Any]
"""A score as it stands in scores.json: docs/scores.md."""

GOOD, BAD, DOUBTFUL, LACKING, ASIDE = "green", "red", "yellow", "magenta", "dim"
"""Styles, by what they mean."""

NOTHING = "-"
"""What stands where there is no number."""

_LEAST_WIDTH = 80
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_NOTES = {
    "one source": "intervals speak of further {units} on this one source, not of other sources",
    "few sources": "few sources: how much sources differ is mostly assumed in these intervals",
}


class _Console(Console):
    """Leaves it to the command line to end when the reader of the output goes away."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Standard output, as wide as the terminal."""
    return _Console(highlight=False)


def wide_console() -> Console:
    """The same, never in less than 80 columns: a narrow terminal breaks the lines itself, but no number is cut."""
    found = console()
    found.width = max(found.width, _LEAST_WIDTH)
    return found


def titled_table(title: str, padding: int = 1) -> Table:
    """An empty table, `padding` more than one space between its columns."""
    table = plain_table(padding)
    table.title, table.title_justify = title, "left"
    return table


def plain_table(padding: int = 1) -> Table:
    """The same without a title."""
    return Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, padding, 0, 0))


def literal(words: str, style: str = "") -> Text:
    """What models, transcripts and names say, in one line: markup is no markup, and control characters in it are shown,
    never obeyed by a terminal."""
    return Text(_CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", one_line(words)), style=style)


def print_lines(lines: Iterable[str]) -> None:
    """Each literally, on a line of its own."""
    device = console()
    for line in lines:
        device.print(literal(line))


def print_hanging(device: Console, line: Text) -> None:
    """`line` with what is too long for the terminal beneath its first word, not at the margin."""
    words = line.plain.lstrip("\n")
    indent = len(words) - len(words.lstrip(" "))
    if line.cell_len <= device.width or not 0 < indent < device.width // 2:
        device.print(line)
        return
    start = len(line.plain) - len(words) + indent
    for piece in line[start:].wrap(device, device.width - indent):
        piece.rstrip()
        device.print(Text(" " * indent).append_text(piece))


def proof_lines(proofs: Sequence[Proof], mark: str = "") -> list[Text]:
    """Cited passages, each with its number, time and speaker; `mark` says whose they are."""
    lines = []
    for proof in proofs:
        place = " ".join(
            each for each in (f"{mark}[{proof.segment}]", proof.time, proof.speaker and f"{proof.speaker}:") if each
        )
        lines.append(literal(f"     {place} {proof.words}", style=ASIDE))
    return lines


def cited(numbers: Iterable[int]) -> str:
    """Numbers of segments, as they stand before the segments."""
    return " ".join(f"[{number}]" for number in numbers)


def score_text(score: Score | None) -> str:
    """A share as percent with its interval, "-" where there is none."""
    return _with_interval(score, lambda number: f"{number * 100:.0f}", "-")


def decimal_text(score: Score) -> str:
    """A coefficient to two decimals with its interval, "-" where there is none."""
    return _with_interval(score, lambda number: f"{number:.2f}", " to ")


def axis_text(score: Score | None) -> str:
    """A place on an axis from 0 to 1, to two decimals with its interval, "-" where there is none."""
    return _with_interval(score, lambda number: f"{number:.2f}", "-")


def shift_text(score: Score | None) -> str:
    """A difference of places on an axis, with its sign and interval, "-" where there is none."""
    return _with_interval(score, lambda number: f"{round(number, 2) + 0.0:+.2f}", " to ")  # + 0.0: never "-0.00"


def p_text(p_value: float | None) -> str:
    """A p-value to three decimals, "-" where there is none."""
    if p_value is None:
        return NOTHING
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def points_text(score: Score) -> str:
    """A difference of shares in points of 100, with its sign and interval."""
    return _with_interval(score, lambda number: f"{round(number * 100):+d}", " to ")


def _with_interval(score: Score | None, write: Callable[[float], str], between: str) -> str:
    if score is None or score["value"] is None:
        return NOTHING
    return f"{write(score['value'])} [{write(score['low'])}{between}{write(score['high'])}]"


def is_beyond_zero(score: Score) -> bool:
    """Whether there is a number, and its interval leaves out 0."""
    return score["value"] is not None and (score["low"] > 0 or score["high"] < 0)


def note_lines(scores: Iterable[Score], units: str) -> Iterable[str]:
    """What the intervals of these scores must not be taken for, each thing once."""
    return [
        _NOTES[note].format(units=units) for note in sorted({str(score.get("note") or "") for score in scores} - {""})
    ]


def uneven_lines(systems: Mapping[str, Mapping[str, Any]], sources: Collection[str], units: str) -> Iterator[str]:
    """The systems that have no text about some of the sources: their numbers are of less."""
    for name, system in systems.items():
        absent = [source for source in sources if source not in system["by_source"]]
        if absent:
            yield f"{name}: no text about {len(absent)} of {len(sources)} sources; its numbers are of other {units}"


def listed(counts: Mapping[str, int]) -> str:
    """ "3 this, 1 that", or "none"."""
    return ", ".join(f"{n} {what}" for what, n in counts.items() if n) or "none"


def some(items: Sequence[str], most: int = 3) -> str:
    """The first few, and how many more there are."""
    more = f"; and {len(items) - most} more" if len(items) > most else ""
    return "; ".join(items[:most]) + more


def counted(n: int, what: str) -> str:
    """ "1 claim", "2 claims"."""
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
