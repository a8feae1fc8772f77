"""`localeval.report.costs_terminal`: the bill within 80 columns; what is not known is never a number."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from localeval.errors import StoreError
from localeval.estimating import Compared
from localeval.methods.generate.schemas import GeneratedText
from localeval.models.prices import Prices
from localeval.report.costs_terminal import compared_in, count_text, energy_text, money_text, print_costs, time_text
from localeval.values import Missing, Reply
from tests.bill.billing import billed, call, ledger, loaded
from tests.report.printing import TRICKS, printed, squeezed

WRITES = ("generate/write", "terse")


def whole_ledger(system: str = "terse", prices: Prices | None = None, metered: bool = True) -> dict[str, Any]:
    """A local, a hosted, an unpriced and a scripted model; a failed call, and one of an earlier run."""
    many = {"prompt_tokens": 12_345_678, "cached_tokens": 6_172_839, "output_tokens": 98_765}
    answers = [
        (call("small", "generate/write", system), Reply("a", "x", device_s=123_456.0, **many)),
        (call("served"), Reply("b", "x", **many)),
        (call("free"), Reply("c", "x", **many)),
        (call("rules", "quiz/answer"), Reply("d", "x", prompt_tokens=7, output_tokens=1)),
        (call("small", "audit/check"), Reply("e", missing=Missing("engine error"))),
        (call("small", "audit/check"), Reply("f", "x", prompt_tokens=1, device_s=1.0)),
    ]
    energy = loaded(energy_j=9e6, load_energy_j=1e5) if metered else loaded()
    text = GeneratedText("s", system, "x", prompt_tokens=1, output_tokens=812, seconds=91.2, first_token_s=10.1)
    lost = GeneratedText("t", system, Missing("truncated"))
    return ledger(
        billed(answers, copied=["f"]),
        {"small": energy},
        [text, lost],
        4,
        prices or Prices(currency="EUR", device_hour=2),
    )


COMPARED = (
    Compared("work", "small", "generate/write", 100_000.0, 123_456.0),
    Compared("load", "small", "", None, 20.0),
    Compared("total", "", "", 100_000.0, 123_456.0),
)


@pytest.mark.parametrize("metered", [True, False])
def test_nothing_is_cut_at_80_columns(metered: bool) -> None:
    """Large numbers and many unknown ones, with energy and without: a wide terminal shows nothing more."""
    show = partial(print_costs, whole_ledger(metered=metered), COMPARED)
    narrow, wide = printed(show), printed(show, columns=200)
    assert max(len(line) for line in narrow.splitlines()) <= 80
    assert squeezed(narrow).replace("─", "") == squeezed(wide).replace("─", "")


def test_local_and_hosted_models_stand_in_one_table() -> None:
    """Each model has its row, the total its own."""
    out = printed(lambda: print_costs(whole_ledger(), COMPARED))
    models, others = out.split("systems: ")
    rows = {line.split()[0]: line.split() for line in models.splitlines() if len(line.split()) > 6}
    assert rows["small"] == ["small", "local", "2", ">=12.3M", "50%", ">=98.8k", ">=34.3", "h", ">=68.60"]
    assert rows["served"] == ["served", "hosted", "1", "12.3M", "50%", "98.8k", "-", "16.42"]
    assert rows["free"][1:] == ["hosted", "1", "12.3M", "50%", "98.8k", "-", "not", "known"]
    assert rows["rules"][1:] == ["scripted", "1", "7", "0%", "1", "-", "-"]
    total, expected = [line.split() for line in others.splitlines() if line.split()[:1] == ["total"]]
    assert total[-1] == ">=85.02"
    assert expected[-1] == "123%"


@pytest.mark.parametrize("is_known", [True, False])
def test_each_step_tells_what_was_written(is_known: bool) -> None:
    """By model and step, whoever the text was for, most first; a share only where all of it is known."""

    def written(key: str, tokens: int) -> Reply:
        return Reply(key, "x", prompt_tokens=100, cached_tokens=50, output_tokens=tokens)

    answers = [
        (call("small", "quiz/answer"), written("a", 2)),
        (call("small", "generate/write", "terse"), written("b", 60)),
        (call("small", "generate/write", "long"), written("c", 137)),
        (call("served", "quiz/answer"), written("d", 1)),
        *([] if is_known else [(call("served", "panel/judge"), Reply("e", "x"))]),
    ]
    steps = printed(lambda: print_costs(ledger(billed(answers)))).split("tokens by step")[1]
    rows = [" ".join(line.split()) for line in steps.splitlines() if "/" in line]
    shares = ["98%", "1%", "0%"] if is_known else ["-", "-", "-"]
    told = [
        "small generate/write 2 200 50% 197 98.5",
        "small quiz/answer 1 100 50% 2 2.0",
        "served quiz/answer 1 100 50% 1 1.0",
    ]
    lacking = [] if is_known else ["served panel/judge 1 not known - not known - -"]
    assert sorted(rows) == sorted([f"{row} {share}" for row, share in zip(told, shares, strict=True)] + lacking)
    assert rows[:2] == [f"{told[0]} {shares[0]}", f"{told[1]} {shares[1]}"]


def test_what_is_lacking_is_said_in_words() -> None:
    """Failed and copied calls, who does what, and the signs that occur."""
    out = printed(lambda: print_costs(whole_ledger()))
    for line in (
        "small: judge",
        "small: loaded once in 20 s, ready for 50 s; e; energy of 1 GPU",
        "1 call came without an answer",
        "1 reply of earlier runs, at no cost here",
        ">=: at least; a part is not known",
        "-: there is nothing of the kind",
    ):
        assert line in out
    assert "terse 1 of 2 812 91 s, 91 s 10 s" in " ".join(out.split())


def test_without_prices_money_is_not_known() -> None:
    """A local model whose device has no price, and no meter: words, never 0."""
    local = ledger(billed([(call("small"), Reply("a", "x", prompt_tokens=1, device_s=3.0))]), prices=Prices())
    out = " ".join(printed(lambda: print_costs(local)).split())
    assert "small local 1 1 0% 0 3.0 s not known" in out
    assert "energy" not in out
    assert "loaded, not known how often" in out


def test_a_run_of_nothing_is_printed() -> None:
    """A bill without a line has a total of no calls."""
    out = " ".join(printed(lambda: print_costs(ledger(billed([])))).split())
    assert "total 0" in out
    assert "systems" not in out


@pytest.mark.parametrize("trick", TRICKS)
def test_names_are_shown_as_they_are(trick: str) -> None:
    """Markup in a system's name is no markup."""
    assert squeezed(trick) in squeezed(printed(lambda: print_costs(whole_ledger(trick)), columns=200))


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (119.0, "119 s"),
        (120.0, "2 min"),
        (7200.0, "2.0 h"),
        (1e6, "278 h"),
    ],
)
def test_times_are_short(number: float, text: str) -> None:
    """A unit that leaves two or three digits."""
    assert time_text(number) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0.0, "0"), (0.00001, "<0.0001"), (0.02861, "0.0286"), (7.149, "7.15"), (1234.5, "1234.50")]
)
def test_money_keeps_its_digits(number: float, text: str) -> None:
    """Little money is not rounded to none."""
    assert money_text(number) == text


@pytest.mark.parametrize(("number", "text"), [(36.0, "0.01 Wh"), (8e5, "222 Wh"), (9e6, "2.50 kWh")])
def test_energy_is_in_hours(number: float, text: str) -> None:
    """As on an electricity bill."""
    assert energy_text(number) == text


@pytest.mark.parametrize(("number", "text"), [(0, "0"), (9999, "9999"), (10_000, "10.0k"), (2_500_000, "2.5M")])
def test_tokens_are_short(number: int, text: str) -> None:
    """In full as long as that is short."""
    assert count_text(number) == text


def test_a_damaged_plan_is_named(tmp_path: Path) -> None:
    """What was expected cannot be read: one line that names the file. Without a plan nothing is compared."""
    assert compared_in(tmp_path, whole_ledger()) == []
    (tmp_path / "plan.json").write_text(json.dumps({"schema": "localeval.plan/1", "pilot": 3}), encoding="utf-8")
    with pytest.raises(StoreError, match=r"plan\.json is damaged"):
        compared_in(tmp_path, whole_ledger())
