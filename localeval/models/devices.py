"""What this machine computes and reads a second: of a GPU what its data sheet says, of a processor what is measured."""

import csv
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from localeval.models.hardware import has_gpu

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Speed:
    """Operations and bytes a second of one device, at their peak; 0 where they are not known.

    `flops` are dense, in bfloat16 or float16 on a GPU, in float32 on a processor; `flops_8bit` in fp8 or int8, 0 where
    the device has no faster path for them. `memory_bytes` is its memory, 0 for a processor. `count` such devices.
    """

    name: str
    kind: Literal["cuda", "cpu"]
    flops: float = 0.0
    flops_8bit: float = 0.0
    bytes_per_s: float = 0.0
    memory_bytes: float = 0.0
    count: int = 1

    @property
    def is_known(self) -> bool:
        """Whether seconds can be told from it."""
        return self.flops > 0 and self.bytes_per_s > 0


# As nvidia-smi names a device: TFLOPS without sparsity in bfloat16 or float16 with sums in float32, in fp8 or int8
# (0: none), GB/s of memory. From NVIDIA's data sheets of each product, and for GeForce and RTX cards from the
# appendices of its white papers on GA102, AD102 and GB202.
_GPUS: tuple[tuple[str, float, float, float], ...] = (
    (r"NVIDIA B200", 2250, 4500, 8000),
    (r"NVIDIA H200 NVL", 835, 1671, 4800),
    (r"NVIDIA H200", 989, 1979, 4800),
    (r"NVIDIA H100 80GB HBM3", 989, 1979, 3350),
    (r"NVIDIA H100 NVL", 835, 1671, 3938),
    (r"NVIDIA H100 PCIe", 756, 1513, 2039),
    (r"NVIDIA A100-SXM4-80GB", 312, 624, 2039),
    (r"NVIDIA A100 80GB PCIe", 312, 624, 1935),
    (r"(NVIDIA )?A100-(SXM4|PCIE)-40GB", 312, 624, 1555),
    (r"NVIDIA L40S", 362, 733, 864),
    (r"NVIDIA L4", 121, 242, 300),
    (r"NVIDIA A10", 125, 250, 600),
    (r"(NVIDIA |Tesla )T4", 65, 130, 320),
    (r"NVIDIA GeForce RTX 3090", 71, 284, 936),
    (r"NVIDIA GeForce RTX 4090", 165, 330, 1008),
    (r"NVIDIA GeForce RTX 5090", 210, 419, 1792),
    (r"NVIDIA RTX 6000 Ada Generation", 364, 728, 960),
    (r"NVIDIA RTX PRO 6000 Blackwell (Workstation|Server) Edition", 504, 1007, 1792),
)


def gpu_speed(name: str, memory_bytes: float = 0.0) -> Speed:
    """The speed of a GPU by the name that the driver gives it; nothing known of one that is not in the table.

    A name has to be met whole: a laptop's, a "Ti" or a "SUPER" is another chip.
    """
    for pattern, half, eight_bit, gigabytes in _GPUS:
        if re.fullmatch(pattern, name.strip(), re.IGNORECASE):
            return Speed(name.strip(), "cuda", half * 1e12, eight_bit * 1e12, gigabytes * 1e9, memory_bytes)
    return Speed(name.strip(), "cuda", memory_bytes=memory_bytes)


@lru_cache(maxsize=1)
def gpu_here() -> Speed | None:
    """The first GPU of this machine with the number of those of its name, or None where there is none or the driver
    does not answer."""
    program = shutil.which("nvidia-smi") if has_gpu() else None
    if program is None:
        return None
    command = [program, "--query-gpu=name,memory.total", "--format=csv,noheader,nounits"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return read_gpus(told)


def read_gpus(told: str) -> Speed | None:
    """`gpu_here` from what nvidia-smi prints: a line a device, its name and its memory in MiB."""
    rows = [row for row in csv.reader(told.splitlines(), skipinitialspace=True) if len(row) == 2]
    if not rows:
        return None
    name, memory = rows[0]
    speed = gpu_speed(name, float(memory) * MIB if memory.strip().isdigit() else 0.0)
    alike = sum(1 for row in rows if row[0] == name)
    return Speed(speed.name, "cuda", speed.flops, speed.flops_8bit, speed.bytes_per_s, speed.memory_bytes, count=alike)


@lru_cache(maxsize=1)
def cpu_here() -> Speed:
    """What this machine's processor does, measured in well under a second: no table knows every processor.

    One core multiplies small float32 matrices and copies memory; cores do as much each, but reading does not grow past
    `_CORES_THAT_FILL_MEMORY`. The best of short runs on one thread: on a busy machine threads that wait for one
    another would show the other work, not the processor.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    square = np.ones((_SMALL, _SMALL), dtype=np.float32)
    multiply_s = _best_of(lambda: square @ square)
    block = np.ones(8 * MIB, dtype=np.float32)
    copy = np.empty_like(block)
    copy_s = _best_of(lambda: np.copyto(copy, block))
    return Speed(
        "cpu" if cores == 1 else f"cpu, {cores} cores",
        "cpu",
        flops=cores * 2.0 * _SMALL**3 / multiply_s,
        bytes_per_s=min(cores, _CORES_THAT_FILL_MEMORY) * 2.0 * block.nbytes / copy_s,
    )


_SMALL = 64  # as large as a BLAS multiplies on one thread
_CORES_THAT_FILL_MEMORY = 16


def _best_of(work: Callable[[], object], budget_s: float = 0.15) -> float:
    """Seconds of the quickest of the runs that begin within `budget_s`, at least three, after one that warms up."""
    work()
    spent: list[float] = []
    while len(spent) < 3 or sum(spent) < budget_s:
        begin = time.perf_counter()
        work()
        spent.append(time.perf_counter() - begin)
    return min(spent)
