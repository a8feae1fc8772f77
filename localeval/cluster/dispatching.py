"""Which replica is sent which call, on paper: sources stay on one replica, idle ones steal, a lost one's calls go on.

Calls that share their longest part, the source, are a group. A group waits in a pool until the replica with the least
work takes it, and is followed by every later call of its kind: its prefix is computed on that replica alone. So the
groups are shared out by what they cost, and no earlier than they are wanted. A replica that runs dry steals.
"""

from dataclasses import dataclass, field
from heapq import heappop, heappush

from localeval.guessing import measure
from localeval.queue import CallQueue
from localeval.values import Call, Missing, Reply

MOST_LOSSES = 3
"""With how many replicas a call may be lost: one that takes its engine with it must not take them all."""
_ANSWER = 16
"""What an answer's token costs, in bytes of prompt: it takes a step of its own, shared with the others in flight."""
_REMEMBERED = 10_000
"""Groups whose replica is kept in mind, at least; further calls of empty ones that are forgotten go wherever there is
room."""
_GROWN = 1.5
"""A group gets its place in the pool anew once there is so many times the work in it."""


@dataclass(eq=False, slots=True)
class _Waiting:
    """A call that has no reply. `cost` is in bytes of prompt: what is not of the prefix, and the answer."""

    key: str
    call: Call
    cost: int
    group: "_Group"
    ticket: int = 0
    """Its place in a queue. An entry with another ticket is of a call that was stolen since."""
    n_losses: int = 0


@dataclass(eq=False, slots=True)
class _Group:
    """Calls with one prefix, for one replica. `waiting` are those that are not sent, in the order of arrival."""

    prefix_cost: int
    replica: "_Replica | None" = None
    waiting: dict[str, _Waiting] = field(default_factory=dict)
    work: int = 0
    """What the waiting calls cost together, without the prefix."""
    n_sent: int = 0
    is_begun: bool = False
    """Whether its replica has been sent any of it, and so has the prefix."""
    ranked: int = 0
    """The work by which it stands in the pool."""


@dataclass(eq=False, slots=True)
class _Replica:
    """One engine: how many calls it takes, which it has, what is left to be sent to it."""

    capacity: int
    queue: CallQueue[tuple[int, _Waiting]]
    groups: dict[_Group, None] = field(default_factory=dict)
    """Those of it with calls that wait."""
    sent: dict[str, _Waiting] = field(default_factory=dict)
    work: int = 0
    """What all its calls without a reply cost, prefixes included."""
    n_stale: int = 0
    """Entries of its queue whose calls were stolen."""

    @property
    def has_room(self) -> bool:
        return len(self.sent) + len(self.queue) - self.n_stale < self.capacity

    @property
    def is_dry(self) -> bool:
        """Nothing waits here, and less runs than may: half of a capacity is what waits within an engine."""
        return not self.groups and 2 * len(self.sent) < self.capacity


