"""Which waiting call is sent next: shared prefixes are computed once, and none leaves the cache while it is needed.

Engines serve in the order of arrival and evict the prefix that was used least recently. A source of 40,000 tokens that
is sent while another one's calls still run and will be followed up takes the room of theirs, and both are computed
twice. So the order is made here, on paper, before anything is sent.
"""

from collections import OrderedDict
from heapq import heapify, heappop, heappush
from typing import Generic, NamedTuple, TypeVar

from localeval.guessing import TokenGuess, measure
from localeval.values import Call, Reply

Item = TypeVar("Item")

_LONG = 2048
"""Bytes from which on a call's last part is a prefix of its own: the same prompt with another seed finds it."""
_REMEMBERED = 100_000
"""Tokens of emptied groups that are kept in mind where an engine does not tell what its cache holds."""
_LEAST_BYTES = 64
"""What the shortest part is taken for: a cache keeps blocks of tokens, and memory here has to end somewhere."""
_GROWN = 1.5
"""A cold group is given its place anew once there is so many times the work in it."""
_ANSWER = 40
"""Bits below a call's answer tokens in its rank, for bytes of prompt."""


class CallQueue(Generic[Item]):
    """The calls that wait for one model, and which of them is sent next.

    They stand in a tree of their prompts' parts: the source, then the task, then the candidate. `pop` goes down that
    tree. Groups whose prefix is in flight, or by this queue's account still in the cache, go before cold ones; of
    those the one about to leave the cache goes first. Cold groups and single calls go longest first: by answer tokens,
    then by bytes of prompt. No call goes that does not fit the cache beside those in flight, each shared part counted
    once. `cache_tokens` (0: no limit or not known) may be set as long as nothing is in flight.
    """

    def __init__(self, cache_tokens: int = 0) -> None:
        self.cache_tokens = cache_tokens
        self._guess = TokenGuess()
        self._root: _Group[Item] = _Group(None, "", 0, 0)
        self._sent: dict[str, tuple[_Group[Item], _Waiting[Item], int]] = {}  # with the tokens that it has alone
        self._size = 0
        self._serial = 0
        self._busy = [0, 0, 0]  # bytes of the groups in flight, by script
        self._shared = 0  # and their tokens
        self._own = 0  # tokens of single calls in flight: what no other has, and the answer
        self._idle: OrderedDict[_Group[Item] | int, int] = (
            OrderedDict()
        )  # tokens in the cache that no call in flight uses
        self._idle_tokens = 0
        self._spent = 0  # under which number the last of calls' own tokens stand among the idle

    def __len__(self) -> int:
        return self._size

    def push(self, key: str, call: Call, item: Item) -> None:
        """Lets a call wait. `item` is what `pop` gives, `key` what `done` is told; a key waits or runs once."""
        parts = [part for message in call.messages for part in message.parts]
        size, script = measure(parts[-1]) if parts else (0, 0)
        if size < _LONG and parts:
            del parts[-1]
        else:
            size = 0
        group = self._root
        for part in parts:
            if group.groups is None:
                group.groups = {}
            below = group.groups.get(part)
            if below is None:
                length, written = measure(part)
                below = group.groups[part] = _Group(group, part, max(length, _LEAST_BYTES), written)
            group = below
        if group.calls is None:
            group.calls = []
        self._size += 1
        self._serial += 1
        answer = call.sampling.max_tokens
        heappush(group.calls, _Waiting(-(answer << _ANSWER | size), self._serial, key, size, script, answer, item))
        while (parent := group.parent) is not None:
            group.waiting += 1
            group.work += size
            if answer > group.answer:
                group.answer = answer
            if not group.is_held:
                if answer > group.ranked_answer or group.work > group.most_work:
                    self._rank(group, parent)
            elif group.waiting == 1:
                parent.warmed(group, is_urgent=not group.n_busy)
            group = parent

    def pop(self) -> Item | None:
        """The next call that fits beside those in flight, else None; with nothing in flight there is always one."""
        if not self._size:
            return None
        group = self._next()
        assert group.calls is not None
        call = group.calls[0]
        own = self._guess.own(call.size, call.script, call.answer)
        if self._sent and self.cache_tokens and not self._fits(group, own):
            return None
        heappop(group.calls)
        self._size -= 1
        self._sent[call.key] = group, call, own
        self._own += own
        is_new = True
        above: _Group[Item] | None = group
        while above is not None and (parent := above.parent) is not None:
            above.waiting -= 1
            above.work -= call.size
            if is_new:
                above.n_busy += 1
                is_new = above.n_busy == 1
                if is_new:
                    self._hold(above, parent)
            if not above.waiting:
                above.answer = 0
                parent.cooled(above)
            above = parent
        if self._idle_tokens > self._room():
            self._evict()
        return call.item

    def done(self, key: str, reply: Reply | None = None) -> None:
        """Takes a call out of flight: it is answered, or lost (None). Raises KeyError where it was not sent."""
        group, sent, own = self._sent.pop(key)
        if reply is not None and self._guess.wants_more():
            sizes = [0, 0, 0]
            sizes[sent.script] += sent.size
            above: _Group[Item] | None = group
            while above is not None:
                sizes[above.script] += above.size
                above = above.parent
            self._guess.learn(sizes, sent.answer, reply)
            self._shared = self._guess.tokens(self._busy)
        self._own -= own
        self._idle[self._spent] = self._idle.get(self._spent, 0) + own
        self._idle_tokens += own
        while (parent := group.parent) is not None:
            group.n_busy -= 1
            if group.n_busy:
                break
            self._release(group, parent)
            group = parent

    def _next(self) -> "_Group[Item]":
        """The group whose own first call goes next."""
        group = self._root
        while True:
            if group.warm:
                group = next(iter(group.warm))
                continue
            cold = group.first_cold() if group.cold else None
            if cold is None or (group.calls and group.calls[0].rank < cold.rank):
                return group
            group = cold

    def _fits(self, group: "_Group[Item]", own: int) -> bool:
        rates = self._guess.rates
        tokens: float = self._own + own + self._shared
        above: _Group[Item] | None = group
        while above is not None and not above.n_busy:
            tokens += above.size * rates[above.script]
            above = above.parent
        return tokens <= self.cache_tokens

    def _rank(self, group: "_Group[Item]", parent: "_Group[Item]") -> None:
        """Gives a cold group its place among its parent's, the first or a better one."""
        if group.ranked_answer < 0:
            parent.n_cold += 1
        if parent.cold is None:
            parent.cold = []
        self._serial += 1
        group.ranked_answer, group.most_work = group.answer, int(_GROWN * group.work)
        group.rank = -(group.answer << _ANSWER | group.work)
        heappush(parent.cold, (group.rank, self._serial, group))
        if len(parent.cold) > 2 * parent.n_cold + 16:
            parent.cold = [entry for entry in parent.cold if entry[2].is_placed(entry[0])]
            heapify(parent.cold)

    def _hold(self, group: "_Group[Item]", parent: "_Group[Item]") -> None:
        """A call of the group is in flight, the first."""
        self._busy[group.script] += group.size
        self._shared = self._guess.tokens(self._busy)
        if group.is_held:
            self._idle_tokens -= self._idle.pop(group)
            return
        group.is_held = True
        group.ranked_answer = -1
        parent.n_cold -= 1
        if group.waiting:
            parent.warmed(group)

    def _release(self, group: "_Group[Item]", parent: "_Group[Item]") -> None:
        """No call of the group is in flight any more; its prefix stays until the room is needed."""
        self._busy[group.script] -= group.size
        self._shared = self._guess.tokens(self._busy)
        tokens = int(group.size * self._guess.rates[group.script])
        self._idle[group] = tokens
        self._idle_tokens += tokens
        self._spent += 1
        if group.waiting:
            parent.warmed(group, is_urgent=True)  # or it has to be computed again

    def _room(self) -> int:
        """Tokens of the cache that no call in flight uses."""
        if not self.cache_tokens:
            return _REMEMBERED
        return max(0, self.cache_tokens - self._own - self._shared)

    def _evict(self) -> None:
        """Lets the cache on paper lose what was used least recently, down to what there is room for."""
        room = self._room()
        while self._idle_tokens > room:
            group, tokens = self._idle.popitem(last=False)
            self._idle_tokens -= tokens
            if isinstance(group, int) or (parent := group.parent) is None:
                continue
            group.is_held = False
            if group.waiting:
                parent.cooled(group)
                self._rank(group, parent)
            elif parent.groups:
                del parent.groups[group.part]


