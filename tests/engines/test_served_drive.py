"""The engine `openai` under the real driver and store: nothing lost, nothing asked twice, and the cap kept."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from localeval.driver import drive
from localeval.engines.backoff import Pace
from localeval.engines.purse import Purse
from localeval.engines.served import ServedEngine, check_served
from localeval.errors import BudgetReached, ConfigError, EngineError
from localeval.flow import Flow, is_final
from localeval.models import Model
from localeval.store.database import SqliteStore
from localeval.values import Call, Choice, FreeText, JsonObject, Message, Reply, Sampling
from tests.engines.fake_server import FINE, PRICE_IN, PRICE_OUT, Asked, Behaviour, FakeServer, served_model, serving

LETTERS = Choice(("A", "B", "C"))
OBJECT = JsonObject('{"type":"object","properties":{"word":{"type":"string"}},"required":["word"]}')
N_FLOWS = 12
PRICES = {"price_in": PRICE_IN, "price_out": PRICE_OUT}
DUST = 1e-9  # sums of floating-point prices, in another order

TROUBLES = [
    Behaviour(429),
    Behaviour(429, headers={"Retry-After": "0.05"}),
    Behaviour(500),
    Behaviour(503),
    Behaviour(cut=0),
    Behaviour(cut=30),
    Behaviour(cut=150),
    Behaviour(raw="<html>the gateway is unwell</html>"),
    Behaviour(raw='{"object": "chat.completion", "choices": []}'),
]


class Served:
    """One model behind a server, with waits that a test can afford."""

    def __init__(self, model: Model, purse: Purse | None = None) -> None:
        self._model = model
        self._purse = purse
        self.n_opened = 0

    def identity(self, model: str) -> str:
        return self._model.identity

    def stands(self, model: str, reply: Reply) -> bool:
        return is_final(reply, 0)

    def open(self, model: str) -> ServedEngine:
        self.n_opened += 1
        return ServedEngine(self._model, self._purse, Pace(8, first_wait_s=0.01, longest_wait_s=0.03))


def flow(number: int) -> Flow[list[str]]:
    """Writes a text, then has it judged in two ways."""

    def call(text: str, output: Choice | JsonObject | FreeText) -> Call:
        return Call("m", (Message("user", (f"source {number}\n", text)),), output, Sampling(40, logprobs=3))

    (written,) = yield [call(f"say text{number}", FreeText())]
    judged = yield [call(f"say B of {written.text}", LETTERS), call(f"say good of {written.text}", OBJECT)]
    return [written.text, *(reply.text for reply in judged)]


def flows(n: int = N_FLOWS) -> Iterator[tuple[int, Flow[list[str]]]]:
    """The flows of a run."""
    return ((number, flow(number)) for number in range(n))


def expected(n: int = N_FLOWS) -> dict[int, list[str]]:
    """What the flows come to."""
    return {number: [f"text{number}", "B", '{"word": "good"}'] for number in range(n)}


def not_once(server: FakeServer) -> dict[str, int]:
    """The questions that were not answered whole exactly once; the engine's own tests are no questions."""
    questions = {json.dumps(asked.body, sort_keys=True) for asked in server.questions}
    return {question: server.delivered[question] for question in questions if server.delivered[question] != 1}


@pytest.mark.parametrize("seed", range(3))
def test_a_storm_loses_nothing_and_asks_nothing_twice(seed: int, tmp_path: Path) -> None:
    """Every request meets up to three troubles, one a hang, before it is answered; a second drive asks nothing."""
    drawn = random.Random(seed)
    troubles: dict[str, list[Behaviour]] = {}

    def plan(asked: Asked) -> Behaviour:
        hangs = [Behaviour(hang=True)] if asked.prompt.endswith("say text3") else []
        mine = troubles.setdefault(asked.prompt, hangs + drawn.choices(TROUBLES, k=drawn.randrange(4)))
        return mine[asked.time - 1] if asked.time <= len(mine) else FINE

    with serving(plan) as server:
        engines = Served(served_model(server.url, timeout_s=3, attempts=6))
        with SqliteStore(tmp_path / "s.sqlite") as store:
            assert dict(drive(flows(), store, engines)) == expected()
        assert sum(len(met) for met in troubles.values()) > N_FLOWS
        assert not not_once(server)
        n_asked = len(server.asked)
        with SqliteStore(tmp_path / "s.sqlite") as store:
            assert dict(drive(flows(), store, engines)) == expected()
        assert len(server.asked) == n_asked
        assert engines.n_opened == 1


