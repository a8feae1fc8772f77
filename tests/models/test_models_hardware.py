"""`localeval.models.hardware`: what the processor computes itself."""

import pytest

from localeval.models.hardware import knows_half


@pytest.mark.parametrize(
    ("cpuinfo", "expected"),
    [
        ("processor\t: 0\nflags\t\t: fpu avx2 fma\n", False),
        ("processor\t: 0\nflags\t\t: fpu avx2 avx512f avx512_bf16\n", True),
        ("flags : avx512f amx_bf16 amx_tile\n", True),
        ("processor : 0\nFeatures : fp asimd bf16 i8mm\n", True),
        ("processor : 0\nFeatures : fp asimd\n", False),
        ("nothing that can be read", True),
    ],
)
def test_bfloat16_is_read_from_the_flags(cpuinfo: str, expected: bool) -> None:
    """x86 and ARM flags tell; where there are none the processor is taken to know it."""
    assert knows_half(cpuinfo) is expected
