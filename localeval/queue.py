"""The order in which waiting calls are sent: those that share a prefix stand together."""

from collections import deque
from collections.abc import Sequence
from typing import Generic, TypeVar

Item = TypeVar("Item")


class PrefixQueue(Generic[Item]):
    """First in, first out over groups of calls that share their parts, group within group.

    A call's path is the list of its prompt's parts but the last: the source, then the task, then the candidate. `pop`
    stays in the deepest open group until it is empty, then takes the next group under the same parent. So a cache
    that cannot hold every prefix still sees each prefix once. A call that arrives for an open group joins it.
    """

    def __init__(self) -> None:
        self._root: _Group[Item] = _Group()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, path: Sequence[str], item: Item) -> None:
        """Puts `item` at the end of its group."""
        group = self._root
        for part in path:
            group = group.groups.setdefault(part, _Group())
        group.items.append(item)
        self._size += 1

    def pop(self) -> Item:
        """The next item; raises IndexError when there is none."""
        if not self._size:
            raise IndexError("pop from an empty queue")
        trail: list[tuple[_Group[Item], str]] = []
        group = self._root
        while not group.items:
            part = next(iter(group.groups))
            trail.append((group, part))
            group = group.groups[part]
        self._size -= 1
        item = group.items.popleft()
        while trail and not group.items and not group.groups:
            group, part = trail.pop()
            del group.groups[part]
        return item


class _Group(Generic[Item]):
    """A node of the prefix tree: its own items first, then the groups below it in order of arrival."""

    __slots__ = ("groups", "items")

    def __init__(self) -> None:
        self.items: deque[Item] = deque()
        self.groups: dict[str, _Group[Item]] = {}
