"""A real server on loopback, vLLM's own, asked as any server is, against the same model in an engine of ours."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from localeval.engines.child import ChildEngine
from localeval.engines.environment import child_environment
from localeval.engines.served import ServedEngine
from localeval.models import Model
from localeval.outputs import choice_probabilities
from localeval.values import Call, Reply, Sampling
from tests.engines.asking import FREE, LETTERS, VERDICT, WORDS, ask, call, in_schema, letters
from tests.engines.fake_server import served_model

pytestmark = pytest.mark.engine

_START_S = 540.0


def items() -> dict[str, Call]:
    """Twenty questions at temperature 0: one-letter choices, choices of several tokens, objects, free texts."""
    calls = letters(8)
    calls |= {f"words-{n}": call(f"Is it {n}?", WORDS) for n in range(4)}
    calls |= {f"object-{n}": call(f"Case {n}: give your verdict.", VERDICT) for n in range(4)}
    free = Sampling(max_tokens=24, logprobs=3)
    return calls | {f"free-{n}": call(f"Sum up point {n} in one sentence.", FREE, free) for n in range(4)}


def command(model: Model, port: int) -> list[str]:
    """vLLM's server with the settings that `localeval.engines.vllm_backend` gives the engine."""
    options = {
        "model": model.folder,
        "served-model-name": "smol",
        "host": "127.0.0.1",
        "port": port,
        "tokenizer-mode": "hf",
        "dtype": model.card.dtype,
        "max-model-len": model.context,
        "block-size": 32,
        "max-num-seqs": 64,
        "max-num-batched-tokens": 1024,
        "max-logprobs": 64,
        "kv-cache-memory-bytes": 2**28,
        "structured-outputs-config": json.dumps({"backend": "xgrammar"}),
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    module = "vllm.entrypoints.openai.api_server"
    return [sys.executable, "-P", "-m", module, *flags, "--enforce-eager", "--enable-prompt-tokens-details"]


@contextmanager
def server_of(model: Model, log: Path) -> Iterator[str]:
    """The address of a server of the model, ended with all its processes."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # the server's engine is a process of its own, and steps there
    environment = child_environment(os.environ, "cpu") | {"VLLM_ENABLE_V1_MULTIPROCESSING": "1"}
    with log.open("wb") as output:
        process = subprocess.Popen(
            command(model, port), env=environment, stdout=output, stderr=output, start_new_session=True
        )
    try:
        wait_for(port, process, log)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def wait_for(port: int, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Returns when the server is ready; fails with the end of its log where it ends before, or takes too long."""
    end = time.monotonic() + _START_S
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while time.monotonic() < end and process.poll() is None:
        try:
            with direct.open(f"http://127.0.0.1:{port}/health", timeout=2):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"the server did not start: {log.read_text(errors='replace')[-1500:]}")


@pytest.fixture(scope="module")
def both(smollm2_model: Model, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Reply], dict[str, Reply]]:
    """The replies of the server, then those of the engine: one model in memory at a time."""
    log = tmp_path_factory.mktemp("server") / "server.log"
    with server_of(smollm2_model, log) as url:
        model = served_model(url, served="smol", constraint="structured_outputs", context=smollm2_model.context)
        with ServedEngine(model) as engine:
            assert engine.info.facts["form_test"] == "passed"
            engine.submit(items())
            served = {reply.key: reply for reply in engine.replies()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LAB_KEY", "sk-planted")
        with ChildEngine(smollm2_model, hidden={"LAB_KEY"}) as local:
            assert b"LAB_KEY" not in Path(f"/proc/{local.pid}/environ").read_bytes()
            return served, ask(local, items())


def test_the_same_verdicts_come_back(both: tuple[dict[str, Reply], dict[str, Reply]]) -> None:
    """All twenty texts, with how they ended and their tokens, are those of the engine in this package."""
    served, local = both
    assert len(served) == len(local) == 20
    for key, reply in local.items():
        mine = (reply.text, reply.finish, reply.missing, reply.prompt_tokens, reply.output_tokens)
        other = served[key]
        assert (other.text, other.finish, other.missing, other.prompt_tokens, other.output_tokens) == mine, key
    assert all(in_schema(served[f"object-{n}"]) for n in range(4) if served[f"object-{n}"].finish == "stop")
    assert sum(reply.cached_tokens for reply in served.values()) > 0


def test_the_same_log_probabilities_come_back(both: tuple[dict[str, Reply], dict[str, Reply]]) -> None:
    """Of every position, masked by the grammar as they are in the engine; floating point in other batches aside."""
    served, local = both
    widest = 0.0
    for key, reply in local.items():
        assert len(served[key].logprobs) == len(reply.logprobs), key
        for mine, other in zip(reply.logprobs, served[key].logprobs, strict=True):
            assert mine[0][0] == other[0][0], key
            widest = max(widest, abs(mine[0][1] - other[0][1]))
    assert widest < 0.01
    for n in range(8):
        mine, other = (choice_probabilities(replies[f"letter-{n}"], LETTERS) for replies in (local, served))
        assert mine is not None
        assert other is not None
        assert other == pytest.approx(mine, abs=0.005)


def test_the_time_of_the_first_token_is_known_of_texts(both: tuple[dict[str, Reply], dict[str, Reply]]) -> None:
    """Free texts are streamed; what has a form comes whole."""
    served, _ = both
    for n in range(4):
        first = served[f"free-{n}"].first_token_s
        assert first is not None
        assert 0 < first < served[f"free-{n}"].seconds
        assert served[f"letter-{n}"].first_token_s is None
