"""`localeval.cluster.actor`: a replica as Ray calls it, on several threads, without Ray."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from localeval.cluster.actor import Broken, Replica, Started
from localeval.models import Card, Model
from localeval.values import Call, FreeText, Message, Reply, Sampling


def replica(script: Path, *rules: dict[str, str]) -> Replica:
    """A scripted one."""
    script.write_text("".join(json.dumps(rule) + "\n" for rule in rules), encoding="utf-8")
    return Replica(Model(name="m", card=Card(name="m", family="f"), engine="scripted", folder=str(script)))


def call(text: str) -> Call:
    return Call("m", (Message("user", (text,)),), FreeText(), Sampling(8))


def test_calls_that_come_on_several_threads_are_all_answered_once(tmp_path: Path) -> None:
    """While replies are waited for on another."""
    one = replica(tmp_path / "rules.jsonl", {"reply": "A"})
    started = one.start()
    assert isinstance(started, Started)
    assert (started.info.description, started.capacity) == ("scripted", 256)
    batches = [{f"{batch}/{number}": call(f"{batch} {number}") for number in range(20)} for batch in range(30)]
    keys: list[str] = []
    with ThreadPoolExecutor(3) as pool:
        submitted = [pool.submit(one.submit, batch) for batch in batches]
        while len(keys) < 600:
            told = one.take()
            assert isinstance(told, tuple)
            keys += [reply.key for reply in told]
        assert [each.result() for each in submitted] == [None] * 30
    assert sorted(keys) == sorted(key for batch in batches for key in batch)
    one.stop()


def test_what_was_answered_is_told_before_the_engine_is_told_to_be_gone(tmp_path: Path) -> None:
    """And the end again, to whoever asks."""
    one = replica(tmp_path / "rules.jsonl", {"contains": "last", "fail": "crash"}, {"reply": "A"})
    assert isinstance(one.start(), Started)
    one.submit({"k1": call("first"), "k2": call("second"), "k3": call("last")})
    told: list[Reply] = []
    while isinstance(item := one.take(), tuple):
        told += item
    assert [reply.key for reply in told] == ["k1", "k2"]
    assert isinstance(item, Broken)
    assert "fail: crash" in item.reason
    assert one.take() == item


def test_a_node_without_the_weights_says_which_folder(tmp_path: Path) -> None:
    """As does a script with a mistake: a reason in one line, not an exception that Ray would wrap."""
    script = tmp_path / "rules.jsonl"
    one = replica(script, {"reply": "A"})
    script.unlink()
    assert one.start() == Broken(f"{script} is not there: put the model's files in the same place on every node")
    wrong = replica(script, {"repply": "A"}).start()
    assert isinstance(wrong, Broken)
    assert wrong.reason.startswith(f"{script} line 1: ")
