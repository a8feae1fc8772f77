"""The bill of a run as it happens, and made anew from the store alone."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from localeval.bill import Bill, ledger_of, spent_on_hosted
from localeval.driver import drive
from localeval.flow import Flow
from localeval.keys import call_key
from localeval.models.prices import Prices
from localeval.store.database import ChainedStore, SqliteStore
from localeval.store.reader import StoreReader
from localeval.values import Call, FreeText, Message, Missing, Reply, Sampling
from tests.bill.billing import MODELS, billed, call, ledger, model, row
from tests.helpers import ScriptedEngines, scripted_model

FIRST = [{"contains": "flaky", "fail": "error"}, {"match": r"(.+)", "template": r"\1 and so on"}]
LATER = [{"match": r"(.+)", "template": r"\1 and so on"}]


def ask(words: str, system: str = "", stage: str = "generate/write") -> Call:
    return Call("m", (Message("user", (words,)),), FreeText(), Sampling(64), stage, "clinic", system)


def asks(calls: Sequence[Call]) -> Flow[list[str]]:
    replies = yield calls
    return [reply.text for reply in replies]


def flows() -> Iterator[tuple[str, Flow[list[str]]]]:
    """Two systems whose prompts agree on one source, a judge that is asked the same twice, and a call that fails."""
    yield "terse", asks([ask("one", "terse"), ask("two", "terse")])
    yield "long", asks([ask("one", "long"), ask("three and more", "long")])
    yield "judge", asks([ask("judge", stage="panel/judge"), ask("judge", stage="panel/judge")])
    yield "flaky", asks([ask("flaky", stage="audit/check")])


def lines(bill: Bill) -> dict[tuple[str, str, str], tuple[int, int, int, int]]:
    return {
        tuple(line): (paid.own.calls, paid.reused.calls, paid.own.missing, paid.own.output_tokens)
        for line, paid in bill.lines.items()
    }


def test_the_bill_is_the_same_from_the_store_alone(tmp_path: Path) -> None:
    """A live run, the same read from its store, and the run after an engine's failure was asked again."""
    model = scripted_model(tmp_path, FIRST)
    with SqliteStore(tmp_path / "store.sqlite") as store:
        live, anew = Bill(store.copied), Bill(store.copied)
        list(drive(flows(), store, ScriptedEngines(model), live))
        assert lines(live) == {
            ("m", "generate/write", "terse"): (2, 0, 0, 8),
            ("m", "generate/write", "long"): (1, 0, 0, 6),
            ("m", "panel/judge", ""): (1, 0, 0, 4),
            ("m", "audit/check", ""): (1, 0, 1, 0),
        }
        # what both need is paid once, and each alone would have had to pay for it
        assert {name: paid.own.output_tokens for name, paid in live.systems.items()} == {"terse": 8, "long": 10}
        # the same sitting asks again what failed: the answer takes the failure's place
        mended = scripted_model(tmp_path, LATER)
        list(drive(flows(), store, ScriptedEngines(mended), live))
        assert lines(live)["m", "audit/check", ""] == (1, 0, 0, 4)
        opened = ScriptedEngines(mended)
        list(drive(flows(), store, opened, anew))
        assert opened.opened == []
    assert lines(anew) == lines(live)
    assert {name: paid.own for name, paid in anew.systems.items()} == {
        name: paid.own for name, paid in live.systems.items()
    }


def test_what_an_earlier_run_paid_is_told_apart(tmp_path: Path) -> None:
    """Copied replies are known as such while they are copied, and from the store later."""
    model = scripted_model(tmp_path, LATER)
    with SqliteStore(tmp_path / "old.sqlite") as old:
        list(drive([("terse", asks([ask("one", "terse")]))], old, ScriptedEngines(model)))
    with SqliteStore(tmp_path / "new.sqlite") as store, StoreReader.at_rest(tmp_path / "old.sqlite") as earlier:
        live = Bill(store.copied)
        list(drive(flows(), ChainedStore(store, [earlier]), ScriptedEngines(model), live))
        store.flush()
    with StoreReader.at_rest(tmp_path / "new.sqlite") as reader, SqliteStore(tmp_path / "new.sqlite") as again:
        anew, reopened = Bill(reader.copied()), Bill(again.copied)
        list(drive(flows(), again, ScriptedEngines(model), anew))
        list(drive(flows(), again, ScriptedEngines(model), reopened))
    assert lines(live)["m", "generate/write", "terse"] == (1, 1, 0, 4)
    assert lines(anew) == lines(live) == lines(reopened)
    assert (live.systems["long"].own.calls, live.systems["long"].reused.calls) == (1, 1)


def test_what_was_spent_on_hosted_models(tmp_path: Path) -> None:
    """Their own replies at their prices; not local ones, not what an earlier run paid, not what has no price."""
    with SqliteStore(tmp_path / "store.sqlite") as store:
        for n, (name, origin) in enumerate([("served", ""), ("served", "runs/old"), ("small", ""), ("free", "")]):
            asked = call(name, item=str(n))
            reply = Reply(f"{n}" * 64, "x", prompt_tokens=100, cached_tokens=40, output_tokens=10)
            store.append(asked, reply, origin)
        failed = Reply("f" * 64, missing=Missing("engine error"))
        store.append(call("served"), failed)
        store.flush()
        assert spent_on_hosted(store, MODELS) == (60 * 2 + 40 * 0.5 + 10 * 10) / 1e6
    with StoreReader.at_rest(tmp_path / "store.sqlite") as reader:
        assert spent_on_hosted(reader, MODELS) == (60 * 2 + 40 * 0.5 + 10 * 10) / 1e6
        assert spent_on_hosted(reader, {"small": MODELS["small"]}) == 0.0


def test_a_call_that_failed_may_have_been_billed() -> None:
    """A hosted model's failure without a count makes its money a lower bound."""
    answers = [
        (call("served"), Reply("a", "x", prompt_tokens=1000, output_tokens=0)),
        (call("served"), Reply("b", missing=Missing("engine error"))),
    ]
    only = row(ledger(billed(answers)), "rows", model="served")
    assert (only["money"], "money" in only["incomplete"]) == (0.002, True)


def test_a_price_by_the_hour_and_one_by_the_token_are_both_paid() -> None:
    """A server of one's own on a rented device may have both; without seconds only the tokens are known."""
    both = {"both": model("both", "openai", price_per_hour=7.2, price_in=1.0, price_out=1.0)}
    timed = Reply("a", "x", prompt_tokens=1000, output_tokens=0, device_s=10.0)
    untimed = Reply("b", "x", prompt_tokens=1000, output_tokens=0)
    for answers, money, incomplete in (
        ([timed], 0.021, []),
        ([untimed], 0.001, ["device_s", "money"]),
        ([timed, untimed], 0.022, ["device_s", "money"]),
    ):
        bill = billed((call("both"), reply) for reply in answers)
        found = ledger_of(bill, both, {}, {}, Prices(), (), 0)
        only = row(found, "rows", model="both")
        assert (round(only["money"], 9), only["incomplete"]) == (money, incomplete)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_keys_are_what_calls_are_counted_by() -> None:
    """The same call of two flows is one call; another seed is another."""
    first = ask("one", stage="panel/judge")
    key = call_key(first, "m")
    bill = billed([(first, Reply(key, "x")), (first, Reply(key, "x")), (first, Reply(key[::-1], "x"))])
    assert [paid.own.calls for paid in bill.lines.values()] == [2]
