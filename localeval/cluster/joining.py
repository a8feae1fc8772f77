"""A Ray cluster: started on this machine for one run, or joined. Ray is imported when it is wanted, not before."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from localeval.cluster.placing import Node
from localeval.engines.backend import first_line
from localeval.errors import ConfigError, EngineError

AUTO = "auto"
_LOOPBACK = "127.0.0.2"  # Ray takes 127.0.0.1 for this machine's address in its network, which it asks a route for
_OBJECTS_BYTES = 100 * 2**20
_LONGEST_FOLDER = 20  # in it lies ours, and in that Ray puts sockets, whose paths may have 107 bytes
_CONNECT_S = 10.0
_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_SCHEDULER_EVENTS": "0",
    # what Ray has to say of a lost process goes to standard output, where results belong: every line of it is skipped
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}
_PROBE = """
import sys
import ray
ray.init(address=sys.argv[1], log_to_driver=False, configure_logging=False)
ray.shutdown()
"""


@dataclass(frozen=True, slots=True)
class ClusterSettings:
    """Where replicas run: "auto", a Ray of our own on this machine, or the address (HOST:PORT) of a Ray that runs;
    how many of each model (None: as many as there is room for)."""

    address: str
    workers: int | None = None


def check_cluster(settings: ClusterSettings) -> None:
    """Raises ConfigError where Ray is not installed or the address is none: before anything is made or asked."""
    if find_spec("ray") is None:
        raise ConfigError(
            "--cluster: package ray is not installed; install localeval with the extra: localeval[cluster]"
        )
    host, _, port = settings.address.rpartition(":")
    if settings.address != AUTO and ("://" in settings.address or not host or not port.isdecimal()):
        fix = "give auto, or HOST:PORT as `ray start --head` prints it (port 6379, unless told otherwise)"
        raise ConfigError(f"--cluster {settings.address}: not an address; {fix}")


class RayCluster:
    """The connection of this process to Ray. One at a time; `close` ends it, and the Ray that it has started."""

    def __init__(self, settings: ClusterSettings, patience_s: float = 60.0) -> None:
        """`patience_s`: for how long an address may leave a question whether Ray is there without an answer."""
        self._settings = settings
        self._patience_s = patience_s
        self._folder: Path | None = None
        self._is_open = False

    @property
    def is_ours(self) -> bool:
        """Whether Ray is started for this run alone."""
        return self._settings.address == AUTO

    @property
    def workers(self) -> int | None:
        """How many replicas are wanted, None for as many as there is room for."""
        return self._settings.workers

    def connect(self) -> Any:
        """The module ray, connected. Raises EngineError with address and fix where that fails, in bounded time."""
        if not self._is_open:
            if self.is_ours:
                self._start()
            else:
                self._join()
            self._is_open = True
        import ray

        return ray

    def nodes(self) -> list[Node]:
        """The nodes that are alive."""
        found = [each for each in self.connect().nodes() if each["Alive"]]
        return [
            Node(
                each["NodeManagerHostname"], int(each["Resources"].get("CPU", 0)), int(each["Resources"].get("GPU", 0))
            )
            for each in found
        ]

    def close(self) -> None:
        """Leaves the cluster; one that was started here ends, and its folder goes. May be called again."""
        if self._is_open:
            if (ray := sys.modules.get("ray")) is not None:  # it may be installed and fail to be imported
                ray.shutdown()
            self._is_open = False
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _start(self) -> None:
        self._folder = _short_folder()
        cores = len(os.sched_getaffinity(0))
        try:
            with ray_environment(self._folder):
                import ray  # here: it reads its environment when it is imported

                ray.init(
                    address="local",
                    num_cpus=max(cores, self.workers or 1),
                    include_dashboard=False,
                    log_to_driver=False,
                    configure_logging=False,
                    object_store_memory=_OBJECTS_BYTES,
                    _temp_dir=str(self._folder),
                    _node_ip_address=_LOOPBACK,
                )
        except BaseException as error:
            self._is_open = True
            self.close()
            if isinstance(error, Exception):
                raise EngineError(f"--cluster auto: Ray did not start here: {first_line(error)}") from error
            raise

    def _join(self) -> None:
        address = self._settings.address
        _probe(address, self._patience_s)
        try:
            with _environment(_QUIET):
                import ray

                ray.init(address=address, log_to_driver=False, configure_logging=False)
        except Exception as error:
            raise _not_joined(address, first_line(error)) from error


@contextmanager
def ray_environment(folder: Path) -> Iterator[None]:
    """The environment in which Ray is started: nothing is reported, looked up or left in the user's home.

    Ray listens on every network of the machine; so whoever speaks to it must know a token, which no file holds. With
    its usage statistics off, Ray still asks the addresses where clouds tell a machine what it is, unless its home has
    a file of a cluster's settings: so it is given a home with an empty one.
    """
    (folder / "ray_bootstrap_config.yaml").write_text("{}\n", encoding="utf-8")
    own = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": _token(), "HOME": str(folder)}
    with _environment(_QUIET | own):
        yield


@contextmanager
def _environment(wanted: Mapping[str, str]) -> Iterator[None]:
    """This process's environment with what is wanted, for a while: Ray knows no other way."""
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        _read_anew()
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _read_anew() -> None:
    """Lets Ray see this environment's token, or that there is none, also where it was imported in another one."""
    with suppress(ImportError, AttributeError):  # not of its public interface
        inner: Any = import_module("ray._raylet")
        inner.Config.initialize("")
        inner.AuthenticationTokenLoader.instance().reset_cache()


@cache
def _token() -> str:
    """One for the life of this process: Ray reads it once."""
    return secrets.token_hex(32)


def home_of_the_user() -> Mapping[str, str]:
    """What replicas of a Ray with a home of its own are given, so that caches lie where they do without Ray."""
    return {"HOME": os.path.expanduser("~")}


def _short_folder() -> Path:
    for parent in (tempfile.gettempdir(), "/tmp"):
        if len(parent) <= _LONGEST_FOLDER and os.access(parent, os.W_OK):
            return Path(tempfile.mkdtemp(prefix=f"le-{os.getpid()}-", dir=parent))
    raise EngineError(f"--cluster auto: no temporary folder with a path of {_LONGEST_FOLDER} signs at most; set TMPDIR")


def _probe(address: str, patience_s: float) -> None:
    """Joins in a process of its own first: where nothing answers, Ray tries for minutes and then ends its process."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=_CONNECT_S).close()
    except (OSError, OverflowError, UnicodeError) as error:  # the last for what cannot be a host's name
        raise _not_joined(address, first_line(error)) from None
    command = [sys.executable, "-P", "-c", _PROBE, address]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=patience_s, check=False)
    except subprocess.TimeoutExpired:
        raise _not_joined(address, f"nothing that speaks Ray answered within {patience_s:g} s") from None
    if ran.returncode:
        lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
        raise _not_joined(address, lines[-1][:300] if lines else f"exit code {ran.returncode}")


def _not_joined(address: str, reason: str) -> EngineError:
    return EngineError(
        f"--cluster {address}: cannot be joined: {reason}; fix: `ray start --head` on one machine, "
        "`ray start --address HOST:PORT` on every other, this one too, with one version of Ray and of Python"
    )
