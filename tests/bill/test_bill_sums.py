"""Whatever the replies: the parts of a bill are its whole, and no order of them changes a number."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from localeval.bill.pricing import FIELDS
from localeval.values import Call, Missing, Reply
from tests.bill.billing import MODELS, billed, call, ledger, loaded

STAGES = ("generate/write", "quiz/answer", "panel/judge", "audit/check")
replies = st.builds(
    Reply,
    st.uuids().map(str),
    missing=st.sampled_from([None, None, Missing("too long"), Missing("engine error")]),
    prompt_tokens=st.integers(0, 10**6),
    cached_tokens=st.just(0),
    output_tokens=st.integers(0, 10**4),
    device_s=st.none() | st.floats(0, 1e4),
)
calls = st.builds(
    lambda of, stage, other: call(of, stage, f"{of} {other}"),  # a system writes with one model
    st.sampled_from(sorted(MODELS)),
    st.sampled_from(STAGES),
    st.integers(1, 2),
)
answers = st.lists(st.tuples(calls, replies), max_size=12, unique_by=lambda each: each[1].key)


def summed(parts: Iterable[Mapping[str, Any]], name: str) -> tuple[float | None, bool]:
    """(the sum of what is known, whether nothing is lacking)."""
    rows = list(parts)
    known = [row[name] for row in rows if row[name] is not None]
    return (sum(known) if known else None), all(name not in row["incomplete"] for row in rows)


@settings(max_examples=150, deadline=None)
@given(answers, st.sets(st.integers(0, 11)))
def test_the_parts_are_the_whole(given_answers: list[tuple[Call, Reply]], reused: set[int]) -> None:
    """Rows sum to stages, stages and loads to the total, models to the total, known and unknown alike."""
    copied = [reply.key for n, (_, reply) in enumerate(given_answers) if n in reused and reply.missing is None]
    found = ledger(billed(given_answers, copied), {"small": loaded(energy_j=90.0, load_energy_j=3.0)})
    for name in FIELDS:
        total = found["total"]
        parts = [*found["stages"], *(found["loads"] if name in ("energy_j", "money") else [])]
        for rows in (parts, found["models"]):
            value, is_whole = summed(rows, name)
            if found["rows"]:
                assert (value is None) == (total[name] is None)
                assert total[name] == pytest.approx(value)
            assert is_whole == (name not in total["incomplete"])
        for stage in found["stages"]:
            within = [row for row in found["rows"] if row["stage"].startswith(stage["stage"])]
            value, is_whole = summed(within, name)
            assert (stage[name], name not in stage["incomplete"]) == (pytest.approx(value), is_whole)


@settings(max_examples=50, deadline=None)
@given(answers, st.randoms())
def test_the_order_of_replies_changes_nothing(given_answers: list[tuple[Call, Reply]], random: Any) -> None:
    """A run that was stopped and went on, or is read from its store, has the very same ledger."""
    shuffled = list(given_answers)
    random.shuffle(shuffled)
    assert ledger(billed(shuffled)) == ledger(billed([*given_answers, *given_answers]))
