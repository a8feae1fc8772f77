"""`localeval.cluster.placing`: how many replicas, and what each gets of a node."""

from typing import Any

import pytest

from localeval.cluster.placing import Node, Share, share
from localeval.errors import EngineError
from localeval.models import Card, Model

GPUS = [Node("a", 32, 4), Node("b", 32, 3)]
CORES = [Node("a", 16, 0), Node("b", 8, 0), Node("head", 0, 0)]


def model(engine: str = "vllm", **options: object) -> Model:
    fields: dict[str, Any] = {"name": "m", "card": Card(name="m", family="f"), "engine": engine, "options": options}
    return Model(**fields)


def test_one_replica_for_every_gpu_or_group_of_them() -> None:
    """A group lies on one node: of three GPUs, one pair."""
    assert share(model(), GPUS, None) == Share(7, 1, 1, None)
    assert share(model(tensor_parallel=2), GPUS, None) == Share(3, 1, 2, None)
    assert share(model(tensor_parallel=2), GPUS, 2) == Share(2, 1, 2, None)
    assert share(model("transformers"), GPUS, None) == Share(7, 1, 1, None)


def test_more_than_the_gpus_hold_is_refused_with_numbers() -> None:
    """As is a group that no node can hold."""
    with pytest.raises(EngineError, match=r"'m': 4 replicas of 2 GPUs each; the cluster's 2 nodes hold 3"):
        share(model(tensor_parallel=2), GPUS, 4)
    with pytest.raises(EngineError, match=r"1 replicas of 8 GPUs each; .* hold 0 .*tensor_parallel"):
        share(model(tensor_parallel=8), GPUS, None)


def test_more_than_the_processors_hold_is_refused_with_numbers() -> None:
    """Ray would wait for room that never comes."""
    with pytest.raises(EngineError, match=r"2 replicas of 2 processors each; .*1 nodes hold 1 .*lower .* or threads"):
        share(model(threads=2), [Node("a", 2, 0)], 2)
    with pytest.raises(EngineError, match=r"1 replicas of 3 processors each; the cluster's 1 nodes hold 0"):
        share(model(threads=3), [Node("a", 2, 0)], None)
    with pytest.raises(EngineError, match=r"25 replicas of 1 processors each; the cluster's 3 nodes hold 24"):
        share(model(), CORES, 25)
    with pytest.raises(EngineError, match=r"25 replicas of 1 processor each; .* hold 24 .*; lower --workers$"):
        share(model("scripted"), CORES, 25)


def test_on_processors_replicas_of_a_node_share_its_cores() -> None:
    """One on every node that has any, as many threads as the smallest gives; or as many as are wanted."""
    assert share(model(), CORES, None) == Share(2, 8, 0, 8)
    assert share(model(), CORES, 4) == Share(4, 4, 0, 4)
    assert share(model(), [Node("a", 2, 0)], 2) == Share(2, 1, 0, 1)
    assert share(model(device="cpu"), GPUS, None) == Share(2, 32, 0, 32)


def test_the_option_decides_the_threads() -> None:
    """And with them the processors that a replica reserves."""
    assert share(model(threads=3), CORES, 4) == Share(4, 3, 0, 3)


def test_scripted_replicas_take_little() -> None:
    """They compute nothing."""
    assert share(model("scripted"), CORES, 5) == Share(5, 1, 0, None)
    assert share(model("scripted"), CORES, None) == Share(2, 1, 0, None)


def test_a_cluster_without_processors_holds_nothing() -> None:
    """As where only a head runs."""
    with pytest.raises(EngineError, match="none of the 1 nodes offers a processor"):
        share(model(), [Node("head", 0, 0)], None)
