"""The calls of a finished run: in the order that a person would write them, and as somebody naive would."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from localeval.engines.grammar import pattern
from localeval.store.folder import RunReader
from localeval.store.reader import Stored
from localeval.values import Call, Finish, Message

_FENCE = re.compile(r"<[a-z ]+ [0-9a-f]{8,}>\n")


def calls_of(run: Path) -> list[Stored]:
    """Every call of a run with its reply, in the order in which they were answered."""
    with RunReader.open(run) as files:
        found = [files.store.find(key) for key in files.store]
    return [stored for stored in found if stored is not None]


def by_hand(calls: Iterable[Call]) -> list[Call]:
    """The calls by source, and within it so that those which begin alike stand together, group within group.

    Sources and prompts' parts come in alphabetical order and in that of their first appearance.
    """
    ranks: dict[tuple[str, ...], int] = {}
    placed: list[tuple[str, tuple[int, ...], Call]] = []
    for call in calls:
        parts = tuple(part for message in call.messages for part in message.parts)
        path = tuple(ranks.setdefault(parts[:end], len(ranks)) for end in range(1, len(parts) + 1))
        placed.append((call.subject.partition("/")[0], path, call))
    return [call for _, _, call in sorted(placed, key=lambda each: each[:2])]


def instructions_first(call: Call) -> Call:
    """The call with its task and question before the text that it is about, a candidate before its source."""
    *before, last = call.messages
    material = [part for part in last.parts if _FENCE.match(part)]
    others = [part for part in last.parts if not _FENCE.match(part)]
    return replace(call, messages=(*before, Message(last.role, (*others, *reversed(material)))))


def spread(calls: Sequence[Call], count: int, turn: int) -> list[Call]:
    """So many of the calls, evenly spread over them, all where there are no more; other ones in each turn."""
    if count >= len(calls):
        return list(calls)
    step = len(calls) / count
    return [calls[int(number * step + turn * step / 3.7) % len(calls)] for number in range(count)]


def is_valid(call: Call, text: str, finish: Finish) -> bool:
    """Whether an answer is of the form that the call asks for: whole, and matched by its pattern."""
    expected = pattern(call.output)
    if expected is None:
        return finish == "stop"
    return finish != "error" and re.fullmatch(expected, text) is not None