class Dispatcher:
    """Calls in, batches for replicas out; told of replies and of losses. Does no I/O and never waits."""

    def __init__(self) -> None:
        self._replicas: dict[str, _Replica] = {}
        self._groups: dict[int, _Group] = {}  # by prefix: where the next call of the kind goes
        self._pool: dict[_Group, None] = {}  # those that no replica has taken
        self._ranking: list[tuple[int, int, _Group]] = []  # of the pool, the dearest first; with entries of the past
        self._open: dict[str, _Waiting] = {}  # by key: pooled, waiting or sent
        self._serial = 0
        self._most_groups = _REMEMBERED  # past so many, empty ones are forgotten
        self.n_stolen = 0
        self.n_requeued = 0

    def __len__(self) -> int:
        """Calls without a reply."""
        return len(self._open)

    @property
    def replicas(self) -> list[str]:
        """The names of those that are left."""
        return list(self._replicas)

    def join(self, name: str, capacity: int, cache_tokens: int) -> None:
        """A replica that takes `capacity` calls at a time and caches so many tokens (0: not known) is there."""
        self._replicas[name] = _Replica(max(1, capacity), CallQueue(cache_tokens))

    def add(self, key: str, call: Call) -> None:
        """A call to be answered. One that has no reply yet is not taken twice."""
        if key in self._open:
            return
        prefix, prefix_cost, own = _parts_of(call)
        group = self._groups.get(prefix)
        if group is None:
            if len(self._groups) >= self._most_groups:
                self._forget()
            group = self._groups[prefix] = _Group(prefix_cost)
        waiting = self._open[key] = _Waiting(key, call, own + _ANSWER * call.sampling.max_tokens, group)
        self._put(waiting, group)

    def batches(self) -> dict[str, dict[str, Call]]:
        """What is to be sent now, by replica: each is filled up to its capacity, with its own calls, with groups from
        the pool, and with what it steals where it runs dry."""
        self._share_out()
        batches = {name: self._fill(replica) for name, replica in self._replicas.items()}
        for name, thief in self._replicas.items():
            while thief.is_dry and self._steal(thief):
                batches[name] |= self._fill(thief)
        return {name: batch for name, batch in batches.items() if batch}

    def answered(self, name: str, reply: Reply) -> bool:
        """Whether the reply is wanted: the call is with this replica, and not with another since it was lost here."""
        replica = self._replicas.get(name)
        waiting = replica.sent.pop(reply.key, None) if replica is not None else None
        if replica is None or waiting is None:
            return False
        replica.queue.done(str(waiting.ticket), reply)
        replica.work -= waiting.cost
        group = waiting.group
        group.n_sent -= 1
        if not group.n_sent and not group.waiting:
            replica.work -= group.prefix_cost
        del self._open[reply.key]
        return True

    def lose(self, name: str, reason: str) -> list[Reply]:
        """A replica is gone: its calls go to the others. Returns the replies of those that are given up, because
        `MOST_LOSSES` replicas were lost while they had them."""
        replica = self._replicas.pop(name)
        given_up = []
        for waiting in replica.sent.values():
            waiting.n_losses += 1
            waiting.group.n_sent -= 1
            if waiting.n_losses < MOST_LOSSES:
                self.n_requeued += 1
                waiting.group.waiting[waiting.key] = waiting
                waiting.group.work += waiting.cost
                replica.groups[waiting.group] = None
                continue
            del self._open[waiting.key]
            detail = f"{waiting.n_losses} replicas were lost while they had this call; the last: {reason}"
            given_up.append(Reply(waiting.key, finish="error", missing=Missing("engine error", detail)))
        for group in self._groups.values():
            if group.replica is replica:
                group.replica, group.is_begun = None, False
        for group in replica.groups:
            group.replica, group.is_begun = None, False
            self._rank(group)
        return given_up

    def _put(self, waiting: _Waiting, group: _Group) -> None:
        """Lets a call wait in its group: with the group's replica, else in the pool."""
        is_first = not group.waiting and not group.n_sent
        waiting.group = group
        group.waiting[waiting.key] = waiting
        group.work += waiting.cost
        replica = group.replica
        if replica is None:
            if group not in self._pool or group.work > _GROWN * group.ranked:
                self._rank(group)
            return
        replica.work += waiting.cost + (group.prefix_cost if is_first else 0)
        replica.groups[group] = None
        self._serial += 1
        waiting.ticket = self._serial
        replica.queue.push(str(waiting.ticket), waiting.call, (waiting.ticket, waiting))

    def _rank(self, group: _Group) -> None:
        """Gives a group its place in the pool."""
        self._pool[group] = None
        self._serial += 1
        group.ranked = group.work
        heappush(self._ranking, (-group.work - group.prefix_cost, self._serial, group))

    def _share_out(self) -> None:
        """Gives groups from the pool, the dearest first, each to the replica with the least work that has room."""
        while self._ranking:
            able = [replica for replica in self._replicas.values() if replica.has_room]
            if not able:
                return
            group = heappop(self._ranking)[2]
            if group in self._pool:
                del self._pool[group]
                self._give(list(group.waiting.values()), group, min(able, key=lambda each: each.work))

    def _give(self, calls: list[_Waiting], group: _Group, replica: _Replica) -> None:
        """Lets a group of no replica be a replica's, with these calls in it."""
        group.waiting, group.work = {}, 0
        group.replica, group.is_begun = replica, False
        for waiting in calls:
            self._put(waiting, group)

    def _fill(self, replica: _Replica) -> dict[str, Call]:
        """The calls that a replica has waiting and room for, from now on sent."""
        batch: dict[str, Call] = {}
        while len(replica.sent) < replica.capacity and (found := replica.queue.pop()) is not None:
            ticket, waiting = found
            if waiting.ticket != ticket:
                replica.queue.done(str(ticket))  # stolen since
                replica.n_stale -= 1
                continue
            group = waiting.group
            self._take_out(waiting)
            group.n_sent += 1
            group.is_begun = True
            replica.sent[waiting.key] = waiting
            batch[waiting.key] = waiting.call
        return batch

    def _take_out(self, waiting: _Waiting) -> None:
        group = waiting.group
        del group.waiting[waiting.key]
        group.work -= waiting.cost
        if not group.waiting and group.replica is not None:
            del group.replica.groups[group]

    def _steal(self, thief: _Replica) -> bool:
        """Gives a dry replica calls that another one has not been sent; whether there were any worth it.

        Whichever is more work: a whole group that its replica has not begun, or half of one whose half is more work
        than its prefix. Less is done sooner where the prefix is.
        """
        for victim in sorted(self._replicas.values(), key=lambda each: -each.work):
            if victim is thief or not victim.sent:
                continue
            worth = {group: _spoils(group) for group in victim.groups}
            group = max(worth, key=lambda each: worth[each], default=None)
            if group is not None and worth[group]:
                self._move(victim, group, thief)
                return True
        return False

    def _move(self, victim: _Replica, group: _Group, thief: _Replica) -> None:
        """Moves a group, or half of one that is begun: that half is a group of its own, which later calls of the kind
        do not follow."""
        calls = list(group.waiting.values())
        if group.is_begun:
            calls = calls[len(calls) // 2 :]
        for waiting in calls:
            self._take_out(waiting)
            victim.work -= waiting.cost
        victim.n_stale += len(calls)
        if not group.is_begun:
            victim.work -= group.prefix_cost
        self._give(calls, _Group(group.prefix_cost) if group.is_begun else group, thief)
        self.n_stolen += len(calls)

    def _forget(self) -> None:
        """Drops the groups that have no call left."""
        self._groups = {prefix: group for prefix, group in self._groups.items() if group.waiting or group.n_sent}
        # where most have calls, looking through them all for each new one would take a square of their number
        self._most_groups = max(_REMEMBERED, 2 * len(self._groups))


def _spoils(group: _Group) -> int:
    """The work that a thief would take off the group's replica, 0 where that is not worth it."""
    if not group.is_begun:
        return group.work + group.prefix_cost
    return group.work // 2 if len(group.waiting) > 1 and group.work > 2 * group.prefix_cost else 0


def _parts_of(call: Call) -> tuple[int, int, int]:
    """(what stands for the prefix up to and including its longest shared part, that prefix's bytes, the rest's).

    The last part is what the call says alone. Two prefixes that come to one number only share a replica.
    """
    parts = [part for message in call.messages for part in message.parts]
    sizes = [measure(part)[0] for part in parts]
    if len(parts) < 2:
        return hash(tuple(parts)), 0, sum(sizes)
    longest = max(range(len(parts) - 1), key=lambda number: sizes[number])
    shared = sum(sizes[: longest + 1])
    return hash(tuple(parts[: longest + 1])), shared, sum(sizes) - shared
