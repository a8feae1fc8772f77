"""`localeval.report.plan_terminal`: a plan within 80 columns and to the letter."""

from typing import Any

from localeval.report.plan_terminal import print_plan
from tests.report.printing import printed, squeezed


def stage(name: str, model: str = "qwen2.5-7b") -> dict[str, Any]:
    """One stage of a large plan."""
    return {
        "model": model,
        "stage": name,
        "stored": 10,
        "calls": 1200,
        "prompt_tokens": 45_000_000,
        "unique_tokens": 1_200_000,
        "computed_tokens": 1_234_567,
        "output_tokens": 384_000,
    }


def load(place: int, model: str, **changes: Any) -> dict[str, Any]:
    """One load of a plan."""
    found = {
        "model": model,
        "place": place,
        "stages": {"generate/write": 8, "panel/judge": 1},
        "calls": 9,
        "prompt_tokens": 5210,
        "computed_tokens": 3000,
        "output_tokens": 800,
        "load_s": 41.0,
        "work_s": 600.0,
        "money": 0.25,
    }
    return found | changes


def plan(**changes: Any) -> dict[str, Any]:
    """A plan of two loads."""
    found = {
        "currency": "EUR",
        "loads": [load(1, "small"), load(2, "[b]x", load_s=None, work_s=None, money=None)],
        "stages": [stage(f"quiz/{each}") for each in ("write", "ceiling", "blind", "answer", "control")],
        "pilot": None,
        "total": {"calls": 18, "work_s": 600.0, "load_s": 41.0, "money": None},
        "too_long": [
            {"model": "[/]", "stage": "quiz/write", "subject": "s [bold]0", "needed": 9000, "limit": 8192},
        ],
        "notes": ["a guess"],
    }
    return found | changes


def test_a_plan_is_a_table_its_loads_and_what_does_not_fit() -> None:
    """Numbers whole within 80 columns, loads in their order, and each call that is too long with both numbers."""
    out = printed(lambda: print_plan(plan()))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    for number in ("45000000", "1234567", "384000", "97%"):
        assert out.count(number) == 5, number
    flat = squeezed(out)
    first = "1. small: generate/write 8 calls, panel/judge 1 call; 5210 prompt tokens, 3000 of them to compute; "
    assert squeezed(first + "load 41 s; work 10 min; 0.25 EUR") in flat
    assert squeezed("2. [b]x: generate/write 8 calls, panel/judge 1 call;") in flat
    assert squeezed("in all: 18 calls; load 41 s; work 10 min; money not known") in flat
    assert "a guess" in out
    assert squeezed("does not fit: s [bold]0 at quiz/write: 9000 tokens, [/] holds 8192") in flat


def test_a_calibrated_plan_names_its_pilot() -> None:
    """What was measured, what it took, and that the total has it."""
    pilot = {"sources": ["clinic"], "load_s": 33.0, "work_s": 60.0, "money": 0.01}
    out = squeezed(printed(lambda: print_plan(plan(pilot=pilot))))
    assert squeezed("measured: clinic; load 33 s; work 60 s; 0.01 EUR; the run uses its replies") in out
    assert squeezed("in all with the pilot: 18 calls") in out


def test_names_are_literal_and_nothing_is_no_load() -> None:
    """Square brackets are no markup; a plan without a load says so."""
    assert "[/]" in printed(lambda: print_plan(plan(stages=[stage("quiz/write", "[/]")], too_long=[])))
    assert "model loads: none" in printed(lambda: print_plan(plan(loads=[])))
