"""`localeval.report.view`: what is looked at, over all methods of a run."""

from dataclasses import replace
from pathlib import Path

import pytest

from localeval.errors import InputError
from localeval.evaluation import load_run, load_scores
from localeval.measuring import Evaluation, Results
from localeval.methods.affect.readings import AffectStudy
from localeval.report.view import details, leaderboard
from tests.report.affect_rows import CANDIDATES, ELICITED, SETTINGS
from tests.report.judged import judge

Loaded = tuple[Evaluation, Results]


def test_every_method_that_ran_has_its_part(judged: Loaded, tmp_path: Path) -> None:
    """All of one system, and nothing of another; a method that did not run has none."""
    found = details(*judged, system="bad")
    assert found.quiz is not None
    assert found.panel is not None
    assert found.audit is not None
    places = (
        {(row.source, row.system) for row in found.quiz.questions},
        {(row.source, row.system) for row in found.panel.cells},
        {(row.source, row.system) for row in found.audit.claims},
    )
    assert places == ({("talk", "bad"), ("notes", "bad")},) * 3
    alone = details(*load_run(judge(tmp_path, ("audit",))))
    assert alone.audit is not None
    assert alone.audit.claims
    assert (alone.quiz, alone.panel) == (None, None)


def test_one_method_alone_can_be_looked_at(judged: Loaded) -> None:
    """The others are left out; one that did not run is refused with those that did."""
    found = details(*judged, source="talk", method="panel")
    assert found.panel is not None
    assert {cell.source for cell in found.panel.cells} == {"talk"}
    assert (found.quiz, found.audit) == (None, None)


def test_a_method_that_did_not_run_is_refused(tmp_path: Path) -> None:
    """With those that did."""
    loaded = load_run(judge(tmp_path, ("audit", "panel")))
    with pytest.raises(InputError, match="no quiz in this run; it has panel, audit"):
        details(*loaded, method="quiz")


def test_unknown_names_are_refused_with_the_nearest(judged: Loaded) -> None:
    """A misspelt system or source."""
    with pytest.raises(InputError, match="no system 'goud' in this run; did you mean 'good'"):
        details(*judged, system="goud")
    with pytest.raises(InputError, match="no source 'note' in this run; did you mean 'notes'"):
        details(*judged, source="note")


def of_affect(judged: Loaded, study: AffectStudy) -> Loaded:
    """The run as if affect had read these texts, too."""
    evaluation, results = judged
    methods = evaluation.config.methods.model_copy(update={"affect": SETTINGS})
    config = evaluation.config.model_copy(update={"methods": methods})
    return replace(evaluation, config=config), replace(results, affect=study)


def test_affect_is_shown_beside_the_others_and_alone(judged: Loaded) -> None:
    """Its texts are chosen like theirs."""
    loaded = of_affect(judged, CANDIDATES)
    found = details(*loaded, system="good", source="notes")
    assert found.affect is not None
    assert [(row.group, row.system) for row in found.affect.texts] == [("notes", "good")]
    assert found.panel is not None
    alone = details(*loaded, method="affect")
    assert (alone.quiz, alone.panel, alone.audit) == (None, None, None)
    assert alone.affect is not None
    assert len(alone.affect.texts) == 4
    assert details(*loaded, method="panel").affect is None
    with pytest.raises(InputError, match="no affect in this run; it has quiz, panel, audit"):
        details(*judged, method="affect")


def test_targets_and_writers_of_elicited_texts_are_known(judged: Loaded) -> None:
    """By their own names, though the run's sources and candidates have none of them; where affect is looked at."""
    loaded = of_affect(judged, ELICITED)
    found = details(*loaded, system="poet", source="Anna")
    assert found.affect is not None
    assert len(found.affect.texts) == 4
    assert found.panel is not None
    assert found.panel.cells == ()
    with pytest.raises(InputError, match="no source 'Ana' in this run; did you mean 'Anna'"):
        details(*loaded, source="Ana")
    with pytest.raises(InputError, match="no system 'poets' in this run; did you mean 'poet'"):
        details(*loaded, system="poets")
    with pytest.raises(InputError, match="no source 'Anna' in this run"):
        details(*loaded, source="Anna", method="panel")
    with pytest.raises(InputError, match="no system '' in this run"):
        details(*loaded, system="")


def test_the_leaderboard_is_in_the_order_of_the_scores(judged_run: Path) -> None:
    """One row a system, best first, with every number of the leaderboard and the quiz's counts."""
    scores = load_scores(judged_run)
    rows = leaderboard(scores)
    assert [row["system"] for row in rows] == list(scores["leaderboard"]["systems"])
    for row in rows:
        own = {name: method["systems"][row["system"]] for name, method in scores["methods"].items()}
        assert row["cap_f1"] == own["quiz"]["cap_f1"]
        assert row["counts"] == own["quiz"]["counts"]
        assert row["consensus"] == own["panel"]["consensus"]
        assert row["fabrications"] == own["audit"]["fabrications"]
