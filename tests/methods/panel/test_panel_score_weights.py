"""Weights of judges from people's labels."""

import numpy as np
import pytest

from localeval.errors import ConfigError
from localeval.methods.panel.schemas import Label, PanelSettings, SourcePanel
from localeval.methods.panel.score import score_panel
from localeval.methods.panel.weights import calibrate, equal_weights, given_score, nearest_grade
from localeval.stats.estimate import Estimate, Undefined
from tests.methods.panel.made_panels import LOST, panel, sheet

PEOPLE = (2, 0, 1, 2, 0, 1, 2, 0, 1, 2)
LABELS = tuple(Label(f"s{i}", "m", "faithfulness", grade) for i, grade in enumerate(PEOPLE))  # type: ignore[arg-type]


def settings(*judges: str) -> PanelSettings:
    """Settings of a panel of these judges with a label file."""
    return PanelSettings(judges=judges, labels="labels.jsonl", quorum=1)


def judged(**by_judge: tuple[object, ...]) -> dict[str, SourcePanel]:
    """Ten sources whose one criterion each judge graded as given."""
    return {
        f"s{i}": panel(f"s{i}", {"m": {judge: sheet(given[i]) for judge, given in by_judge.items()}})  # type: ignore[arg-type]
        for i in range(len(PEOPLE))
    }


def test_without_labels_all_weigh_the_same() -> None:
    """And the weights sum to 1."""
    weights = equal_weights(("a", "b", "c"))
    assert weights.kind == "equal"
    assert list(weights.by_judge.values()) == [1 / 3] * 3


def test_weights_are_log_odds_by_hand() -> None:
    """Right on all 10 labels, and on 6 of 10; each against what its own grades would meet by chance."""
    other = (2, 0, 1, 2, 0, 1, 0, 1, 2, 1)
    weights = calibrate(LABELS, judged(a=PEOPLE, b=other), settings("a", "b"))
    # grades 0, 1, 2: people 3, 3, 4; a the same; b 3, 4, 3
    chance = {"a": (9 + 9 + 16) / 100, "b": (9 + 12 + 12) / 100}
    right = {"a": 10, "b": 6}
    expected = {
        judge: np.log((right[judge] + 1) / (11 - right[judge])) - np.log((10 * c + 1) / (11 - 10 * c))
        for judge, c in chance.items()
    }
    assert {judge: each.log_odds for judge, each in weights.judges.items()} == pytest.approx(expected)
    assert {judge: each.chance for judge, each in weights.judges.items()} == pytest.approx(chance)
    total = sum(expected.values())
    assert weights.by_judge == pytest.approx({judge: each / total for judge, each in expected.items()})
    accuracy = weights.judges["b"].accuracy
    assert isinstance(accuracy, Estimate)
    assert (accuracy.value, accuracy.n, accuracy.sources) == (pytest.approx(0.6), 10, 10)
    assert accuracy.low < 0.6 < accuracy.high


def test_a_judge_below_chance_gets_no_weight() -> None:
    """Its log-odds are negative and shown, but a mean has no use for a negative weight."""
    against = tuple((grade + 1) % 3 for grade in PEOPLE)
    weights = calibrate(LABELS, judged(a=PEOPLE, b=against), settings("a", "b"))
    assert weights.judges["b"].log_odds < 0
    assert weights.by_judge == {"a": 1.0, "b": 0.0}


def test_always_the_same_grade_is_no_knowledge() -> None:
    """A judge that gives 2 everywhere is right where people do, and weighs nothing."""
    weights = calibrate(LABELS, judged(a=PEOPLE, b=(2,) * 10), settings("a", "b"))
    assert weights.by_judge["b"] == pytest.approx(0.0)
    accuracy = weights.judges["b"].accuracy
    assert isinstance(accuracy, Estimate)
    assert accuracy.value == pytest.approx(0.4)


def test_a_panel_that_knows_nothing_is_refused() -> None:
    """One clear line names the place and the fix."""
    with pytest.raises(ConfigError) as caught:
        calibrate(LABELS, judged(a=(2,) * 10, b=(0,) * 10), settings("a", "b"))
    assert str(caught.value) == (
        "methods.panel.labels: by the 10 labels in labels.jsonl, no judge agrees with people more than by chance "
        "(a, b); give more labels of differing scores, or leave `labels` out for equal weights, and run again: every "
        "reply is kept"
    )


def test_missing_verdicts_are_not_held_against_a_judge() -> None:
    """They are counted as missing; a judge without one readable verdict weighs nothing."""
    half = tuple(grade if i % 2 else LOST for i, grade in enumerate(PEOPLE))
    weights = calibrate(LABELS, judged(a=half, b=(LOST,) * 10), settings("a", "b"))
    accuracy = weights.judges["a"].accuracy
    assert isinstance(accuracy, Estimate)
    assert (accuracy.value, accuracy.n, accuracy.missing) == (1.0, 5, 5)
    assert weights.judges["b"].accuracy == Undefined("no labelled verdict of this judge can be read", 0, 10)
    assert weights.by_judge == {"a": 1.0, "b": 0.0}


def test_repeats_and_na_are_compared_as_grades() -> None:
    """Repeats are settled and rounded to a grade, the half upwards; NA is a score like others."""
    panels = {"s": panel("s", {"m": {"a": sheet((2, 1), "NA", (0, 1, 0))}})}
    given = [given_score(panels, Label("s", "m", name, 0), "a") for name in ("faithfulness", "c1", "c2")]
    assert given == [2, "NA", 0]
    assert [nearest_grade(each) for each in (0.0, 0.49, 0.5, 1.49, 1.5, 2.0)] == [0, 0, 1, 1, 2, 2]
    assert given_score(panels, Label("t", "m", "c1", 0), "a") is None


def test_the_consensus_follows_the_weights() -> None:
    """With labels the good judge decides; without them both count the same."""
    always = (2,) * 10
    panels = judged(a=PEOPLE, b=always)
    lever = settings("a", "b")
    weighed, plain = (score_panel(panels, lever, {}, {}, {}, labels) for labels in (LABELS, ()))
    value = {name: each["systems"]["m"]["consensus"]["value"] for name, each in (("w", weighed), ("p", plain))}
    assert value["w"] == pytest.approx(np.mean(PEOPLE) / 2)
    assert value["p"] == pytest.approx((np.mean(PEOPLE) / 2 + 1) / 2)
    assert weighed["weights"]["kind"] == "labels"
    assert weighed["weights"]["labels"] == 10
    assert weighed["judges"]["b"]["weight"] == pytest.approx(0.0)
    assert plain["weights"] == {"kind": "equal", "labels": 0, "by_judge": {"a": 0.5, "b": 0.5}, "judges": {}}
