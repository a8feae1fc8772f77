"""ledger.json: sums that can be made by hand, and numbers that are not known."""

import pytest

from localeval.methods.generate.schemas import GeneratedText
from localeval.models.prices import Prices
from localeval.values import Missing, Reply
from tests.bill.billing import billed, call, ledger, loaded, row


def test_the_sums_of_a_small_run() -> None:
    """Rows, stages, models, loads and the total of three models, each number by hand."""
    found = ledger(
        billed(
            [
                (
                    call("small", "generate/write", "terse"),
                    Reply("a", "x", prompt_tokens=1000, cached_tokens=400, output_tokens=200, device_s=4.0),
                ),
                (call("small"), Reply("b", "x", prompt_tokens=1200, output_tokens=10, device_s=1.0)),
                (
                    call("served"),
                    Reply("c", "x", prompt_tokens=1500, cached_tokens=500, output_tokens=100, thinking_tokens=60),
                ),
                (call("rules"), Reply("d", "x", prompt_tokens=7, output_tokens=1)),
            ]
        ),
        {"small": loaded()},
        [GeneratedText("clinic", "terse", "x", output_tokens=200, prompt_tokens=1000, seconds=9.0)],
        candidates=2,
    )
    assert (found["schema"], found["currency"]) == ("localeval.ledger/1", "EUR")
    assert [(each["model"], each["stage"], each["system"]) for each in found["rows"]] == [
        ("small", "generate/write", "terse"),
        ("rules", "panel/judge", ""),
        ("served", "panel/judge", ""),
        ("small", "panel/judge", ""),
    ]
    written = row(found, "rows", stage="generate/write")
    assert (written["device_s"], written["money"]) == (4.0, 0.004)
    assert (written["prompt_tokens"], written["cached_tokens"], written["output_tokens"]) == (1000, 400, 200)
    # a million: 1000 fresh at 2, 500 cached at 0.5, 100 written at 10
    served = row(found, "rows", model="served")
    assert served["money"] == (2000 + 250 + 1000) / 1e6
    assert (served["device_s"], served["thinking_tokens"], served["incomplete"]) == (None, 60, [])
    panel = row(found, "stages", stage="panel")
    assert (panel["calls"], panel["prompt_tokens"], panel["device_s"]) == (3, 2707, 1.0)
    assert panel["money"] == 0.001 + 0.00325
    small = row(found, "models", model="small")
    assert (small["kind"], small["roles"], small["load_s"], small["load_money"]) == ("local", ["judge"], 20.0, 0.02)
    assert small["money"] == 0.005 + 0.02
    assert found["loads"] == [
        {
            "model": "small",
            "engine": "e",
            "meter": "",
            "times": 1,
            "seconds": 20.0,
            "busy_s": 50.0,
            "energy_j": None,
            "money": 0.02,
            "incomplete": ["energy_j"],
            "phases": {},
        }
    ]
    total = found["total"]
    assert (total["calls"], total["device_s"], total["load_s"]) == (4, 5.0, 20.0)
    assert total["money"] == 0.004 + 0.001 + 0.00325 + 0.02
    assert total["incomplete"] == ["energy_j", "load_energy_j"]
    judging = found["judging"]
    assert (judging["money"], judging["money_per_1000"], judging["device_s_per_1000"]) == (0.00425, 2.125, 500.0)


def test_what_is_not_known_stays_so() -> None:
    """No price is no number; a part without one makes the sum a lower bound, never a smaller whole."""
    answers = [
        (call("small"), Reply("a", "x", prompt_tokens=5, output_tokens=1, device_s=2.0)),
        (call("small"), Reply("b", "x", prompt_tokens=5, output_tokens=1)),  # nobody timed it
        (call("free"), Reply("c", "x", prompt_tokens=5, output_tokens=1)),
    ]
    found = ledger(billed(answers), {"small": loaded()})
    small = row(found, "rows", model="small")
    assert (small["device_s"], small["money"]) == (2.0, 0.002)
    assert small["incomplete"] == ["device_s", "energy_j", "money"]
    free = row(found, "rows", model="free")
    assert (free["money"], free["incomplete"]) == (None, ["money"])
    assert found["total"]["money"] == 0.022
    assert "money" in found["total"]["incomplete"]
    unpriced = ledger(billed(answers), {"small": loaded()}, prices=Prices())
    assert (unpriced["total"]["money"], row(unpriced, "loads", model="small")["money"]) == (None, None)
    assert {"money", "load_money"} <= set(unpriced["total"]["incomplete"])


