"""The environment of an engine's process. The driver's own is never changed."""

import os
import tempfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

import localeval

_FORCED = {
    # nothing reports home, and nothing is looked up on the hub: weights are local folders
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_DO_NOT_TRACK": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    # the engine steps in the process that drives it: ours, which does nothing else
    "VLLM_ENABLE_V1_MULTIPROCESSING": "0",
    "VLLM_WORKER_MULTIPROC_METHOD": "spawn",
    "TOKENIZERS_PARALLELISM": "false",
}

_DEFAULTS = {
    # spinning OpenMP threads are 30 times slower as soon as another process wants a core
    "OMP_WAIT_POLICY": "PASSIVE",
    "VLLM_LOGGING_LEVEL": "ERROR",
    # otherwise vLLM looks up its own address by way of a public name server
    "VLLM_HOST_IP": "127.0.0.1",
    "PYTHONFAULTHANDLER": "1",
    "PYTHONUNBUFFERED": "1",
}

_CPU = {
    # compiling takes a minute and a C++ compiler, brings nothing on a CPU, and changed answers in bfloat16
    "TORCH_COMPILE_DISABLE": "1",
    "CUDA_VISIBLE_DEVICES": "",
}


def child_environment(
    base: Mapping[str, str],
    device: Literal["cpu", "cuda"],
    hidden: Collection[str] = (),
    threads: int | None = None,
) -> dict[str, str]:
    """`base` with what an engine on `device` needs. What decides speed or place may be set by the user in `base`.

    `hidden` names variables that the engine must not see, such as keys of other models. `threads`: of its
    computations; None: what `base` says, else one for each core.
    """
    seen = {name: value for name, value in base.items() if name not in hidden}
    environment = _DEFAULTS | seen | _FORCED | (_CPU if device == "cpu" else {})
    if "VLLM_CACHE_ROOT" not in environment and (spare := _spare_cache(seen)) is not None:
        environment["VLLM_CACHE_ROOT"] = str(spare)
    environment.pop("VLLM_CPU_KVCACHE_SPACE", None)  # it would win over the option cache_gib, in whole GiB only
    if threads is not None:
        environment["OMP_NUM_THREADS"] = str(threads)  # read when torch is imported; MKL goes by it, too
    # the child finds this very package also where it is run from a checkout, without the working folder on its path
    here = str(Path(localeval.__file__).parent.parent)
    environment["PYTHONPATH"] = ":".join(filter(None, [seen.get("PYTHONPATH", ""), here]))
    return environment


def _spare_cache(base: Mapping[str, str]) -> Path | None:
    """A folder of this user's in the temporary one, where vLLM cannot write its usual caches; else None.

    Without any, each start imports vLLM a second time only to look at the model's class, and on a GPU compiles anew.
    """
    home = base.get("HOME") or os.path.expanduser("~")
    usual = Path(base.get("XDG_CACHE_HOME") or Path(home, ".cache"), "vllm")
    if _can_hold(usual):
        return None
    with suppress(OSError):  # there may be no temporary folder either
        spare = Path(tempfile.gettempdir(), f"localeval-vllm-{os.getuid()}")
        spare.mkdir(mode=0o700, exist_ok=True)
        about = spare.lstat()
        # what is compiled is run: a folder that somebody else made, or may write to, is not used
        if spare.is_dir() and not spare.is_symlink() and about.st_uid == os.getuid() and not about.st_mode & 0o022:
            return spare
    return None


def _can_hold(folder: Path) -> bool:
    """Whether files can be made in a folder, which need not be there yet."""
    there = next((each for each in (folder, *folder.parents) if os.path.exists(each)), None)
    return there is not None and os.path.isdir(there) and os.access(there, os.W_OK | os.X_OK)
