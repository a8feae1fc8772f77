"""Judges beside people's scores, and what an axis is then fit for."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from localeval.methods.affect.human import CEILINGS, FEWEST_MATTERS, LEAST_ALPHA, LEAST_R, status
from localeval.methods.affect.readings import AffectLabel, AffectStudy
from localeval.methods.affect.schemas import Target
from localeval.methods.affect.score import score_affect
from localeval.stats.agreement import krippendorff_alpha
from localeval.values import Missing
from tests.methods.affect.readings import VAD, portrait, read, settings, study, text, vad

N = 40
TRUE = np.random.default_rng(8).uniform(0.1, 0.9, N)
CUT = Missing("truncated", "cut")


def made(values: np.ndarray[Any, Any] = TRUE, judge: str = "judge") -> AffectStudy:
    """One text a source, of which mood and target have a value each on all axes."""
    rows = []
    for n, value in enumerate(values):
        each = dict.fromkeys(VAD, float(value))
        rows.append(read(text(f"t{n}"), each, [portrait(Target(name="Ada", aliases=("A. L.",)), each)], judge))
    return study(rows)


def labels(
    values: np.ndarray[Any, Any] = TRUE, axis: str = "valence", target: str = "Ada", rater: str = ""
) -> list[AffectLabel]:
    """One rater's scores of the same texts."""
    contract = "target" if target else "whole"
    return [AffectLabel(f"t{n}", contract, axis, float(v), target, rater) for n, v in enumerate(values)]  # type: ignore[arg-type]


def noisy(sd: float, seed: int) -> np.ndarray[Any, Any]:
    """What people or judges with an error make of the truth."""
    return np.clip(TRUE + np.random.default_rng(seed).normal(0, sd, N), 0, 1)


def test_judge_is_held_against_the_mean_of_people() -> None:
    """r and MAE with the mean of two raters, their own alpha, and how many there are."""
    one, other = noisy(0.1, 1), noisy(0.1, 2)
    found = score_affect(made(), settings(), [*labels(one, rater="x"), *labels(other, rater="y")])["human"]
    body = found["judge"]["target"]["valence"]
    people = (one + other) / 2
    assert list(found["judge"]) == ["target"]
    assert body["r"]["value"] == pytest.approx(stats.pearsonr(people, TRUE).statistic)
    assert body["mae"] == pytest.approx(np.abs(people - TRUE).mean())
    assert (body["n"], body["raters"], body["r"]["sources"]) == (N, 2, N)
    counts = np.zeros((N, 2 * N))
    counts[np.arange(N), np.arange(N)] = 1
    counts[np.arange(N), N + np.arange(N)] = 1
    alpha = krippendorff_alpha(counts, "interval", [float(v) for v in np.concatenate([one, other])])
    assert body["alpha"]["value"] == pytest.approx(alpha.value)  # type: ignore[union-attr]


def test_offset_is_seen_in_mae_and_not_in_r() -> None:
    """A judge that follows people and lies above them agrees by r alone."""
    body = score_affect(made(), settings(), labels(TRUE - 0.1))["human"]["judge"]["target"]["valence"]
    assert body["r"]["value"] == pytest.approx(1.0)
    assert body["mae"] == pytest.approx(0.1)
    assert (body["alpha"], body["raters"]) == (None, 1)


def test_labels_of_mood_and_target_are_of_different_matters() -> None:
    """A label without a target is of the mood; each contract has its own r."""
    found = score_affect(made(), settings(), [*labels(1 - TRUE, target=""), *labels()])["human"]["judge"]
    assert found["whole"]["valence"]["r"]["value"] == pytest.approx(-1.0)
    assert found["target"]["valence"]["r"]["value"] == pytest.approx(1.0)


def test_alias_is_the_target() -> None:
    """Raters who call a target by different names scored the same."""
    given = [*labels(noisy(0.1, 5), rater="x"), *labels(noisy(0.1, 6), target="A. L.", rater="y")]
    asked = settings(targets=[Target(name="Ada", aliases=("A. L.",))])
    body = score_affect(made(), asked, given)["human"]["judge"]["target"]["valence"]
    assert (body["n"], body["raters"], body["r"]["missing"]) == (N, 2, 0)


def test_matters_without_a_score_are_counted() -> None:
    """What the judge has no value for, and what the study does not have, is missing."""
    rows = list(made().read)
    rows[0] = read(text("t0"), dict.fromkeys(VAD, CUT), [portrait("Ada", dict.fromkeys(VAD, CUT))])
    given = [*labels(), AffectLabel("nowhere", "target", "valence", 0.5, "Ada")]
    body = score_affect(study(rows), settings(), given)["human"]["judge"]["target"]["valence"]
    assert (body["n"], body["r"]["missing"]) == (N - 1, 2)


