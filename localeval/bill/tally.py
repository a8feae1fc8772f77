"""The observer that counts replies: who asked for them, and what they took."""

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from localeval.driver import Silent
from localeval.values import Call, Reply

_NEVER_SENT = frozenset({"too long", "absent"})

_NANO = 1e-9


@dataclass(slots=True)
class Tally:
    """Sums over replies.

    `sent` of them reached a model; of these `untimed` came without device seconds and `uncounted` without any count of
    tokens. `device_ns` are whole nanoseconds: sums of whole numbers are the same in every order.
    """

    calls: int = 0
    missing: int = 0
    sent: int = 0
    untimed: int = 0
    uncounted: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    thinking_tokens: int = 0
    device_ns: int = 0

    @property
    def device_s(self) -> float:
        """Device seconds of the replies that were timed."""
        return self.device_ns * _NANO

    def add(self, reply: Reply, sign: int = 1) -> None:
        """Counts a reply, or with `sign` -1 takes back one that was counted."""
        self.calls += sign
        if reply.missing is not None:
            self.missing += sign
            if (
                reply.missing.reason in _NEVER_SENT and not reply.output_tokens
            ):  # a server finds out when it has answered
                return
        self.sent += sign
        self.untimed += sign * (reply.device_s is None)
        self.uncounted += sign * (reply.prompt_tokens == 0 and reply.output_tokens == 0)
        self.prompt_tokens += sign * reply.prompt_tokens
        self.cached_tokens += sign * reply.cached_tokens
        self.output_tokens += sign * reply.output_tokens
        self.thinking_tokens += sign * reply.thinking_tokens
        self.device_ns += sign * round((reply.device_s or 0.0) / _NANO)


def together(tallies: Iterable[Tally]) -> Tally:
    """The sum of several."""
    total = Tally()
    for each in tallies:
        for name in Tally.__slots__:
            setattr(total, name, getattr(total, name) + getattr(each, name))
    return total


class Line(NamedTuple):
    """Who asked: a model at a stage and, where texts are written, for which system."""

    model: str
    stage: str
    system: str = ""

    @property
    def method(self) -> str:
        """The method of the stage: "quiz" of "quiz/write"."""
        return self.stage.split("/")[0]


class Paid:
    """Two tallies: of the replies that this run asked for, and of those that it copied from earlier runs."""

    __slots__ = ("own", "reused")

    def __init__(self) -> None:
        self.own = Tally()
        self.reused = Tally()

    @property
    def whole(self) -> Tally:
        """Both together: what the work takes, whoever paid for it."""
        return together((self.own, self.reused))


class Bill(Silent):
    """Counts every reply that the flows of a run are given, stored ones too; each once, by its key.

    So the bill of a finished run can be made anew from its store. A call that several ask is on the line of the first,
    as it was sent once; of systems that share a call, each has it in `systems`, since each alone would have had to pay
    for it. `copied` has the keys of replies that came from earlier runs.
    """

    def __init__(self, copied: Container[str] = frozenset()) -> None:
        self.lines: dict[Line, Paid] = defaultdict(Paid)
        self.systems: dict[str, Paid] = defaultdict(Paid)
        self.writers: dict[str, str] = {}
        """The model of each system."""
        self._copied = copied
        self._counted: set[str] = set()
        self._by_systems: set[tuple[str, str]] = set()
        self._missing: dict[str, tuple[Reply, list[Tally]]] = {}  # by key: they may be asked anew, and answered

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        key = reply.key
        if key in self._missing and not is_stored:
            self._replace(reply)
        writes = call.stage.startswith("generate/")
        if key not in self._counted:
            self._counted.add(key)
            self._count(reply, self.lines[Line(call.model, call.stage, call.item if writes else "")])
        if writes and (call.item, key) not in self._by_systems:
            self.writers[call.item] = call.model
            self._by_systems.add((call.item, key))
            self._count(reply, self.systems[call.item])

    def _count(self, reply: Reply, paid: Paid) -> None:
        tally = paid.reused if reply.key in self._copied else paid.own
        tally.add(reply)
        if reply.missing is not None:
            self._missing.setdefault(reply.key, (reply, []))[1].append(tally)

    def _replace(self, reply: Reply) -> None:
        """Puts a later answer in the place of none, as the store does."""
        before, tallies = self._missing.pop(reply.key)
        for tally in tallies:
            tally.add(before, -1)
            tally.add(reply)
        if reply.missing is not None:
            self._missing[reply.key] = (reply, tallies)
