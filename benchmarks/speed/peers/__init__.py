"""Other evaluators that can do a part of the work, each in an environment of its own, with prompts of its own."""

from benchmarks.speed.contest import Peer
from benchmarks.speed.peers.deep import DeepEval
from benchmarks.speed.peers.harness import Harness
from benchmarks.speed.peers.inspecting import Inspect
from benchmarks.speed.peers.oumi import Oumi

PEERS: tuple[Peer, ...] = (Harness(), Inspect(), DeepEval(), Oumi())
