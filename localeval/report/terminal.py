"""Scores, plans and findings on a terminal: rich tables on standard output, plain where that is not a terminal."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, JustifyMethod
from rich.table import Table
from rich.text import Text

from localeval.doctor import Finding
from localeval.evaluation import Outcome
from localeval.ledger import Account
from localeval.planning import Plan
from localeval.prompts import one_line
from localeval.report.view import Details, QuestionRow, leaderboard

Score = Mapping[str, Any]

_BAR = 8
_LEAST_WIDTH = 80
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_BLOCKS, _PLAIN_BLOCKS = "█▓░", "#x."
_NOTES = {
    "one source": "intervals speak of further questions on this one source, not of other sources",
    "few sources": "few sources: how much sources differ is mostly assumed in these intervals",
}
_STYLES = {"kept": "green", "bent": "red", "lost": "yellow", "missing": "magenta"}
_MARKS = {"good": ("ok", "green"), "note": ("--", "yellow"), "bad": ("!!", "red")}


def print_json(value: object) -> None:
    """`value` as indented JSON, not cut to the terminal's width."""
    print(json.dumps(value, indent=1, ensure_ascii=False, default=_plain))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def print_run(outcome: Outcome) -> None:
    """The leaderboard of a finished run, what it cost, and where it is."""
    print_scores(outcome.scores)
    console = _console()
    for name, account in outcome.ledger.accounts.items():
        console.print(Text(cost_line(name, account)))
    console.print(
        Text(f"Results: {outcome.folder / 'scores.json'}. Each question: localeval show {outcome.folder} SYSTEM")
    )


def cost_line(name: str, account: Account) -> str:
    """What one model was asked and what its prefix cache saved."""
    line = f"{name}: {account.sent} calls sent, {account.stored} from the store"
    if not account.sent:
        return line
    failed = f", {account.missing} replies without an answer" if account.missing else ""
    computed = account.prompt_tokens - account.cached_tokens
    return (
        f"{line}{failed}; {account.prompt_tokens} prompt tokens, {account.cached_share:.0%} of them cached, "
        f"{computed} computed; {account.output_tokens} tokens written; {account.engine}"
    )


def print_scores(scores: Mapping[str, Any]) -> None:
    """The leaderboard and what one must know to believe it."""
    console = _console()
    quiz = scores["methods"]["quiz"]
    table = _table(f"{scores['name']}: quiz, percent with 95 % intervals")
    table.add_column("rank", justify="right", no_wrap=True)
    table.add_column("system", overflow="fold")  # what is too wide goes on in the next line, nothing is cut
    for heading in ("CapF1", "CapP", "CapR"):
        table.add_column(heading, no_wrap=True)
    table.add_column(shares := "kept/bent/lost", overflow="fold", min_width=len(shares))
    signs = _PLAIN_BLOCKS if console.options.ascii_only else _BLOCKS
    for row in leaderboard(scores):
        numbers = (score_text(row[each]) for each in ("cap_f1", "cap_p", "cap_r"))
        # Text: a system may be called "[bold]"
        table.add_row(str(row["rank"] or "-"), Text(row["system"]), *numbers, shares_bar(row["counts"], signs))
    _print_table(table)
    for line in quiz_lines(quiz):
        console.print(Text(line))


def quiz_lines(quiz: Mapping[str, Any]) -> Iterable[str]:
    """Beneath the leaderboard: the quiz itself, the controls, what is doubtful."""
    about = quiz["quiz"]
    settings = quiz["settings"]
    dropped = ", ".join(f"{n} {reason}" for reason, n in about["dropped"].items()) or "none"
    writer = f"written by {settings['writer']}, " if settings["writer"] else ""
    yield f"{about['items']} of {about['asked_for']} questions, {writer}answered by {settings['answerer']}"
    yield f"left the quiz: {dropped}"
    for source, each in about["sources"].items():
        if each["missing"]:
            yield f"missing: no quiz for {source}: {each['missing']['reason']}: {each['missing']['detail']}"
    if quiz["controls"]:
        parts = [f"{name} {score_text(each['cap_r'])}" for name, each in quiz["controls"].items()]
        yield f"controls, CapR: {'; '.join(parts)} (empty and unrelated should be near 0, source near 100)"
    unstable = sum(system["counts"]["unstable"] for system in quiz["systems"].values())
    if unstable:
        yield f"{unstable} answers changed with the order of the options"
    asked = [name for name, each in about["sources"].items() if each["items"]]
    for name, system in quiz["systems"].items():
        absent = [source for source in asked if source not in system["by_source"]]
        if absent:
            yield f"{name}: no text about {len(absent)} of {len(asked)} sources; its numbers are of other questions"
    if quiz["missing"]:
        yield f"missing: {quiz['missing']} verdicts; they are in no number above"
    if any(system["cap_p"]["value"] is None for system in quiz["systems"].values()):
        yield "-: no such number, since nothing was answered"
    for note in sorted({system["cap_f1"].get("note") for system in quiz["systems"].values()} - {"", None}):
        yield _NOTES[note]
    yield "a shared rank means: not told apart by a paired test over the same questions"


