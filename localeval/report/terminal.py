"""Scores, plans and findings on a terminal: rich tables on standard output, plain where that is not a terminal."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, is_dataclass

from rich.text import Text

from localeval.doctor import Finding
from localeval.evaluation import Outcome
from localeval.ledger import Account
from localeval.report.affect_terminal import affect_detail_lines
from localeval.report.audit_terminal import audit_detail_lines
from localeval.report.console import ASIDE, BAD, console, counted, literal, print_hanging, print_lines
from localeval.report.decision_terminal import print_decision
from localeval.report.generate_terminal import generate_detail_lines, generate_lines
from localeval.report.leaderboard_terminal import print_refusals, print_scores
from localeval.report.marks import SIGN, mark_heading, marks_of
from localeval.report.panel_terminal import panel_detail_lines
from localeval.report.quiz_terminal import quiz_detail_lines
from localeval.report.view import Details

_MARKS = {"good": ("ok", "green"), "note": ("--", "yellow"), "bad": ("!!", "red")}


def print_json(value: object) -> None:
    """`value` as indented JSON, not cut to the terminal's width."""
    print(json.dumps(value, indent=1, ensure_ascii=False, default=_plain))


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")


def print_run(outcome: Outcome) -> None:
    """The leaderboard of a finished run and the decision between systems that were let write, or by rules; what was
    asked now, and where everything is. Of a run that only wrote: who wrote what."""
    folder, scores = outcome.folder, outcome.scores
    if not outcome.is_judged:
        print_lines(generate_lines(scores["methods"]["generate"]))
        print_lines(cost_line(name, account) for name, account in outcome.ledger.accounts.items())
        print_lines([f"Texts: localeval show {folder} --method generate. Costs: localeval costs {folder}"])
        return
    print_scores(scores)
    if outcome.decision and (outcome.decision["rules"] or "generate" in scores["methods"]):
        print_lines([""])
        print_decision(outcome.decision)
        print_lines([""])
    print_lines(cost_line(name, account) for name, account in outcome.ledger.accounts.items())
    which = "SYSTEM" if scores["leaderboard"]["systems"] else "--method affect"
    results = f"Results: {folder / 'scores.json'}. Each verdict: localeval show {folder} {which}"
    print_lines([f"{results}. Costs: localeval costs {folder}"])


def cost_line(name: str, account: Account) -> str:
    """What one model was asked and what its prefix cache saved."""
    line = f"{name}: {counted(account.sent, 'call')} sent, {account.stored} from the store"
    if not account.sent:
        return line
    replies = "reply" if account.missing == 1 else "replies"
    failed = f", {account.missing} {replies} without an answer" if account.missing else ""
    computed = account.prompt_tokens - account.cached_tokens
    return (
        f"{line}{failed}; {account.prompt_tokens} prompt tokens, {account.cached_share:.0%} of them cached, "
        f"{computed} computed; {account.output_tokens} tokens written; {account.engine}"
    )


def print_details(found: Details, with_supported: bool = False) -> None:
    """What each method says of the chosen candidates; the audit's supported claims one by one only where asked for.

    Which of its judges are refused stands above, which nobody has checked at the end.
    """
    parts: dict[str, Iterable[Text]] = {}
    if found.texts is not None:
        parts["generate"] = generate_detail_lines(found.texts)
    if found.audit is not None:
        parts["audit"] = audit_detail_lines(found.audit, with_supported)
    if found.panel is not None:
        parts["panel"] = panel_detail_lines(found.panel)
    if found.quiz is not None:
        parts["quiz"] = quiz_detail_lines(found.quiz)
    if found.affect is not None:
        parts["affect"] = affect_detail_lines(found.affect)
    device, marks = console(), marks_of({"judges": found.judges, "methods": parts})
    print_refusals(marks)
    for number, (method, lines) in enumerate(parts.items()):
        heading = mark_heading(method, marks.of(method))
        if len(parts) > 1:
            device.print(Text(f"{heading}:" if number == 0 else f"\n{heading}:", style="bold"))
        for line in lines:
            print_hanging(device, mark_text(line) if marks.has(method) else line)
    for told in marks.quiet:
        print_hanging(device, literal(told, style=ASIDE))


def mark_text(line: Text) -> Text:
    """A line of what a refused judge said with the sign at its begin, in place of spaces where it is indented."""
    words = line.plain.lstrip("\n")
    if not words.strip():
        return line
    start = len(line.plain) - len(words)
    indent = len(words) - len(words.lstrip(" "))
    rest = line[start + min(indent, len(SIGN) + 1) :]
    return Text.assemble("\n" * start, (f"{SIGN} ", BAD), rest)


def print_findings(findings: Sequence[Finding]) -> None:
    """One line a finding, and its fix."""
    device = console()
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark, style = _MARKS[finding.state]
        fix = f"; {finding.fix}" if finding.fix else ""
        device.print(Text.assemble((mark, style), f" {finding.what:{width}}  {finding.found}{fix}"), soft_wrap=True)
