"""`localeval.ledger`: what a run asked, what it cost, and what came back without a verdict."""

from collections.abc import Iterator
from typing import Any

from localeval.flow import EngineInfo
from localeval.ledger import Account, Ledger, merged_served
from localeval.values import Call, FreeText, Message, Missing, Reply, Sampling


def call(stage: str = "quiz/answer", model: str = "m") -> Call:
    return Call(model, (Message("user", ("?",)),), FreeText(), Sampling(1), stage)


def test_sent_and_stored_calls_are_kept_apart() -> None:
    """Tokens and stages are of what this run sent; what the store answered is only counted."""
    ledger = Ledger()
    for stage in ("quiz/write", "quiz/answer"):
        ledger.queued(call(stage))
    assert ledger.accounts["m"].waiting == 2
    ledger.answered(call("quiz/write"), Reply("a", "x", prompt_tokens=30, cached_tokens=10, output_tokens=5), False)
    ledger.answered(call(), Reply("b", "x", prompt_tokens=10, cached_tokens=10, output_tokens=1), False)
    ledger.answered(call(), Reply("c", "x", prompt_tokens=99, output_tokens=9), True)
    account = ledger.accounts["m"]
    assert (account.sent, account.stored, account.waiting) == (2, 1, 0)
    assert (account.prompt_tokens, account.cached_tokens, account.output_tokens) == (40, 20, 6)
    assert account.cached_share == 0.5
    assert account.stages == {"quiz/write": 1, "quiz/answer": 1}


def test_replies_without_a_verdict_count_wherever_they_come_from() -> None:
    """Rule 5: a stored failure is as missing as one that has just happened."""
    ledger = Ledger()
    ledger.queued(call())
    for key, is_stored in (("a", False), ("b", True)):
        ledger.answered(call(), Reply(key, missing=Missing("refused")), is_stored)
    assert ledger.accounts["m"].missing == 2


def test_a_call_that_several_flows_ask_counts_once() -> None:
    """Auditors share the claims of a candidate: what was one call when it was sent is one call in the store."""
    ledger = Ledger()
    ledger.queued(call())
    ledger.answered(call(), Reply("sent"), False)
    for key in ("sent", "kept", "kept"):
        ledger.answered(call(), Reply(key, missing=Missing("refused")), True)
    account = ledger.accounts["m"]
    assert (account.sent, account.stored, account.missing) == (1, 1, 1)


def test_models_have_accounts_of_their_own() -> None:
    """Loads, load times and engines by model; the sums go over all of them."""
    ledger = Ledger()
    for model in ("m", "n", "m"):
        ledger.loading(model, 1)
        ledger.loaded(model, EngineInfo(f"engine of {model}", load_s=1.5))
        ledger.queued(call(model=model))
        ledger.answered(call(model=model), Reply("a"), False)
    ledger.answered(call(model="n"), Reply("b"), True)
    assert {name: (each.loads, each.load_s, each.engine) for name, each in ledger.accounts.items()} == {
        "m": (2, 3.0, "engine of m"),
        "n": (1, 1.5, "engine of n"),
    }
    assert (ledger.sent, ledger.stored) == (3, 1)


def test_what_loads_went_to_is_added_up_by_phase_also_over_sittings() -> None:
    """A phase that only one load has counts; a sitting of before there were phases adds nothing to them."""
    ledger = Ledger()
    for phases in ({"imports": 8.0, "weights": 2.0}, {"imports": 7.0, "self-test": 1.0}):
        ledger.loading("m", 1)
        ledger.loaded("m", EngineInfo("engine", load_s=sum(phases.values()), phases=phases))
    assert ledger.accounts["m"].phases == {"imports": 15.0, "weights": 2.0, "self-test": 1.0}
    once = merged_served({}, ledger)
    assert merged_served(once, ledger)["m"]["phases"] == {"imports": 30.0, "weights": 4.0, "self-test": 2.0}
    old = {name: value for name, value in once["m"].items() if name != "phases"}
    assert merged_served({"m": old}, ledger)["m"]["phases"] == once["m"]["phases"]


def test_nothing_sent_has_no_share_of_anything() -> None:
    """An account without calls divides by nothing."""
    assert Account().cached_share == 0.0
    assert (Ledger().sent, Ledger().stored) == (0, 0)


