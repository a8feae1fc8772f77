"""`localeval.queue`: every call comes out once, shared prefixes together, and none is lost while it is needed."""

import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.guessing import TokenGuess, measure
from localeval.queue import CallQueue
from localeval.values import Call, Choice, Message, Reply, Sampling

Prefix = tuple[str, ...]

LEAST = 64
"""Bytes that the shortest shared part is taken for."""
LONG = 2048
"""Bytes from which a last part is a group of its own."""


def call(*parts: str, answer: int = 1) -> Call:
    return Call("m", (Message("system", parts[:1]), Message("user", parts[1:])), Choice(("A",)), Sampling(answer))


def filled(calls: Iterable[Call], cache_tokens: int = 0) -> CallQueue[str]:
    """A queue in which these calls wait, each under its number."""
    queue: CallQueue[str] = CallQueue(cache_tokens)
    for number, each in enumerate(calls):
        queue.push(str(number), each, str(number))
    return queue


def drained(queue: CallQueue[str], in_flight: int = 1) -> list[str]:
    """What comes out with so many calls in flight at most, the first sent answered first."""
    order: list[str] = []
    flying: list[str] = []
    while queue or flying:
        while len(flying) < in_flight and (item := queue.pop()) is not None:
            order.append(item)
            flying.append(item)
        queue.done(flying.pop(0))
    return order


def test_groups_come_out_whole() -> None:
    """Calls that arrive in turns leave source by source."""
    calls = [call(source * 3000, f"question {number}") for number in range(3) for source in "ab"]
    assert drained(filled(calls)) == ["0", "2", "4", "1", "3", "5"]


def test_groups_nest() -> None:
    """Inside a source's group its candidates' groups come out whole too."""
    wanted = [("s", "c", "1"), ("t", "c", "2"), ("s", "d", "3"), ("s", "c", "4"), ("t", "c", "5"), ("s", "d", "6")]
    order = drained(filled([call(source * 3000, candidate * 300, item) for source, candidate, item in wanted]))
    assert ["".join(wanted[int(item)][:2]) for item in order] == ["sc", "sc", "sd", "sd", "tc", "tc"]


def test_a_late_call_joins_its_open_group() -> None:
    """What arrives for the prefix that is in flight goes before other prefixes, however much work they are."""
    queue = filled([call("s" * 3000, "1"), call("t" * 9000, "2"), call("t" * 9000, "3")])
    first = queue.pop()
    assert first == "1"
    queue.push("late", call("t" * 9000, "4"), "late")
    queue.push("cold", call("u" * 90_000, "5", answer=500), "cold")
    assert [queue.pop() for _ in range(4)] == ["2", "late", "cold", "0"]


def test_the_longest_goes_first() -> None:
    """Of cold prefixes the one with the longest answers, then the longest prompts; single calls alike."""
    calls = [call("s", "a" * 100), call("t" * 500, "b"), call("u" * 400, "c"), call("v", "d", answer=9)]
    assert drained(filled(calls), in_flight=4) == ["3", "1", "2", "0"]


def test_what_leaves_the_cache_first_goes_first() -> None:
    """Of two prefixes that are still in the cache, the one used longer ago: it is the next to be lost."""
    queue = filled([call("s" * 3000, "1"), call("t" * 3000, "2")])
    for item in (queue.pop(), queue.pop()):
        assert item is not None
        queue.done(item)
    queue.push("t", call("t" * 3000, "3"), "t")
    queue.push("s", call("s" * 3000, "4"), "s")
    assert [queue.pop(), queue.pop()] == ["s", "t"]


def test_a_prefix_that_does_not_fit_waits_for_room() -> None:
    """It is not sent beside another one, and goes as soon as nothing else is in flight, whatever its length."""
    queue = filled([call("s" * 30_000, "1"), call("t" * 90_000, "2")], cache_tokens=10_000)
    assert queue.pop() == "1"
    assert (queue.pop(), len(queue)) == (None, 1)
    queue.done("1")
    assert (queue.pop(), queue.pop(), len(queue)) == ("0", None, 0)