def score_text(score: Score) -> str:
    """A score as percent with its interval, "-" where there is none."""
    if score["value"] is None:
        return "-"
    return f"{score['value'] * 100:.0f} [{score['low'] * 100:.0f}-{score['high'] * 100:.0f}]"


def shares_bar(counts: Mapping[str, int], signs: str = _BLOCKS) -> Text:
    """kept, bent and lost as one bar and in numbers."""
    text = Text()
    n = max(1, counts["n"])
    for name, sign in zip(("kept", "bent", "lost"), signs, strict=True):
        text.append(sign * round(_BAR * counts[name] / n), style=_STYLES[name])
    missing = f" +{counts['missing']} missing" if counts["missing"] else ""
    text.append(f" {counts['kept']}/{counts['bent']}/{counts['lost']}{missing}")
    return text


def print_details(found: Details) -> None:
    """Each question with its options, the right and the chosen one, and the proof."""
    console = _console()
    for source, why in found.missing.items():
        console.print(_text(f"{source}: no quiz: {why}", style=_STYLES["missing"]))
    for row in found.questions:
        for line in question_lines(row):
            console.print(line)
    for drop in found.dropped:
        console.print(
            _text(f"left the quiz of {drop.source}: {drop.reason} ({drop.detail}): {drop.question}", style="dim")
        )


def question_lines(row: QuestionRow) -> Sequence[Text]:
    """One question, several lines."""
    head = Text(f"\n{row.source} / {row.system}  ")
    head.append(row.verdict, style=_STYLES[row.verdict])
    if row.took_hard_negative:
        head.append(" (the hard negative)")
    if row.is_unstable:
        head.append(f" (unstable: {', '.join(row.letters)})")
    lines = [head, _text(f"  {row.question}  [{row.kind}]")]
    for option in row.options:
        marks = ("=" if option == row.gold else " ") + (">" if option == row.chosen else " ")
        lines.append(_text(f"  {marks} {option}"))
    if row.verdict == "lost":
        lines.append(_text(f"   > {row.chosen}"))
    if row.reason:
        lines.append(_text(f"   > {row.reason}"))
    for proof in row.proof:
        place = " ".join(
            each for each in (f"[{proof.segment}]", proof.time, proof.speaker and f"{proof.speaker}:") if each
        )
        lines.append(_text(f"     {place} {proof.words}", style="dim"))
    return lines


def _text(words: str, style: str = "") -> Text:
    """What models and transcripts say, in one line; control characters in it are shown, never obeyed by a terminal."""
    return Text(_CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", one_line(words)), style=style)


def print_plan(plan: Plan) -> None:
    """Calls and tokens by model and stage, loads, and what does not fit."""
    console = _console()
    table = _table("plan")
    for heading in ("model", "stage", "stored", "to send", "prompt tokens", "shared", "to compute", "output at most"):
        justify: JustifyMethod = "left" if heading in ("model", "stage") else "right"
        table.add_column(heading, justify=justify, no_wrap=heading == "stage", overflow="fold")
    for each in plan.stages:
        shared = f"{each.shared_share:.0%}"
        numbers = (each.stored, each.calls, each.prompt_tokens, shared, each.unique_tokens, each.output_tokens)
        table.add_row(Text(each.model), each.stage, *map(str, numbers))
    _print_table(table)
    loads = ", ".join(f"{name} {n}" for name, n in plan.loads.items()) or "none"
    console.print(Text(f"model loads: {loads}"))
    console.print(Text("Filters and repeats add calls; questions that are not yet written count as specimens."))
    for long in plan.too_long:
        console.print(
            Text(f"does not fit: {long.subject} at {long.stage}: {long.needed} tokens, {long.model} holds {long.limit}")
        )


def print_findings(findings: Sequence[Finding]) -> None:
    """One line a finding, and its fix."""
    console = _console()
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark, style = _MARKS[finding.state]
        fix = f"; {finding.fix}" if finding.fix else ""
        console.print(Text.assemble((mark, style), f" {finding.what:{width}}  {finding.found}{fix}"), soft_wrap=True)


def _table(title: str) -> Table:
    return Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))


def _print_table(table: Table) -> None:
    """Never in less than 80 columns: a narrow terminal breaks the lines itself, but no number is cut."""
    console = _console()
    console.width = max(console.width, _LEAST_WIDTH)
    console.print(table)


class _Console(Console):
    """Leaves it to the command line to end when the reader of the output goes away."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console() -> Console:
    return _Console(highlight=False)
