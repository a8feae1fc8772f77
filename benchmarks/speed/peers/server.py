"""`vllm serve` with the settings of the other contestants, for peers that ask a model over HTTP."""

import json
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from benchmarks.speed.contest import CannotDo, Run, Settings
from benchmarks.speed.peers.environment import peer_environment
from benchmarks.speed.peers.processes import last_line, running
from localeval.engines.installed import device_for

NAME = "judge"
"""What the server calls the model."""

_START_S = 900.0
_POLL_S = 0.2
_METRIC = re.compile(r"^(vllm:\w+)\{[^}]*\} ([0-9.e+]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Meter:
    """What a vLLM server has counted since it began: prompt tokens, those of them from its cache, output, requests."""

    prompt: int
    cached: int
    output: int
    requests: int

    def since(self, before: "Meter") -> "Meter":
        """What was added after `before`."""
        return Meter(
            self.prompt - before.prompt,
            self.cached - before.cached,
            self.output - before.output,
            self.requests - before.requests,
        )

    def run(self, wall_s: float, start_s: float, invalid: int) -> Run:
        """A contestant's run whose calls and tokens these are."""
        return Run(
            wall_s=wall_s,
            start_s=start_s,
            calls=self.requests,
            prompt_tokens=self.prompt,
            cached_tokens=self.cached,
            output_tokens=self.output,
            invalid=invalid,
        )


@dataclass(frozen=True, slots=True)
class Server:
    """A server that answers. `start_s`: from its start to its first answer."""

    url: str
    start_s: float

    def meter(self) -> Meter:
        """Its counters now. Raises CannotDo where it does not answer."""
        return read_meter(_told(f"{self.url}/metrics"))


@contextmanager
def serving(settings: Settings, scratch: Path) -> Iterator[Server]:
    """A server on a free port of this machine, warmed up; ended on leaving. Raises CannotDo where it does not start."""
    began = time.monotonic()
    port = _free_port()
    log = scratch / "server.log"
    # its engine in a process of its own is all that this server can do
    environment = peer_environment() | {"VLLM_ENABLE_V1_MULTIPROCESSING": "1"}
    with running(command(settings, port), environment, log) as process:
        url = f"http://127.0.0.1:{port}"
        _wait(url, process, log)
        _warm(url)
        yield Server(url, time.monotonic() - began)


def command(settings: Settings, port: int) -> list[str]:
    """The server's command, on the build of vLLM that localeval itself runs on."""
    return [
        # `vllm serve` itself looks for a package called vllm, which the CPU build is not; this is what it runs
        *(sys.executable, "-P", "-m", "vllm.entrypoints.openai.api_server", "--model", str(settings.folder)),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--served-model-name", NAME),
        *("--dtype", settings.dtype, "--max-model-len", str(settings.context)),
        *("--kv-cache-memory-bytes", str(int(settings.cache_gib * 2**30))),
        *("--block-size", str(settings.block_size)),
        *("--max-num-seqs", str(settings.max_in_flight)),
        *("--max-num-batched-tokens", str(settings.max_batched_tokens)),
        *("--structured-outputs-config", json.dumps({"backend": "xgrammar"})),
        *(["--enforce-eager"] if device_for("vllm", "auto") == "cpu" else []),  # as localeval does
        "--enable-prefix-caching",
    ]


def read_meter(text: str) -> Meter:
    """The counters in what a server's /metrics tells; raises CannotDo where one is not there."""
    sums: dict[str, float] = {}
    for name, value in _METRIC.findall(text):
        sums[name] = sums.get(name, 0.0) + float(value)
    try:
        return Meter(
            prompt=int(sums["vllm:prompt_tokens_total"]),
            cached=int(sums["vllm:prompt_tokens_cached_total"]),
            output=int(sums["vllm:generation_tokens_total"]),
            requests=int(sums["vllm:request_success_total"]),
        )
    except KeyError as missing:
        raise CannotDo(f"the server's /metrics does not tell {missing}; does its vLLM still call it so?") from missing


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait(url: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise CannotDo(f"vllm serve ended with exit code {process.returncode}; {log} ends: {last_line(log)}")
        try:
            _get(f"{url}/health")
        except (OSError, HTTPException):
            time.sleep(_POLL_S)
        else:
            return
    raise CannotDo(f"vllm serve did not answer within {_START_S:.0f} s; {log} ends: {last_line(log)}")


def _warm(url: str) -> None:
    """Answers once, under a grammar, as every other contestant's engine has before its clock starts."""
    body = {
        "model": NAME,
        "messages": [{"role": "user", "content": "Hello"}],
        "max_tokens": 4,
        "structured_outputs": {"regex": "(yes|no)"},
    }
    _told(f"{url}/v1/chat/completions", json.dumps(body).encode())


def _told(url: str, body: bytes | None = None) -> str:
    """The text behind an address of a server that has begun to answer; raises CannotDo where it does no more."""
    try:
        return _get(url, body)
    except (OSError, HTTPException) as error:
        raise CannotDo(f"its server does not answer {url}: {error}; server.log in its folder says more") from error


def _get(url: str, body: bytes | None = None) -> str:
    """The text behind an address of this machine; raises OSError or HTTPException where it does not answer."""
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"})
    with _DIRECT.open(request, timeout=120) as answer:
        return str(answer.read().decode())


_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # also where the environment names a proxy
