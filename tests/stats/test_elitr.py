"""The published yardsticks of judges against experts on ELITR: 390 stored scores of three answerers, no model.

Conventions: scores from 1 to 10; 30 answers are drawn at random to be labelled, the other 360 are only judged. An error
is the mean over draws of the estimated standard error; what is to be covered is the mean of all 390 expert scores.
"""

import gzip
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from localeval.stats.correction import Corrected, JudgedItems, ppi_mean
from localeval.stats.correlation import pearson
from localeval.stats.estimate import Estimate
from localeval.stats.intervals import Floats

ROOT = Path(__file__).resolve().parents[2]
N_LABELS = 30
PUBLISHED = [("gpt4", 0.353, 0.947), ("prometheus", 0.560, 0.941)]
"""Judge, mean standard error and coverage of PPI++ with 30 labels; labels alone: .584."""


class Scores(NamedTuple):
    """Scores [answers] by who gave them, and who answered."""

    by: Mapping[str, Floats]
    answerer: tuple[str, ...]
    meeting: tuple[str, ...]

    @property
    def experts(self) -> Floats:
        """What counts as true."""
        return self.by["human_gold"]

    def bias(self, judge: str, answerer: str) -> float:
        """How much higher a judge scores the answers of one."""
        here = np.array(self.answerer) == answerer
        return float((self.by[judge] - self.experts)[here].mean())


