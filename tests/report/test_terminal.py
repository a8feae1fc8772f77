"""`localeval.report.terminal`: what people see, within 80 columns and to the letter."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from localeval.doctor import Finding
from localeval.evaluation import Outcome, run
from localeval.ledger import Account, Ledger
from localeval.planning import Plan, StagePlan, TooLong
from localeval.report.terminal import (
    cost_line,
    print_details,
    print_findings,
    print_json,
    print_plan,
    print_run,
    print_scores,
    quiz_lines,
    score_text,
    shares_bar,
)
from localeval.report.view import Details, DroppedRow, Proof, QuestionRow
from tests.projects import make_project

NAMES = ("qwen3-8b-long", "gemma-3-12b-it", "phi-4-mini")
TRICKS = (
    "[bold]loud[/bold]",
    "[/]",
    "[/red]",
    "<script>alert(1)</script>",
    "[link=file:///etc]x[/link]",
    "\\[b]",
    ":cat:",
)


def printed(show: Callable[[], None]) -> str:
    """What it prints where the terminal has 80 columns."""
    with CliRunner().isolation(env={"COLUMNS": "80", "NO_COLOR": None, "FORCE_COLOR": None}) as streams:
        show()
        sys.stdout.flush()
        return streams[0].getvalue().decode()


def squeezed(text: str) -> str:
    """Without white space: rich may wrap long lines anywhere."""
    return "".join(text.split())


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A finished run of three systems."""
    folder = tmp_path_factory.mktemp("terminal")
    return run(make_project(folder), folder / "run")


def named(outcome: Outcome, *names: str) -> dict[str, Any]:
    """The scores with other names for the systems."""
    scores = json.loads(json.dumps(outcome.scores))
    quiz = scores["methods"]["quiz"]
    quiz["systems"] = dict(zip(names, quiz["systems"].values(), strict=True))
    return dict(scores)


def test_a_leaderboard_of_three_systems_fits_80_columns(outcome: Outcome) -> None:
    """No line is longer, no column is cut, and each system has its whole row on one line."""
    scores = named(outcome, *NAMES)
    out = printed(lambda: print_scores(scores))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    lines = out.splitlines()
    for heading in ("rank", "system", "CapF1", "CapP", "CapR", "kept/bent/lost"):
        assert heading in lines[2], heading
    for name, system in scores["methods"]["quiz"]["systems"].items():
        (row,) = [line for line in lines if name in line]
        numbers = [score_text(system[each]) for each in ("cap_f1", "cap_p", "cap_r")]
        assert all(number in row for number in numbers)
        counts = system["counts"]
        assert row.rstrip().endswith(f"{counts['kept']}/{counts['bent']}/{counts['lost']}")


def test_the_widest_numbers_are_not_cut(outcome: Outcome) -> None:
    """Hundreds of questions, some of them missing: every figure is there, whatever wraps."""
    scores = named(outcome, *NAMES)
    for system in scores["methods"]["quiz"]["systems"].values():
        system["counts"] |= {"n": 480, "kept": 360, "bent": 100, "lost": 20, "missing": 20}
        for each in ("cap_f1", "cap_p", "cap_r"):
            system[each] |= {"value": 1.0, "low": 0.995, "high": 1.0}
    out = printed(lambda: print_scores(scores))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    assert out.count("360/100/20") == out.count("+20") == 3
    assert out.count("100 [100-100]") >= 9
    assert "kept/bent/lost" in out


def test_a_name_is_printed_as_it_is(outcome: Outcome) -> None:
    """Markup in a system's name is part of the name: nothing is styled, lost or raised."""
    for first in range(0, len(TRICKS) - 2, 2):
        names = TRICKS[first : first + 3]
        out = squeezed(printed(lambda names=names: print_scores(named(outcome, *names))))  # type: ignore[misc]
        for name in names:
            assert all(part in out for part in name[:8].split()), name


@pytest.mark.parametrize("trick", TRICKS)
def test_transcripts_and_questions_are_printed_literally(trick: str) -> None:
    """Whatever stands in a transcript, a question, an option, a name, a reason: it comes out letter by letter."""
    row = QuestionRow(
        f"source {trick}", f"system {trick}", "i", "theme", f"question {trick}", (f"gold {trick}", f"near {trick}"),
        f"gold {trick}", f"near {trick}", "bent", True, True, ("A", "B"), f"reason {trick}",
        (Proof(7, "1:01", f"speaker {trick}", f"words {trick}"),),
    )  # fmt: skip
    drop = DroppedRow(f"source {trick}", "surplus", f"detail {trick}", f"asked {trick}")
    found = Details((row,), (drop,), {f"lost {trick}": f"why {trick}"})
    out = squeezed(printed(lambda: print_details(found)))
    for word in ("source", "system", "question", "gold", "near", "reason", "speaker", "words", "asked", "lost", "why"):
        assert squeezed(f"{word} {trick}") in out, word