def test_replies_without_a_count_of_tokens_have_no_price() -> None:
    """A program tells no tokens: 0 of them at a price are not free."""
    found = ledger(billed([(call("served"), Reply("a", "x"))]))
    only = row(found, "rows", model="served")
    assert (only["prompt_tokens"], only["output_tokens"], only["money"]) == (None, None, None)
    counted = Reply("b", "x", prompt_tokens=1_000_000, output_tokens=0)
    some = row(ledger(billed([(call("served"), Reply("a", "x")), (call("served"), counted)])), "rows", model="served")
    assert (some["prompt_tokens"], some["money"]) == (1_000_000, 2.0)
    assert {"prompt_tokens", "output_tokens", "money"} <= set(some["incomplete"])


def test_what_was_never_sent_costs_nothing() -> None:
    """A call that does not fit is counted and missing; its tokens were never computed."""
    reply = Reply("a", prompt_tokens=90_000, missing=Missing("too long", "", 90_000, 4096))
    only = row(ledger(billed([(call("small"), reply)])), "rows", model="small")
    assert (only["calls"], only["missing"], only["prompt_tokens"], only["device_s"], only["money"]) == (1, 1, 0, 0, 0)


def test_what_a_server_read_and_only_then_found_too_long_is_paid() -> None:
    """It has answered: by its own count of tokens it shows that the context was too short."""
    missing = Missing("too long", "", 90_000, 4096)
    reply = Reply("a", prompt_tokens=90_000, output_tokens=100, missing=missing)
    only = row(ledger(billed([(call("served"), reply)])), "rows", model="served")
    assert (only["missing"], only["prompt_tokens"], only["money"]) == (1, 90_000, 0.181)


def test_copied_replies_cost_this_run_nothing_and_still_say_what_the_work_takes() -> None:
    """Of an earlier run: listed, not paid; a thousand texts would still have to be written."""
    writes = call("small", "generate/write", "terse")
    answers = [(writes, Reply("a", "x", prompt_tokens=10, output_tokens=5, device_s=4.0))]
    text = GeneratedText("clinic", "terse", "x", prompt_tokens=10, output_tokens=5, seconds=4.0)
    found = ledger(billed(answers, copied=["a"]), texts=[text])
    only = row(found, "rows", model="small")
    assert (only["calls"], only["reused"], only["prompt_tokens"], only["device_s"], only["money"]) == (0, 1, 0, 0, 0)
    terse = found["systems"]["terse"]
    assert (terse["money"], terse["money_per_1000"], terse["device_s_per_1000"]) == (0.0, 4.0, 4000.0)
    assert found["loads"] == []  # nothing was loaded for what was copied
    assert found["total"]["money"] == 0.0


def test_a_system_by_its_texts() -> None:
    """Askings that came to nothing are paid for by the texts that came; medians are over those texts."""
    writes = call("small", "generate/write", "terse")
    answers = [
        (writes, Reply("a", "x", prompt_tokens=10, output_tokens=100, device_s=1.0)),
        (writes, Reply("b", "", "length", prompt_tokens=10, output_tokens=900, device_s=9.0)),
        (writes, Reply("c", "x", prompt_tokens=10, output_tokens=200, device_s=2.0)),
    ]
    texts = [
        GeneratedText("s1", "terse", "x", prompt_tokens=10, output_tokens=100, seconds=5.0, first_token_s=0.5),
        GeneratedText("s2", "terse", Missing("truncated"), prompt_tokens=10, output_tokens=900, seconds=40.0),
        GeneratedText("s3", "terse", "x", prompt_tokens=10, output_tokens=200, thinking_tokens=50, seconds=7.0),
    ]
    terse = ledger(billed(answers), texts=texts)["systems"]["terse"]
    assert (terse["model"], terse["texts"], terse["missing"]) == ("small", 2, 1)
    assert (terse["device_s"], terse["device_s_per_1000"]) == (12.0, 6000.0)
    assert terse["money_per_1000"] == pytest.approx(6.0)
    assert terse["seconds"] == {"median": 6.0, "p95": 6.9, "n": 2}
    assert terse["first_token_s"] == {"median": 0.5, "p95": 0.5, "n": 1}
    assert (terse["output_tokens"], terse["thinking_tokens"]) == (150.0, 25.0)


