"""What does a call cost localeval itself, and does that stay so up to a million of them?

\b
scripts/bench scale                              10,000, 100,000 and 1,000,000 calls: some minutes, 4 GB of disk
scripts/bench scale --sizes 10000,100000         without the largest
scripts/bench scale --shape panel                another shape of run

\b
    quiz        50 candidates and 100 questions a source, each in two orders
    one flow    all calls in one round: 10 candidates of one source
    many flows  20 calls a source
    panel       10 candidates a source, judged by five criteria

The calls go the way of `localeval run`, to the scripted engine, which answers at once. Each size is run, run again when
everything is stored, and scored anew, each in a process of its own (docs/scale.md). Figures are written to scale.json.
The exit code is 1 where an expectation does not hold.
"""

import json
import platform
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from benchmarks._command import run_command
from benchmarks.scale.measuring import Figures, measure
from benchmarks.scale.projects import SHAPES
from benchmarks.scale.table import expectations, table_of
from localeval.errors import ConfigError
from localeval.report.console import print_lines, wide_console
from localeval.store.files import write_in_one_step

_WIDTH = 130
_LEAST = 1000


@click.command(help=__doc__)
@click.option("--shape", type=click.Choice(list(SHAPES)), default="quiz", show_default=True)
@click.option("--sizes", default="10000,100000,1000000", show_default=True, help="Calls.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("runs/scale"), show_default=True)
@click.option("--keep", is_flag=True, help="Leave the run folders where they are.")
def main(shape: str, sizes: str, out: Path, keep: bool) -> None:
    """Measures size after size and reports them, also those before one that failed."""
    wanted = _sizes(sizes)
    found: list[Figures] = []
    out.mkdir(parents=True, exist_ok=True)
    for calls in wanted:
        folder = out / "work" / f"{shape.replace(' ', '-')}-{calls}"
        shutil.rmtree(folder, ignore_errors=True)
        found.append(measure(shape, calls, folder, _say))
        if not keep:
            shutil.rmtree(folder)
        write_json(out / "scale.json", found)
    sys.exit(0 if report(shape, found) else 1)


def report(shape: str, found: Sequence[Figures]) -> bool:
    """Prints the table and the expectations; whether all of these hold."""
    device = wide_console()
    device.width = max(device.width, _WIDTH)
    device.print(table_of(shape, found))
    expected = list(expectations(found))
    print_lines(f"{'holds' if each.holds else 'FAILS'}: {each.what} ({each.measured})" for each in expected)
    return all(each.holds for each in expected)


def write_json(path: Path, found: Sequence[Figures]) -> None:
    """Everything that was measured, and on what."""
    machine = {"python": platform.python_version(), "machine": platform.machine(), "system": platform.platform()}
    sizes = [
        asdict(each)
        | {name: getattr(each, name)._asdict() for name in ("command", "resumed", "scored")}
        | {"driver_us": each.driver_us, "wall_us": each.wall_us, "engine_us": each.engine_us}
        for each in found
    ]
    content = json.dumps({"schema": "localeval.scale/1", **machine, "sizes": sizes}, indent=1)
    write_in_one_step(path, (content + "\n").encode())


def _sizes(text: str) -> list[int]:
    """Ascending; raises ConfigError naming what is no size."""
    sizes = []
    for each in text.split(","):
        if not each.strip().isdecimal() or int(each) < _LEAST:
            raise ConfigError(f"--sizes {text}: {each.strip()!r} is no number of calls of at least {_LEAST}")
        sizes.append(int(each))
    return sorted(set(sizes))


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    run_command(main)