def test_an_empty_queue_gives_none() -> None:
    """Before the first call and after the last; an answer to what was not sent is an error of the caller's."""
    queue: CallQueue[str] = CallQueue()
    assert queue.pop() is None
    queue.push("k", call("s", "1"), "x")
    assert (len(queue), queue.pop(), queue.pop(), len(queue)) == (1, "x", None, 0)
    queue.done("k")
    with pytest.raises(KeyError):
        queue.done("k")


def test_emptied_groups_leave_nothing_behind() -> None:
    """After thousands of sources the queue holds what the cache on paper does, not what was ever asked."""
    queue: CallQueue[str] = CallQueue(cache_tokens=5000)
    for number in range(2000):
        queue.push("k", call(f"source {number} " * 100, "a question"), "x")
        assert queue.pop() == "x"
        queue.done("k")
    assert len(queue._root.groups or {}) < 20
    assert len(queue._idle) < 40


def test_the_guess_is_learnt_from_replies() -> None:
    """Where texts turn out to have fewer tokens than was guessed, more calls go beside each other."""
    answered = Reply("", prompt_tokens=600, output_tokens=1)

    def beside() -> int:
        count = 0
        for number in range(40):
            queue.push(str(number), call(f"{number:02}" * 1500, "?"), str(number))
        while queue.pop() is not None:
            count += 1
        for number in range(40):
            if str(number) in queue._sent:
                queue.done(str(number), answered)
        while (item := queue.pop()) is not None:
            queue.done(item, answered)
        return count

    queue: CallQueue[str] = CallQueue(cache_tokens=10_000)
    assert beside() == 10  # 3000 bytes are 900 tokens at three bytes in ten, and what a call has alone
    assert beside() > 13  # 600 in truth


# What follows holds whatever is asked. Sizes lie on both sides of what makes a last part a group.
LETTERS = st.sampled_from("abc")
SIZES = st.sampled_from([1, 50, 400, LONG - 1, LONG, 9000])
SHARED = st.builds(lambda letter, size: letter * size, LETTERS, SIZES)
CALLS = st.lists(
    st.builds(
        lambda parts, answer: call(*parts, answer=answer), st.lists(SHARED, max_size=4), st.sampled_from([1, 80])
    ),
    min_size=1,
    max_size=30,
)
CHANCES = st.integers(0, 10_000).map(random.Random)
CACHES = st.sampled_from([0, 1, 500, 3000, 20_000])


def prefixes(asked: Call) -> list[Prefix]:
    """The shared prefixes of a call, the shortest first."""
    parts = tuple(part for message in asked.messages for part in message.parts)
    if parts and len(parts[-1]) < LONG:
        parts = parts[:-1]
    return [parts[: n + 1] for n in range(len(parts))]


def own(asked: Call) -> int:
    """Tokens that a call has alone, by a guess that has learnt nothing."""
    parts = [part for message in asked.messages for part in message.parts]
    size, script = measure(parts[-1]) if parts else (0, 0)
    return TokenGuess().own(size if size < LONG else 0, script, asked.sampling.max_tokens)


def shared(asked: Iterable[Call]) -> int:
    """Tokens of all shared prefixes of these calls, each counted once, by a guess that has learnt nothing."""
    held = {prefix for each in asked for prefix in prefixes(each)}
    return TokenGuess().tokens([sum(max(len(prefix[-1]), LEAST) for prefix in held), 0, 0])


def work(asked: Sequence[Call], prefix: Prefix) -> tuple[int, int]:
    """(longest answer, bytes) of what waits below a prefix, as the queue weighs a group that is cold."""
    below = [each for each in asked if prefix in prefixes(each)]
    lasts = [parts[-1] for each in below if (parts := [part for m in each.messages for part in m.parts])]
    alone = sum(len(last) for last in lasts if len(last) < LONG)
    return max(each.sampling.max_tokens for each in below), max(len(prefix[-1]), LEAST) + alone


