"""`localeval run --cluster`, with real Ray processes and scripted models: a Ray of its own, several nodes, losses."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.cluster.runs import kill_a_replica
from localeval.cli import main
from localeval.cluster.joining import ClusterSettings, RayCluster, check_cluster, ray_environment
from localeval.errors import ConfigError, EngineError
from localeval.evaluation import run
from localeval.flow import EngineInfo
from localeval.ledger import Ledger
from localeval.values import Call, Reply
from tests.cluster.leftovers import left_after
from tests.projects import make_project

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")

N_CALLS = 234
KILL_AT = 60


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evaluation whose scripted model answers a hundred calls a second, a replica."""
    return make_project(tmp_path_factory.mktemp("project"), n_sources=3, model=", calls_per_second: 100")


@pytest.fixture(scope="module")
def local(config: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """scores.json of a run without a cluster."""
    folder = tmp_path_factory.mktemp("local") / "run"
    run(config, folder)
    return (folder / "scores.json").read_bytes()


@pytest.fixture(scope="module")
def simulated() -> Iterator[Any]:
    """Ray's own simulation of several nodes on one machine: a head and three nodes with a processor each."""
    from ray.cluster_utils import Cluster

    small = {"object_store_memory": 80 * 2**20}
    quick = {"health_check_period_ms": 500, "health_check_failure_threshold": 3, "health_check_initial_delay_ms": 0}
    folder = Path(tempfile.mkdtemp(prefix="le-test-", dir="/tmp"))
    try:
        with ray_environment(folder), pytest.MonkeyPatch.context() as patch:  # whoever joins must know the token
            patch.setenv("RAY_TMPDIR", str(folder))  # where Ray writes which cluster runs here
            (folder / "ray").mkdir()
            cluster = Cluster()
            try:
                cluster.add_node(
                    num_cpus=0, include_dashboard=False, temp_dir=str(folder / "ray"), _system_config=quick, **small
                )
                cluster.extra = [cluster.add_node(num_cpus=1, **small) for _ in range(3)]
                yield cluster
            finally:
                cluster.shutdown()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Meddler(Ledger):
    """A ledger that does something once so many calls are answered."""

    def __init__(self, what: Callable[[EngineInfo], object], at: int = KILL_AT) -> None:
        super().__init__()
        self._what = what
        self._at = at
        self.keys: list[str] = []
        self._info = EngineInfo("not loaded")

    def loaded(self, model: str, info: EngineInfo) -> None:
        super().loaded(model, info)
        self._info = info

    def answered(self, call: Call, reply: Reply, is_stored: bool) -> None:
        super().answered(call, reply, is_stored)
        if not is_stored:
            self.keys.append(reply.key)
            if len(self.keys) == self._at:
                self._what(self._info)


def judged_alike(folder: Path, local: bytes, meddler: Meddler) -> bool:
    """Whether the run's numbers are those of a local run, and every call was answered once."""
    assert len(meddler.keys) == len(set(meddler.keys)) == N_CALLS
    return (folder / "scores.json").read_bytes() == local


def test_a_ray_of_its_own_gives_the_same_scores_and_leaves_nothing(
    config: Path, local: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Two replicas, one of which is killed on the way: no reply is lost, the numbers are those of a local run, nothing
    is written into the user's home, no folder stays, and standard output is not Ray's."""
    monkeypatch.setenv("HOME", str(tmp_path))
    meddler = Meddler(kill_a_replica)
    run(config, tmp_path / "run", ledger=meddler, cluster=ClusterSettings("auto", 2))
    assert judged_alike(tmp_path / "run", local, meddler)
    assert [each.name for each in tmp_path.iterdir()] == ["run"]
    assert not list(Path("/tmp").glob(f"le-{os.getpid()}-*"))
    assert os.environ["HOME"] == str(tmp_path)
    assert "RAY_AUTH_TOKEN" not in os.environ
    assert capfd.readouterr() == ("", "")
    (told,) = (tmp_path / "run" / "cluster.log").read_text("utf-8").splitlines()
    assert "is lost: " in told
    served = json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["served"]["m"]
    assert served["engine"] == "scripted, 2 replicas"
    assert (served["sent"], served["loads"]) == (N_CALLS, 1)
    assert served["phases"] == {"cluster": pytest.approx(served["load_s"])}


def test_a_node_that_is_lost_takes_no_reply_along(simulated: Any, config: Path, local: bytes, tmp_path: Path) -> None:
    """On a cluster of several nodes that is joined, not started."""
    lost = simulated.extra.pop()
    meddler = Meddler(lambda _: simulated.remove_node(lost, allow_graceful=False))
    run(config, tmp_path / "run", ledger=meddler, cluster=ClusterSettings(simulated.address))
    assert judged_alike(tmp_path / "run", local, meddler)


def test_ctrl_c_ends_ray_and_keeps_what_was_answered(config: Path, tmp_path: Path) -> None:
    """Exit code 130, the replies are in the store, no process of Ray is left, and, where that can be traced, none of
    them has asked any address off this machine."""
    trace = tmp_path / "trace"
    traced = ["strace", "-f", "--seccomp-bpf", "-qq", "-e", "trace=connect", "-o", str(trace)] if can_trace() else []
    mark = f"LOCALEVAL_TEST_MARK={tmp_path}"
    slow = tmp_path / "slow.yaml"
    slow.write_text(config.read_text("utf-8").replace("calls_per_second: 100", "calls_per_second: 4"), "utf-8")
    for name in ("sources", "summaries", "rules.jsonl"):
        (tmp_path / name).symlink_to(config.parent / name)
    command = [sys.executable, "-m", "localeval", "run", str(slow), "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        [*traced, *command, "--cluster", "auto", "--workers", "2"],
        env={**os.environ, mark.split("=")[0]: str(tmp_path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    store = tmp_path / "run" / "store.sqlite"
    deadline = time.monotonic() + 150
    while answered(store) < 4 and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors.decode()
    assert b"Traceback" not in errors
    assert answered(store) >= 4
    assert not left_after(mark, process.pid)
    if traced:
        asked = set(re.findall(r'inet_addr\("([^"]+)"\)', trace.read_text("utf-8")))
        assert "127.0.0.2" in asked
        # a name server's address, to which Ray asks for the route and sends nothing
        assert {address for address in asked if not address.startswith("127.")} <= {"8.8.8.8"}


def can_trace() -> bool:
    """Whether strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    return subprocess.run(["strace", "-f", "--seccomp-bpf", "true"], capture_output=True, check=False).returncode == 0


def answered(store: Path) -> int:
    """Replies in a run's store; 0 while there is none."""
    if not store.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
            count = connection.execute("SELECT count(*) FROM replies").fetchone()[0]
        connection.close()
    except sqlite3.OperationalError:
        return 0
    return int(count)


def test_an_address_where_nobody_answers_is_told_in_time(config: Path, tmp_path: Path) -> None:
    """With the address and what to do; one that answers, but not as Ray does, as well."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(EngineError, match=rf"--cluster {address}: cannot be joined: .*refused.*ray start --head"):
            run(config, tmp_path / "run", cluster=ClusterSettings(address))
        silent.listen()
        cluster = RayCluster(ClusterSettings(address), patience_s=4.0)
        with pytest.raises(EngineError, match="nothing that speaks Ray answered within 4 s"):
            cluster.connect()


@pytest.mark.parametrize("address", ["ray://head:10001", "head", "head:", ":6379", "head:port", "head:²"])
def test_what_is_no_address_is_refused(address: str, config: Path, tmp_path: Path) -> None:
    """Before a run folder is made."""
    with pytest.raises(ConfigError, match=f"--cluster {address}: not an address; give auto, or HOST:PORT"):
        run(config, tmp_path / "run", cluster=ClusterSettings(address))
    assert not (tmp_path / "run").exists()


def test_what_is_no_name_of_a_host_cannot_be_joined() -> None:
    """It is told like any other address where nobody answers."""
    with pytest.raises(EngineError, match=r"--cluster a\.\.b:6379: cannot be joined: "):
        RayCluster(ClusterSettings("a..b:6379")).connect()


def test_without_ray_the_extra_is_named() -> None:
    """A plain installation has none."""
    code = (
        "import sys; sys.modules['ray'] = None\n"
        "from localeval.cluster.joining import ClusterSettings, check_cluster\n"
        "check_cluster(ClusterSettings('auto'))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1].endswith(
        "--cluster: package ray is not installed; install localeval with the extra: localeval[cluster]"
    )
    check_cluster(ClusterSettings("auto"))


def test_a_ray_that_cannot_be_imported_is_told_and_leaves_no_folder(tmp_path: Path) -> None:
    """As one that was built for another Python."""
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "__init__.py").write_text("raise ImportError('built for another Python')\n", "utf-8")
    code = (
        "from localeval.cluster.joining import ClusterSettings, RayCluster\n"
        "from localeval.errors import EngineError\n"
        "try:\n    RayCluster(ClusterSettings('auto')).connect()\n"
        "except EngineError as error:\n    print(error)"
    )
    ran = subprocess.Popen(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(tmp_path)}, stdout=subprocess.PIPE, text=True
    )
    told, _ = ran.communicate(timeout=60)
    assert told == "--cluster auto: Ray did not start here: built for another Python\n"
    assert not list(Path("/tmp").glob(f"le-{ran.pid}-*"))


def test_workers_without_a_cluster_are_refused() -> None:
    """They would do nothing."""
    ran = CliRunner().invoke(main, ["run", "eval.yaml", "--workers", "2"])
    assert ran.exit_code == 2
    assert "--workers goes with --cluster" in ran.output
