"""`localeval.engines.clock`: shares of the time that a model worked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from localeval.engines.clock import WorkClock

EVENTS = st.lists(
    st.one_of(
        st.tuples(st.just("admit"), st.floats(0, 1)),
        st.tuples(st.just("spend"), st.floats(0, 10)),
        st.tuples(st.just("end"), st.integers(0, 20)),
    ),
    max_size=60,
)


def test_a_step_is_shared_equally_among_the_calls_that_run() -> None:
    """Whoever joins later pays for later steps alone, and what it took to make its prompt."""
    clock = WorkClock(places=8)
    clock.admit("a")
    clock.spend(4.0)
    clock.admit("b", own_s=0.5)
    clock.spend(2.0)
    assert clock.end("a") == pytest.approx(5.0)
    clock.spend(3.0)
    assert clock.end("b") == pytest.approx(0.5 + 1.0 + 3.0)


def test_those_that_wait_for_a_place_pay_nothing() -> None:
    """One call at a time, as transformers works: each step is wholly that of the first that came."""
    clock = WorkClock(places=1)
    for key in "abc":
        clock.admit(key)
    shares = {}
    for key, seconds in (("a", 5.0), ("b", 1.0), ("c", 2.0)):
        clock.spend(seconds)
        shares[key] = clock.end(key)
    assert shares == pytest.approx({"a": 5.0, "b": 1.0, "c": 2.0})


def test_a_call_that_never_ran_has_its_own_time_alone() -> None:
    """Refused after its prompt was made, or ended by the engine while it waited: others run on undisturbed."""
    clock = WorkClock(places=1)
    clock.admit("a")
    clock.admit("refused", own_s=0.25)
    clock.spend(3.0)
    assert clock.end("refused") == 0.25
    assert clock.end("a") == 3.0


@given(EVENTS, st.integers(1, 5))
def test_the_shares_add_up_to_the_time(events: list[tuple[str, float]], places: int) -> None:
    """Whatever joins and leaves in whatever order: nothing is lost, and nothing is counted twice."""
    clock, held, worked, shared, number = WorkClock(places), [], 0.0, 0.0, 0
    for what, value in events:
        if what == "admit":
            clock.admit(str(number), value)
            held.append(str(number))
            worked, number = worked + value, number + 1
        elif what == "spend":
            clock.spend(value)
            worked += value if held else 0.0
        elif held:
            shared += clock.end(held.pop(int(value) % len(held)))
    shared += sum(clock.end(key) for key in held)
    assert shared == pytest.approx(worked)
