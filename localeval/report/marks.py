"""The mark on what a refused judge touches: a sign beside each number, words in each title and heading. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from localeval.methods.refused import refused_judges, unchecked_judges
from localeval.report.pictures.picture import NoPicture, Picture, Table

SIGN = "!"
"""ASCII, so that every terminal and font has it."""
WORDS = "judge refused"

_NUMBER = re.compile(r"\d(?:[\d.,]*\d)?")
_NAMES = frozenset(("of", "contract", "axis", "target", "wordings", "system", "component", "front", "rank"))
"""Columns of tables that hold names, in which a digit is no number of a judge's."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What is refused in a run. `judges` is by method and then by judge, with the sentence that says why; `lines` are
    what must be said once on every page, `quiet` what stands at its end of judges that nobody has checked."""

    judges: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()

    def has(self, method: str, judge: str | None = None) -> bool:
        """Whether a judge of a method is refused; or this judge."""
        refused = self.judges.get(method, {})
        return bool(refused) if judge is None else judge in refused

    def of(self, *methods: str) -> tuple[str, ...]:
        """Those of the methods that have a refused judge, each once."""
        return tuple(method for method in dict.fromkeys(methods) if self.has(method))


NOTHING_REFUSED = Marks()


def marks_of(scores: Mapping[str, Any]) -> Marks:
    """The marks of a run, from its scores.json."""
    judges = refused_judges(scores)
    unchecked = unchecked_judges(scores)
    told = "; ".join(f"{method} by {', '.join(names)}" for method, names in unchecked.items())
    quiet = (f"judges not checked: {told}. Check them: localeval judges check CONFIG",) if told else ()
    return Marks(judges, tuple(_lines(judges, scores)), quiet)


def decision_refused(decision: Mapping[str, Any]) -> tuple[str, ...]:
    """The methods of which a judge is refused, as decision.json says it; one from before there were checks says
    nothing."""
    return tuple(decision.get("refused", ()))


def _lines(judges: Mapping[str, Mapping[str, str]], scores: Mapping[str, Any]) -> Iterator[str]:
    for told in judges.values():
        yield from told.values()
    if "panel" in judges and "finalists" in scores["methods"].get("audit", {}):
        yield "audit: its finalists were chosen by that panel"
    if judges:
        yield f"{SIGN} marks each number that comes of a refused judge"


def mark_number(text: str, is_marked: bool = True) -> str:
    """A cell with the sign behind its first number, so that it stays there where the interval goes on a line below."""
    return _NUMBER.sub(lambda found: f"{found[0]}{SIGN}", text, count=1) if is_marked else text


def mark_lines(lines: Iterable[str], is_marked: bool = True) -> Iterator[str]:
    """Each line with the sign in front."""
    for line in lines:
        yield f"{SIGN} {line}" if is_marked and line else line


def mark_heading(heading: str, methods: Collection[str]) -> str:
    """A heading with words that say of which methods a judge is refused; nothing is added for none."""
    return f"{heading} [{SIGN} {WORDS}: {', '.join(methods)}]" if methods else heading


def mark_table(table: Table, methods: Collection[str], columns: Collection[str] | None = None) -> Table:
    """A table with the sign at its numbers, in these columns (by default all but those of names) and their headings,
    and with words in its title; as it is where no method is named."""
    if not methods:
        return table
    chosen = {
        place
        for place, column in enumerate(table.columns)
        if (column in columns if columns is not None else column not in _NAMES)
    }
    return Table(
        tuple(f"{column} {SIGN}" if place in chosen else column for place, column in enumerate(table.columns)),
        tuple(tuple(mark_number(cell, place in chosen) for place, cell in enumerate(row)) for row in table.rows),
        mark_heading(table.title, methods) if table.title else "",
    )


def mark_picture(
    picture: Picture, methods: Collection[str], told: Iterable[str], columns: Collection[str] | None = None
) -> Picture:
    """A picture that says in its title that a judge is refused, and in its caption who and why: it may stand alone."""
    if not methods:
        return picture
    caption = " ".join([picture.caption, *(f"{SIGN} {line}." for line in told)])
    return replace(
        picture,
        title=mark_heading(picture.title, methods),
        caption=caption,
        table=mark_table(picture.table, methods, columns),
    )


def mark_affect(
    found: Mapping[str, Iterable[Picture | NoPicture]], marks: Marks
) -> dict[str, tuple[Picture | NoPicture, ...]]:
    """The pictures of each judge of affect, those of a refused one marked."""
    refused = marks.judges.get("affect", {})
    return {
        judge: tuple(
            mark_picture(each, ("affect",), (refused[judge],))
            if judge in refused and isinstance(each, Picture)
            else each
            for each in pictures
        )
        for judge, pictures in found.items()
    }