@pytest.fixture(scope="module")
def scores() -> Scores:
    """The stored scores, where they are at hand."""
    named = os.environ.get("LOCALEVAL_DATA")
    folder = (Path(named) if named else ROOT.parent / "shared" / "data") / "elitr_bench"
    if not folder.is_dir():
        pytest.skip(f"no {folder}; LOCALEVAL_DATA names the folder of the data sets")
    with gzip.open(folder / "scored_responses.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    raters = ("gpt4", "prometheus", "human_gold", "human_silver")
    by = {rater: np.array([row[rater] for row in rows], float) for rater in raters}
    return Scores(by, tuple(row["model"] for row in rows), tuple(row["meeting"] for row in rows))


@pytest.mark.parametrize(
    ("judge", "correlation", "bias"),
    [("gpt4", 0.82, 0.64), ("prometheus", 0.24, -1.24), ("human_silver", 0.89, -0.31)],
)
def test_judges_against_experts(scores: Scores, judge: str, correlation: float, bias: float) -> None:
    """GPT-4 r .82 and .64 too kind, Prometheus r .24 and 1.24 too strict, the crowd r .89."""
    found = pearson(scores.by[judge], scores.experts)
    assert isinstance(found, Estimate)
    assert round(found.value, 2) == correlation
    assert round(float((scores.by[judge] - scores.experts).mean()), 2) == bias


def test_the_judge_is_kind_to_the_weak_not_to_itself(scores: Scores) -> None:
    """Bias .40 on its own answers, 1.02 on LongAlpaca's, .49 on Vicuna's: a gap of 3.38 becomes one of 2.76."""
    answerers = ("GPT-4", "LongAlpaca-7B", "Vicuna-13B-v1.5")
    assert [round(scores.bias("gpt4", name), 2) for name in answerers] == [0.40, 1.02, 0.49]
    means = {
        rater: {name: scores.by[rater][np.array(scores.answerer) == name].mean() for name in answerers}
        for rater in ("human_gold", "gpt4")
    }
    gaps = [round(float(each["GPT-4"] - each["LongAlpaca-7B"]), 2) for each in means.values()]
    assert gaps == [3.38, 2.76]


class Drawn(NamedTuple):
    """What many draws of labels come to: mean standard errors, and how often the truth is covered."""

    error: float
    alone: float
    coverage: float


def as_published(scores: Scores, judge: str) -> Drawn:
    """The recipe that gives the published figures, over 20,000 draws.

    The weight is the slope of labels on judge's values among the labelled, by 1 + 30 / 360; the 360 others count as
    independent of the 30, and the interval is normal.
    """
    rng = np.random.default_rng(1)
    n = len(scores.experts)
    order = rng.permuted(np.tile(np.arange(n), (20_000, 1)), axis=1)
    labelled, rest = order[:, :N_LABELS], order[:, N_LABELS:]
    y, f, others = scores.experts[labelled], scores.by[judge][labelled], scores.by[judge][rest]
    slope = ((y - y.mean(1, keepdims=True)) * f).sum(1) / (N_LABELS - 1) / f.var(1, ddof=1)
    weight = np.clip(slope / (1 + N_LABELS / rest.shape[1]), 0.0, 1.0)
    residual = y - weight[:, None] * f
    value = weight * others.mean(1) + residual.mean(1)
    error = np.sqrt(weight**2 * others.var(1, ddof=1) / rest.shape[1] + residual.var(1, ddof=1) / N_LABELS)
    covered = np.abs(value - scores.experts.mean()) <= stats.norm.ppf(0.975) * error
    alone = y.std(1, ddof=1) / np.sqrt(N_LABELS)
    return Drawn(float(error.mean()), float(alone.mean()), float(covered.mean()))


@pytest.mark.parametrize(("judge", "error", "coverage"), PUBLISHED)
def test_the_published_recipe(scores: Scores, judge: str, error: float, coverage: float) -> None:
    """Errors to .001; coverage, which was published of fewer draws, to within .006."""
    found = as_published(scores, judge)
    assert found.error == pytest.approx(error, abs=1e-3)
    assert found.alone == pytest.approx(0.584, abs=1e-3)
    assert found.coverage == pytest.approx(coverage, abs=6e-3)


def draw(scores: Scores, judge: str) -> Drawn:
    """2,000 corrections by 30 labels each as they are shipped; answers count as independent."""
    rng = np.random.default_rng(1)
    values, truth, n = scores.by[judge], float(scores.experts.mean()), len(scores.experts)
    rows = []
    for _ in range(2000):
        labelled = rng.choice(n, N_LABELS, replace=False)
        found = ppi_mean(JudgedItems(values, range(n), labelled.tolist(), scores.experts[labelled]))
        assert isinstance(found, Corrected)
        is_covered = found.estimate.low <= truth <= found.estimate.high
        alone = half(found.labels_alone) / float(stats.t.ppf(0.975, N_LABELS - 1))
        rows.append((alone / np.sqrt(found.worth / N_LABELS), alone, is_covered))
    return Drawn(*(float(each) for each in np.mean(rows, axis=0)))


def half(found: Estimate) -> float:
    """Half the width of an interval."""
    return (found.high - found.low) / 2


@pytest.mark.parametrize(("judge", "error", "coverage"), PUBLISHED)
def test_correction_by_thirty_labels(scores: Scores, judge: str, error: float, coverage: float) -> None:
    """GPT-4: error .36 where labels alone have .58; Prometheus .57 gains next to nothing, and its interval holds too.

    Both are .01 above the published ones: a weight that was tuned on 30 labels costs one of them, which the
    published recipe does not count. Coverage is a little above for the t quantile.
    """
    found = draw(scores, judge)
    assert error < found.error < error + 0.012
    assert round(found.alone, 2) == 0.58
    assert coverage - 0.01 < found.coverage < 0.975


def test_the_judges_own_mean_is_off(scores: Scores) -> None:
    """Uncorrected GPT-4 is .64 too high, with an interval that leaves out the truth; the corrected one is not."""
    rng = np.random.default_rng(2)
    labelled = rng.choice(len(scores.experts), N_LABELS, replace=False)
    values = scores.by["gpt4"]
    found = ppi_mean(JudgedItems(values, range(len(values)), labelled.tolist(), scores.experts[labelled]))
    assert isinstance(found, Corrected)
    assert isinstance(found.judged, Estimate)
    truth = float(scores.experts.mean())
    assert round(found.judged.value - truth, 2) == 0.64
    assert found.judged.low > truth
    assert found.estimate.low < truth < found.estimate.high