def test_a_question_shows_options_verdict_and_proof() -> None:
    """The right option has a "=", the chosen one a ">"; lost and missing say so beneath the options."""
    proof = (Proof(7, "1:01", "Ann", "We pay five."), Proof(9, "", "", "Fine."))

    def shown(verdict: str, chosen: str, reason: str = "") -> list[str]:
        row = QuestionRow(
            "s", "x", "i", "entity", "Who?", ("Ann", "Anna"), "Ann", chosen, verdict,
            chosen == "Anna", False, ("A", "B"), reason, proof,
        )  # fmt: skip
        return printed(lambda: print_details(Details((row,), (), {}))).splitlines()[1:]

    tail = ["     [7] 1:01 Ann: We pay five.", "     [9] Fine."]
    asked = "  Who?  [entity]"
    assert shown("kept", "Ann") == ["s / x  kept", asked, "  => Ann", "     Anna", *tail]
    assert shown("bent", "Anna") == ["s / x  bent (the hard negative)", asked, "  =  Ann", "   > Anna", *tail]
    assert shown("lost", "cannot be determined")[2:5] == ["  =  Ann", "     Anna", "   > cannot be determined"]
    assert shown("missing", "", "refused: no")[2:5] == ["  =  Ann", "     Anna", "   > refused: no"]


def test_what_models_say_cannot_command_the_terminal() -> None:
    """Escape sequences are shown, and a line end in an option cannot fake another line."""
    row = QuestionRow(
        "s", "x", "i", "entity", "Who?\x1b[2J", ("Ann\n  => Bob", "Anna"), "Ann\n  => Bob", "Anna", "bent",
        False, False, ("A", "B"), "", (Proof(7, "", "", "Five\x9b31m.\u2028"),),
    )  # fmt: skip
    assert printed(lambda: print_details(Details((row,), (), {}))).splitlines()[2:] == [
        "  Who?\\x1b[2J  [entity]",
        "  =  Ann => Bob",
        "   > Anna",
        "     [7] Five\\x9b31m. ",
    ]


def test_a_system_without_a_text_about_some_source_is_named(outcome: Outcome) -> None:
    """Its numbers come from other questions than those of the systems beside it."""
    quiz = json.loads(json.dumps(outcome.scores["methods"]["quiz"]))
    assert not [line for line in quiz_lines(quiz) if "no text about" in line]
    del quiz["systems"]["bends"]["by_source"]["s0"]
    assert "bends: no text about 1 of 2 sources; its numbers are of other questions" in list(quiz_lines(quiz))


def test_beneath_the_leaderboard_stands_what_one_must_know(outcome: Outcome) -> None:
    """Rule 7: how many questions, who answered, what left, controls, what is doubtful, and what a shared rank means."""
    quiz = json.loads(json.dumps(outcome.scores["methods"]["quiz"]))
    lines = list(quiz_lines(quiz))
    assert lines[0] == "8 of 8 questions, written by m, answered by m"
    assert lines[1] == "left the quiz: 4 surplus"
    assert lines[2].startswith("controls, CapR: empty 0 [0-")
    assert "-: no such number, since nothing was answered" in lines
    assert "few sources: how much sources differ is mostly assumed in these intervals" in lines
    assert lines[-1] == "a shared rank means: not told apart by a paired test over the same questions"
    quiz["quiz"]["sources"]["s0"]["missing"] = {"reason": "too long", "detail": "9 of 8"}
    quiz["quiz"]["dropped"] = {}
    quiz["settings"]["writer"] = None
    quiz["controls"] = {}
    quiz["missing"] = 4
    quiz["systems"]["keeps"]["counts"]["unstable"] = 2
    quiz["systems"]["keeps"]["cap_f1"]["note"] = "one source"
    lines = list(quiz_lines(quiz))
    assert lines[:3] == [
        "8 of 8 questions, answered by m",
        "left the quiz: none",
        "missing: no quiz for s0: too long: 9 of 8",
    ]
    assert not any(line.startswith("controls") for line in lines)
    assert "2 answers changed with the order of the options" in lines
    assert "missing: 4 verdicts; they are in no number above" in lines
    assert "intervals speak of further questions on this one source, not of other sources" in lines


def test_a_run_says_what_it_cost_and_where_it_is(outcome: Outcome) -> None:
    """Calls, tokens, the cached share, and the next command."""
    out = squeezed(printed(lambda: print_run(outcome)))
    account = outcome.ledger.accounts["m"]
    assert squeezed(f"m: {account.sent} calls sent, 0 from the store; {account.prompt_tokens} prompt tokens") in out
    assert squeezed(f"localeval show {outcome.folder} SYSTEM") in out


