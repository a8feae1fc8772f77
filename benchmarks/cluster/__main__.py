"""Are two replicas of one core each nearly twice as fast as one, and does losing one change anything?

\b
scripts/bench cluster                                   three turns each, and a run whose replica is killed
scripts/bench cluster --sources 8 --candidates 4 --runs 1       a small one

The work is a rubric panel over generated meetings, the engine vLLM's CPU build with one thread a replica, Ray one that
is started for each run. One replica and two take turns. Times run from when all replicas are ready to the last reply;
start-up stands apart. Then one of two replicas is killed in the middle of a run. Figures go to cluster.json. The exit
code is 1 where two replicas are less than 1.8 times as fast, or where the killed one cost a reply or changed a value of
scores.json. Expectations from token probabilities are told apart: they move with what an engine computes together, also
between one replica and two.
"""

import json
import os
import shutil
import signal
import sys
from pathlib import Path
from statistics import median
from typing import Any

import click

from benchmarks._command import run_command
from benchmarks.cluster.differing import differing
from benchmarks.cluster.runs import Timed, one_run
from benchmarks.speed.material import Shape, write_work

GOAL = 1.8


@click.command(help=__doc__)
@click.option("--runs", type=click.IntRange(min=1), default=3, show_default=True, help="Turns of each.")
@click.option("--sources", type=click.IntRange(min=2), default=8, show_default=True)
@click.option("--candidates", type=click.IntRange(min=1), default=12, show_default=True, help="Of each source.")
@click.option("--source-tokens", type=click.IntRange(min=100), default=1500, show_default=True)
@click.option("--criteria", type=click.IntRange(1, 6), default=6, show_default=True)
@click.option("--model", default="smollm2-135m", show_default=True, help="A card, or a folder of weights.")
@click.option("--cache-gib", type=click.FloatRange(0, min_open=True), default=1.0, show_default=True, help="A replica.")
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("runs/cluster"), show_default=True
)
def main(
    runs: int, sources: int, candidates: int, source_tokens: int, criteria: int, model: str, cache_gib: float, out: Path
) -> None:
    """Runs by turns, reports, and writes cluster.json after each run."""
    shutil.rmtree(out / "work", ignore_errors=True)
    place = {"path": str(Path(model).resolve())} if Path(model).is_dir() else {"card": model}
    entry = {**place, "engine": "vllm", "device": "cpu", "threads": 1, "cache_gib": cache_gib}
    shape = Shape(sources, candidates, source_tokens, 150, criteria=criteria)
    work = write_work("b", shape, out / "work" / "files", 1, entry)
    found: dict[str, list[Timed]] = {"one": [], "two": []}
    for turn in range(runs):
        for name, workers in (("one", 1), ("two", 2)):
            found[name].append(one_run(work.config, out / "work" / f"{name}-{turn}", workers))
            print(f"{name} {turn + 1}: {found[name][-1]}", file=sys.stderr, flush=True)
            _write(out, shape, found, None)
    killed = one_run(work.config, out / "work" / "killed", 2, kill_at=len(found["two"][0].texts) // 3)
    print(f"killed: {killed}", file=sys.stderr, flush=True)
    summary = _write(out, shape, found, killed)
    print(json.dumps(summary, indent=1))
    sys.exit(0 if summary["holds"] else 1)


def _write(out: Path, shape: Shape, found: dict[str, list[Timed]], killed: Timed | None) -> dict[str, Any]:
    """Writes cluster.json; what it says in short."""
    summary: dict[str, Any] = {}
    if found["two"]:
        ones, twos = ([each.seconds for each in found[name]] for name in ("one", "two"))
        summary["ratio"] = median(ones) / median(twos)
        summary["goal"] = GOAL
        summary["start_s"] = {name: median(each.start_s for each in runs) for name, runs in found.items() if runs}
    if killed is not None:
        whole, single = found["two"][0], found["one"][0]
        killed_from, single_from = differing(killed.scores, whole.scores), differing(single.scores, whole.scores)
        summary["killed"] = {
            "calls": len(killed.texts),
            "lost": len(whole.texts.keys() - killed.texts.keys()),
            "texts_that_differ": sum(whole.texts.get(key) != text for key, text in killed.texts.items()),
            "texts_that_differ_between_one_and_two": sum(
                single.texts.get(key) != text for key, text in whole.texts.items()
            ),
            "values_that_differ": killed_from.others,
            "expected_moved_by": killed_from.expected,
            "expected_moved_by_between_one_and_two": single_from.expected,
            "replicas_lost": killed.n_lost,
        }
        is_whole = not summary["killed"]["lost"] and not killed_from.others and killed.n_lost == 1
        summary["holds"] = summary["ratio"] >= GOAL and is_whole
    table = {
        "cores": os.cpu_count(),
        "work": {"sources": shape.sources, "candidates": shape.candidates, "source_tokens": shape.source_tokens},
        "runs": {name: [each.figures() for each in runs] for name, runs in found.items()},
        "killed": None if killed is None else killed.figures(),
        **({"summary": summary} if summary else {}),
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "cluster.json").write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return summary


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    run_command(main)
