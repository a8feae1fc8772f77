"""`localeval.report.quiz_terminal`: each question to the letter, and what one must know of a quiz."""

import json

import pytest

from localeval.evaluation import Outcome, run
from localeval.report.leaderboard_terminal import score_lines
from localeval.report.quiz_terminal import quiz_lines, shares_bar
from localeval.report.quiz_view import DroppedRow, QuestionRow, QuizDetails
from localeval.report.rows import Proof
from localeval.report.terminal import print_details
from localeval.report.view import Details
from tests.projects import make_project
from tests.report.printing import TRICKS, printed, squeezed


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """A finished run of three systems."""
    folder = tmp_path_factory.mktemp("quiz_terminal")
    return run(make_project(folder), folder / "run")


@pytest.mark.parametrize("trick", TRICKS)
def test_transcripts_and_questions_are_printed_literally(trick: str) -> None:
    """Whatever stands in a transcript, a question, an option, a name, a reason: it comes out letter by letter."""
    row = QuestionRow(
        f"source {trick}", f"system {trick}", "i", "theme", f"question {trick}", (f"gold {trick}", f"near {trick}"),
        f"gold {trick}", f"near {trick}", "bent", True, True, ("A", "B"), f"reason {trick}",
        (Proof(7, "1:01", f"speaker {trick}", f"words {trick}"),),
    )  # fmt: skip
    drop = DroppedRow(f"source {trick}", "surplus", f"detail {trick}", f"asked {trick}")
    found = Details(QuizDetails((row,), (drop,), {f"lost {trick}": f"why {trick}"}))
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
        return printed(lambda: print_details(Details(QuizDetails((row,), (), {})))).splitlines()[1:]

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
    assert printed(lambda: print_details(Details(QuizDetails((row,), (), {})))).splitlines()[2:] == [
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
    *above, last = score_lines(outcome.scores)
    assert above == lines
    assert last == "a shared rank means: not told apart by a paired test over the same questions"
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


def test_the_bar_has_its_numbers() -> None:
    """Eight signs in proportion, then the counts; nothing to show is an empty bar."""
    counts = {"n": 8, "kept": 4, "bent": 2, "lost": 2, "missing": 0}
    assert shares_bar(counts).plain == "████▓▓░░ 4/2/2"
    assert shares_bar(counts, "#x.").plain == "####xx.. 4/2/2"
    assert shares_bar({**dict.fromkeys(counts, 0), "missing": 3}).plain == " 0/0/0 +3 missing"
