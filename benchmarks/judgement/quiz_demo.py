"""Does the quiz judge rightly? On the demo, whose summaries are known to be faithful, omitting or fabricating.

A second question is one that CapQuiz leaves open: where "cannot be determined" should stand among the options. The same
quiz is put with that option last, shuffled and absent.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from localeval import evaluation
from localeval.cli.progress import Progress
from localeval.inputs.quiz_files import items_of, write_items
from localeval.report.leaderboard_terminal import print_scores

ROOT = Path(__file__).resolve().parent.parent.parent
DEMO = ROOT / "demo" / "demo.yaml"


class Expectation(NamedTuple):
    """What must hold, and what was measured."""

    what: str
    holds: bool
    measured: str


def expectations(quiz: dict[str, Any]) -> Iterator[Expectation]:
    """What a sensible answerer shows on the demo's summaries."""
    counts = {name: system["counts"] for name, system in quiz["systems"].items()}

    def compare(kind: str, more: str, less: str) -> Expectation:
        high, low = counts[more][kind], counts[less][kind]
        return Expectation(
            f"{more} has more {kind} than {less}", high > low, f"{high} against {low} of {counts[more]['n']}"
        )

    f1 = {name: system["cap_f1"]["value"] or 0.0 for name, system in quiz["systems"].items()}
    best = max(f1, key=lambda name: f1[name])
    shown = ", ".join(f"{name} {value * 100:.0f}" for name, value in f1.items())
    yield Expectation("faithful has the highest CapF1", best == "faithful", shown)
    yield compare("kept", "faithful", "omitting")
    yield compare("kept", "faithful", "fabricating")
    yield compare("bent", "fabricating", "faithful")
    yield compare("lost", "omitting", "faithful")
    controls = {name: control["cap_r"]["value"] or 0.0 for name, control in quiz["controls"].items()}
    yield Expectation(
        "the source itself is answered", controls["source"] >= 0.75, f"CapR {controls['source'] * 100:.0f}"
    )
    for name in ("empty", "unrelated"):
        yield Expectation(
            f"little is answered from the {name} text", controls[name] <= 0.25, f"CapR {controls[name] * 100:.0f}"
        )


def report(title: str, scores: dict[str, Any]) -> bool:
    """Prints scores and expectations; whether all of these hold."""
    print(f"\n== {title}")
    print_scores(scores)
    found = list(expectations(scores["methods"]["quiz"]))
    for each in found:
        print(f"{'holds' if each.holds else 'FAILS'}: {each.what} ({each.measured})")
    return all(each.holds for each in found)


def positions(out: Path, folder: Path) -> None:
    """The quiz of a finished run put again with "cannot be determined" last, shuffled and absent."""
    _, results = evaluation.load_run(folder)
    write_items(out / "quiz.jsonl", items_of(results.quiz))
    text = DEMO.read_text(encoding="utf-8")
    for place in ("last", "shuffled", "none"):
        config = out / f"{place}.yaml"
        settings = f"quiz: {{answerer: judge, items: {out / 'quiz.jsonl'}, undetermined: {place}}}"
        lines = [f"  {settings}" if "quiz: {" in line else line for line in text.splitlines()]
        moved = "\n".join(lines).replace('"transcripts/', f'"{DEMO.parent}/transcripts/')
        config.write_text(moved.replace('"summaries/', f'"{DEMO.parent}/summaries/'), encoding="utf-8")
        with Progress() as progress:
            outcome = evaluation.run(config, out / place, [folder], progress)
        report(f'"cannot be determined": {place}', outcome.scores)


def measure(place: Path, reuse: Sequence[Path], quick: bool) -> bool:
    """Runs the demo, then, unless `quick`, the quiz with the sixth option elsewhere; whether all expectations hold."""
    started = time.monotonic()
    with Progress() as progress:
        outcome = evaluation.run(DEMO, place / "demo", reuse, progress)
    all_hold = report("demo", outcome.scores)
    print(f"{progress.sent} calls sent, {progress.stored} from the store, {time.monotonic() - started:.0f} s")
    if not quick:
        positions(place, place / "demo")
    return all_hold
