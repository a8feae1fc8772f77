"""Does affect read what people read?

\b
scripts/bench affect --data FOLDER           on FOLDER/newsmtsc and FOLDER/emobank:
    NewsMTSC   the sign of `target` against labels of targets, and the order of two targets of one
               sentence, beside `whole`, which cannot tell them apart
    EmoBank    valence, arousal and dominance of `whole` against the means of readers
    Readings   expectation over probabilities against the mean of draws, and the tokens of each
scripts/bench affect --data FOLDER --quick   a few of each: whether everything works

Sentences are asked in random order until the minutes are over, so the figures are those of a random sample; replies
are kept, and the same command goes on. Expectations are printed with what was measured; the exit code is 1 where one
does not hold.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import click

from benchmarks._command import run_command
from benchmarks.affect import emobank, newsmtsc, readings
from benchmarks.affect.asking import JUDGE, Asked, Clock, Plan, ask
from benchmarks.judgement.rows import write_rows
from localeval.assets import asset_folder
from localeval.engines.house import LocalEngines
from localeval.errors import ConfigError
from localeval.inputs.axis_files import axes_for
from localeval.methods.affect.readings import Layout
from localeval.models import Model
from localeval.models.places import models_cache
from localeval.prompts import read_prompts
from localeval.public_sets import moods as mood_rows
from localeval.public_sets import targets as target_rows
from localeval.public_sets.emobank import MOODS, draw_moods, read_moods
from localeval.public_sets.judges import read_model as named_model
from localeval.public_sets.newsmtsc import SENTENCES, draw_sentences, read_sentences
from localeval.store.folder import RunFolder

_COUNT = click.IntRange(min=0)


@dataclass(frozen=True)
class Sizes:
    """How much is drawn, and how long it may take."""

    sentences: int
    moods: int
    draws: int
    minutes: float


QUICK = Sizes(sentences=24, moods=16, draws=8, minutes=3.0)


@click.command(help=__doc__)
@click.option("--data", type=click.Path(path_type=Path), required=True, help="Folder of newsmtsc/ and emobank/.")
@click.option("--quick", is_flag=True, help="24 and 16 sentences, 8 targets read both ways, 3 minutes.")
@click.option("--newsmtsc", "n_sentences", type=_COUNT, default=150, show_default=True, help="Sentences; 0: none.")
@click.option("--emobank", "n_moods", type=_COUNT, default=100, show_default=True, help="Sentences; 0: none.")
@click.option("--readings", "n_draws", type=_COUNT, default=60, show_default=True, help="Targets read both ways.")
@click.option("--minutes", type=click.FloatRange(min=0.0), default=15.0, show_default=True, help="When to stop asking.")
@click.option("--model", default="qwen2.5-coder-1.5b", show_default=True, help="A card, or a table as in a config.")
@click.option("--evidence", is_flag=True, help="NewsMTSC: a score counts only with a phrase that stands in the text.")
@click.option("--scale", type=click.Choice(["words", "3", "5", "7", "9"]), default="words", show_default=True)
@click.option("--repeats", type=click.IntRange(1, 2), default=1, show_default=True, help="2: both orders of answers.")
@click.option("--layout", type=click.Choice(get_args(Layout)), default="task first", show_default=True)
@click.option("--seed", default=1, show_default=True, help="Of the samples and the order.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep replies here. Default: in localeval's cache.")
@click.option("--rows", type=click.Path(path_type=Path, dir_okay=False), help="Write a JSONL file, a row an item.")
def main(
    data: Path,
    quick: bool,
    n_sentences: int,
    n_moods: int,
    n_draws: int,
    minutes: float,
    model: str,
    evidence: bool,
    scale: str,
    repeats: int,
    layout: Layout,
    seed: int,
    out: Path | None,
    rows: Path | None,
) -> None:
    """Draws, asks and reports."""
    started = time.monotonic()
    if rows is not None and not rows.resolve().parent.is_dir():
        raise click.BadParameter(f"{rows.parent} is no folder; make it first", param_hint="--rows")
    sizes = QUICK if quick else Sizes(n_sentences, n_moods, n_draws, minutes)
    plan = Plan(
        sentences=draw_sentences(read_sentences(data), sizes.sentences, seed)
        if _wanted(data, SENTENCES, sizes)
        else (),
        moods=draw_moods(read_moods(data), sizes.moods, seed) if _wanted(data, MOODS, sizes) else (),
        draws=sizes.draws,
        axes=axes_for("vad", "en", Path()),
        prompts=read_prompts(asset_folder("prompts")),
        seed=seed,
        layout=layout,
        evidence=evidence,
        scale=scale if scale == "words" else int(scale),
        repeats=repeats,
    )
    resolved = read_model(model)
    with Clock(sizes.minutes * 60) as clock, RunFolder.create_or_open(out or _kept()) as folder:
        asked = ask(plan, folder.store, LocalEngines({JUDGE: resolved}, folder.path), clock)
    print(f"{clock.sent} calls sent, {clock.stored} from the store; judge {resolved.card.name}, scale {scale}")
    holds = report(plan, asked, rows)
    print(f"\n{time.monotonic() - started:.0f} s in all")
    sys.exit(0 if holds else 1)


def report(plan: Plan, asked: Asked, file: Path | None) -> bool:
    """Prints what came back and writes its rows; whether every expectation holds."""
    drawn = len(plan.sentences) + len(plan.moods)
    read = len(asked.sentences) + len(asked.moods)
    print(f"{read} of {drawn} sentences were read" + (": the time was over" if read < drawn else ""))
    targets = target_rows.rows_of((each.sentence, each.affect) for each in asked.sentences)
    moods = mood_rows.rows_of(asked.moods)
    both = readings.rows_of(asked.sentences)
    if file is not None:
        write_rows(
            file,
            [*(row.as_json() for row in targets), *(row.as_json() for row in moods), *(row.as_json() for row in both)],
        )
    return all(
        (
            not plan.sentences or newsmtsc.report(targets, plan.seed),
            not plan.moods or emobank.report(moods),
            not (plan.sentences and plan.draws) or readings.report(both, asked.sentences),
        )
    )


def read_model(text: str) -> Model:
    """The model that `--model` names; raises click.BadParameter for what is neither a name nor a YAML table."""
    try:
        return named_model(JUDGE, text, Path.cwd())
    except ConfigError as error:
        raise click.BadParameter(str(error), param_hint="--model") from error


def _wanted(data: Path, file: Path, sizes: Sizes) -> bool:
    """Whether a data set is to be read; raises click.BadParameter where it is and is not there."""
    wanted = sizes.sentences if file == SENTENCES else sizes.moods
    if wanted and not (data / file).is_file():
        raise click.BadParameter(
            f"{data / file} does not exist; name a folder that holds it, or ask for 0 of --{file.parent}",
            param_hint="--data",
        )
    return bool(wanted)


def _kept() -> Path:
    """Where replies are kept unless `--out` says otherwise: beside the fetched models."""
    return models_cache().parent / "bench" / "affect"


if __name__ == "__main__":
    run_command(main)
