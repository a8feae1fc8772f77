"""Asking again: what every method does with a reply that it cannot read."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import TypeVar

from localeval.keys import derive_seed
from localeval.values import Call, Missing, Reply

Verdict = TypeVar("Verdict")

RETRY_TEMPERATURE = 0.5
"""A call at temperature 0 would only repeat itself, so the second asking is drawn with some freedom."""


def ask(
    calls: Sequence[Call],
    readers: Sequence[Callable[[Reply], Verdict]],
    verdict: Callable[[Verdict], object],
    retries: int,
) -> Generator[Sequence[Call], Sequence[Reply], list[Verdict]]:
    """One verdict a call, in order. What comes back missing is asked again as a new call, at most `retries` times.

    The new call has its own seed and so its own key: it is stored, counted and visible like any other. "Too long" and
    "absent" are not asked again, since nothing could change them: a context does not grow, and a file of verdicts
    that lacks one has no other. `verdict` picks the part of a reading that may be `Missing`.
    """
    read = [reader(reply) for reader, reply in zip(readers, (yield calls), strict=True)]
    for attempt in range(1, retries + 1):
        again = [place for place, each in enumerate(read) if _can_change(verdict(each))]
        if not again:
            break
        replies = yield [_anew(calls[place], attempt) for place in again]
        for place, reply in zip(again, replies, strict=True):
            read[place] = readers[place](reply)
    return read


def _can_change(verdict: object) -> bool:
    return isinstance(verdict, Missing) and verdict.reason not in ("too long", "absent")


def _anew(call: Call, attempt: int) -> Call:
    sampling = replace(
        call.sampling,
        seed=derive_seed(call.sampling.seed, "again", attempt),
        temperature=max(call.sampling.temperature, RETRY_TEMPERATURE),
    )
    return replace(call, sampling=sampling)
