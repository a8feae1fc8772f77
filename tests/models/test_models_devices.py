"""`localeval.models.devices`: GPUs by their names, a processor by measurement."""

import time

import pytest

from localeval.models.devices import MIB, cpu_here, gpu_speed, read_gpus


@pytest.mark.parametrize(
    ("name", "tflops", "gigabytes"),
    [
        ("NVIDIA H100 80GB HBM3", 989, 3350),
        ("NVIDIA H100 PCIe", 756, 2039),
        ("NVIDIA H200", 989, 4800),
        ("NVIDIA B200", 2250, 8000),
        ("NVIDIA A100-SXM4-40GB", 312, 1555),
        ("A100-PCIE-40GB", 312, 1555),
        ("NVIDIA A100 80GB PCIe", 312, 1935),
        ("NVIDIA L40S", 362, 864),
        ("NVIDIA L4", 121, 300),
        ("NVIDIA A10", 125, 600),
        ("Tesla T4", 65, 320),
        ("NVIDIA GeForce RTX 3090", 71, 936),
        ("NVIDIA GeForce RTX 4090", 165, 1008),
        ("NVIDIA GeForce RTX 5090", 210, 1792),
        ("NVIDIA RTX 6000 Ada Generation", 364, 960),
        ("NVIDIA RTX PRO 6000 Blackwell Server Edition", 504, 1792),
    ],
)
def test_a_known_gpu_has_its_data_sheets_figures(name: str, tflops: float, gigabytes: float) -> None:
    """Dense operations in half precision, and bytes of memory a second; fp8 never below half precision."""
    speed = gpu_speed(name)
    assert (speed.flops, speed.bytes_per_s) == (tflops * 1e12, gigabytes * 1e9)
    assert speed.is_known
    assert speed.flops_8bit >= speed.flops


@pytest.mark.parametrize(
    "name", ["NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 3090 Ti", "NVIDIA L40", "Tesla V100-SXM2-16GB"]
)
def test_another_chip_of_a_like_name_is_not_known(name: str) -> None:
    """Its name stays, its speed is none: nothing is guessed from a likeness."""
    speed = gpu_speed(name, 24e9)
    assert not speed.is_known
    assert (speed.name, speed.memory_bytes) == (name, 24e9)


def test_what_the_driver_prints_is_read() -> None:
    """The first device with its memory, and how many there are of its name; nothing where nothing is printed."""
    speed = read_gpus("NVIDIA L4, 23034\nNVIDIA L4, 23034\nTesla T4, 15360\n")
    assert speed is not None
    assert (speed.name, speed.count, speed.memory_bytes) == ("NVIDIA L4", 2, 23034 * MIB)
    unnamed = read_gpus("NVIDIA Something, [N/A]\n")
    assert unnamed is not None
    assert not unnamed.is_known
    assert read_gpus("No devices were found\n") is None


def test_a_processor_is_measured_quickly() -> None:
    """Any processor of this century does a billion operations a second; measuring takes some tenths of a second."""
    cpu_here.cache_clear()
    began = time.process_time()
    speed = cpu_here()
    assert time.process_time() - began < 3.0  # on a processor that others use, too
    assert speed.kind == "cpu"
    assert 1e9 < speed.flops < 1e15
    assert 1e8 < speed.bytes_per_s < 1e13
