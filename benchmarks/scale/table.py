"""Sizes side by side as a table, and what must hold."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.table import Table

from benchmarks.scale.measuring import Figures
from localeval.report.console import titled_table

MOST_DRIVER_US, MOST_PEAK_MIB, MOST_RESUME_S, MOST_GROWTH = 150.0, 1500.0, 20.0, 1.5
_COUNTED_FROM = 50_000
"""Calls. Of fewer the fixed costs are a large part: a process's start, the comparison of systems."""

COLUMNS = (
    "calls",
    "driver,\nµs/call",
    "wall,\nµs/call",
    "engine,\nµs/call",
    "run, s",
    "peak,\nMiB",
    "store,\nbytes/call",
    "folder,\nMiB",
    "resume,\ns",
    "resume,\nµs/call",
    "resume,\nMiB",
    "score,\ns",
    "score,\nµs/call",
)


class Expectation(NamedTuple):
    """What must hold, and what was measured."""

    what: str
    holds: bool
    measured: str


def cells(found: Figures) -> list[str]:
    """One size's line."""
    per_call = 1e6 / found.calls
    return [
        f"{found.calls:,}",
        f"{found.driver_us:.0f}",
        f"{found.wall_us:.0f}",
        f"{found.engine_us:.0f}",
        f"{found.command.seconds:.1f}",
        f"{found.peak_mib:.0f}",
        f"{found.store_bytes / found.calls:.0f}",
        f"{found.folder_bytes / 2**20:.0f}",
        f"{found.resumed.seconds:.1f}",
        f"{found.resumed.processor_s * per_call:.0f}",
        f"{found.resumed.peak_mib:.0f}",
        f"{found.scored.seconds:.1f}",
        f"{found.scored.processor_s * per_call:.0f}",
    ]


def table_of(shape: str, sizes: Sequence[Figures]) -> Table:
    """All sizes of a shape."""
    table = titled_table(f"scale: {shape}, a run, the finished run again (resume), its scores anew (score)")
    for column in COLUMNS:
        table.add_column(column, justify="right")
    for found in sizes:
        table.add_row(*cells(found))
    return table


def expectations(sizes: Sequence[Figures]) -> Iterator[Expectation]:
    """What must hold at every size of a shape, smallest first, and that a larger one costs no more a call."""
    for found in sizes:
        name = f"{found.shape}, {found.calls:,} calls:"
        if found.calls >= _COUNTED_FROM:
            yield Expectation(
                f"{name} driver at most {MOST_DRIVER_US:.0f} µs a call",
                found.driver_us <= MOST_DRIVER_US,
                f"{found.driver_us:.0f} µs",
            )
        yield Expectation(
            f"{name} peak memory at most {MOST_PEAK_MIB:.0f} MiB",
            found.peak_mib <= MOST_PEAK_MIB,
            f"{found.peak_mib:.0f} MiB",
        )
        yield Expectation(
            f"{name} the finished run again in at most {MOST_RESUME_S:.0f} s",
            found.resumed.seconds <= MOST_RESUME_S,
            f"{found.resumed.seconds:.1f} s",
        )
    counted = [found for found in sizes if found.calls >= _COUNTED_FROM]
    for less, more in pairwise(counted):
        growth = more.driver_us / less.driver_us
        yield Expectation(
            f"{more.shape}: a call of {more.calls:,} costs at most {MOST_GROWTH} times one of {less.calls:,}",
            growth <= MOST_GROWTH,
            f"{growth:.2f} times",
        )