def test_texts_of_one_source_are_one_witness() -> None:
    """Forty texts of four sources leave r an interval with three degrees of freedom, and so no calibration."""
    values = noisy(0.1, 3)
    rows = [
        read(text(f"t{n}", f"g{n % 4}"), {}, [portrait("Ada", dict.fromkeys(VAD, float(v)))])
        for n, v in enumerate(values)
    ]
    few = score_affect(study(rows), settings(), labels())
    many = score_affect(made(values), settings(), labels())
    one, other = (each["human"]["judge"]["target"]["valence"]["r"] for each in (few, many))
    assert one["value"] == pytest.approx(other["value"])
    assert (one["sources"], other["sources"]) == (4, N)
    assert one["low"] < other["low"]


def test_status_without_labels() -> None:
    """Valence and favourability are not calibrated; all else, a user's own axes too, is directional."""
    asked = settings(contracts=["target", "whole", "favourability"])
    rows = [read(text("a"), {}, [portrait("Ada", {})])]
    found = score_affect(study(rows, axes=vad(more=["trust"])), asked)
    rest = {"valence": "not calibrated", "arousal": "directional", "dominance": "directional"}
    assert found["status"]["judge"] == {
        "target": {**rest, "trust": "directional"},
        "whole": rest,
        "favourability": {"favourability": "not calibrated"},
    }
    assert found["human"] == {}


def test_labels_calibrate_the_axis_and_contract_that_they_are_of() -> None:
    """A judge that people's scores bear out is calibrated there, and no other judge, axis or contract with it."""
    rows = [*made().read, *made(np.random.default_rng(1).uniform(0, 1, N), "other").read]
    asked = settings(judges=["judge", "other"])
    found = score_affect(study(rows), asked, labels(noisy(0.05, 4), axis="arousal"))["status"]
    assert found["judge"]["target"] == {
        "valence": "not calibrated",
        "arousal": "calibrated",
        "dominance": "directional",
    }
    assert found["judge"]["whole"]["arousal"] == "directional"
    assert found["other"]["target"]["arousal"] == "directional"


@pytest.mark.parametrize(
    ("n", "low", "alpha", "calibrates"),
    [
        (FEWEST_MATTERS, LEAST_R, LEAST_ALPHA, True),
        (FEWEST_MATTERS, LEAST_R, None, True),
        (FEWEST_MATTERS - 1, LEAST_R, LEAST_ALPHA, False),
        (FEWEST_MATTERS, LEAST_R - 0.01, LEAST_ALPHA, False),
        (FEWEST_MATTERS, LEAST_R, LEAST_ALPHA - 0.01, False),
    ],
)
def test_every_bar_is_needed(n: int, low: float, alpha: float | None, calibrates: bool) -> None:
    """Matters enough, an interval of r that clears its bar, and people who agree where several scored the same."""
    counts = {"n": n, "missing": 0, "sources": n, "note": ""}
    body = {
        "n": n,
        "r": {"value": low + 0.1, "low": low, "high": low + 0.2, **counts},
        "alpha": None if alpha is None else {"value": alpha, "low": alpha - 0.3, "high": alpha + 0.3, **counts},
    }
    assert status("arousal", body) == ("calibrated" if calibrates else "directional")
    assert status("valence", body) == ("calibrated" if calibrates else "not calibrated")


def test_agreement_that_cannot_be_told_calibrates_nothing() -> None:
    """People who all give one score, or a judge that does, leave no r."""
    given = [*labels(np.full(N, 0.5), rater="x"), *labels(np.full(N, 0.5), rater="y")]
    found = score_affect(made(), settings(), given)
    body = found["human"]["judge"]["target"]["valence"]
    assert (body["r"]["value"], body["alpha"]["value"]) == (None, None)
    assert body["mae"] == pytest.approx(np.abs(TRUE - 0.5).mean())
    assert found["status"]["judge"]["target"]["valence"] == "not calibrated"


def test_ceilings_are_what_people_reach() -> None:
    """No r with the mean of five readers can pass the square root of its reliability."""
    assert [each["axis"] for each in CEILINGS] == list(VAD)
    for each in CEILINGS:
        assert each["r_max"] == pytest.approx(np.sqrt(each["reliability"]), abs=0.006)
    assert score_affect(made(), settings())["ceilings"] == list(CEILINGS)
