"""`localeval.comparing.verdicts`: a run's own verdicts as labels."""

from pathlib import Path

import pytest

from localeval.comparing.verdicts import known_in_run, labels_of_run, texts_in_run
from localeval.evaluation import load_run, run
from localeval.inputs.judge_labels import JudgeLabel
from tests.affect_project import FLAGS, make_study, score
from tests.report.judged import judge

Values = dict[tuple[str, str, str, str], float | str]


def by_place(labels: tuple[JudgeLabel, ...]) -> Values:
    return {(each.source, each.system, each.item, each.rater): each.value for each in labels}


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished run by quiz, panel and audit."""
    return judge(tmp_path_factory.mktemp("verdicts"))


def test_every_method_has_its_labels(judged: Path) -> None:
    """Grades and NA, the score of a text, verdicts and counts of fabrications, what became of a question."""
    evaluation, results = load_run(judged)
    found = by_place(labels_of_run(results, evaluation.config.methods))
    assert found["talk", "bad", "panel/faithfulness", "big"] == 0.0
    assert found["talk", "bad", "panel/faithfulness", "small"] == 2.0
    assert found["talk", "good", "panel/decisions", "big"] == "NA"
    assert found["talk", "[bold]", "panel", "small"] == 0.5
    assert found["talk", "bad", "audit", "small"] == "unfaithful"
    assert found["talk", "bad", "audit/fabrications", "big"] == 2.0
    assert found["talk", "good", "audit", "big"] == "faithful"
    quiz = [(place, value) for place, value in found.items() if place[2].startswith("quiz/")]
    assert {place[3] for place, _ in quiz} == {"small"}
    assert {value for _, value in quiz} == {"kept"}
    ids = {item.id for each in results.quiz.values() for item in each.items}
    assert {place[2].removeprefix("quiz/") for place, _ in quiz} == ids


def test_what_is_missing_has_no_label(judged: Path) -> None:
    """A judge whose reply could not be read, an audit of which most is missing: they stand among what was asked."""
    evaluation, results = load_run(judged)
    methods = evaluation.config.methods
    found = by_place(labels_of_run(results, methods))
    known = known_in_run(results, methods)
    for item, rater in (("panel/names", "small"), ("panel", "small")):
        assert ("notes", "bad", item) in known.matters
        assert ("notes", "bad", item, rater) not in found
    assert ("notes", "good", "audit") in known.matters
    assert ("notes", "good", "audit", "big") not in found
    assert known.sources == {"talk", "notes"}
    assert known.systems == {"good", "bad", "[bold]"}
    assert all((source, system, item) in known.matters for source, system, item, _ in found)


def test_texts_by_source_and_system(judged: Path) -> None:
    """Candidates, and sources under no system."""
    _, results = load_run(judged)
    texts = texts_in_run(results)
    assert texts["notes", "bad"] == "Olga broke the lift."
    assert texts["talk", ""].startswith("We bought twenty machines")


def test_repeats_are_settled_as_the_panel_settles_them(tmp_path: Path) -> None:
    """The mean of the repeats, which may lie between two grades."""
    folder = judge(tmp_path, ("panel",), ("panel: {judges: [big], repeats: 2}",))
    evaluation, results = load_run(folder)
    found = by_place(labels_of_run(results, evaluation.config.methods))
    assert found["talk", "bad", "panel/faithfulness", "big"] == 0.0
    assert set(found.values()) <= {0.0, 0.5, 1.0, 1.5, 2.0, "NA"}


def test_affect_by_target_and_axis(tmp_path: Path) -> None:
    """A target's axes under its name, the text's own mood by the axis alone; a source has no system."""
    rules = [FLAGS, score("(?=.*Olga)", 9), score("", 3)]
    settings = "targets: [Olga], contracts: [target, whole], evidence: false"
    texts = {"a": "Olga won the race.", "b": "It rained all day."}
    config = make_study(tmp_path, texts, rules, settings)
    run(config, tmp_path / "run")
    evaluation, results = load_run(tmp_path / "run")
    methods = evaluation.config.methods
    found = by_place(labels_of_run(results, methods))
    assert {place[:3] for place in found} <= known_in_run(results, methods).matters
    assert {place[2] for place in found if place[0] == "a"} == {
        *(f"affect/Olga/{axis}" for axis in ("valence", "arousal", "dominance")),
        *(f"affect/{axis}" for axis in ("valence", "arousal", "dominance")),
    }
    assert {place[2] for place in found if place[0] == "b"} == {
        f"affect/{axis}" for axis in ("valence", "arousal", "dominance")
    }
    assert {place[1] for place in found} == {""}
    high, low = found["a", "", "affect/Olga/valence", "judge"], found["b", "", "affect/valence", "judge"]
    assert isinstance(high, float)
    assert isinstance(low, float)
    assert high > 0.8 > 0.4 > low