class Counter:
    """A meter that counts 10 joules at each reading, and remembers how often it was read; it may break."""

    name = "counter"

    def __init__(self, broken_after: int = 10**9) -> None:
        self.readings = 0
        self._broken_after = broken_after

    def joules(self) -> float | None:
        self.readings += 1
        return 10.0 * self.readings if self.readings <= self._broken_after else None


def ticking(step: float = 1.0) -> Iterator[float]:
    now = 0.0
    while True:
        now += step
        yield now


def sitting(meter: Counter | None = None, models: tuple[str, ...] = ("m",), step: float = 1.0) -> Ledger:
    """Each model is loaded, answers one call and leaves; every look at the clock takes `step` seconds."""
    ledger = Ledger(meter, ticking(step).__next__)
    for number, model in enumerate(models):
        ledger.loading(model, 1)
        ledger.loaded(model, EngineInfo("engine", load_s=2.0))
        ledger.queued(call(model=model))
        ledger.answered(call(model=model), Reply(f"{number}", prompt_tokens=3), False)
        ledger.unloaded(model)
    return ledger


def test_time_and_energy_of_a_model_are_from_ready_to_gone() -> None:
    """Loading has an energy of its own; without a meter energy is not known, time is."""
    account = sitting(Counter(), ("m", "m")).accounts["m"]
    assert (account.loads, account.load_s) == (2, 4.0)
    assert (account.load_energy_j, account.energy_j, account.meter) == (20.0, 20.0, "counter")
    assert account.busy_s > 0
    assert (sitting().accounts["m"].energy_j, sitting().accounts["m"].load_energy_j) == (None, None)
    assert sitting(step=2.0).accounts["m"].busy_s == 2 * sitting(step=1.0).accounts["m"].busy_s


def test_a_meter_that_fails_leaves_nothing_known() -> None:
    """Half an energy is not an energy."""
    account = sitting(Counter(broken_after=4), ("m", "m")).accounts["m"]
    assert (account.load_energy_j, account.energy_j) == (None, None)


def test_a_meter_is_read_while_replies_arrive() -> None:
    """Counters that start again from 0 are read now and then, not at each reply."""
    readings = []
    for step in (1.0, 100.0):
        meter = Counter()
        ledger = Ledger(meter, ticking(step).__next__)
        for number in range(5):
            ledger.queued(call())
            ledger.answered(call(), Reply(str(number)), False)
        readings.append(meter.readings)
    assert readings[0] == 1
    assert readings[1] == 6


def test_a_model_that_never_was_ready_was_not_busy() -> None:
    """An engine that does not start is told as gone, too."""
    ledger = Ledger(Counter(), ticking().__next__)
    ledger.loading("m", 1)
    ledger.unloaded("m")
    assert (ledger.accounts["m"].loads, ledger.accounts["m"].busy_s) == (1, 0.0)


def test_sittings_add_up() -> None:
    """Loads, time, energy and what was sent of all sittings; of each stage, too; a model of before stays."""
    first = merged_served({}, sitting(Counter(), ("m", "n")))
    both = merged_served(first, sitting(Counter()))
    assert both["n"] == first["n"]
    one, two = first["m"], both["m"]
    for name in ("sent", "loads", "load_s", "busy_s", "energy_j", "load_energy_j", "prompt_tokens"):
        assert one[name] > 0
        assert two[name] == 2 * one[name], name
    assert two["stages"] == {"quiz/answer": 2}
    assert two["engine"] == "engine"
    assert merged_served(both, Ledger()) == both


def test_a_sitting_without_a_number_leaves_the_sum_unknown() -> None:
    """A run of an older localeval has no busy seconds, a machine without a meter no energy: sums are then not known."""
    old: dict[str, Any] = {"sent": 3, "loads": 1, "load_s": 1.0, "engine": "old", "stages": {"quiz/write": 3}}
    merged = merged_served({"m": old}, sitting(Counter()))["m"]
    assert (merged["sent"], merged["loads"], merged["load_s"]) == (4, 2, 3.0)
    assert (merged["busy_s"], merged["energy_j"]) == (None, None)
    assert merged["stages"] == {"quiz/write": 3, "quiz/answer": 1}
    unmetered = merged_served(merged_served({}, sitting(Counter())), sitting())["m"]
    assert unmetered["energy_j"] is None
