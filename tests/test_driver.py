"""`localeval.driver`: many flows, several models, no barrier, nothing asked twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from localeval.driver import Silent, Together, drive
from localeval.engines.scripted import ScriptedEngine
from localeval.errors import EngineError
from localeval.flow import EngineInfo, Flow
from localeval.values import Call, Choice, Message, Reply, Sampling
from tests.helpers import MemoryStore, ScriptedEngines, scripted_model

ECHO = [{"match": r"say (\S+)", "template": r"\1"}]


def call(model: str, text: str, seed: int = 0) -> Call:
    return Call(model, (Message("user", (text,)),), Choice(("A",)), Sampling(1, seed=seed))


def asks(*rounds: list[Call]) -> Flow[list[str]]:
    texts: list[str] = []
    for calls in rounds:
        replies = yield calls
        texts += [reply.text for reply in replies]
    return texts


def test_replies_come_back_in_the_order_of_the_calls(tmp_path: Path) -> None:
    """A flow gets its replies in order although the engine finishes them in another."""
    rules = [{"contains": "slow", "reply": "s", "delay_s": 0.05}, {"reply": "f"}]
    engines = ScriptedEngines(scripted_model(tmp_path, rules))
    flow = asks([call("m", "slow"), call("m", "fast")])
    assert list(drive([("x", flow)], MemoryStore(), engines)) == [("x", ["s", "f"])]


def test_no_barrier_between_stages(tmp_path: Path) -> None:
    """A flow whose replies have all arrived ends while a slower one still waits for its first."""
    rules = [{"contains": "slow", "reply": "s", "delay_s": 0.2}, {"reply": "f"}]
    engines = ScriptedEngines(scripted_model(tmp_path, rules))
    slow = asks([call("m", "slow")])
    quick = asks([call("m", "1")], [call("m", "2")], [call("m", "3")])
    ended = [name for name, _ in drive([("slow", slow), ("quick", quick)], MemoryStore(), engines)]
    assert ended == ["quick", "slow"]
    assert engines.opened == ["m"]


def test_what_the_store_holds_is_not_asked(tmp_path: Path) -> None:
    """The second run of the same flows opens no engine and gives the same results."""
    store, engines = MemoryStore(), ScriptedEngines(scripted_model(tmp_path, ECHO))

    def flows() -> Iterator[tuple[str, Flow[list[str]]]]:
        yield "x", asks([call("m", "say 1"), call("m", "say 2")], [call("m", "say 3")])

    first = list(drive(flows(), store, engines))
    assert list(drive(flows(), store, engines)) == first == [("x", ["1", "2", "3"])]
    assert engines.opened == ["m"]


def test_one_call_for_two_flows_is_sent_once(tmp_path: Path) -> None:
    """Equal calls of different flows share one reply, whoever asks and whatever the stage is called."""
    store, engines = MemoryStore(), ScriptedEngines(scripted_model(tmp_path, ECHO))
    flows = [("x", asks([call("m", "say 1")])), ("y", asks([call("m", "say 1")]))]
    assert sorted(drive(flows, store, engines)) == [("x", ["1"]), ("y", ["1"])]
    assert len(store.appended) == 1


def test_repeats_are_told_apart_by_their_seed(tmp_path: Path) -> None:
    """The same prompt with two seeds is two calls."""
    store, engines = MemoryStore(), ScriptedEngines(scripted_model(tmp_path, ECHO))
    list(drive([("x", asks([call("m", "say 1", seed=1), call("m", "say 1", seed=2)]))], store, engines))
    assert len(store.appended) == 2


def test_each_model_is_loaded_once_where_that_is_possible(tmp_path: Path) -> None:
    """Ten flows that go from a writer to an answerer load each of the two once."""
    engines = ScriptedEngines(scripted_model(tmp_path, ECHO, "writer"), scripted_model(tmp_path, ECHO, "answerer"))
    flows = [(str(i), asks([call("writer", f"say w{i}")], [call("answerer", f"say a{i}")])) for i in range(10)]
    assert len(list(drive(flows, MemoryStore(), engines))) == 10
    assert engines.opened == ["writer", "answerer"]


def test_a_flow_may_ask_nothing(tmp_path: Path) -> None:
    """An empty round is answered at once with no replies, and no engine is opened for it."""
    engines = ScriptedEngines()
    assert list(drive([("x", asks([], []))], MemoryStore(), engines)) == [("x", [])]
    assert engines.opened == []


def test_flows_are_opened_as_calls_end(tmp_path: Path) -> None:
    """A thousand flows never hold more open calls than the limit and one flow's round."""
    engines = ScriptedEngines(scripted_model(tmp_path, ECHO))
    watch = _Watch()
    flows = ((str(i), asks([call("m", f"say {i}")])) for i in range(1000))
    assert len(list(drive(flows, MemoryStore(), engines, watch, open_calls=20))) == 1000
    assert watch.most_open <= 20
    assert engines.opened == ["m"]


def test_a_failed_call_is_one_missing_and_is_asked_again_next_time(tmp_path: Path) -> None:
    """An engine error stops neither the batch nor the next run from asking anew."""
    rules = [{"contains": "bad", "fail": "error"}, {"reply": "fine"}]
    store, engines = MemoryStore(), ScriptedEngines(scripted_model(tmp_path, rules))
    for _ in range(2):
        flow = asks([call("m", "bad"), call("m", "good")])
        assert list(drive([("x", flow)], store, engines)) == [("x", ["", "fine"])]
    assert len(store.appended) == 3
    assert [reply.missing.reason for reply in store.replies.values() if reply.missing] == ["engine error"]


