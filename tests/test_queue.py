"""`localeval.queue`: calls that share a prefix come out together."""

import pytest

from localeval.queue import PrefixQueue


def drained(queue: PrefixQueue[str]) -> str:
    return "".join(queue.pop() for _ in range(len(queue)))


def test_groups_come_out_whole() -> None:
    """Round-robin arrivals leave group by group, groups in order of arrival."""
    queue: PrefixQueue[str] = PrefixQueue()
    for item in "abab":
        queue.push([item], item)
    assert drained(queue) == "aabb"


def test_groups_nest() -> None:
    """Inside a source's group its candidates' groups come out whole too."""
    queue: PrefixQueue[str] = PrefixQueue()
    for source, candidate, item in [("s", "c", "1"), ("t", "c", "4"), ("s", "d", "3"), ("s", "c", "2")]:
        queue.push([source, candidate], item)
    assert drained(queue) == "1234"


def test_a_late_call_joins_its_open_group() -> None:
    """What arrives for the group that is being sent goes before other groups."""
    queue: PrefixQueue[str] = PrefixQueue()
    queue.push(["s"], "1")
    queue.push(["s"], "2")
    queue.push(["t"], "4")
    first = queue.pop()
    queue.push(["s"], "3")
    assert first + drained(queue) == "1234"


def test_empty_queue_says_so() -> None:
    """Popping from nothing raises, and emptied groups leave nothing behind."""
    queue: PrefixQueue[str] = PrefixQueue()
    queue.push(["s", "c"], "1")
    queue.pop()
    with pytest.raises(IndexError):
        queue.pop()
    assert not queue._root.groups
