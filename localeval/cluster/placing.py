"""How many replicas of a model a cluster holds, and what each is given of a node: on paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from localeval.engines.options import engine_options
from localeval.errors import EngineError
from localeval.models.cards import Model


@dataclass(frozen=True, slots=True)
class Node:
    """One machine of the cluster: processors and GPUs, as Ray counts them."""

    name: str
    cpus: int
    gpus: int


@dataclass(frozen=True, slots=True)
class Share:
    """What each of `replicas` reserves. `threads`: on which its engine computes, None where a GPU does."""

    replicas: int
    cpus: int
    gpus: int
    threads: int | None


def share(model: Model, nodes: Sequence[Node], workers: int | None) -> Share:
    """The replicas of a model on these nodes: `workers`, or as many as there are GPUs for (tensor-parallel groups
    count as one), or without GPUs one on every node.

    On processors, replicas on one node share its cores equally, unless the model's option `threads` says how many each
    gets. Raises EngineError, with numbers and fix, where the cluster does not hold one replica, or not so many.
    """
    able = [node for node in nodes if node.cpus > 0]
    if not able:
        raise EngineError(f"--cluster: none of the {len(nodes)} nodes offers a processor; start Ray with --num-cpus")
    if model.engine == "scripted":
        count = workers or len(able)
        _require(model, count, "1 processor", sum(node.cpus for node in able), nodes, "--workers")
        return Share(count, 1, 0, None)
    options = engine_options(model)
    n_gpus = sum(node.gpus for node in nodes)
    if n_gpus and options.device != "cpu":
        group = getattr(options, "tensor_parallel", 1)
        most = sum(node.gpus // group for node in able)
        _require(model, workers or 1, f"{group} GPUs", most, nodes, "--workers or tensor_parallel")
        return Share(workers or most, 1, group, None)
    count = workers or len(able)
    a_node = -(-count // len(able))
    threads = options.threads or max(1, min(node.cpus for node in able) // a_node)
    most = sum(node.cpus // threads for node in able)
    _require(model, count, f"{threads} processors", most, nodes, "--workers or threads")
    return Share(count, threads, 0, threads)


def _require(model: Model, count: int, size: str, most: int, nodes: Sequence[Node], options: str) -> None:
    """Raises EngineError where the nodes hold fewer than `count` replicas: Ray would wait for room that never comes."""
    if count > most:
        raise EngineError(
            f"model {model.name!r}: {count} replicas of {size} each; the cluster's {len(nodes)} nodes hold {most} "
            f"(a replica lies on one node); lower {options}"
        )