def test_cost_lines() -> None:
    """Computed tokens are those that were not cached; a model that was not asked says no more than that."""
    account = Account(sent=2, stored=1, prompt_tokens=100, cached_tokens=75, output_tokens=4, engine="vllm 0.32.0")
    assert cost_line("m", account) == (
        "m: 2 calls sent, 1 from the store; 100 prompt tokens, 75% of them cached, 25 computed; "
        "4 tokens written; vllm 0.32.0"
    )
    assert cost_line("m", Account(stored=3)) == "m: 0 calls sent, 3 from the store"
    assert cost_line("m", Account(sent=2, missing=1)).startswith("m: 2 calls sent, 0 from the store, 1 replies without")


@pytest.mark.parametrize(
    ("score", "text"),
    [
        ({"value": 0.756, "low": 0.6, "high": 0.9}, "76 [60-90]"),
        ({"value": 0.0, "low": 0.0, "high": 0.049}, "0 [0-5]"),
        ({"value": None, "reason": "nothing to divide by"}, "-"),
    ],
)
def test_scores_are_percent_with_their_interval(score: dict[str, Any], text: str) -> None:
    """Rule 7: never the number alone; "-" where there is none, not 0."""
    assert score_text(score) == text


def test_a_narrow_terminal_cuts_no_number(outcome: Outcome) -> None:
    """In 40 columns the terminal breaks the rows of the table, and all of them are there."""
    with CliRunner().isolation(env={"COLUMNS": "40", "NO_COLOR": None, "FORCE_COLOR": None}) as streams:
        print_scores(outcome.scores)
        sys.stdout.flush()
        row = next(line for line in streams[0].getvalue().decode().splitlines() if "keeps" in line)
    assert row.split() == ["1", "keeps", "100", "[48-100]", "100", "[48-100]", "100", "[48-100]", "████████", "8/0/0"]


def test_the_bar_has_its_numbers() -> None:
    """Eight signs in proportion, then the counts; nothing to show is an empty bar."""
    counts = {"n": 8, "kept": 4, "bent": 2, "lost": 2, "missing": 0}
    assert shares_bar(counts).plain == "████▓▓░░ 4/2/2"
    assert shares_bar(counts, "#x.").plain == "####xx.. 4/2/2"
    assert shares_bar({**dict.fromkeys(counts, 0), "missing": 3}).plain == " 0/0/0 +3 missing"


def test_a_plan_is_a_table_and_what_does_not_fit() -> None:
    """Numbers whole within 80 columns, loads, and each call that is too long with both numbers."""
    stages = tuple(
        StagePlan("qwen2.5-7b", f"quiz/{stage}", 10, 1200, 45_000_000, 1_234_567, 384_000)
        for stage in ("write", "ceiling", "blind", "answer", "control")
    )
    found = Plan(stages, (TooLong("[/]", "quiz/write", "s [bold]0", 9000, 8192),), {"[b]x": 2})
    out = printed(lambda: print_plan(found))
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    for number in ("45000000", "1234567", "384000", "97%"):
        assert out.count(number) == 5, number
    assert "model loads: [b]x 2" in out
    assert squeezed("does not fit: s [bold]0 at quiz/write: 9000 tokens, [/] holds 8192") in squeezed(out)
    tricky = Plan((StagePlan("[/]", "quiz/write", 0, 1, 2, 2, 1),), (), {})
    assert "[/]" in printed(lambda: print_plan(tricky))
    assert "model loads: none" in printed(lambda: print_plan(tricky))


def test_findings_are_one_line_each() -> None:
    """Mark, name, what was found, and its fix; long ones are not wrapped, so that they can be copied."""
    findings = [Finding("disk", "good", "9 GiB"), Finding("weights here", "note", "none [/]", "fetch " + "x" * 90)]
    assert printed(lambda: print_findings(findings)).splitlines() == [
        "ok disk          9 GiB",
        f"-- weights here  none [/]; fetch {'x' * 90}",
    ]
    assert printed(lambda: print_findings([Finding("engine", "bad", "none")])).startswith("!! engine")


def test_json_is_whole_and_readable() -> None:
    """Not cut to any width, letters as they are, values as objects; what is no JSON is a fault, not a string."""
    row = Proof(1, "", "Анна", "x" * 300)
    assert json.loads(printed(lambda: print_json([row]))) == [
        {"segment": 1, "time": "", "speaker": "Анна", "words": "x" * 300}
    ]
    assert "Анна" in printed(lambda: print_json(row))
    with pytest.raises(TypeError, match="Ledger is not JSON"):
        printed(lambda: print_json(Ledger()))


def test_colours_are_for_terminals_alone(outcome: Outcome, tmp_path: Path) -> None:
    """Into a file or a pipe goes plain text without a control sequence."""
    assert "\x1b" not in printed(lambda: print_run(outcome))
