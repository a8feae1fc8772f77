"""The quiz on a terminal: what one must know to believe its numbers, and each question."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rich.text import Text

from localeval.report.console import (
    ASIDE,
    BAD,
    DOUBTFUL,
    GOOD,
    LACKING,
    listed,
    literal,
    note_lines,
    proof_lines,
    score_text,
    uneven_lines,
)
from localeval.report.quiz_view import QuestionRow, QuizDetails

BLOCKS, PLAIN_BLOCKS = "█▓░", "#x."

_BAR = 8
_STYLES = {"kept": GOOD, "bent": BAD, "lost": DOUBTFUL, "missing": LACKING}


def quiz_lines(quiz: Mapping[str, Any]) -> Iterator[str]:
    """Beneath the leaderboard: the quiz itself, the controls, what is doubtful."""
    about = quiz["quiz"]
    settings = quiz["settings"]
    writer = f"written by {settings['writer']}, " if settings["writer"] else ""
    yield f"{about['items']} of {about['asked_for']} questions, {writer}answered by {settings['answerer']}"
    yield f"left the quiz: {listed(about['dropped'])}"
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
    yield from uneven_lines(quiz["systems"], asked, "questions")
    if quiz["missing"]:
        yield f"missing: {quiz['missing']} verdicts; they are in no number above"
    if any(system["cap_p"]["value"] is None for system in quiz["systems"].values()):
        yield "-: no such number, since nothing was answered"
    yield from note_lines((system["cap_f1"] for system in quiz["systems"].values()), "questions")


def shares_bar(counts: Mapping[str, int], signs: str = BLOCKS) -> Text:
    """kept, bent and lost as one bar and in numbers."""
    text = Text()
    n = max(1, counts["n"])
    for name, sign in zip(("kept", "bent", "lost"), signs, strict=True):
        text.append(sign * round(_BAR * counts[name] / n), style=_STYLES[name])
    missing = f" +{counts['missing']} missing" if counts["missing"] else ""
    text.append(f" {counts['kept']}/{counts['bent']}/{counts['lost']}{missing}")
    return text


def quiz_detail_lines(found: QuizDetails) -> Iterable[Text]:
    """Each question with its options, the right and the chosen one, and the proof; then what left the quiz."""
    for source, reason in found.missing.items():
        yield literal(f"{source}: no quiz: {reason}", style=LACKING)
    for row in found.questions:
        yield from question_lines(row)
    for drop in found.dropped:
        yield literal(f"left the quiz of {drop.source}: {drop.reason} ({drop.detail}): {drop.question}", style=ASIDE)


def question_lines(row: QuestionRow) -> Sequence[Text]:
    """One question, several lines."""
    head = Text("\n").append_text(literal(f"{row.source} / {row.system}  "))
    head.append(row.verdict, style=_STYLES[row.verdict])
    if row.took_hard_negative:
        head.append(" (the hard negative)")
    if row.is_unstable:
        head.append(f" (unstable: {', '.join(row.letters)})")
    lines = [head, literal(f"  {row.question}  [{row.kind}]")]
    for option in row.options:
        marks = ("=" if option == row.gold else " ") + (">" if option == row.chosen else " ")
        lines.append(literal(f"  {marks} {option}"))
    if row.verdict == "lost":
        lines.append(literal(f"   > {row.chosen}"))
    if row.reason:
        lines.append(literal(f"   > {row.reason}"))
    return [*lines, *proof_lines(row.proof)]
