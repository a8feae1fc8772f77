"""How close is localeval to the engine alone, and how far ahead of everything else?

\b
scripts/bench speed                              everything, three turns: hours on a few cores
scripts/bench speed --share 0.1 --parts a,b      a tenth of the texts of two parts
scripts/bench speed --contestants raw,naive      without peers, which are installed first

\b
    a  quiz answering: 6 sources x 8 candidates x 20 questions, each in two orders
    b  rubric panel: 4 sources of about 5,000 tokens x 16 candidates x 6 criteria
    c  audit of 16 candidates of 4 sources
    d  all methods together: 2 sources x 6 candidates

Contestants take turns, each in processes of its own: localeval; raw, the same calls ordered by hand in one generate
call of vLLM; naive, one call at a time with its instructions first; and peers (docs/speed.md). Times are without
start-up. Figures are written to speed.json after each run, and to speed.svg and speed.png at the end. The exit code is
1 where an expectation does not hold.
"""

import signal
import sys
import time
from pathlib import Path

import click

from benchmarks._command import run_command
from benchmarks.speed.material import parts_of
from benchmarks.speed.peers import PEERS
from benchmarks.speed.picture import picture_of
from benchmarks.speed.results import NAIVE, RAW, Contest, write_json
from benchmarks.speed.running import Plan, arenas, run_arenas
from benchmarks.speed.table import expectations, notes, table_of
from localeval.errors import ConfigError
from localeval.report.console import print_lines, wide_console
from localeval.report.pictures.files import write_pictures

_WIDTH = 150
_PEERS = "peers"
_ALL = f"{RAW},localeval,{NAIVE},{_PEERS}"


@click.command(help=__doc__)
@click.option("--parts", default="a,b,c,d", show_default=True, help="Which parts.")
@click.option("--contestants", default=_ALL, show_default=True, help="Who takes part; localeval always does.")
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True, help="Turns of each contestant.")
@click.option(
    "--share", type=click.FloatRange(0, 1, min_open=True), default=1.0, show_default=True, help="Of the texts."
)
@click.option(
    "--peer-share", type=click.FloatRange(0, 1, min_open=True), default=0.06, show_default=True, help="For peers."
)
@click.option("--naive-calls", type=click.IntRange(min=1), default=6, show_default=True, help="Its sample, a turn.")
@click.option(
    "--sources", type=click.Path(path_type=Path, file_okay=False), help="Folder of texts. Default: generated."
)
@click.option("--model", default="smollm2-135m", show_default=True, help="A card, or a folder of weights.")
@click.option("--cache-gib", type=click.FloatRange(0, min_open=True), default=2.0, show_default=True)
@click.option("--seed", default=1, show_default=True, help="Of the material.")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), default=Path("runs/speed"), show_default=True)
def main(
    parts: str,
    contestants: str,
    runs: int,
    share: float,
    peer_share: float,
    naive_calls: int,
    sources: Path | None,
    model: str,
    cache_gib: float,
    seed: int,
    out: Path,
) -> None:
    """Runs the contests and reports them, also those that were cut."""
    started = time.monotonic()
    names = _contestants(contestants)
    place: dict[str, object] = {"path": str(Path(model).resolve())} if Path(model).is_dir() else {"card": model}
    plan = Plan(
        parts=parts_of(parts),
        own=[name for name in (RAW, NAIVE) if name in names],
        peers=[peer for peer in PEERS if _PEERS in names or peer.name in names],
        runs=runs,
        share=share,
        peer_share=peer_share,
        naive_calls=naive_calls,
        seed=seed,
        model={**place, "cache_gib": cache_gib},
        sources=sources,
    )
    places = arenas(plan, out / "work")
    contests = [arena.contest for arena in places]
    options = {
        "parts": parts,
        "contestants": contestants,
        "runs": runs,
        "share": share,
        "peer_share": peer_share,
        "naive_calls": naive_calls,
        "model": model,
        "cache_gib": cache_gib,
        "seed": seed,
    }
    try:
        run_arenas(plan, places, lambda: write_json(out / "speed.json", contests, options), _say)
    except KeyboardInterrupt:
        _say("stopped; what was measured stands below")
        report(contests, out)
        sys.exit(130)
    holds = report(contests, out)
    print(f"\n{time.monotonic() - started:.0f} s in all; {out / 'speed.json'}")
    sys.exit(0 if holds else 1)


def report(contests: list[Contest], out: Path) -> bool:
    """Prints tables and expectations, writes the picture; whether all expectations hold."""
    device = wide_console()
    device.width = max(device.width, _WIDTH)
    for contest in contests:
        device.print(table_of(contest))
        print_lines(notes(contest))
    found = list(expectations(contests))
    print_lines(f"{'holds' if each.holds else 'FAILS'}: {each.what} ({each.measured})" for each in found)
    picture = picture_of(contests)
    if picture is not None:
        for path in write_pictures([picture], out):
            print_lines([str(path)])
    return all(each.holds for each in found)


def _contestants(text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    able = [*_ALL.split(","), *(peer.name for peer in PEERS)]
    for name in names:
        if name not in able:
            raise ConfigError(f"--contestants {text}: {name!r} is none; choose from {', '.join(able)}")
    return names


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    # the contestants' processes have sessions of their own: a bench that is told to stop has to end them
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run_command(main)
