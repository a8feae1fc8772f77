"""What happens to the driver when an engine's process, or the driver itself, dies or cannot start."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from localeval.engines.child import ChildEngine, started
from localeval.engines.environment import child_environment
from localeval.engines.process import WorkerProcess
from localeval.engines.wire import Ask
from localeval.errors import EngineError
from localeval.flow import EngineInfo
from localeval.models import Model
from localeval.values import Sampling
from tests.engines.asking import FREE, call, letters

STORY = call("Tell a very long story.", FREE, Sampling(max_tokens=700))

DRIVER = """
import sys
from localeval.engines.child import ChildEngine
from localeval.models import Model
from localeval.values import Call, FreeText, Message, Sampling

model = Model.model_validate_json(sys.argv[1])
with ChildEngine(model) as engine:
    call = Call("m", (Message("user", ("Tell a story.",)),), FreeText(), Sampling(max_tokens=900))
    engine.submit({"story": call})
    print(engine.pid, flush=True)
    list(engine.replies())
"""


def has_ended(pid: int, within_s: float) -> bool:
    """Whether a process is gone, or is a zombie, before the time is over."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            if " Z " in Path(f"/proc/{pid}/stat").read_text():
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def test_the_phases_of_a_start_add_up_to_it() -> None:
    """What passes before the child looks at a clock is imports, which stand first; none is less than nothing."""
    told = EngineInfo("engine", phases={"tokenizer": 1.0, "imports": 2.0, "weights": 4.0})
    info = started(told, 10.0)
    assert list(info.phases.items()) == [("imports", 5.0), ("tokenizer", 1.0), ("weights", 4.0)]
    assert info.load_s == 10.0
    assert started(told, 6.9).phases["imports"] == 2.0


def test_a_process_may_be_ended_while_another_thread_sends(tmp_path: Path) -> None:
    """What is being sent is dropped without an error: a replica's calls come on threads of their own."""
    worker = WorkerProcess(child_environment(os.environ, "cpu"), tmp_path / "engine.log")
    calls = {str(number): call("x" * 20_000, FREE) for number in range(20)}
    is_over = threading.Event()
    raised: list[BaseException] = []

    def send() -> None:
        try:
            while not is_over.is_set():
                worker.send(Ask(calls))
        except BaseException as error:
            raised.append(error)

    sender = threading.Thread(target=send)
    sender.start()
    time.sleep(0.2)  # long enough for the socket to be full, which the process is too young to read
    worker.discard()
    time.sleep(0.1)
    is_over.set()
    sender.join(20)
    assert not sender.is_alive()
    assert not raised


@pytest.mark.engine
def test_a_killed_engine_is_started_again(transformers_model: Model, tmp_path: Path) -> None:
    """After kill -9 the engine loads once more and answers what was outstanding: no reply is lost or comes twice.

    Leaving in the middle of a call ends the process, and the driver's environment is as it was.
    """
    before = dict(os.environ)
    with ChildEngine(transformers_model, tmp_path / "engine.log") as engine:
        first = engine.pid
        assert first is not None
        engine.submit(letters(6))
        seen = []
        for reply in engine.replies():
            seen.append(reply.key)
            if len(seen) == 2:
                os.kill(first, signal.SIGKILL)
        assert sorted(seen) == sorted(letters(6))
        assert engine.restarts == 1
        second = engine.pid
        assert second not in (None, first)
        engine.submit({"story": STORY})
    assert second is not None
    assert has_ended(second, 1)
    assert dict(os.environ) == before
    assert engine.pid is None


@pytest.mark.engine
def test_an_engine_that_dies_without_an_answer_is_given_up(transformers_model: Model) -> None:
    """The error says which signal ended it, how many calls are left, and the fix; nothing is left behind."""
    with ChildEngine(transformers_model) as engine:
        pid = engine.pid
        assert pid is not None
        engine.submit({"story": STORY})
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(EngineError, match=r"killed by SIGKILL .*memory.*1 calls outstanding.*cache_gib") as caught:
            list(engine.replies())
        assert "\n" not in str(caught.value)
    assert has_ended(pid, 1)


@pytest.mark.engine
def test_an_engine_ends_with_its_driver(transformers_model: Model) -> None:
    """When the driver is killed with kill -9, the engine's process ends by itself, also in the middle of a call."""
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER, transformers_model.model_dump_json()], stdout=subprocess.PIPE, text=True
    ) as driver:
        assert driver.stdout is not None
        pid = int(driver.stdout.readline())
        assert not has_ended(pid, 0.5)
        driver.kill()
        assert has_ended(pid, 10)