def test_too_long_is_asked_again_only_for_a_longer_context(tmp_path: Path) -> None:
    """A stored "too long" stands until the model's context holds what was needed."""
    store, text = MemoryStore(), "say 1 " + "word " * 50
    for context, n_appended in ((20, 1), (20, 1), (100, 2)):
        engines = ScriptedEngines(scripted_model(tmp_path, ECHO, context=context))
        list(drive([("x", asks([call("m", text)]))], store, engines))
        assert len(store.appended) == n_appended
    assert [reply.text for reply in store.replies.values()] == ["1"]


def test_what_arrived_before_a_crash_is_stored(tmp_path: Path) -> None:
    """When the engine dies the replies before that are in the store, and the error is raised."""
    rules = [{"contains": "bad", "fail": "crash", "delay_s": 0.05}, {"reply": "fine"}]
    store, engines = MemoryStore(), ScriptedEngines(scripted_model(tmp_path, rules))
    with pytest.raises(EngineError, match="crash"):
        list(drive([("x", asks([call("m", "bad"), call("m", "good")]))], store, engines))
    assert [reply.text for reply in store.replies.values()] == ["fine"]


@pytest.mark.parametrize(
    ("replies", "message"),
    [([], "left 1 calls unanswered"), ([Reply("other")], "answered a call that was not asked: other")],
)
def test_an_engine_that_breaks_its_contract_ends_the_run(replies: list[Reply], message: str, tmp_path: Path) -> None:
    """Neither a reply that is owed nor one that nobody asked for passes in silence."""

    class Broken(ScriptedEngine):
        def replies(self) -> Iterator[Reply]:
            yield from replies

    class Engines(ScriptedEngines):
        def open(self, model: str) -> ScriptedEngine:
            return Broken(self.models[model])

    store = MemoryStore()
    with pytest.raises(EngineError, match=f"engine of model 'm' {message}"):
        list(drive([("x", asks([call("m", "say 1")]))], store, Engines(scripted_model(tmp_path, ECHO))))
    assert store.replies == {}


class _Watch(Silent):
    def __init__(self) -> None:
        self.open = self.most_open = 0

    def queued(self, call: Call) -> None:
        self.open += 1
        self.most_open = max(self.most_open, self.open)

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        self.open -= not is_stored


def test_the_end_of_a_flow_opens_others_without_a_further_load(tmp_path: Path) -> None:
    """Flows that `follow` opens join the model that is loaded; their results come like all others."""
    engines = ScriptedEngines(scripted_model(tmp_path, ECHO))

    def follow(name: str, result: list[str]) -> Iterator[tuple[str, Flow[list[str]]]]:
        if len(name) < 3:
            yield name + "x", asks([call("m", f"say {name}{result[0]}")])

    ended = dict(drive([("x", asks([call("m", "say 1")]))], MemoryStore(), engines, follow=follow))
    assert ended == {"x": ["1"], "xx": ["x1"], "xxx": ["xxx1"]}
    assert engines.opened == ["m"]


def test_flows_that_the_store_answers_open_others_too(tmp_path: Path) -> None:
    """A finished run goes through all of its flows again without an engine."""
    store, engines = MemoryStore(), ScriptedEngines(scripted_model(tmp_path, ECHO))

    def follow(name: str, result: list[str]) -> list[tuple[str, Flow[list[str]]]]:
        return [("y", asks([call("m", "say 2")]))] if name == "x" else []

    for _ in range(2):
        assert dict(drive([("x", asks([call("m", "say 1")]))], store, engines, follow=follow)) == {
            "x": ["1"],
            "y": ["2"],
        }
    assert engines.opened == ["m"]


def test_models_are_loaded_in_the_given_order(tmp_path: Path) -> None:
    """The order decides, not how many flows wait; models for which nothing waits are passed over."""
    engines = ScriptedEngines(*(scripted_model(tmp_path, ECHO, name) for name in "abc"))
    flows = [("1", asks([call("a", "say 1")])), ("2", asks([call("a", "say 2")])), ("3", asks([call("b", "say 3")]))]
    list(drive(flows, MemoryStore(), engines, order=("c", "b", "a", "b")))
    assert engines.opened == ["b", "a"]


def test_past_the_end_of_the_order_most_flows_decide(tmp_path: Path) -> None:
    """A call that no order foresaw is asked all the same."""
    engines = ScriptedEngines(*(scripted_model(tmp_path, ECHO, name) for name in "ab"))
    flows = [("1", asks([call("a", "say 1")], [call("b", "say 2")], [call("a", "say 3")]))]
    assert list(drive(flows, MemoryStore(), engines, order=("a",))) == [("1", ["1", "2", "3"])]
    assert engines.opened == ["a", "b", "a"]


class Events(Silent):
    """Writes down loads and answers."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def loading(self, model: str, waiting: int) -> None:
        self.seen.append(f"loading {model} {waiting}")

    def loaded(self, model: str, info: EngineInfo) -> None:
        self.seen.append(f"loaded {model}")

    def unloaded(self, model: str) -> None:
        self.seen.append(f"unloaded {model}")

    def queued(self, call: Call) -> None:
        self.seen.append("queued")

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        self.seen.append("answered")


def test_every_observer_is_told_everything_also_where_the_engine_dies(tmp_path: Path) -> None:
    """Loading, loaded, answers and unloading, in this order; a crash unloads as well."""
    engines = ScriptedEngines(scripted_model(tmp_path, [{"contains": "bad", "fail": "crash"}, {"reply": "fine"}]))
    first, second = Events(), Events()
    with pytest.raises(EngineError):
        list(
            drive(
                [("x", asks([call("m", "good")], [call("m", "bad")]))],
                MemoryStore(),
                engines,
                Together(first, second),
            )
        )
    assert first.seen == second.seen
    assert first.seen == ["queued", "loading m 1", "loaded m", "answered", "queued", "unloaded m"]
