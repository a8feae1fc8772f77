"""How much energy the devices of this machine used: read from the GPUs' own counters, else from the processors'.

A counter is of a whole device: what else runs on it is in the number.
"""

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

POWERCAP = Path("/sys/class/powercap")
"""Where Linux keeps the counters of processors and memory (RAPL); many machines let only root read them."""


class Meter(Protocol):
    """Something that counts energy."""

    name: str
    """What is measured."""

    def joules(self) -> float | None:
        """Energy used since some beginning, so that two readings can be subtracted; None where it cannot be read."""
        ...


def find_meter(powercap: Path = POWERCAP) -> Meter | None:
    """The meter of this machine: its NVIDIA GPUs where they tell, else its processors and memory, else None."""
    return _nvml_meter() or rapl_meter(powercap)


class RaplMeter:
    """The processors' packages and, where they are counted apart, their memory.

    The counters start again from 0 after minutes or hours of work: read it at least every few minutes.
    """

    def __init__(self, zones: Sequence[Path]) -> None:
        """Raises OSError or ValueError where a zone cannot be read."""
        self.name = "processors" if all(_word(zone / "name") != "dram" for zone in zones) else "processors and memory"
        self._range = {zone: _number(zone / "max_energy_range_uj") for zone in zones}
        self._last = {zone: _number(zone / "energy_uj") for zone in zones}
        self._used = 0  # microjoules

    def joules(self) -> float | None:
        """Energy since the meter was made."""
        try:
            for zone, last in self._last.items():
                now = _number(zone / "energy_uj")
                self._used += now - last if now >= last else now - last + self._range[zone]
                self._last[zone] = now
        except (OSError, ValueError):
            return None
        return self._used / 1e6


def rapl_meter(powercap: Path) -> RaplMeter | None:
    """The meter of the zones in a folder like /sys/class/powercap; None where a package is not there or not readable.

    A zone "psys" is left out, since it holds the packages, and so are cores and graphics, which packages hold.
    """
    try:
        names = {zone: _word(zone / "name") for zone in sorted(powercap.glob("intel-rapl:*"))}
        zones = [zone for zone, name in names.items() if name.startswith("package") or name == "dram"]
        return RaplMeter(zones) if any(names[zone] != "dram" for zone in zones) else None
    except (OSError, ValueError):
        return None


def _word(path: Path) -> str:
    return path.read_text(encoding="ascii").strip()


def _number(path: Path) -> int:
    return int(_word(path))


class _Nvml(Protocol):
    """What is used of the package nvidia-ml-py."""

    NVMLError: type[Exception]

    def nvmlInit(self) -> None: ...

    def nvmlDeviceGetCount(self) -> int: ...

    def nvmlDeviceGetHandleByIndex(self, index: int) -> object: ...

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> object: ...

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: object) -> int: ...


class _NvmlMeter:
    """GPUs from Volta on: each counts millijoules since its driver was loaded."""

    def __init__(self, nvml: _Nvml, handles: Sequence[object]) -> None:
        self.name = "1 GPU" if len(handles) == 1 else f"{len(handles)} GPUs"
        self._nvml, self._handles = nvml, handles

    def joules(self) -> float | None:
        """Energy of all of them together."""
        try:
            return sum(self._nvml.nvmlDeviceGetTotalEnergyConsumption(each) for each in self._handles) / 1e3
        except self._nvml.NVMLError:
            return None


def _nvml_meter() -> _NvmlMeter | None:
    """The meter of the GPUs that CUDA_VISIBLE_DEVICES leaves; None without nvidia-ml-py, a driver or such a counter."""
    try:
        nvml = cast(_Nvml, importlib.import_module("pynvml"))
    except ImportError:
        return None
    try:
        nvml.nvmlInit()
        meter = _NvmlMeter(nvml, _visible(nvml, os.environ.get("CUDA_VISIBLE_DEVICES")))
    except (nvml.NVMLError, ValueError):
        return None
    return meter if meter.name != "0 GPUs" and meter.joules() is not None else None


def _visible(nvml: _Nvml, chosen: str | None) -> list[object]:
    """Handles of the chosen GPUs, by number or by name; of all where none are chosen."""
    if chosen is None:
        return [nvml.nvmlDeviceGetHandleByIndex(index) for index in range(nvml.nvmlDeviceGetCount())]
    names = [name.strip() for name in chosen.split(",") if name.strip()]
    return [
        nvml.nvmlDeviceGetHandleByUUID(name) if name.startswith("GPU-") else nvml.nvmlDeviceGetHandleByIndex(int(name))
        for name in names
    ]
