"""What the page's parts are made of, and how a system is called in them: pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from localeval.report.pictures.picture import NoPicture, Picture, Table


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences, then a table, under a heading of their own where there is one."""

    heading: str = ""
    lines: tuple[str, ...] = ()
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One section of the page. `name` is its place in the page's address: letters and "-" alone.

    `lead` is the one sentence that must not be missed.
    """

    name: str
    heading: str
    blocks: tuple[Block, ...] = ()
    lead: str = ""
    pictures: tuple[Picture, ...] = ()
    left_out: tuple[NoPicture, ...] = ()


def marked(name: str, told: Mapping[str, Any], first: str = "") -> str:
    """A system's name with what marks it: "terse (recommended, incumbent, generic prompt)".

    `told` is what any file of a run says of it, `first` a mark that stands before the others.
    """
    said = {first: bool(first), "incumbent": told.get("incumbent"), "generic prompt": told.get("generic")}
    marks = [mark for mark, is_so in said.items() if is_so]
    return f"{name} ({', '.join(marks)})" if marks else name


def told_of(scores: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """What scores.json says of each system that wrote or stands in the leaderboard: `incumbent` and `generic`."""
    wrote = scores["methods"].get("generate", {}).get("systems", {})
    board = scores["leaderboard"]["systems"]
    return {name: {**wrote.get(name, {}), **board.get(name, {})} for name in {**board, **wrote}}
