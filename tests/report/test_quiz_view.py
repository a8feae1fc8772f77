"""`localeval.report.quiz_view`: each question of a finished run as a row."""

from pathlib import Path

import pytest

from localeval.evaluation import load_run, run
from localeval.measuring import Evaluation, Results
from localeval.report.quiz_view import QuizDetails, quiz_details
from localeval.report.rows import Proof, scope
from tests.projects import RULES, make_project

Loaded = tuple[Evaluation, Results]


def quiz_of(loaded: Loaded, system: str | None = None, source: str | None = None) -> QuizDetails:
    """The quiz rows of the chosen systems and sources."""
    evaluation, results = loaded
    return quiz_details(results.quiz, scope(evaluation, system, source))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run whose first source has times and speakers."""
    place = tmp_path_factory.mktemp("quiz_view")
    config = make_project(place)
    cues = [f"0:{i:02d}:00.000 --> 0:{i:02d}:30.000\n<v Ann>Line {i} says that it costs {i} euros." for i in range(30)]
    (place / "sources" / "s0.txt").unlink()
    (place / "sources" / "s0.vtt").write_text("WEBVTT\n\n" + "\n\n".join(cues) + "\n")
    config.write_text(config.read_text().replace("sources/*.txt", "sources/*"))
    run(config, place / "run")
    return place / "run"


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Loaded:
    """The same run, read from its folder."""
    return load_run(folder)


def test_one_row_a_question_and_candidate(loaded: Loaded) -> None:
    """Source by source, system by system, question by question; nothing is left out."""
    rows = quiz_of(loaded).questions
    assert [(row.source, row.system) for row in rows] == [
        (source, system) for source in ("s0", "s1") for system in ("bends", "keeps", "loses") for _ in range(4)
    ]


@pytest.mark.parametrize(
    ("system", "verdict", "chosen"),
    [("keeps", "kept", "fact"), ("bends", "bent", "near fact"), ("loses", "lost", "cannot be determined")],
)
def test_a_row_says_what_became_of_the_question(system: str, verdict: str, chosen: str, loaded: Loaded) -> None:
    """Kept, bent by the hard negative, lost; the right answer and the options stand beside it."""
    for row in quiz_of(loaded, system).questions:
        assert row.verdict == verdict
        assert row.chosen.startswith(chosen)
        assert row.gold == row.options[0]
        assert row.took_hard_negative == (verdict == "bent")
        assert (row.is_unstable, row.reason) == (False, "")
        assert len(row.letters) == 2
        assert verdict != "kept" or len(set(row.letters)) == 2, "the right answer stands at another letter each time"


def test_the_proof_is_the_cited_segment_with_time_and_speaker(loaded: Loaded) -> None:
    """As the source has it; without times and speakers where the file has none."""
    row = quiz_of(loaded, "keeps", "s0").questions[0]
    assert row.proof == (Proof(1, "0:00", "Ann", "Line 0 says that it costs 0 euros."),)
    row = quiz_of(loaded, "keeps", "s1").questions[1]
    assert row.proof == (Proof(6, "", "", "Line 5 of source 1 says that item 5 costs 36 euros."),)


def test_what_left_the_quiz_is_listed_once(loaded: Loaded) -> None:
    """By source, whichever system is looked at."""
    found = quiz_of(loaded, "keeps", "s1")
    assert [(drop.source, drop.reason) for drop in found.dropped] == [("s1", "surplus")] * 2
    assert all(drop.question and drop.detail for drop in found.dropped)
    assert found.missing == {}


def test_a_source_without_a_quiz_says_why(tmp_path: Path) -> None:
    """Rule 1: too long, with both numbers; there is no row of a question that was never asked."""
    run(make_project(tmp_path, n_sources=1, model=", context: 200"), tmp_path / "run")
    found = quiz_of(load_run(tmp_path / "run"))
    assert found.questions == ()
    assert found.missing["s0"].startswith("too long: prompt and answer need ")
    assert found.missing["s0"].endswith("the context holds 200")


def test_missing_and_unstable_answers_show_their_reason(tmp_path: Path) -> None:
    """No verdict: the reason and dashes for letters; two orders, two answers: unstable, with both letters."""
    breaks = {"match": r"<text \w+>\nBent[^§]*Question", "reply": "?"}
    sways = {"match": r"<text \w+>\nNothing[^§]*\nA\) ", "reply": "A"}
    run(make_project(tmp_path, n_sources=1, rules=(RULES[0], RULES[1], breaks, sways, *RULES[2:])), tmp_path / "run")
    found = load_run(tmp_path / "run")
    for row in quiz_of(found, "bends").questions:
        assert (row.verdict, row.chosen, row.letters) == ("missing", "", ("-", "-"))
        assert row.reason == "invalid: '?' is not one of A, B, C, D, E, F"
    unstable = [row for row in quiz_of(found, "loses").questions if row.is_unstable]
    assert unstable, "an answerer that always says A cannot be stable"
    for row in unstable:
        assert (row.verdict, row.letters, row.reason) == ("missing", ("A", "A"), "unstable: 1 trials each")