def test_a_system_without_texts_has_no_cost_of_a_thousand() -> None:
    """Nothing came of it: what a thousand texts would cost is not known."""
    writes = call("small", "generate/write", "terse")
    answers = [(writes, Reply("a", missing=Missing("engine error"), device_s=3.0, prompt_tokens=4))]
    terse = ledger(billed(answers), texts=[GeneratedText("s1", "terse", Missing("engine error"))])["systems"]["terse"]
    assert (terse["texts"], terse["money"], terse["money_per_1000"]) == (0, 0.003, None)
    assert "money_per_1000" in terse["incomplete"]
    assert (terse["seconds"], terse["first_token_s"], terse["output_tokens"]) == (None, None, None)


def test_energy_goes_by_the_share_of_the_time() -> None:
    """What the device used while the model worked is spread over its replies' seconds; loading stands apart."""
    answers = [
        (call("small"), Reply("a", "x", prompt_tokens=1, output_tokens=1, device_s=30.0)),
        (call("small", "quiz/answer"), Reply("b", "x", prompt_tokens=1, output_tokens=1, device_s=10.0)),
    ]
    found = ledger(billed(answers), {"small": loaded(energy_j=800.0, load_energy_j=100.0)})
    assert row(found, "rows", stage="panel/judge")["energy_j"] == pytest.approx(600.0)
    assert row(found, "rows", stage="quiz/answer")["energy_j"] == pytest.approx(200.0)
    assert row(found, "loads", model="small")["energy_j"] == 100.0
    assert (found["total"]["energy_j"], found["total"]["load_energy_j"]) == (pytest.approx(900.0), 100.0)
    # half of the work was on replies that the config no longer asks for
    half = ledger(billed(answers), {"small": loaded(energy_j=800.0, load_energy_j=100.0, device_s=80.0)})
    assert row(half, "rows", stage="panel/judge")["energy_j"] == pytest.approx(300.0)


def test_a_local_model_of_which_no_sitting_tells_was_loaded_all_the_same() -> None:
    """A run that was killed has replies and no account of its loads: not known, not none."""
    found = ledger(billed([(call("small"), Reply("a", "x", prompt_tokens=1, output_tokens=1, device_s=1.0))]))
    load = row(found, "loads", model="small")
    assert (load["times"], load["seconds"], load["money"]) == (None, None, None)
    assert found["total"]["money"] == 0.001
    assert {"money", "load_s", "load_money"} <= set(found["total"]["incomplete"])


def test_texts_that_affect_has_written_are_not_judging() -> None:
    """What systems write for a study of affect is writing, of no candidate that anybody judges."""
    answers = [
        (call("small", "affect/elicit"), Reply("a", "x", prompt_tokens=1, output_tokens=9, device_s=5.0)),
        (call("small", "affect/score"), Reply("b", "x", prompt_tokens=1, output_tokens=1, device_s=1.0)),
    ]
    found = ledger(billed(answers), candidates=1)
    assert (found["judging"]["device_s"], found["total"]["device_s"]) == (1.0, 6.0)
    assert ledger(billed(answers))["judging"]["device_s_per_1000"] is None  # of no candidates


def test_rules_cost_nothing_that_can_be_known() -> None:
    """A scripted run has no money at all, which is neither 0 nor unknown."""
    found = ledger(billed([(call("rules"), Reply("a", "x"))]), {"rules": loaded(load_s=0.0)}, prices=Prices())
    assert (found["total"]["money"], found["total"]["incomplete"]) == (None, [])
    assert row(found, "models", model="rules")["kind"] == "scripted"