def test_a_closed_door_loses_no_answer(tmp_path: Path) -> None:
    """What was under way when the server let nobody in any more is in the store, and is not asked again."""
    closed = True

    def plan(asked: Asked) -> Behaviour:
        if closed and len(server.questions) > 15:
            return Behaviour(401, delay_s=0.1)
        return Behaviour(delay_s=0.5 if closed and len(server.questions) > 10 else 0.0)

    with serving(plan) as server:
        engines = Served(served_model(server.url))
        with SqliteStore(tmp_path / "s.sqlite") as store, pytest.raises(EngineError, match="HTTP 401"):
            list(drive(flows(), store, engines))
        with SqliteStore(tmp_path / "s.sqlite") as store:
            assert len(store) == sum(n for question, n in server.delivered.items() if "harbour" not in question)
            closed = False
            assert dict(drive(flows(), store, engines)) == expected()
        assert not not_once(server)


def stored_cost(store: SqliteStore, replies: list[Reply]) -> float:
    """What the replies in a store have cost."""
    return sum((r.prompt_tokens * PRICE_IN + r.output_tokens * PRICE_OUT) / 1e6 for r in replies)


@pytest.mark.parametrize("trouble", [None, Behaviour(429), Behaviour(500), Behaviour(cut=60)])
def test_the_cap_is_kept(trouble: Behaviour | None, tmp_path: Path) -> None:
    """The server bills at most the budget, what it billed for is in the store, and more money finishes the run.

    Where no answer was lost on the way, what was counted is what was billed; one that was lost counts as its worst.
    """

    def plan(asked: Asked) -> Behaviour:
        return trouble if trouble is not None and asked.time == 1 else FINE

    budget = 0.03
    with serving(plan) as server:
        model = served_model(server.url, **PRICES)
        purse = Purse(budget)
        with SqliteStore(tmp_path / "s.sqlite") as store:
            with pytest.raises(
                BudgetReached, match=r"of 0\.0300 USD are spent .*calls are left; raise `prices: budget`"
            ):
                list(drive(flows(20), store, Served(model, purse)))
            assert 0 < server.billed <= purse.spent + DUST
            assert purse.spent <= budget + DUST
            assert purse.reserved == pytest.approx(0.0, abs=1e-12)
            if trouble is None or trouble.cut is None:
                assert purse.spent == pytest.approx(server.billed)
                assert purse.spent > budget / 2
            n_answered = sum(n for question, n in server.delivered.items() if "harbour" not in question)
            assert len(store) == n_answered < 60
        more = Purse(10.0, spent=purse.spent)
        with SqliteStore(tmp_path / "s.sqlite") as store:
            assert dict(drive(flows(20), store, Served(model, more))) == expected(20)
        assert not not_once(server)
        assert server.billed <= more.spent + DUST <= 10.0


def test_one_purse_is_shared(tmp_path: Path) -> None:
    """What another engine of the run has spent is not there any more: nothing is sent for which there is no room."""
    with serving() as server:
        model = served_model(server.url, **PRICES)
        with SqliteStore(tmp_path / "s.sqlite") as store, pytest.raises(BudgetReached) as caught:
            list(drive(flows(), store, Served(model, Purse(0.05, spent=0.0499))))
        assert not server.asked
    assert caught.value.exit_code == 4
    assert "\n" not in str(caught.value)


def test_a_budget_needs_prices() -> None:
    """Elsewhere they must be named before anything is sent; a server on this machine costs nothing."""
    with pytest.raises(ConfigError, match=r"models\.m: `prices: budget` cannot be kept without price_in and price_out"):
        ServedEngine(served_model("https://api.example.org/v1"), Purse(1.0)).__enter__()
    with serving() as server, ServedEngine(served_model(server.url), Purse(1e-6)) as engine:
        engine.submit({"a": Call("m", (Message("user", ("say B",)),), LETTERS, Sampling(4))})
        assert [reply.text for reply in engine.replies()] == ["B"]


def test_a_budget_needs_a_bound_on_answers() -> None:
    """Without one no worst case can be set aside; another field of the server's may hold it."""
    priced = {**PRICES, "extra": {"max_tokens": None}}
    with serving() as server:
        with pytest.raises(ConfigError, match=r"^models\.m\.extra: takes the bound .*`prices: budget` cannot be kept"):
            check_served([served_model(server.url, **priced)], 1.0)
        check_served([served_model(server.url, **priced)], None)
        other = {**PRICES, "extra": {"max_tokens": None, "max_completion_tokens": 50}}
        check_served([served_model(server.url, **other)], 1.0)
        assert not server.asked
