"""Do the methods judge rightly?

\b
scripts/bench judgement [--quick]          the quiz on the demo's summaries, which are known to be
                                           faithful, omitting or fabricating; without --quick also
                                           where "cannot be determined" should stand
scripts/bench judgement --data FOLDER      the audit on SummEdits in FOLDER/summedits: balanced
                                           accuracy beside a "rate 1 to 10" prompt, checks on and off
scripts/bench judgement --cases            the published inventions and repairs, with a real auditor
scripts/bench judgement --injections       how far texts that give orders to the judge shift its scores

Every expectation is printed with what was measured; the exit code is 1 where one does not hold.
"""

import sys
import tempfile
import time
from pathlib import Path

import click

from benchmarks.judgement import cases, injections, quiz_demo, summedits
from localeval.cli.progress import Progress
from localeval.errors import LocalevalError
from localeval.public_sets.judges import read_model
from localeval.public_sets.summedits import draw_summaries, read_summedits


@click.command(help=__doc__)
@click.option("--quick", is_flag=True, help="The quiz: the demo's order alone.")
@click.option("--data", type=click.Path(path_type=Path), help="Folder of labelled data: audit SummEdits.")
@click.option("--cases", "published", is_flag=True, help="Audit the published cases.")
@click.option("--injections", "inject", is_flag=True, help="Judge texts that give orders.")
@click.option("--documents", default=6, show_default=True, help="With --data: documents to draw.")
@click.option("--summaries", default=8, show_default=True, help="With --data: summaries of each.")
@click.option("--seed", default=1, show_default=True, help="With --data: of the drawing.")
@click.option("--model", default="qwen2.5-coder-1.5b", show_default=True, help="Any but the quiz's.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep the runs here. Default: a temporary folder.")
@click.option("--reuse", type=click.Path(path_type=Path), multiple=True, help="The quiz: earlier run to read from.")
def main(
    quick: bool,
    data: Path | None,
    published: bool,
    inject: bool,
    documents: int,
    summaries: int,
    seed: int,
    model: str,
    out: Path | None,
    reuse: tuple[Path, ...],
) -> None:
    """Runs one of the four."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="localeval-bench-") as scratch:
        place = out or Path(scratch)
        place.mkdir(parents=True, exist_ok=True)
        if data is not None:
            if not (data / "summedits").is_dir():
                raise click.BadParameter(
                    f"{data / 'summedits'} is no folder; name one that holds summedits/", param_hint="--data"
                )
            holds = run_summedits(data, place, (documents, summaries, seed), model)
        elif published:
            holds = cases.measure(place, model)
        elif inject:
            holds = injections.measure(place, model)
        else:
            holds = quiz_demo.measure(place, reuse, quick)
    print(f"{time.monotonic() - started:.0f} s in all")
    sys.exit(0 if holds else 1)


def run_summedits(data: Path, place: Path, sample: tuple[int, int, int], model: str) -> bool:
    """Draws, asks and reports; whether what must hold does."""
    drawn = draw_summaries(read_summedits(data), summedits.DOMAINS, *sample, longest=summedits.LONGEST)
    judge = read_model(summedits.JUDGE, model, Path.cwd())
    with Progress() as progress:
        audits, ratings = summedits.ask(drawn, judge, place, progress)
    print(f"{progress.sent} calls sent, {progress.stored} from the store")
    return summedits.report(drawn.summaries, audits, ratings)


if __name__ == "__main__":
    try:
        main()
    except LocalevalError as error:
        sys.exit(f"error: {error}")
