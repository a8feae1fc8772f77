"""`benchmarks.cluster`: what its figures are held against, without Ray."""

import json
from pathlib import Path

import pytest

from benchmarks.cluster.__main__ import _write
from benchmarks.cluster.differing import differing
from benchmarks.cluster.runs import Timed
from benchmarks.speed.material import Shape

SHAPE = Shape(8, 12, 1500, 150, criteria=6)
TEXTS = {"k1": "2", "k2": "0"}
SCORES = {"systems": {"a": {"consensus": {"value": 0.5, "n": 3}, "expected": {"value": 0.4}}}, "pairs": [1, 2]}


def timed(seconds: float, texts: dict[str, str] = TEXTS, scores: object = None, n_lost: int = 0) -> Timed:
    return Timed(seconds, 20.0, 900, 300, 4, n_lost, texts, SCORES if scores is None else scores)


def summary(out: Path, twos: list[float], killed: Timed | None) -> dict[str, object]:
    found = {"one": [timed(10.0), timed(12.0), timed(11.0)], "two": [timed(each) for each in twos]}
    return _write(out, SHAPE, found, killed)


def test_the_ratio_is_of_medians_and_has_to_reach_the_goal(tmp_path: Path) -> None:
    """One slow turn does not decide; start-up is not part of it."""
    good = summary(tmp_path, [5.5, 5.6, 50.0], timed(7.0, n_lost=1))
    assert good["ratio"] == 11.0 / 5.6
    assert good["holds"] is True
    assert good["start_s"] == {"one": 20.0, "two": 20.0}
    assert summary(tmp_path, [6.5, 6.5, 6.5], timed(7.0, n_lost=1))["holds"] is False
    assert "holds" not in summary(tmp_path, [5.5], None)


def test_a_lost_reply_or_another_score_fails(tmp_path: Path) -> None:
    """As does a run in which no replica was lost, since then nothing was tried."""
    for killed in (
        timed(7.0, {"k1": "2"}, n_lost=1),
        timed(7.0, scores=SCORES | {"pairs": [1, 3]}, n_lost=1),
        timed(7.0),
    ):
        assert summary(tmp_path, [5.0], killed)["holds"] is False
    written = json.loads((tmp_path / "cluster.json").read_text(encoding="utf-8"))
    assert written["summary"]["killed"]["replicas_lost"] == 0
    assert written["summary"]["killed"]["values_that_differ"] == 0
    assert [each["calls"] for each in written["runs"]["one"]] == [2, 2, 2]


def test_texts_that_differ_are_counted(tmp_path: Path) -> None:
    """They need not change a score, but are told; so is a call that one run alone asked, after a reply of no use."""
    told = summary(tmp_path, [5.0], timed(7.0, {"k1": "2", "k2": "1"}, n_lost=1))["killed"]
    assert isinstance(told, dict)
    assert told["texts_that_differ"] == 1
    assert told["texts_that_differ_between_one_and_two"] == 0
    retried = summary(tmp_path, [5.0], timed(7.0, TEXTS | {"k1 again": "1"}, n_lost=1))["killed"]
    assert isinstance(retried, dict)
    assert retried["texts_that_differ"] == 1


def test_expectations_are_told_apart_from_what_judges_said() -> None:
    """By how much they moved; any other value that differs or is not there is counted."""
    moved = {"systems": {"a": {"consensus": {"value": 0.5, "n": 3}, "expected": {"value": 0.25}}}, "pairs": [1, 2]}
    assert differing(SCORES, SCORES) == (0, 0.0)
    assert differing(SCORES, moved) == (0, pytest.approx(0.15))
    assert differing(SCORES, {"systems": {"a": {"expected": {"value": None}}}, "pairs": [1]}) == (3, 0.0)