@settings(max_examples=100)
@given(CALLS, CACHES, CHANCES, st.booleans())
def test_every_call_comes_out_once(calls: list[Call], cache: int, chance: random.Random, is_told: bool) -> None:
    """Whatever the order of pushes, pops and answers, and whether replies teach the guess: with nothing in flight
    there is always a next call, so none is lost and none waits for ever."""
    queue: CallQueue[int] = CallQueue(cache)
    coming = list(enumerate(calls))
    sent: list[int] = []
    flying: list[int] = []
    while coming or queue or flying:
        step = chance.randrange(3)
        if step == 0 and coming:
            number, each = coming.pop(0)
            queue.push(str(number), each, number)
        elif step == 1:
            item = queue.pop()
            if item is None:
                assert flying or not queue
            else:
                sent.append(item)
                flying.append(item)
        elif flying:
            number = flying.pop(chance.randrange(len(flying)))
            queue.done(str(number), Reply("", prompt_tokens=500, output_tokens=1) if is_told else None)
        assert len(queue) == len(calls) - len(coming) - len(sent)
    assert sorted(sent) == list(range(len(calls)))
    assert (queue._own, queue._shared, queue._sent) == (0, 0, {})


@settings(max_examples=100)
@given(CALLS, st.sampled_from([500, 3000, 20_000]), CHANCES)
def test_nothing_goes_beyond_the_cache(calls: list[Call], cache: int, chance: random.Random) -> None:
    """All that is in flight, each shared part once, is within `cache_tokens`, unless a single call alone is not."""
    queue = filled(calls, cache)
    flying: list[Call] = []
    while queue or flying:
        item = queue.pop() if chance.random() < 0.7 else None
        if item is not None:
            flying.append(calls[int(item)])
            total = sum(own(each) for each in flying) + shared(flying)
            assert total <= cache + 1 or len(flying) == 1  # +1: a sum of parts that are rounded one by one
        elif flying:
            gone = flying.pop(chance.randrange(len(flying)))
            queue.done(str(next(number for number, each in enumerate(calls) if each is gone)))


@settings(max_examples=100)
@given(CALLS, CACHES, CHANCES)
def test_a_prefix_in_flight_is_not_left_while_its_calls_wait(
    calls: list[Call], cache: int, chance: random.Random
) -> None:
    """What is sent beside a prefix in flight shares it, down the tree, as long as any call that does waits."""
    queue = filled(calls, cache)
    waiting = dict(enumerate(calls))
    flying: dict[int, Call] = {}
    known: set[Prefix | None] = set()
    while queue or flying:
        item = queue.pop() if chance.random() < 0.7 else None
        if item is not None:
            sent = waiting.pop(int(item))
            mine = [(), *prefixes(sent)]
            busy = {prefix for each in flying.values() for prefix in prefixes(each)}
            left = {prefix for each in waiting.values() for prefix in prefixes(each)} & busy
            for above, follows in zip(mine, [*mine[1:], None], strict=True):
                # one that is in the cache though not in flight may go before: it is the next to be lost
                assert not any(prefix[:-1] == above for prefix in left) or follows in known
            known.update(mine)
            flying[int(item)] = sent
        elif flying:
            number = chance.choice(sorted(flying))
            del flying[number]
            queue.done(str(number))


@settings(max_examples=100)
@given(CALLS)
def test_cold_prefixes_go_longest_first(calls: list[Call]) -> None:
    """Where the queue turns to a cold prefix, none has longer answers, and none more than half as much work again."""
    queue = filled(calls)
    waiting = dict(enumerate(calls))
    sent: set[Prefix] = set()
    while (item := queue.pop()) is not None:
        every = list(waiting.values())
        mine = prefixes(waiting.pop(int(item)))
        new = next((prefix for prefix in mine if prefix not in sent), None)
        if new is not None:
            cold = {p for each in every for p in prefixes(each) if p[:-1] == new[:-1] and p not in sent}
            answer, size = work(every, new)
            assert answer == max(work(every, prefix)[0] for prefix in cold)
            assert 1.5 * size + 1 >= max(work(every, p)[1] for p in cold if work(every, p)[0] == answer)
        sent.update(mine)