class _Waiting(NamedTuple, Generic[Item]):
    """A call, in the order of going: rank, then arrival."""

    rank: int
    serial: int
    key: str
    size: int
    script: int
    answer: int
    item: Item


class _Group(Generic[Item]):
    """A part of prompts, below the parts before it: the calls that end here, and the groups that go on.

    A group is held while its part is in the cache, cold before and after. One that is cold has calls waiting, its
    own or further down; one that is held stands in its parent's `warm` as long as any wait.
    """

    __slots__ = (
        "answer", "calls", "cold", "groups", "is_held", "most_work", "n_busy", "n_cold", "parent", "part", "rank",
        "ranked_answer", "script", "size", "waiting", "warm", "work",
    )  # fmt: skip

    def __init__(self, parent: "_Group[Item] | None", part: str, size: int, script: int) -> None:
        self.parent = parent
        self.part = part
        self.size = size  # bytes
        self.script = script
        self.groups: dict[str, _Group[Item]] | None = None  # None for empty: most groups are leaves, and there are many
        self.calls: list[_Waiting[Item]] | None = None
        self.warm: OrderedDict[_Group[Item], None] | None = None
        self.cold: list[tuple[int, int, _Group[Item]]] | None = None
        self.n_cold = 0
        self.waiting = 0  # calls, here and below
        self.n_busy = 0  # own calls in flight, and groups below that have any
        self.is_held = False
        self.answer = 0  # tokens, the most of a waiting call
        self.work = size  # bytes: its own, and what waiting calls have alone
        self.rank = 0  # its place among its parent's cold groups
        self.ranked_answer = -1  # the answer that it was ranked by; -1 where it is not cold
        self.most_work = 0  # past this it is ranked anew

    def warmed(self, group: "_Group[Item]", is_urgent: bool = False) -> None:
        """`group` is held and has calls waiting: it goes behind the others of which that is true, or before them."""
        if self.warm is None:
            self.warm = OrderedDict()
        self.warm[group] = None
        if is_urgent:
            self.warm.move_to_end(group, last=False)

    def cooled(self, group: "_Group[Item]") -> None:
        """`group` is not held any more, or nothing waits in it."""
        if self.warm:
            self.warm.pop(group, None)

    def is_placed(self, rank: int) -> bool:
        """Whether this is the group's place among the cold ones, and not one that it has left."""
        return self.ranked_answer >= 0 and self.rank == rank

    def first_cold(self) -> "_Group[Item] | None":
        """The cold group below that goes first, None where there is none."""
        while self.cold:
            rank, _, group = self.cold[0]
            if group.is_placed(rank):
                return group
            heappop(self.cold)
        return None
