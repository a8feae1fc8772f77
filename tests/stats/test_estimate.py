"""Scores as values."""

import json
import math

import pytest

from localeval.stats.estimate import Estimate, Score, Undefined, score_from_json, score_to_json


@pytest.mark.parametrize(
    "score",
    [Estimate(0.5, 0.25, 0.75, 40, 2, 3), Estimate(1.0, 0.8, 1.0, 12), Undefined("nothing was answered", 12, 1, 2)],
)
def test_a_score_comes_back_from_json(score: Score) -> None:
    """Both kinds of score survive JSON, where an undefined value is null with its reason."""
    body = json.loads(json.dumps(score_to_json(score)))
    assert score_from_json(body) == score
    assert (body["value"] is None) == isinstance(score, Undefined)


def test_an_estimate_is_a_number_in_its_interval() -> None:
    """NaN, infinite ends and a value outside its interval are refused."""
    for value, low, high in ((math.nan, 0.0, 1.0), (0.5, -math.inf, 1.0), (0.5, 0.6, 0.9), (0.5, 0.1, math.nan)):
        with pytest.raises(ValueError, match="no estimate"):
            Estimate(value, low, high, 10)


def test_few_sources_are_noted() -> None:
    """One source and two to four sources are marked; five are not."""
    notes = [Estimate(0.5, 0.4, 0.6, 10, sources=sources).note for sources in (1, 2, 4, 5)]
    assert notes == ["one source", "few sources", "few sources", ""]
    assert score_to_json(Estimate(0.5, 0.4, 0.6, 10, sources=2))["note"] == "few sources"
