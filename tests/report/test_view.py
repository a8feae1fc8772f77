"""`localeval.report.view`: what is looked at, over all methods of a run."""

from pathlib import Path

import pytest

from localeval.errors import InputError
from localeval.evaluation import Evaluation, Results, load_run, load_scores
from localeval.report.view import details, leaderboard
from tests.report.judged import judge

Loaded = tuple[Evaluation, Results]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run by all methods."""
    return judge(tmp_path_factory.mktemp("view"))


@pytest.fixture(scope="module")
def loaded(folder: Path) -> Loaded:
    """The same run, read from its folder."""
    return load_run(folder)


def test_every_method_that_ran_has_its_part(loaded: Loaded, tmp_path: Path) -> None:
    """All of one system, and nothing of another; a method that did not run has none."""
    found = details(*loaded, system="bad")
    assert found.quiz is not None
    assert found.panel is not None
    assert found.audit is not None
    rows = (*found.quiz.questions, *found.panel.cells, *found.audit.claims)
    assert {row.system for row in rows} == {"bad"}
    assert {row.source for row in rows} == {"talk", "notes"}
    alone = details(*load_run(judge(tmp_path, ("audit",))))
    assert alone.audit is not None
    assert alone.audit.claims
    assert (alone.quiz, alone.panel) == (None, None)


def test_one_method_alone_can_be_looked_at(loaded: Loaded) -> None:
    """The others are left out; one that did not run is refused with those that did."""
    found = details(*loaded, source="talk", method="panel")
    assert found.panel is not None
    assert {cell.source for cell in found.panel.cells} == {"talk"}
    assert (found.quiz, found.audit) == (None, None)


def test_a_method_that_did_not_run_is_refused(tmp_path: Path) -> None:
    """With those that did."""
    loaded = load_run(judge(tmp_path, ("audit", "panel")))
    with pytest.raises(InputError, match="no quiz in this run; it has panel, audit"):
        details(*loaded, method="quiz")


def test_unknown_names_are_refused_with_the_nearest(loaded: Loaded) -> None:
    """A misspelt system or source."""
    with pytest.raises(InputError, match="no system 'goud' in this run; did you mean 'good'"):
        details(*loaded, system="goud")
    with pytest.raises(InputError, match="no source 'note' in this run; did you mean 'notes'"):
        details(*loaded, source="note")


def test_the_leaderboard_is_in_the_order_of_the_scores(folder: Path) -> None:
    """One row a system, best first, with every number of the leaderboard and the quiz's counts."""
    scores = load_scores(folder)
    rows = leaderboard(scores)
    assert [row["system"] for row in rows] == list(scores["leaderboard"]["systems"])
    for row in rows:
        own = {name: method["systems"][row["system"]] for name, method in scores["methods"].items()}
        assert row["cap_f1"] == own["quiz"]["cap_f1"]
        assert row["counts"] == own["quiz"]["counts"]
        assert row["consensus"] == own["panel"]["consensus"]
        assert row["fabrications"] == own["audit"]["fabrications"]
