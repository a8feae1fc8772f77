"""What peers have in common that ask localeval's own build of vLLM over HTTP."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.speed.contest import Settings
from benchmarks.speed.peers.environment import INSIDE, Environment, peer_environment
from benchmarks.speed.peers.processes import ask
from benchmarks.speed.peers.server import Meter, serving


class ServedPeer:
    """A package in an environment of its own, and a server for each of its runs."""

    def __init__(self, package: str) -> None:
        self.parameters: dict[str, str] = {}
        self._package = package
        self._environment = Environment(package)

    def prepare(self) -> None:
        """Installs it; its server is the build of vLLM that localeval runs on."""
        self._environment.make()
        self.parameters = {
            self._package: self._environment.version(self._package),
            "server": "vllm serve of localeval's own vLLM",
        }

    def _asked(
        self, script: str, request: Mapping[str, Any], settings: Settings, scratch: Path
    ) -> tuple[Any, Meter, float]:
        """What its script answers, what the server counted for it, and the seconds of the server's start."""
        with serving(settings, scratch) as server:
            where = {"url": f"{server.url}/v1", "in_flight": settings.max_in_flight}
            before = server.meter()
            told = ask(self._environment.python, INSIDE / script, {**request, **where}, peer_environment(), scratch)
            return told, server.meter().since(before), server.start_s
